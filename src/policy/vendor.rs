//! Pinned tools of outside servers, as they were published.

use std::collections::BTreeMap;
use std::sync::Arc;

use harnessc_runtime::lock::Hints;
use harnessc_runtime::upstream::HEADER_KEY;

use crate::source::Span;
use crate::syntax::{Document, Kind, Node};

/// What an import writes into `unbound` where it cannot know better: no reason yet, and told as none once a harness holds it.
pub const UNSAID: &str = "nobody has said yet what it acts on";

/// Inputs that name another thing in each tool: no run is about one.
pub const VAGUE: [&str; 12] =
    ["name", "id", "key", "type", "kind", "method", "action", "query", "path", "url", "title", "text"];

/// One tool of a pinned list.
#[derive(Clone, Debug)]
pub struct Pinned {
    /// The whole entry.
    pub node: Arc<Node>,
    /// Its name there.
    pub name: String,
    /// `title`, or the annotations' title.
    pub title: Option<(String, Span)>,
    /// `description`.
    pub description: Option<(String, Span)>,
    /// `inputSchema`.
    pub input: Option<Arc<Node>>,
    /// `outputSchema`.
    pub output: Option<Arc<Node>>,
    /// `annotations.readOnlyHint`, where it is stated.
    pub read_only: Option<(bool, Span)>,
    /// `annotations.destructiveHint`, where it is stated.
    pub destructive: Option<(bool, Span)>,
    /// `annotations.openWorldHint`, where it is stated.
    pub open_world: Option<(bool, Span)>,
    /// `annotations.idempotentHint`, where it is stated.
    pub idempotent: Option<(bool, Span)>,
}

impl Pinned {
    /// Where the input schema has an input sent as a header, past whoever looks at inputs.
    pub fn header(&self) -> Option<Span> {
        self.input.as_deref().and_then(header)
    }

    /// The hints as the lock records them.
    pub fn hints(&self) -> Hints {
        Hints {
            destructive: self.destructive.map(|(hint, _)| hint),
            idempotent: self.idempotent.map(|(hint, _)| hint),
            open_world: self.open_world.map(|(hint, _)| hint),
            read_only: self.read_only.map(|(hint, _)| hint),
        }
    }
}

fn header(node: &Node) -> Option<Span> {
    match &node.kind {
        Kind::List(items) => items.iter().find_map(|item| header(item)),
        Kind::Map(entries) => entries.iter().find_map(|entry| {
            let asks = entry.key.value.eq_ignore_ascii_case(HEADER_KEY);
            if asks { Some(entry.key.span) } else { header(&entry.value) }
        }),
        _ => None,
    }
}

/// A pinned list, by tool name; where a name occurs twice, the first stands and every place is kept.
#[derive(Clone, Debug, Default)]
pub struct Vendored {
    /// Name to tool.
    pub tools: BTreeMap<String, Pinned>,
    /// Name to the places after the first: there, the name.
    pub duplicates: BTreeMap<String, Vec<Span>>,
    /// Whether the file holds a list of tools at all.
    pub readable: bool,
}

impl Vendored {
    /// Reads a list in any form a server or a client writes it: `[…]`, `{tools: […]}`, or a JSON-RPC answer's `result`.
    pub fn read(document: &Document) -> Self {
        let mut vendored = Self::default();
        let Some(items) = document.root.as_deref().and_then(list) else { return vendored };
        vendored.readable = true;
        for node in items {
            let Some(pinned) = Pinned::read(node) else { continue };
            if vendored.tools.contains_key(&pinned.name) {
                let at = node.get("name").map_or(node.span, |entry| entry.value.span);
                vendored.duplicates.entry(pinned.name).or_default().push(at);
            } else {
                vendored.tools.insert(pinned.name.clone(), pinned);
            }
        }
        vendored
    }

    /// The entries of a list in any of those forms; none where there is no list.
    pub fn items(root: &Node) -> &[Arc<Node>] {
        list(root).unwrap_or_default()
    }
}

fn list(root: &Node) -> Option<&[Arc<Node>]> {
    match &root.kind {
        Kind::List(items) => Some(items),
        Kind::Map(_) => {
            let holder = root.get("result").map_or(root, |entry| &entry.value);
            match &holder.get("tools")?.value.kind {
                Kind::List(items) => Some(items),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Pinned {
    fn read(node: &Arc<Node>) -> Option<Self> {
        let text = |holder: &Node, key: &str| {
            let entry = holder.get(key)?;
            Some((entry.value.text()?.to_owned(), entry.value.span))
        };
        let annotations = node.get("annotations").map(|entry| Arc::clone(&entry.value));
        let hint = |key: &str| {
            let entry = annotations.as_deref()?.get(key)?;
            match entry.value.kind {
                Kind::Bool(value) => Some((value, entry.key.span.to(entry.value.span))),
                _ => None,
            }
        };
        Some(Self {
            name: node.get("name")?.value.text()?.to_owned(),
            title: text(node, "title").or_else(|| text(annotations.as_deref()?, "title")),
            description: text(node, "description"),
            input: node.get("inputSchema").map(|entry| Arc::clone(&entry.value)),
            output: node.get("outputSchema").map(|entry| Arc::clone(&entry.value)),
            read_only: hint("readOnlyHint"),
            destructive: hint("destructiveHint"),
            open_world: hint("openWorldHint"),
            idempotent: hint("idempotentHint"),
            node: Arc::clone(node),
        })
    }
}
