//! A definition put behind the others of its section, in a text that stays otherwise as it is.

use crate::diagnostic::Edit;
use crate::fix::edited;
use crate::source::Span;
use crate::syntax::{Document, Kind};

/// `text` with `entry` (its first line not indented) as the last of `section`; nothing where the section is not written
/// one entry a line.
pub(super) fn behind(text: &str, document: &Document, section: &str, entry: &str) -> Option<String> {
    let value = &document.root.as_ref()?.get(section)?.value;
    let Kind::Map(entries) = &value.kind else { return None };
    let (first, last) = (entries.first()?, entries.last()?);
    let start = first.key.span.start as usize;
    let line = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let indent = text.get(line..start)?;
    // Behind `section: {` stands something else than blanks.
    if indent.is_empty() || !indent.bytes().all(|byte| byte == b' ') {
        return None;
    }
    // An alias has its anchor's span; it stands behind its key.
    let value = last.alias.unwrap_or(last.value.span);
    let end = value.end.max(last.key.span.end) as usize;
    let at = line_end(text, end)?;
    let apart = text.get(start..end)?.replace('\r', "").contains("\n\n");
    let between = if apart || entries.len() == 1 { "\n" } else { "" };
    let before = if text.get(..at)?.ends_with('\n') { "" } else { "\n" };
    let lines =
        entry.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{indent}{line}\n") });
    let replacement = format!("{before}{between}{}", lines.collect::<String>());
    let edit = Edit { span: Span::new(document.span.file, at..at), replacement };
    Some(edited(text, &[&edit]))
}

/// Where the line that holds the byte before `end` is over.
fn line_end(text: &str, end: usize) -> Option<usize> {
    if text.get(..end)?.ends_with('\n') {
        return Some(end);
    }
    Some(text.get(end..)?.find('\n').map_or(text.len(), |at| end + at + 1))
}
