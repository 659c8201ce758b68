//! The comments of a TOML text, which its parser does not tell.

use crate::source::{FileId, Span};
use crate::syntax::Comment;

/// Every comment of `text`, in order. In a text that does not parse, a best effort.
pub(super) fn find(file: FileId, text: &str) -> Vec<Comment> {
    let mut comments = Vec::new();
    let mut at = 0;
    let mut line = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = match rest.as_bytes().first() {
            Some(b'#') => {
                let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
                let before = text.get(line..at).unwrap_or("").trim_start_matches('\u{feff}');
                comments.push(Comment {
                    span: Span::new(file, at..at + length),
                    text: rest.get(1..length).unwrap_or("").to_owned(),
                    alone: before.chars().all(|character| matches!(character, ' ' | '\t')),
                });
                length
            }
            Some(b'"' | b'\'') => string(rest),
            Some(b'\n') => {
                line = at + 1;
                1
            }
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        at += length;
    }
    comments
}

/// The length of the string that `rest` begins with, its quotes counted.
fn string(rest: &str) -> usize {
    let quote = if rest.starts_with('"') { "\"" } else { "'" };
    let three = quote.repeat(3);
    let (close, lines) = if rest.starts_with(&three) { (three.as_str(), true) } else { (quote, false) };
    let mut at = close.len();
    while let Some(inside) = rest.get(at..).filter(|inside| !inside.is_empty()) {
        if inside.starts_with(close) {
            return at + close.len();
        }
        if !lines && inside.starts_with('\n') {
            return at;
        }
        if quote == "\"" && inside.starts_with('\\') {
            at += 1;
        }
        at += rest.get(at..).and_then(|inside| inside.chars().next()).map_or(1, char::len_utf8);
    }
    rest.len()
}
