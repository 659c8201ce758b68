//! Entries taken out of mappings and numbers made larger, as edits that keep the layout of the text.

use crate::diagnostic::Edit;
use crate::source::{Sources, Span};
use crate::syntax::{Entry, Kind, Node};
use crate::tree::Tree;

/// A mapping of a file, found by the key of one of its entries.
struct Found<'t> {
    map: &'t Node,
    entries: &'t [Entry],
    place: usize,
}

/// The mapping whose entry has its key at this place.
fn find(tree: &Tree, key: Span) -> Option<Found<'_>> {
    let document = tree.documents.iter().find(|document| document.span.file == key.file)?;
    let mut open: Vec<&Node> = document.root.as_deref().into_iter().collect();
    while let Some(node) = open.pop() {
        match &node.kind {
            Kind::Map(entries) => {
                if let Some(place) = entries.iter().position(|entry| entry.key.span == key) {
                    return Some(Found { map: node, entries, place });
                }
                open.extend(entries.iter().map(|entry| &*entry.value));
            }
            Kind::List(items) => open.extend(items.iter().map(|item| &**item)),
            _ => {}
        }
    }
    None
}

/// Takes an entry out, by the place of its key. Nothing where it is the only one of its mapping.
pub(super) fn without_entry(tree: &Tree, key: Span) -> Option<Edit> {
    let found = find(tree, key)?;
    if found.entries.len() < 2 {
        return None;
    }
    let own = found.entries.get(found.place)?;
    let next = found.entries.get(found.place + 1);
    let file = key.file;
    let span = if tree.sources.slice(found.map.span).starts_with('{') {
        match next {
            Some(next) => Span::new(file, key.range().start..next.key.span.range().start),
            None => {
                let before = found.entries.get(found.place.checked_sub(1)?)?;
                Span::new(file, end_of(before).range().end..end_of(own).range().end)
            }
        }
    } else {
        let text = &tree.sources.get(file)?.text;
        let start = line_start(text, key.range().start);
        let end = match next {
            Some(next) => line_start(text, next.key.span.range().start),
            None => {
                let end = end_of(own).range().end;
                text.get(end..)?.find('\n').map_or(text.len(), |at| end + at + 1)
            }
        };
        Span::new(file, start..end)
    };
    Some(Edit { span, replacement: String::new() })
}

/// Takes the whole mapping out in which a key stands, with the entry that holds it.
pub(super) fn without_section(tree: &Tree, key: Span) -> Option<Edit> {
    let inner = find(tree, key)?.map.span;
    without_entry(tree, key_before(tree, Some(inner))?)
}

/// The key of the entry whose value stands at this place.
pub(super) fn key_before(tree: &Tree, value: Option<Span>) -> Option<Span> {
    let value = value?;
    let document = tree.documents.iter().find(|document| document.span.file == value.file)?;
    let mut open: Vec<&Node> = document.root.as_deref().into_iter().collect();
    while let Some(node) = open.pop() {
        match &node.kind {
            Kind::Map(entries) => {
                if let Some(entry) =
                    entries.iter().find(|entry| entry.alias.is_none() && entry.value.span == value)
                {
                    return Some(entry.key.span);
                }
                open.extend(entries.iter().map(|entry| &*entry.value));
            }
            Kind::List(items) => open.extend(items.iter().map(|item| &**item)),
            _ => {}
        }
    }
    None
}

/// Where an entry's text ends: an alias stands for a text elsewhere.
fn end_of(entry: &Entry) -> Span {
    entry.alias.unwrap_or(entry.value.span)
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |line| line + 1)
}

/// Puts an entry before the first one of the mapping that has a key at this place.
pub(super) fn with_entry(tree: &Tree, beside: Span, entry: &str) -> Option<Edit> {
    let found = find(tree, beside)?;
    let first = found.entries.first()?.key.span;
    let at = Span::new(first.file, first.range().start..first.range().start);
    let flow = tree.sources.slice(found.map.span).starts_with('{');
    let text = &tree.sources.get(first.file)?.text;
    let column = first.range().start - line_start(text, first.range().start);
    let replacement = if flow { format!("{entry}, ") } else { format!("{entry}\n{}", " ".repeat(column)) };
    Some(Edit { span: at, replacement })
}

/// The first number of a text, twice as large: `45s` to `90s`, `0.50 USD` to `1.00 USD`.
pub(super) fn doubled(sources: &Sources, at: Span) -> Option<Edit> {
    let text = sources.slice(at);
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let rest = text.get(start..)?;
    let length = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let number = rest.get(..length)?;
    let more = match number.split_once('.') {
        None => number.parse::<u64>().ok()?.checked_mul(2)?.to_string(),
        Some((whole, part)) => {
            let digits = part.len();
            let all: u64 = format!("{whole}{part}").parse().ok()?;
            let twice = format!("{:0>width$}", all.checked_mul(2)?, width = digits + 1);
            let (whole, part) = twice.split_at(twice.len() - digits);
            format!("{whole}.{part}")
        }
    };
    let from = at.range().start + start;
    Some(Edit { span: Span::new(at.file, from..from + length), replacement: more })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fix::edited;

    fn tree(text: &str) -> Tree {
        let files = [("harness.toml", "[policy]\nname = \"a\"\n"), ("policies/a.yaml", text)];
        Tree::from_files(files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()))).0
    }

    fn at(tree: &Tree, part: &str) -> Span {
        let (file, source) = tree.sources.iter().find(|(_, file)| file.path.ends_with("a.yaml")).unwrap();
        let start = source.text.find(part).unwrap();
        Span::new(file, start..start + part.len())
    }

    #[test]
    fn entries_come_and_go_and_the_layout_stays() {
        let text = "a:\n  b: {one: 1, two: 2}\n  c:\n    d: 1\n    f: [2]\n";
        let tree = tree(text);
        let after = |edit: Option<Edit>| edited(text, &[&edit.unwrap()]);
        assert_eq!(after(without_entry(&tree, at(&tree, "one"))), text.replace("one: 1, ", ""));
        assert_eq!(after(without_entry(&tree, at(&tree, "two"))), text.replace(", two: 2", ""));
        assert_eq!(after(without_entry(&tree, at(&tree, "b"))), text.replace("  b: {one: 1, two: 2}\n", ""));
        assert_eq!(after(without_entry(&tree, at(&tree, "f"))), text.replace("    f: [2]\n", ""));
        assert_eq!(without_entry(&tree, at(&tree, "a")), None, "the only one");
        assert_eq!(after(with_entry(&tree, at(&tree, "two"), "x: 3")), text.replace("{one", "{x: 3, one"));
        assert_eq!(after(with_entry(&tree, at(&tree, "f"), "x: 3")), text.replace("d: 1", "x: 3\n    d: 1"));
    }

    #[test]
    fn numbers_double_and_keep_their_form() {
        for (written, twice) in
            [("8", "16"), ("45s", "90s"), ("0.50 USD", "1.00 USD"), ("2MiB", "4MiB"), ("7.5", "15.0")]
        {
            let text = format!("a: {written}\n");
            let tree = tree(&text);
            let edit = doubled(&tree.sources, at(&tree, written)).unwrap();
            assert_eq!(edited(&text, &[&edit]), format!("a: {twice}\n"));
        }
    }
}
