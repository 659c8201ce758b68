//! JSON text to nodes with exact spans, for the tests of this room.

use std::sync::Arc;

use serde_json::Value;

use super::{Origin, Purpose, Reading, Shorts, read};
use crate::source::{FileId, Sources, Span, Spanned};
use crate::syntax::{Entry, Kind, Node, Style};

/// One text, read as JSON in which words need no quotes.
pub(super) struct Text {
    pub(super) sources: Sources,
    file: FileId,
}

impl Text {
    pub(super) fn new(text: &str) -> Self {
        let mut sources = Sources::default();
        let file = sources.add("test.yaml", text);
        Self { sources, file }
    }

    pub(super) fn node(&self) -> Arc<Node> {
        let text = self.sources.get(self.file).unwrap().text.clone();
        let mut reader = Reader { file: self.file, text: &text, at: 0 };
        reader.node()
    }
}

struct Reader<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> char {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\n', ',']).len();
        self.text[self.at..].chars().next().unwrap_or('\0')
    }

    fn node(&mut self) -> Arc<Node> {
        let first = self.peek();
        let start = self.at;
        let kind = match first {
            '{' => self.map(),
            '[' => self.list(),
            _ => self.scalar(),
        };
        Arc::new(Node { span: Span::new(self.file, start..self.at), kind })
    }

    fn map(&mut self) -> Kind {
        self.at += 1;
        let mut entries = Vec::new();
        while self.peek() != '}' {
            let start = self.at;
            let key = match self.scalar() {
                Kind::Text(text, _) | Kind::Number(text) => text,
                other => format!("{other:?}"),
            };
            let span = Span::new(self.file, start..self.at);
            assert_eq!(self.peek(), ':', "at {}", &self.text[self.at..]);
            self.at += 1;
            entries.push(Entry { key: Spanned::new(key, span), value: self.node(), alias: None });
        }
        self.at += 1;
        Kind::Map(entries)
    }

    fn list(&mut self) -> Kind {
        self.at += 1;
        let mut items = Vec::new();
        while self.peek() != ']' {
            items.push(self.node());
        }
        self.at += 1;
        Kind::List(items)
    }

    fn scalar(&mut self) -> Kind {
        let rest = &self.text[self.at..];
        if rest.starts_with('"') {
            let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            let text = stream.next().unwrap().unwrap();
            self.at += stream.byte_offset();
            return Kind::Text(text, Style::Quoted);
        }
        let end = rest.find([',', ':', '}', ']', ' ', '\n']).unwrap_or(rest.len());
        self.at += end;
        match &rest[..end] {
            "null" => Kind::Null,
            "true" => Kind::Bool(true),
            "false" => Kind::Bool(false),
            word if word.starts_with(|c: char| c.is_ascii_digit() || "-+.".contains(c)) => {
                Kind::Number(word.to_owned())
            }
            word => Kind::Text(word.to_owned(), Style::Plain),
        }
    }
}

/// Reads an own schema without names.
pub(super) fn own(text: &str, purpose: Purpose) -> Reading {
    read(&Text::new(text).node(), Origin::Own, purpose, &Shorts::none())
}

/// Reads a pinned schema.
pub(super) fn pinned(text: &str, purpose: Purpose) -> Reading {
    read(&Text::new(text).node(), Origin::Pinned, purpose, &Shorts::none())
}

/// The closed form, which must exist.
pub(super) fn closed(reading: &Reading) -> &Value {
    reading.closed.as_ref().unwrap_or_else(|| panic!("not closed: {:#?}", reading.problems))
}

/// Whether a schema accepts a value, formats aside.
pub(super) fn accepts(schema: &Value, value: &Value) -> bool {
    jsonschema::options().build(schema).unwrap_or_else(|e| panic!("{e}: {schema}")).is_valid(value)
}

/// The kinds of all problems, with the text under each.
pub(super) fn found(text: &str, origin: Origin, purpose: Purpose) -> Vec<(super::ProblemKind, String)> {
    let source = Text::new(text);
    let reading = read(&source.node(), origin, purpose, &Shorts::none());
    let mut sources = Sources::default();
    sources.add("test.yaml", text);
    reading.problems.iter().map(|p| (p.kind, sources.slice(p.span).to_owned())).collect()
}
