//! One text with its edits applied.

use crate::diagnostic::Edit;

/// `text` with `edits`, which do not overlap, applied. What comes takes on the line ends that the text has.
pub fn edited(text: &str, edits: &[&Edit]) -> String {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let crlf = has_crlf(text);
    let mut made = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let range = edit.span.range();
        made.push_str(text.get(at..range.start).unwrap_or(""));
        push(&mut made, &edit.replacement, crlf);
        at = range.end;
    }
    made.push_str(text.get(at..).unwrap_or(""));
    made
}

/// Whether the first line ends with CRLF.
fn has_crlf(text: &str) -> bool {
    text.split_once('\n').is_some_and(|(first, _)| first.ends_with('\r'))
}

fn push(made: &mut String, replacement: &str, crlf: bool) {
    if crlf {
        made.push_str(&replacement.replace("\r\n", "\n").replace('\n', "\r\n"));
    } else {
        made.push_str(replacement);
    }
}
