//! Items put into lists and taken out of them, as edits that keep the layout of the text.

use crate::diagnostic::Edit;
use crate::source::{Sources, Span};
use crate::syntax::{Kind, Node};
use crate::tree::Tree;

/// A list as it is written: the whole, and its items in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// From its first to its last byte; of a list in brackets, the brackets too.
    pub whole: Span,
    /// Its items.
    pub items: Vec<Span>,
}

impl Written {
    /// The smallest list that a place lies in.
    pub fn around(tree: &Tree, place: Span) -> Option<Self> {
        let document = tree.documents.iter().find(|document| document.span.file == place.file)?;
        let mut found = None;
        let mut open: Vec<&Node> = document.root.as_deref().into_iter().collect();
        while let Some(node) = open.pop() {
            let around =
                node.span.file == place.file && node.span.start <= place.start && node.span.end >= place.end;
            match &node.kind {
                Kind::List(items) => {
                    if around {
                        found = Some(Self {
                            whole: node.span,
                            items: items.iter().map(|item| item.span).collect(),
                        });
                        open.clear();
                    }
                    open.extend(items.iter().map(|item| &**item));
                }
                Kind::Map(entries) => open.extend(entries.iter().map(|entry| &*entry.value)),
                _ => {}
            }
        }
        found
    }

    /// Puts one item behind the last. Nothing where the list is not written as such.
    pub fn with(&self, sources: &Sources, item: &str) -> Option<Edit> {
        let last = self.items.last()?;
        let text = &sources.get(last.file)?.text;
        if sources.slice(self.whole).starts_with('[') {
            return Some(insert(*last, format!(", {item}")));
        }
        let first = self.items.first()?.range().start;
        let line = text.get(..first)?.rfind('\n').map_or(0, |at| at + 1);
        let lead = text.get(line..first)?;
        let dash = lead.rfind('-')?;
        let indent = " ".repeat(lead.get(..dash)?.chars().count());
        Some(insert(*last, format!("\n{indent}- {item}")))
    }

    /// Takes the item at `place` out, with its comma or its line. Nothing where it is the only one: an empty list means nothing.
    pub fn without(&self, sources: &Sources, place: usize) -> Option<Edit> {
        if self.items.len() < 2 {
            return None;
        }
        let item = self.items.get(place)?;
        let text = &sources.get(item.file)?.text;
        let span = if sources.slice(self.whole).starts_with('[') {
            match self.items.get(place + 1) {
                Some(next) => Span::new(item.file, item.range().start..next.range().start),
                None => {
                    Span::new(item.file, self.items.get(place.checked_sub(1)?)?.range().end..item.range().end)
                }
            }
        } else {
            let start = text.get(..item.range().start)?.rfind('\n').map_or(0, |at| at + 1);
            let end =
                text.get(item.range().end..)?.find('\n').map_or(text.len(), |at| item.range().end + at + 1);
            Span::new(item.file, start..end)
        };
        Some(Edit { span, replacement: String::new() })
    }
}

/// An entry put before the one whose key stands at this place, in the layout of that one.
pub fn beside(tree: &Tree, key: Span, text: &str) -> Option<Edit> {
    let document = tree.documents.iter().find(|document| document.span.file == key.file)?;
    let mut open: Vec<&Node> = document.root.as_deref().into_iter().collect();
    while let Some(node) = open.pop() {
        let Kind::Map(entries) = &node.kind else { continue };
        if entries.iter().any(|entry| entry.key.span == key) {
            let start = key.range().start;
            let replacement = if tree.sources.slice(node.span).starts_with('{') {
                format!("{text}, ")
            } else {
                let source = &tree.sources.get(key.file)?.text;
                let line = source.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
                format!("{text}\n{}", " ".repeat(source.get(line..start)?.chars().count()))
            };
            return Some(Edit { span: Span::new(key.file, start..start), replacement });
        }
        open.extend(entries.iter().map(|entry| &*entry.value));
    }
    None
}

/// A field put first into the definition whose key stands at this place, in the layout that it has.
pub fn field(tree: &Tree, key: Span, text: &str) -> Option<Edit> {
    let document = tree.documents.iter().find(|document| document.span.file == key.file)?;
    let mut open: Vec<&Node> = document.root.as_deref().into_iter().collect();
    while let Some(node) = open.pop() {
        let Kind::Map(entries) = &node.kind else { continue };
        if let Some(entry) = entries.iter().find(|entry| entry.key.span == key) {
            let Kind::Map(fields) = &entry.value.kind else { return None };
            let at = fields.first()?.key.span;
            let source = &tree.sources.get(at.file)?.text;
            let start = at.range().start;
            let replacement = if tree.sources.slice(entry.value.span).starts_with('{') {
                format!("{text}, ")
            } else {
                let line = source.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
                format!("{text}\n{}", " ".repeat(source.get(line..start)?.chars().count()))
            };
            return Some(Edit { span: Span::new(at.file, start..start), replacement });
        }
        open.extend(entries.iter().map(|entry| &*entry.value));
    }
    None
}

fn insert(behind: Span, text: String) -> Edit {
    let end = behind.range().end;
    Edit { span: Span::new(behind.file, end..end), replacement: text }
}

#[cfg(test)]
mod tests {
    use super::Written;
    use crate::fix::edited;
    use crate::source::{Sources, Span};

    fn written(text: &str, items: &[&str]) -> (Sources, Written) {
        let mut sources = Sources::default();
        let file = sources.add("a.yaml", text);
        let span = |part: &str| {
            let start = text.find(part).unwrap();
            Span::new(file, start..start + part.len())
        };
        let items: Vec<Span> = items.iter().map(|item| span(item)).collect();
        let mut whole = items[0].to(*items.last().unwrap());
        if text.contains('[') {
            whole = Span::new(file, text.find('[').unwrap()..text.find(']').unwrap() + 1);
        }
        (sources, Written { whole, items })
    }

    #[test]
    fn items_come_and_go_and_the_layout_stays() {
        let flow = "a: [one, two, three]\n";
        let (sources, list) = written(flow, &["one", "two", "three"]);
        let after = |edit| edited(flow, &[&edit]);
        assert_eq!(after(list.with(&sources, "x").unwrap()), "a: [one, two, three, x]\n");
        assert_eq!(after(list.without(&sources, 0).unwrap()), "a: [two, three]\n");
        assert_eq!(after(list.without(&sources, 2).unwrap()), "a: [one, two]\n");
        let block = "a:\n  - one\n  - {tool: two}   # why\nb: 1\n";
        let (sources, list) = written(block, &["one", "{tool: two}"]);
        let after = |edit| edited(block, &[&edit]);
        assert_eq!(
            after(list.with(&sources, "x").unwrap()),
            "a:\n  - one\n  - {tool: two}\n  - x   # why\nb: 1\n"
        );
        assert_eq!(after(list.without(&sources, 1).unwrap()), "a:\n  - one\nb: 1\n");
    }

    #[test]
    fn the_only_item_stays() {
        let (sources, list) = written("a: [one]\n", &["one"]);
        assert_eq!(list.without(&sources, 0), None);
    }
}
