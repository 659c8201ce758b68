//! What was taken of a tool's changes while others of them were not: noted in the pinned file, beside the entry that stays.
//!
//! A note is about one step, from the entry that is pinned to the one that was read; where either is another one, nothing
//! was taken. It changes nothing about what a tool is: the pinned entry holds until every change is taken.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::Import;
use super::accept::{Kind, Moved};
use super::again::plain;
use crate::syntax::{Kind as NodeKind, Node};

/// Where MCP lets an answer carry what is not of the protocol.
const META: &str = "_meta";
const KEY: &str = "harnessc/accepted";

/// What is taken of one tool's changes.
pub(super) struct Taken {
    pub(super) name: String,
    /// The step that it is about, as [`step`] gives it.
    pub(super) step: String,
    pub(super) kinds: BTreeSet<Kind>,
}

/// The note for a pinned file, as text of JSON; empty where there is none.
pub(super) fn note(taken: impl Iterator<Item = Taken>) -> String {
    let mut all = BTreeMap::new();
    for Taken { name, step, kinds } in taken {
        let kinds: Vec<&str> = kinds.into_iter().map(Kind::word).collect();
        all.insert(name, json!({ "kinds": kinds, "step": step }));
    }
    let inner: Map<String, Value> = all.into_iter().collect();
    if inner.is_empty() { String::new() } else { format!("\"{META}\": {}", json!({ KEY: inner })) }
}

/// The digest of the step from one list's entry of a tool to another's, whatever their layout.
pub(super) fn step(before: &Import, after: &Import, name: &str) -> String {
    let of = |import: &Import| -> Vec<Value> {
        let named = |node: &&Arc<Node>| node.get("name").and_then(|entry| entry.value.text()) == Some(name);
        import.nodes.iter().filter(named).map(|node| plain(node)).collect()
    };
    let text = json!([of(before), of(after)]).to_string();
    let mut shown = "sha256:".to_owned();
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(shown, "{byte:02x}");
    }
    shown
}

/// The note of a pinned file, where it has one.
pub(super) fn noted(root: &Node) -> Option<Arc<Node>> {
    Some(Arc::clone(&root.get(META)?.value.get(KEY)?.value))
}

/// What the note of a pinned list says is taken of the step to another list; a note of another step says nothing.
pub(super) fn taken(before: &Import, after: &Import) -> Moved {
    let Some(NodeKind::Map(entries)) = before.noted.as_ref().map(|node| &node.kind) else {
        return Moved::new();
    };
    let mut taken = Moved::new();
    for entry in entries {
        let name = &entry.key.value;
        let of_step = entry.value.get("step").and_then(|step| step.value.text());
        if of_step != Some(step(before, after, name).as_str()) {
            continue;
        }
        let Some(NodeKind::List(words)) = entry.value.get("kinds").map(|kinds| &kinds.value.kind) else {
            continue;
        };
        let kinds = words.iter().filter_map(|word| Kind::of(word.text()?)).collect();
        taken.insert(name.clone(), kinds);
    }
    taken
}
