//! TOML text, which is the manifest's, to a [`Document`], so that one reader serves the manifest and the sections.

mod comments;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use toml::Spanned as Told;
use toml::de::{DeTable, DeValue};

use super::{
    Document, Entry, INPUT_TOO_LARGE, Kind, MAX_DEPTH, MAX_FINDINGS, Node, Style, hidden, hidden_in_key,
};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::source::{FileId, Span, Spanned};

/// The manifest does not parse, or says what it cannot.
pub const BAD_MANIFEST: RuleId = RuleId("bad-manifest");

/// Reads one file's text. Findings: bad-manifest (as many as there are), input-too-large, bad-key, hidden-character.
///
/// What parses is given even where something else does not; the document is then `broken`. Entries stand in the order
/// of the text. A table's span is that of its header or braces. A date is text.
pub fn read(file: FileId, text: &str, sink: &mut Sink) -> Document {
    let span = Span::new(file, 0..text.len());
    if let Some(place) = too_deep(text) {
        sink.push(depth_finding(Span::new(file, place)));
        return Document { span, root: None, comments: Vec::new(), broken: true };
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    let broken = !errors.is_empty();
    for error in errors.into_iter().take(MAX_FINDINGS) {
        let place = error.span().map_or(span, |range| Span::new(file, range));
        sink.push(syntax(place, error.message()));
    }
    let is_text = |run: &[char]| !run.iter().copied().any(hidden::is_control);
    for (range, run) in hidden::runs(text).filter(|(_, run)| is_text(run)).take(hidden::SHOWN) {
        sink.push(hidden::finding(Span::new(file, range), &run));
    }
    let kind = Reader { file, text, sink }.table(table.get_ref());
    let root = Some(Arc::new(Node { span, kind }));
    Document { span, root, comments: comments::find(file, text), broken }
}

struct Reader<'s, 'a> {
    file: FileId,
    text: &'a str,
    sink: &'s mut Sink,
}

impl Reader<'_, '_> {
    fn table(&mut self, table: &DeTable<'_>) -> Kind {
        let mut entries: Vec<Entry> = Vec::new();
        for (key, value) in table {
            let key = Spanned::new(key.get_ref().to_string(), Span::new(self.file, key.span()));
            if let Some(character) = key.value.chars().find(|character| hidden::in_key(*character)) {
                self.sink.push(hidden_in_key(key.span, character));
            }
            entries.push(Entry { key, value: self.value(value), alias: None });
        }
        entries.sort_by_key(|entry| entry.key.span);
        Kind::Map(entries)
    }

    fn value(&mut self, value: &Told<DeValue<'_>>) -> Arc<Node> {
        let span = Span::new(self.file, value.span());
        let written = self.text.get(value.span()).unwrap_or("");
        let kind = match value.get_ref() {
            DeValue::String(text) => {
                if let Some(run) = hidden::by_escape(text, written) {
                    self.sink.push(hidden::finding(span, &run));
                }
                Kind::Text(text.to_string(), Style::Quoted)
            }
            DeValue::Integer(_) | DeValue::Float(_) => Kind::Number(written.replace('_', "")),
            DeValue::Boolean(value) => Kind::Bool(*value),
            DeValue::Datetime(_) => Kind::Text(written.to_owned(), Style::Plain),
            DeValue::Array(items) => Kind::List(items.iter().map(|item| self.value(item)).collect()),
            DeValue::Table(table) => self.table(table),
        };
        Arc::new(Node { span, kind })
    }
}

fn syntax(span: Span, told: &str) -> Diagnostic {
    Diagnostic::new(BAD_MANIFEST, span, format!("this is not valid TOML: {told}"), "here")
        .note("the manifest names the policy and its rule levels; what it means is never guessed")
        .help("correct the line; texts stand in double quotes, and each key stands once in its table")
}

fn depth_finding(span: Span) -> Diagnostic {
    Diagnostic::new(
        INPUT_TOO_LARGE,
        span,
        format!("this line opens or names more than {MAX_DEPTH} levels"),
        "too deep",
    )
    .note("nothing of this file was read: what nests this deep cannot be reviewed, and could exhaust the reader")
    .help("write it flatter; no part of a manifest is deeper than three levels")
}

/// The first line that could nest beyond the limit: a key of too many dotted parts (the parser has a limit of its own for
/// brackets, and none for dots). A text with as many dots is refused with it; no part of a manifest needs one.
fn too_deep(text: &str) -> Option<std::ops::Range<usize>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let comment = line.trim_start().starts_with('#');
        if !comment && line.bytes().filter(|byte| *byte == b'.').count() > MAX_DEPTH {
            return Some(start..start + line.trim_end().len());
        }
        start += line.len();
    }
    None
}
