//! The same server's list, imported again: what moved since it was pinned.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::judge::Proposal;
use super::names::LeftOut;
use super::refusal::Refusal;
use super::{Import, Remark, Setting, of_pin, overlay, speech, text_of};
use crate::policy::Pinned;
use crate::policy::schema::{self, Origin, Purpose, Shorts, Tri, tighter_or_equal};
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
}

/// A tool that is there no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Gone {
    /// Its published name.
    pub name: String,
    /// The keys of the lines that lean on it; they stay.
    pub keys: BTreeSet<String>,
}

/// A tool of which something changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Changed {
    /// Its published name.
    pub name: String,
    /// The keys of the lines that lean on it; they stay.
    pub keys: BTreeSet<String>,
    /// What changed.
    pub moves: Vec<Move>,
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
    },
    /// What it says it gives back.
    Output {
        /// On the whole.
        shift: Shift,
    },
    /// Something else.
    Other {
        /// Its key.
        key: String,
    },
}

/// How a schema moved, judged on the closed forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shift {
    /// It accepts the same.
    Same,
    /// It accepts less.
    Tighter,
    /// It accepts what it refused.
    Looser,
    /// It accepts what it refused, and refuses what it accepted.
    Both,
    /// Structure alone does not tell.
    CannotTell,
    /// There was none.
    New,
    /// There is none any more.
    Gone,
    /// An input is required no more.
    NoLongerRequired,
    /// An input is required that was not.
    NowRequired,
}

/// How one root input moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InputShift {
    /// Its name.
    pub input: String,
    /// How.
    pub shift: Shift,
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
            setting: setting.clone(),
        };
        for (name, before) in &old.list.tools {
            match self.list.tools.get(name) {
                None => changes.gone.push(Gone { name: name.clone(), keys: keys(name) }),
                Some(after) => {
                    let moves = moves(before, after);
                    if !moves.is_empty() {
                        changes.changed.push(Changed { name: name.clone(), keys: keys(name), moves });
                    }
                }
            }
        }
        let was_fit = |one: &&LeftOut| old.tools.iter().any(|tool| tool.name == one.name);
        changes.unfit = self.left_out.iter().filter(was_fit).cloned().collect();
        let known: BTreeSet<&Remark> = old.remarks.iter().collect();
        changes.remarks = self.remarks.iter().filter(|remark| !known.contains(remark)).cloned().collect();
        Ok(changes)
    }

    fn added(&self, old: &Import, news: &[&Proposal], setting: &Setting) -> Vec<Added> {
        news.iter()
            .filter(|tool| !old.list.tools.contains_key(&tool.name))
            .filter_map(|tool| {
                let tool = Proposal::as_new(self.list.tools.get(&tool.name)?);
                let overlaid = setting.overlaid.contains_key(&tool.name);
                Some(Added { tool, overlaid })
            })
            .collect()
    }
}

impl Changes {
    /// Whether nothing moved.
    pub fn is_empty(&self) -> bool {
        self.only_adds() && self.added.is_empty() && self.left_out.is_empty()
    }

    /// Whether the only news are new tools: pinning the list then changes nothing that a harness holds.
    pub fn only_adds(&self) -> bool {
        self.gone.is_empty() && self.changed.is_empty() && self.unfit.is_empty()
    }

    /// The overlay file with a line for each new tool at its end; everything else stays byte for byte. Nothing where the
    /// file is not laid out so that lines can be put there; [`Changes::lines`] has them.
    pub fn appended(&self, existing: &str) -> Option<String> {
        overlay::appended(existing, &self.lines())
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
fn plain(node: &Node) -> Value {
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

fn schemas(before: &Pinned, after: &Pinned) -> Vec<Move> {
    let differ = |a: &Option<_>, b: &Option<_>| {
        let value = |node: &Option<std::sync::Arc<Node>>| node.as_deref().map(plain);
        value(a) != value(b)
    };
    let mut moves = Vec::new();
    if differ(&before.input, &after.input) {
        let (old, new) = (closed(before, Purpose::Input), closed(after, Purpose::Input));
        let inputs = match (&old, &new) {
            (Some(old), Some(new)) => inputs(old, new),
            _ => Vec::new(),
        };
        let shift = shift_of(&before.input, &after.input, old.as_ref(), new.as_ref());
        if shift != Shift::Same || !inputs.is_empty() {
            moves.push(Move::Input { shift, inputs });
        }
    }
    if differ(&before.output, &after.output) {
        let (old, new) = (closed(before, Purpose::Output), closed(after, Purpose::Output));
        let shift = shift_of(&before.output, &after.output, old.as_ref(), new.as_ref());
        if shift != Shift::Same {
            moves.push(Move::Output { shift });
        }
    }
    moves
}

fn closed(tool: &Pinned, purpose: Purpose) -> Option<Value> {
    let node = if purpose == Purpose::Output { &tool.output } else { &tool.input };
    schema::read(node.as_ref()?, Origin::Pinned, purpose, &Shorts::none()).closed
}

fn shift_of<T>(before: &Option<T>, after: &Option<T>, old: Option<&Value>, new: Option<&Value>) -> Shift {
    match (before, after, old, new) {
        (None, Some(_), ..) => Shift::New,
        (Some(_), None, ..) => Shift::Gone,
        (.., Some(old), Some(new)) => shift(old, new),
        _ => Shift::CannotTell,
    }
}

fn shift(old: &Value, new: &Value) -> Shift {
    if old == new {
        return Shift::Same;
    }
    match (tighter_or_equal(old, old, new), tighter_or_equal(new, new, old)) {
        (Tri::Yes, Tri::Yes) => Shift::Same,
        (Tri::Yes, _) => Shift::Tighter,
        (_, Tri::Yes) => Shift::Looser,
        (Tri::No, Tri::No) => Shift::Both,
        (Tri::No, _) => Shift::Looser,
        (Tri::CannotTell, _) => Shift::CannotTell,
    }
}

/// A part of a schema with the definitions that its references name.
fn standing_alone(part: &Value, root: &Value) -> Value {
    let mut part = part.clone();
    let refers = part.to_string().contains("\"$ref\"");
    if let (Some(map), Some(definitions), true) = (part.as_object_mut(), root.get("$defs"), refers) {
        map.insert("$defs".to_owned(), definitions.clone());
    }
    part
}

/// The root inputs that moved, by name.
fn inputs(old: &Value, new: &Value) -> Vec<InputShift> {
    let of = |schema: &Value| -> BTreeMap<String, Value> {
        let properties = schema.get("properties").and_then(Value::as_object);
        properties
            .into_iter()
            .flatten()
            .map(|(name, part)| (name.clone(), standing_alone(part, schema)))
            .collect()
    };
    let required = |schema: &Value| -> BTreeSet<String> {
        let names = schema.get("required").and_then(Value::as_array);
        names.into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
    };
    let (old_inputs, new_inputs) = (of(old), of(new));
    let (old_required, new_required) = (required(old), required(new));
    let names: BTreeSet<&String> = old_inputs.keys().chain(new_inputs.keys()).collect();
    let mut found = Vec::new();
    for name in names {
        let mut note = |shift| found.push(InputShift { input: name.clone(), shift });
        match (old_inputs.get(name), new_inputs.get(name)) {
            (None, _) => note(Shift::New),
            (_, None) => note(Shift::Gone),
            (Some(old), Some(new)) => {
                let shift = shift(old, new);
                if shift != Shift::Same {
                    note(shift);
                }
            }
        }
        match (old_required.contains(name), new_required.contains(name)) {
            (true, false) if new_inputs.contains_key(name) => note(Shift::NoLongerRequired),
            (false, true) => note(Shift::NowRequired),
            _ => {}
        }
    }
    found
}
