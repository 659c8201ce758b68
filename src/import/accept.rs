//! Which of the changes of a list a person takes: one by one, by name, or all of them in so many words.

use std::collections::{BTreeMap, BTreeSet};

use super::again::Changes;
use super::refusal::Refusal;
use super::taken::Taken;
use super::{Import, text};
use crate::diagnostic::nearest;
use crate::syntax::Node;

/// The word that takes every change.
pub const ALL: &str = "all";

/// What of a tool can change, as `--accept TOOL:KIND` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A title or a description.
    Text,
    /// A hint.
    Hint,
    /// What calls may hold.
    Input,
    /// What it gives back.
    Output,
    /// Whatever else it says.
    Other,
    /// The tool is new, and the policy has a line that was waiting for it: it would be held at once.
    Awaited,
    /// The tool is there no more.
    Gone,
    /// It could have a line before, and cannot any more.
    Unfit,
}

impl Kind {
    /// All of them.
    const ALL: [Self; 8] = [
        Self::Text,
        Self::Hint,
        Self::Input,
        Self::Output,
        Self::Other,
        Self::Awaited,
        Self::Gone,
        Self::Unfit,
    ];

    /// The kind of this word.
    pub(super) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The word on the command line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Hint => "hint",
            Self::Input => "input",
            Self::Output => "output",
            Self::Other => "other",
            Self::Awaited => "awaited",
            Self::Gone => "gone",
            Self::Unfit => "unfit",
        }
    }
}

/// Changes that need a person's word, by tool.
pub(super) type Moved = BTreeMap<String, BTreeSet<Kind>>;

/// The changes that are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Acceptance(Moved);

impl Acceptance {
    /// Reads what `--accept` names: `all`, `TOOL` or `TOOL:KIND`, each of which has to be there.
    ///
    /// # Errors
    /// A word names nothing that changed.
    pub fn read(words: &[String], changes: &Changes) -> Result<Self, Refusal> {
        let moved = changes.moved();
        let mut taken = Moved::new();
        for word in words {
            if word == ALL {
                if moved.contains_key(ALL) {
                    return Err(Refusal::new("`--accept all` is not clear: a tool of that name changed too")
                        .help(format!("name its changes, such as `--accept {}`", flag(ALL, &moved))));
                }
                taken.clone_from(&moved);
            } else if let Some(kinds) = moved.get(word) {
                taken.entry(word.clone()).or_default().extend(kinds);
            } else {
                let (tool, kind) = one(word, &moved)?;
                taken.entry(tool).or_default().insert(kind);
            }
        }
        Ok(Self(taken))
    }

    /// Whether it names nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The first kind of a tool's changes as it is written after `--accept`.
fn flag(tool: &str, moved: &Moved) -> String {
    let kind = moved.get(tool).and_then(BTreeSet::first);
    kind.map_or_else(|| tool.to_owned(), |kind| format!("{tool}:{}", kind.word()))
}

fn one(word: &str, moved: &Moved) -> Result<(String, Kind), Refusal> {
    let (tool, kind) = word.rsplit_once(':').unwrap_or((word, ""));
    let Some(kinds) = moved.get(tool) else {
        let refusal =
            Refusal::new(format!("`--accept` names {}, and no such tool changed", text::name(tool)));
        let near = nearest(tool, moved.keys().map(String::as_str));
        return Err(match near {
            Some(near) => refusal.help(format!("did you mean {}?", text::name(near))),
            None if moved.is_empty() => {
                refusal.help("nothing changed that has to be taken: leave `--accept` out")
            }
            None => refusal.help(format!("changed: {}", text::listed(moved.keys().map(String::as_str)))),
        });
    };
    match kinds.iter().find(|known| known.word() == kind) {
        Some(kind) => Ok((tool.to_owned(), *kind)),
        None => Err(Refusal::new(format!("`--accept {}` names no change of that tool", text::visible(word)))
            .help(format!(
                "of {} changed: {}",
                text::name(tool),
                text::listed(kinds.iter().map(|kind| kind.word()))
            ))),
    }
}

impl Changes {
    /// What needs a person's word: all but tools that are new and that no line of the policy leans on, and what was taken
    /// by an earlier import.
    pub(super) fn moved(&self) -> Moved {
        let mut moved = Moved::new();
        let mut note = |name: &String, kind: Kind| {
            moved.entry(name.clone()).or_default().insert(kind);
        };
        let awaited = self.added.iter().filter(|added| added.overlaid);
        awaited.for_each(|added| note(&added.tool.name, Kind::Awaited));
        self.gone.iter().for_each(|gone| note(&gone.name, Kind::Gone));
        self.unfit.iter().for_each(|unfit| note(&unfit.name, Kind::Unfit));
        for changed in &self.changed {
            changed.moves.iter().for_each(|one| note(&changed.name, one.kind()));
        }
        moved
    }

    /// The changes that nobody has taken yet, each as `--accept` names it.
    pub fn standing(&self, acceptance: &Acceptance) -> Vec<String> {
        let taken =
            |name: &str, kind: &Kind| acceptance.0.get(name).is_some_and(|kinds| kinds.contains(kind));
        let moved = self.moved();
        let all = moved.iter().flat_map(|(name, kinds)| kinds.iter().map(move |kind| (name, kind)));
        all.filter(|(name, kind)| !taken(name, kind))
            .map(|(name, kind)| format!("{name}:{}", kind.word()))
            .collect()
    }

    /// Whether something can be pinned: a tool that can no longer be told from another has to be settled first, since its
    /// old entry cannot stand beside the new ones.
    pub fn can_pin(&self, acceptance: &Acceptance) -> bool {
        self.unfit
            .iter()
            .all(|one| acceptance.0.get(&one.name).is_some_and(|kinds| kinds.contains(&Kind::Unfit)))
    }

    /// Whether every change of a tool is taken.
    pub fn takes(&self, name: &str, acceptance: &Acceptance) -> bool {
        let (moved, none) = (self.moved(), BTreeSet::new());
        let taken = acceptance.0.get(name).unwrap_or(&none);
        moved.get(name).is_none_or(|kinds| kinds.is_subset(taken))
    }
}

impl Import {
    /// The text to pin: the list as it came where every change is taken; else, of each tool of which some change is not, the
    /// entry that is pinned now, if any, and of all others the new one. Each entry is some published one, byte for byte. What
    /// is taken of the entries that stay is noted beside them.
    ///
    /// Where nothing can be pinned yet ([`Changes::can_pin`]) the pinned entries all stay, and the note alone is new.
    pub fn pin_of(&self, pinned: &[u8], changes: &Changes, acceptance: &Acceptance) -> String {
        let old = super::text_of(pinned).and_then(super::of_pin).ok();
        let Some(old) = old.filter(|_| !changes.standing(acceptance).is_empty()) else {
            return self.pin.clone();
        };
        let before = |name: &str| old.list.tools.get(name).map(|tool| raw(&old.pin, &tool.node));
        let moved = changes.moved();
        let pins = changes.can_pin(acceptance);
        let held_back: BTreeMap<&str, Option<&str>> = moved
            .keys()
            .filter(|name| !pins || !changes.takes(name, acceptance))
            .map(|name| (name.as_str(), before(name)))
            .collect();
        let (mut entries, mut stood) = (Vec::new(), BTreeSet::new());
        if pins {
            for node in &self.nodes {
                let name = node.get("name").and_then(|name| name.value.text());
                let entry = match name.and_then(|name| Some((name, held_back.get(name)?))) {
                    // An entry that stays stands once, also where its name stands twice in the new list.
                    Some((name, before)) if stood.insert(name) => *before,
                    Some(_) => None,
                    None => Some(raw(&self.pin, node)),
                };
                entries.extend(entry.map(str::to_owned));
            }
            let gone = held_back.iter().filter(|(name, _)| !self.list.tools.contains_key(**name));
            entries.extend(gone.filter_map(|(_, before)| before.map(str::to_owned)));
        } else {
            entries.extend(old.nodes.iter().map(|node| raw(&old.pin, node).to_owned()));
        }
        let taken = held_back.keys().filter_map(|name| self.taken_of(&old, name, changes, acceptance));
        super::normal_with(&entries, &super::taken::note(taken))
    }

    /// What is taken of a tool whose pinned entry stays: now and before.
    fn taken_of(&self, old: &Self, name: &str, changes: &Changes, acceptance: &Acceptance) -> Option<Taken> {
        let kinds: BTreeSet<Kind> = [&acceptance.0, &changes.taken]
            .into_iter()
            .filter_map(|all| all.get(name))
            .flatten()
            .copied()
            .collect();
        let step = super::taken::step(old, self, name);
        (!kinds.is_empty()).then(|| Taken { name: name.to_owned(), step, kinds })
    }
}

fn raw<'t>(text: &'t str, node: &Node) -> &'t str {
    text.get(node.span.range()).unwrap_or("")
}
