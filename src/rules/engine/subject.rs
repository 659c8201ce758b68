//! What a waived finding is about: the definition around the place where it is waived, its name and its text.

use crate::policy::Tool;
use crate::rules::Cx;
use crate::source::Span;
use crate::syntax::{Document, Entry, Kind};

/// A definition, as the lock names it and as a waiver's digest covers it.
pub(super) struct Subject {
    /// `SECTION/KEY`; the section alone where it has no keys; empty where the place lies in none.
    pub(super) name: String,
    /// Its text without comments and blank lines; for a tool of an outside server, what it published as well.
    pub(super) text: String,
}

impl Subject {
    pub(super) fn of(cx: &Cx<'_>, place: Span) -> Self {
        let mut documents = std::iter::once(&cx.tree.manifest).chain(&cx.tree.documents);
        let document = documents.find(|document| document.span.file == place.file);
        let section = document.and_then(|document| around(document.root.as_ref()?, place));
        let (Some(document), Some(section)) = (document, section) else {
            return Self { name: String::new(), text: String::new() };
        };
        let Some(definition) = around(&section.value, place) else {
            return Self { name: section.key.value.clone(), text: plain(cx, document, whole(section)) };
        };
        let mut text = plain(cx, document, whole(definition));
        if section.key.value == "tools" {
            let tool = cx.policy.registry.tool(&definition.key.value);
            text.push_str(published(cx, tool));
        }
        Self { name: format!("{}/{}", section.key.value, definition.key.value), text }
    }
}

/// The entry of a mapping that a place lies in.
fn around(node: &crate::syntax::Node, place: Span) -> Option<&Entry> {
    let Kind::Map(entries) = &node.kind else { return None };
    entries.iter().find(|entry| {
        let whole = whole(entry);
        whole.start <= place.start && place.end <= whole.end
    })
}

/// An entry from its key to its value's end. An alias ends where it stands.
fn whole(entry: &Entry) -> Span {
    let value = entry.alias.unwrap_or(entry.value.span);
    let end = value.end.max(entry.key.span.end);
    Span { end, ..entry.key.span }
}

/// A stretch of a document without its comments and blank lines.
fn plain(cx: &Cx<'_>, document: &Document, stretch: Span) -> String {
    let mut text = String::new();
    let mut from = stretch.start;
    let inside = |at: u32| stretch.start <= at && at < stretch.end;
    for comment in document.comments.iter().filter(|comment| inside(comment.span.start)) {
        text.push_str(cx.tree.sources.slice(Span { start: from, end: comment.span.start, ..stretch }));
        from = comment.span.end;
    }
    text.push_str(cx.tree.sources.slice(Span { start: from, ..stretch }));
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.fold(String::with_capacity(text.len()), |text, line| text + line + "\n")
}

fn published<'a>(cx: &'a Cx<'_>, tool: Option<&Tool<'_>>) -> &'a str {
    let pinned = tool.and_then(|tool| tool.pinned.as_ref());
    pinned.map_or("", |pinned| cx.tree.sources.slice(pinned.node.span))
}
