//! Characters that nobody sees, in the text of a YAML file. What of them a key holds is told where the key is read.

use crate::diagnostic::{Diagnostic, Sink};
use crate::source::{FileId, Span};
use crate::syntax::hidden::{self, SHOWN};
use crate::syntax::{BAD_KEY, Kind, Node, Style, YAML_SYNTAX};

/// Tells of control characters, which YAML allows nowhere; whether there were any.
pub(super) fn controls(file: FileId, text: &str, sink: &mut Sink) -> bool {
    let found = hidden::find(text).filter(|(_, character)| hidden::is_control(*character));
    let before = sink.len();
    sink.extend(found.take(SHOWN).map(|(range, character)| control(Span::new(file, range), character)));
    sink.len() > before
}

/// Tells of direction marks and tag characters, but for those in keys that findings from `since` on name already.
pub(super) fn raw(file: FileId, text: &str, since: usize, sink: &mut Sink) {
    let mut found = hidden::runs(text).map(|(range, run)| (Span::new(file, range), run)).peekable();
    if found.peek().is_none() {
        return;
    }
    let keys: Vec<Span> =
        sink.iter().skip(since).filter(|told| told.rule == BAD_KEY).map(|told| told.primary.span).collect();
    let in_no_key = |span: &Span| !keys.iter().any(|key| key.start <= span.start && span.end <= key.end);
    let told = found.filter(|(span, _)| in_no_key(span)).take(SHOWN);
    sink.extend(told.map(|(span, run)| hidden::finding(span, &run)));
}

/// Tells of a hidden character that a quoted text holds by an escape.
pub(super) fn escaped(source: &str, node: &Node, sink: &mut Sink) {
    let Kind::Text(text, Style::Quoted) = &node.kind else { return };
    let written = source.get(node.span.range()).unwrap_or("");
    if !written.contains('\\') {
        return;
    }
    if let Some(run) = hidden::by_escape(text, written) {
        sink.push(hidden::finding(node.span, &run));
    }
}

fn control(span: Span, character: char) -> Diagnostic {
    Diagnostic::new(
        YAML_SYNTAX,
        span,
        format!("a control character stands here: {}", hidden::name(character)),
        "not to be seen in most editors",
    )
    .note("YAML allows no control characters but tab and line end; nothing of this file was read")
    .help("remove it")
}
