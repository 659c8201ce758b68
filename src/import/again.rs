//! The same server's list, imported again: what moved since it was pinned.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::accept::{Acceptance, Kind as Accepted, Moved};
use super::judge::Proposal;
use super::names::LeftOut;
use super::overlay::Comment;
use super::refusal::Refusal;
use super::setting::Split;
use super::shift::{InputShift, Shift, schemas};
use super::steps::Step;
use super::{Import, Remark, RemarkKind, Setting, judge, of_pin, overlay, speech, text, text_of};
use crate::policy::Pinned;
use crate::syntax::{Kind, Node};

/// What moved between the pinned list and another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Changes {
    /// The server's key.
    pub server: String,
    /// Tools that the pinned list has not.
    pub added: Vec<Added>,
    /// Tools that the other list has not.
    pub gone: Vec<Gone>,
    /// Tools of which something changed.
    pub changed: Vec<Changed>,
    /// Tools of the pinned list that could have a line there and cannot any more.
    pub unfit: Vec<LeftOut>,
    /// New tools that cannot have a line.
    pub left_out: Vec<LeftOut>,
    /// What a person should look at in the texts that are new.
    pub remarks: Vec<Remark>,
    /// What was taken by an earlier import of the same change of a tool, and is told no more.
    #[serde(skip)]
    pub(super) taken: Moved,
    #[serde(skip)]
    pub(super) setting: Setting,
}

/// A new tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Added {
    /// Its line: a write that asks, whatever it says of itself.
    pub tool: Proposal,
    /// Whether the tree has a line for that name already.
    pub overlaid: bool,
    /// The harnesses that hold it already.
    pub held_by: BTreeSet<String>,
}

/// A tool that is there no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Gone {
    /// Its published name.
    pub name: String,
    /// The keys of the lines that lean on it; they stay.
    pub keys: BTreeSet<String>,
    /// The harnesses that hold it.
    pub held_by: BTreeSet<String>,
}

/// A tool of which something changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Changed {
    /// Its published name.
    pub name: String,
    /// The keys of the lines that lean on it; they stay.
    pub keys: BTreeSet<String>,
    /// The harnesses that hold it.
    pub held_by: BTreeSet<String>,
    /// What changed.
    pub moves: Vec<Move>,
    #[serde(skip)]
    pub(super) comments: Vec<Comment>,
}

/// One change of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Move {
    /// A title or a description, of the tool or of a part of its schemas.
    Text {
        /// The way to it.
        at: String,
        /// What it was; nothing where there was none.
        before: Option<String>,
        /// What it is; nothing where there is none.
        after: Option<String>,
    },
    /// A hint.
    Hint {
        /// Its name.
        hint: String,
        /// What it was, where it was stated.
        before: Option<bool>,
        /// What it is, where it is stated.
        after: Option<bool>,
    },
    /// What calls may hold.
    Input {
        /// On the whole.
        shift: Shift,
        /// By root input.
        inputs: Vec<InputShift>,
        /// Every difference of the closed schemas, what is looser first.
        steps: Vec<Step>,
    },
    /// What it says it gives back.
    Output {
        /// On the whole.
        shift: Shift,
        /// Every difference of the closed schemas, what is looser first.
        steps: Vec<Step>,
    },
    /// Something else.
    Other {
        /// Its key.
        key: String,
    },
}

impl Move {
    /// As `--accept TOOL:KIND` names it.
    pub(super) fn kind(&self) -> Accepted {
        match self {
            Self::Text { .. } => Accepted::Text,
            Self::Hint { .. } => Accepted::Hint,
            Self::Input { .. } => Accepted::Input,
            Self::Output { .. } => Accepted::Output,
            Self::Other { .. } => Accepted::Other,
        }
    }
}

impl Move {
    /// Whether calls may hold what they could not, or nobody can tell.
    pub(super) fn takes_more(&self) -> bool {
        let more = |shift: &Shift| matches!(shift, Shift::Looser | Shift::Both | Shift::CannotTell);
        matches!(self, Self::Input { shift, .. } if more(shift))
    }
}

impl Import {
    /// What moved since `pinned`, the bytes of the pinned file, beside the lines that the tree has.
    ///
    /// # Errors
    /// The pinned file cannot be read.
    pub fn again(&self, pinned: &[u8], setting: &Setting) -> Result<Changes, Refusal> {
        let old = text_of(pinned).and_then(of_pin).map_err(|refusal| Refusal {
            message: format!("the pinned list `{}` cannot be read: {}", setting.pin_path(), refusal.message),
            help: Some("mend it, or take it away to import anew".to_owned()),
            ..refusal
        })?;
        let keys = |name: &str| setting.overlaid.get(name).cloned().unwrap_or_default();
        let holders = |name: &str| setting.held.get(name).cloned().unwrap_or_default();
        let (news, left_out) = self.settle(setting);
        let mut changes = Changes {
            server: setting.server.clone(),
            added: self.added(&old, &news, setting),
            gone: Vec::new(),
            changed: Vec::new(),
            unfit: Vec::new(),
            left_out: left_out
                .iter()
                .filter(|one| !old.list.tools.contains_key(&one.name))
                .cloned()
                .collect(),
            remarks: Vec::new(),
            taken: Moved::new(),
            setting: setting.clone(),
        };
        for (name, before) in &old.list.tools {
            match self.list.tools.get(name) {
                None => {
                    changes.gone.push(Gone { name: name.clone(), keys: keys(name), held_by: holders(name) });
                }
                Some(after) => {
                    let moves = moves(before, after);
                    if !moves.is_empty() {
                        let (keys, held_by) = (keys(name), holders(name));
                        let comments = self.comments(&old, name, &keys);
                        changes.changed.push(Changed { name: name.clone(), keys, held_by, moves, comments });
                    }
                }
            }
        }
        let was_fit = |one: &&LeftOut| old.tools.iter().any(|tool| tool.name == one.name);
        changes.unfit = self.left_out.iter().filter(was_fit).cloned().collect();
        changes.forget(super::taken::taken(&old, self));
        let known: BTreeSet<&Remark> = old.remarks.iter().collect();
        let fresh = self.remarks.iter().filter(|remark| !known.contains(remark)).cloned();
        changes.remarks = fresh.chain(self.unlisted(setting, Some(&old))).collect();
        Ok(changes)
    }

    /// The published values for which the tree's lines have no case, but for those that an older list had already: `check`
    /// tells of these.
    pub(super) fn unlisted(&self, setting: &Setting, old: Option<&Import>) -> Vec<Remark> {
        let mut found = Vec::new();
        for (name, splits) in &setting.cases {
            let Some(tool) = self.list.tools.get(name) else { continue };
            let before = old.and_then(|old| old.list.tools.get(name));
            for Split { key, input, values } in splits {
                let known = before.map(|tool| judge::published(tool, input)).unwrap_or_default();
                let left = judge::published(tool, input)
                    .into_iter()
                    .filter(|value| !values.contains(*value) && !known.contains(value));
                let left: Vec<&str> = left.collect();
                if left.is_empty() {
                    continue;
                }
                let (told, cases) =
                    (text::listed(left.iter().copied()), if left.len() == 1 { "it" } else { "them" });
                found.push(Remark {
                    tool: name.clone(),
                    at: format!("inputSchema.properties.{input}"),
                    kind: RemarkKind::UnlistedCase,
                    text: format!(
                        "can be {told}, and no case of {} is for {cases}: such a call is refused until one is",
                        text::name(key)
                    ),
                });
            }
        }
        found
    }

    /// What the comments behind a changed tool's lines said, and would say now.
    fn comments(&self, old: &Import, name: &str, keys: &BTreeSet<String>) -> Vec<Comment> {
        let judged = |import: &Import| {
            let tool = import.list.tools.get(name)?;
            let told = |proposal: &Proposal| overlay::why(proposal, &import.remarks);
            Some([told(&Proposal::of(tool)), told(&Proposal::as_new(tool))])
        };
        let (Some(before), Some([after, _])) = (judged(old), judged(self)) else { return Vec::new() };
        let comment = |key: &String| Comment { key: key.clone(), old: before.clone(), new: after.clone() };
        keys.iter().map(comment).collect()
    }

    fn added(&self, old: &Import, news: &[&Proposal], setting: &Setting) -> Vec<Added> {
        news.iter()
            .filter(|tool| !old.list.tools.contains_key(&tool.name))
            .filter_map(|tool| {
                let tool = Proposal::as_new(self.list.tools.get(&tool.name)?);
                let overlaid = setting.overlaid.contains_key(&tool.name);
                let held_by = setting.held.get(&tool.name).cloned().unwrap_or_default();
                Some(Added { tool, overlaid, held_by })
            })
            .collect()
    }
}

impl Changes {
    /// Leaves out what was taken before. A tool of which nothing would be left is told whole: then nothing has pinned it.
    fn forget(&mut self, taken: Moved) {
        let moved = self.moved();
        for (name, kinds) in taken {
            if moved.get(&name).is_none_or(|all| all.is_subset(&kinds)) {
                continue;
            }
            self.unfit.retain(|one| one.name != name || !kinds.contains(&Accepted::Unfit));
            for changed in self.changed.iter_mut().filter(|changed| changed.name == name) {
                changed.moves.retain(|one| !kinds.contains(&one.kind()));
            }
            self.taken.insert(name, kinds);
        }
        self.changed.retain(|changed| !changed.moves.is_empty());
    }

    /// Whether nothing moved.
    pub fn is_empty(&self) -> bool {
        self.only_adds() && self.added.is_empty() && self.left_out.is_empty()
    }

    /// Whether the only news are new tools that no line leans on: pinning the list then changes nothing that a harness holds.
    pub fn only_adds(&self) -> bool {
        self.moved().is_empty()
    }

    /// The overlay file with a line for each new tool at its end; everything else stays byte for byte. Nothing where the
    /// file is not laid out so that lines can be put there; [`Changes::lines`] has them.
    pub fn appended(&self, existing: &str) -> Option<String> {
        overlay::appended(existing, &self.lines())
    }

    /// A file of the tree in which the comments that an import wrote behind the lines of changed tools, and nobody touched,
    /// say what holds now; of tools alone whose changes are all taken.
    pub fn restated(&self, existing: &str, acceptance: &Acceptance) -> String {
        let taken = self.changed.iter().filter(|changed| self.takes(&changed.name, acceptance));
        let comments: Vec<Comment> = taken.flat_map(|changed| changed.comments.iter().cloned()).collect();
        overlay::restated(existing, &comments)
    }

    /// The lines of the new tools, for the `tools:` section.
    pub fn lines(&self) -> Vec<String> {
        let fresh = self.added.iter().filter(|added| !added.overlaid);
        fresh.map(|added| overlay::line(&added.tool, &self.setting, &self.remarks)).collect()
    }
}

fn moves(before: &Pinned, after: &Pinned) -> Vec<Move> {
    let mut moves = Vec::new();
    moves.extend(hints(before, after));
    moves.extend(schemas(before, after));
    moves.extend(texts(before, after));
    moves.extend(others(&before.node, &after.node));
    moves
}

fn hints(before: &Pinned, after: &Pinned) -> Vec<Move> {
    let of = |tool: &Pinned| {
        [
            ("readOnlyHint", tool.read_only),
            ("destructiveHint", tool.destructive),
            ("idempotentHint", tool.idempotent),
            ("openWorldHint", tool.open_world),
        ]
        .map(|(name, hint)| (name, hint.map(|(value, _)| value)))
    };
    of(before)
        .into_iter()
        .zip(of(after))
        .filter(|((_, before), (_, after))| before != after)
        .map(|((hint, before), (_, after))| Move::Hint { hint: hint.to_owned(), before, after })
        .collect()
}

/// Prose by the way to it.
fn prose(tool: &Pinned) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    speech::texts(&tool.node, "", &mut |at, text| {
        if speech::is_prose(at) {
            found.insert(at.to_owned(), text.to_owned());
        }
    });
    found
}

fn texts(before: &Pinned, after: &Pinned) -> Vec<Move> {
    let (before, after) = (prose(before), prose(after));
    let ways: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    ways.into_iter()
        .filter(|at| before.get(*at) != after.get(*at))
        .map(|at| Move::Text {
            at: at.clone(),
            before: before.get(at).cloned(),
            after: after.get(at).cloned(),
        })
        .collect()
}

/// Whatever else a tool says, compared whole.
fn others(before: &Node, after: &Node) -> Vec<Move> {
    const KNOWN: [&str; 5] = ["name", "title", "description", "inputSchema", "outputSchema"];
    const HINTS: [&str; 5] = ["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
    let mut found = differing(before, after, &KNOWN);
    if found.remove("annotations") {
        let empty = Node { span: before.span, kind: Kind::Null };
        let annotations =
            |node: &Node| node.get("annotations").map_or(empty.clone(), |entry| (*entry.value).clone());
        let inner = differing(&annotations(before), &annotations(after), &HINTS);
        found.extend(inner.into_iter().map(|key| format!("annotations.{key}")));
    }
    found.into_iter().map(|key| Move::Other { key }).collect()
}

fn differing(before: &Node, after: &Node, known: &[&str]) -> BTreeSet<String> {
    let of = |node: &Node| -> BTreeMap<String, Value> {
        match &node.kind {
            Kind::Map(entries) => {
                entries.iter().map(|entry| (entry.key.value.clone(), plain(&entry.value))).collect()
            }
            _ => BTreeMap::new(),
        }
    };
    let (before, after) = (of(before), of(after));
    before
        .keys()
        .chain(after.keys())
        .filter(|key| !known.contains(&key.as_str()) && before.get(*key) != after.get(*key))
        .cloned()
        .collect()
}

/// A node without its places.
pub(super) fn plain(node: &Node) -> Value {
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Bool(value) => Value::Bool(*value),
        Kind::Number(number) => serde_json::from_str(number).unwrap_or(Value::String(number.clone())),
        Kind::Text(text, _) => Value::String(text.clone()),
        Kind::List(items) => Value::Array(items.iter().map(|item| plain(item)).collect()),
        Kind::Map(entries) => {
            let mut sorted: Vec<(String, Value)> =
                entries.iter().map(|entry| (entry.key.value.clone(), plain(&entry.value))).collect();
            sorted.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(sorted.into_iter().collect())
        }
    }
}
