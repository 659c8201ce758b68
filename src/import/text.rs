//! Outside text made fit to be read by a person within a line, and to be written as YAML.

use std::fmt::Write as _;

use crate::syntax::hidden::{carried, carries_as, spelled};
pub(super) use crate::syntax::yaml::{hides, quoted, scalar};

/// How much of an outside text is quoted in one line, in Unicode scalar values.
const QUOTED: usize = 80;

/// `text` in one line, what acts or hides spelled out in ASCII: `[U+202E (right-to-left override)]`, and of characters that
/// carry letters, which: `[U+E0052..U+E0064: 4 tag characters that spell "Read"]`.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            c if hides(c) => {
                let mut run = vec![c];
                while let Some(next) = rest.next_if(|next| carried(c).is_some() && carries_as(c, *next)) {
                    run.push(next);
                }
                let _ = write!(shown, "[{}]", spelled(&run));
            }
            c => shown.push(c),
        }
    }
    shown
}

/// What hides in a text, run by run, each as [`spelled`] has it.
pub(super) fn hiding(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut run: Vec<char> = Vec::new();
    for c in text.chars() {
        let seen = !hides(c) || matches!(c, '\t' | '\n' | '\r');
        let joins = !seen && run.last().is_some_and(|last| carried(*last).is_some() && carries_as(*last, c));
        if !run.is_empty() && !joins {
            found.push(spelled(&run));
            run.clear();
        }
        if !seen {
            run.push(c);
        }
    }
    if !run.is_empty() {
        found.push(spelled(&run));
    }
    found
}

/// A name or a short text in backticks, visible and cut to a line.
pub(super) fn name(text: &str) -> String {
    let mut letters = text.chars();
    let head: String = letters.by_ref().take(QUOTED).collect();
    let more = if letters.next().is_some() { "…" } else { "" };
    format!("`{}{more}`", visible(&head).replace('`', "'"))
}

/// "1 tool", "2 tools".
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// "`a`, `b` and `c`".
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(name).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_is_written_out() {
        assert_eq!(name("a\n\u{200b}`b"), "`a\\n[U+200B (zero-width space)]'b`");
        assert_eq!(visible("x\u{202e}"), "x[U+202E (right-to-left override)]");
        let tags: String =
            "Read \"x\"".chars().map(|c| char::from_u32(u32::from(c) + 0xe0000).unwrap()).collect();
        assert_eq!(
            visible(&format!("{tags}y\u{e0001}")),
            "[U+E0052..U+E0022: 8 tag characters that spell \"Read \\\"x\\\"\"]y[U+E0001 (tag character)]"
        );
        // 'h' and 'i' are bytes 0x68 and 0x69, carried by selectors from the seventeenth on.
        assert_eq!(
            visible("\u{e0158}\u{e0159}"),
            "[U+E0158..U+E0159: 2 variation selectors that spell \"hi\"]"
        );
        assert_eq!(
            hiding("a\u{200b}b\nc\u{e0041}"),
            ["U+200B (zero-width space)", "U+E0041: a tag character that spells \"A\""]
        );
        assert_eq!(listed(["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
