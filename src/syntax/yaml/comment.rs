//! Comments, and those that are none: `title: issue #12` loses its number.

use super::wording;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::Comment;

/// A comment at `span`, whose text behind the `#` is `text`.
pub(super) fn read(source: &str, span: Span, text: &str) -> Comment {
    let before = source.get(..span.start as usize).unwrap_or("");
    let line = before.rsplit(['\n', '\r']).next().unwrap_or("");
    let alone = line.trim_start_matches('\u{feff}').chars().all(|character| matches!(character, ' ' | '\t'));
    Comment { span, text: text.to_owned(), alone }
}

/// A finding where `comment` stands one space behind the plain text at `cut` and has no space after its `#`.
pub(super) fn cut(source: &str, comment: &Comment, cut: Span) -> Option<Diagnostic> {
    let gap = source.get(cut.end as usize..comment.span.start as usize)?;
    let joined = gap == " " && comment.text.starts_with(|first: char| !first.is_whitespace());
    let text = source.get(cut.range())?;
    joined.then(|| wording::cut_comment(cut, comment.span, text, &comment.text))
}
