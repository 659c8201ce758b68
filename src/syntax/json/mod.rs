//! JSON text, as outside servers publish their tool lists, to a [`Document`].
//!
//! Strict RFC 8259: no comments, no trailing commas. A key that stands twice is a finding, numbers stay as written.

mod number;
mod string;
#[cfg(test)]
mod tests;
mod wording;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::hidden;
use super::{Document, Entry, Kind, MAX_DEPTH, MAX_NODES, Node, Style};
use crate::diagnostic::{Diagnostic, Sink};
use crate::source::{FileId, Span, Spanned};

pub use wording::JSON_SYNTAX;

/// The text does not parse; the finding stands in the sink.
struct Stop;

/// Reads one file's text. Findings: json-syntax, duplicate-key, bad-key, input-too-large, hidden-character.
///
/// A document that does not parse, or is too large, is `broken` and has no root.
pub fn read(file: FileId, text: &str, sink: &mut Sink) -> Document {
    let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let allowed = sink.len() + super::MAX_FINDINGS;
    let mut reader = Reader { file, text, at, nodes: 0, allowed, sink };
    let root = reader.document().ok();
    let broken = root.is_none();
    Document { span: Span::new(file, 0..text.len()), root, comments: Vec::new(), broken }
}

struct Reader<'s, 'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    nodes: u64,
    allowed: usize,
    sink: &'s mut Sink,
}

impl<'a> Reader<'_, 'a> {
    fn document(&mut self) -> Result<Arc<Node>, Stop> {
        let root = self.value(0)?;
        self.blanks();
        match self.peek() {
            None => Ok(root),
            Some(_) => Err(self.stop(wording::behind_the_end(self.here()))),
        }
    }

    /// The value that begins at the next token; `depth` collections are open around it, at most [`MAX_DEPTH`].
    fn value(&mut self, depth: usize) -> Result<Arc<Node>, Stop> {
        self.blanks();
        self.nodes += 1;
        if self.sink.len() > self.allowed {
            return Err(self.stop(super::too_many_findings(self.here())));
        }
        if self.nodes > MAX_NODES {
            return Err(self.stop(wording::too_many(self.here())));
        }
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{' | b'[') if depth >= MAX_DEPTH => {
                return Err(self.stop(wording::too_deep(self.here())));
            }
            Some(b'{') => self.object(depth + 1)?,
            Some(b'[') => self.array(depth + 1)?,
            Some(b'"') => {
                let text = self.string()?;
                self.visible(&text.value, text.span);
                Kind::Text(text.value, Style::Quoted)
            }
            Some(b'-' | b'0'..=b'9') => Kind::Number(self.number()?),
            _ => self.word()?,
        };
        Ok(Arc::new(Node { span: self.since(start), kind }))
    }

    fn object(&mut self, depth: usize) -> Result<Kind, Stop> {
        let open = self.here();
        self.at += 1;
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        if self.take(b'}') {
            return Ok(Kind::Map(entries));
        }
        loop {
            self.blanks();
            if self.peek() != Some(b'"') {
                return Err(self.unexpected(open, "a key in double quotes"));
            }
            let key = self.string()?;
            if !self.take(b':') {
                return Err(self.unexpected(open, "a colon"));
            }
            let value = self.value(depth)?;
            self.entry(key, value, &mut entries, &mut seen);
            if self.take(b'}') {
                return Ok(Kind::Map(entries));
            }
            if !self.take(b',') {
                return Err(self.unexpected(open, "a comma or `}`"));
            }
        }
    }

    /// Keeps an entry; of two with one key the first is kept and the second told of.
    fn entry(
        &mut self,
        key: Spanned<String>,
        value: Arc<Node>,
        entries: &mut Vec<Entry>,
        seen: &mut BTreeMap<String, Span>,
    ) {
        if let Some(first) = seen.get(&key.value) {
            self.sink.push(super::duplicate_key(&key, *first));
            return;
        }
        if let Some(character) = key.value.chars().find(|character| hidden::in_key(*character)) {
            self.sink.push(super::hidden_in_key(key.span, character));
        }
        seen.insert(key.value.clone(), key.span);
        entries.push(Entry { key, value, alias: None });
    }

    fn array(&mut self, depth: usize) -> Result<Kind, Stop> {
        let open = self.here();
        self.at += 1;
        let mut items = Vec::new();
        if self.take(b']') {
            return Ok(Kind::List(items));
        }
        loop {
            items.push(self.value(depth)?);
            if self.take(b']') {
                return Ok(Kind::List(items));
            }
            if !self.take(b',') {
                return Err(self.unexpected(open, "a comma or `]`"));
            }
        }
    }

    fn word(&mut self) -> Result<Kind, Stop> {
        let rest = self.text.get(self.at..).unwrap_or("");
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let kind = match rest.get(..length).unwrap_or("") {
            "true" => Kind::Bool(true),
            "false" => Kind::Bool(false),
            "null" => Kind::Null,
            word => {
                let span = if word.is_empty() { self.here() } else { self.since_to(self.at + length) };
                return Err(self.stop(wording::no_value(span, self.at >= self.text.len())));
            }
        };
        self.at += length;
        Ok(kind)
    }

    /// Tells of a character in the text at `span` that nobody sees.
    fn visible(&mut self, text: &str, span: Span) {
        let Some((_, run)) = hidden::runs(text).next() else { return };
        let written = self.text.get(span.range()).unwrap_or("");
        let place = match hidden::runs(written).next() {
            Some((range, _)) => {
                let start = span.start as usize;
                Span::new(self.file, start + range.start..start + range.end)
            }
            None => span,
        };
        self.sink.push(hidden::finding(place, &run));
    }

    fn unexpected(&mut self, open: Span, expected: &str) -> Stop {
        let ended = self.at >= self.text.len();
        let here = self.here();
        self.stop(wording::expected(here, open, expected, ended))
    }

    fn stop(&mut self, finding: Diagnostic) -> Stop {
        self.sink.push(finding);
        Stop
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Passes over `byte` and the blanks before it, where it is the next token.
    fn take(&mut self, byte: u8) -> bool {
        self.blanks();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The character at the reading position; at the end of the text, an empty place.
    fn here(&self) -> Span {
        let length = self.text.get(self.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        self.since_to(self.at + length)
    }

    fn since(&self, start: usize) -> Span {
        Span::new(self.file, start..self.at)
    }

    fn since_to(&self, end: usize) -> Span {
        Span::new(self.file, self.at..end)
    }
}
