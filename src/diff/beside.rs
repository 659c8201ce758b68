//! What stands beside a lock in its tree and watches over it: tests, counts, mirrors, who may sign.

use std::collections::BTreeSet;

use super::guard::Beside;
use crate::syntax::{Document, Entry, Kind, Node};
use crate::tree::Tree;

impl Beside {
    /// What a tree states; `signers` is the text of its list of those who may sign acknowledgements, where it has one.
    pub fn of(tree: &Tree, signers: Option<&str>) -> Self {
        let root = |document: &Document| document.root.clone();
        let mut beside = Self::default();
        for root in tree.documents.iter().filter_map(root) {
            for entry in members(root.get("tests").map(|entry| &*entry.value)) {
                beside.tests.insert(entry.key.value.clone(), canonical(&entry.value));
            }
        }
        if let Some(manifest) = root(&tree.manifest) {
            for entry in members(manifest.get("expect").map(|entry| &*entry.value)) {
                beside.expect.insert(entry.key.value.clone(), canonical(&entry.value));
            }
            let mirrors = manifest.get("mirror").map(|entry| &entry.value.kind);
            if let Some(Kind::List(mirrors)) = mirrors {
                beside.mirrors = mirrors.iter().map(|mirror| canonical(mirror)).collect();
            }
        }
        beside.signers = signers.map(lines);
        beside
    }
}

/// The lines that say something, comments and blanks aside.
fn lines(text: &str) -> BTreeSet<String> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

fn members(node: Option<&Node>) -> &[Entry] {
    match node.map(|node| &node.kind) {
        Some(Kind::Map(entries)) => entries,
        _ => &[],
    }
}

/// A node as text in which layout, comments and the order of keys leave no trace.
fn canonical(node: &Node) -> String {
    match &node.kind {
        Kind::Null => "null".to_owned(),
        Kind::Bool(value) => value.to_string(),
        Kind::Number(number) => number.clone(),
        Kind::Text(text, _) => format!("{text:?}"),
        Kind::List(items) => {
            let items: Vec<String> = items.iter().map(|item| canonical(item)).collect();
            format!("[{}]", items.join(", "))
        }
        Kind::Map(entries) => {
            let mut members: Vec<String> = entries
                .iter()
                .map(|entry| format!("{}: {}", entry.key.value, canonical(&entry.value)))
                .collect();
            members.sort();
            format!("{{{}}}", members.join(", "))
        }
    }
}
