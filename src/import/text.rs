//! Outside text made fit to be written: scalars of YAML, and text that a person reads within a line.

use std::fmt::Write as _;

use crate::syntax::hidden::{self, carried, carries_as, spelled};

/// How much of an outside text is quoted in one line, in Unicode scalar values.
const QUOTED: usize = 80;

/// `text` as a YAML scalar that every reader takes for that text: plain where no dialect could read it as anything else,
/// else in double quotes.
pub(super) fn scalar(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// Letters first, then what neither YAML 1.1 nor 1.2 gives a meaning to, and no word that one of them reads as a value.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 11] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"];
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
        && !WORDS.contains(&text.to_ascii_lowercase().as_str())
}

/// In double quotes, with escapes that YAML and JSON readers share where there are any.
pub(super) fn quoted(text: &str) -> String {
    let mut written = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\t' => written.push_str("\\t"),
            c if hides(c) && u32::from(c) > 0xffff => {
                let _ = write!(written, "\\U{:08X}", u32::from(c));
            }
            c if hides(c) => {
                let _ = write!(written, "\\u{:04X}", u32::from(c));
            }
            c => written.push(c),
        }
    }
    written.push('"');
    written
}

/// Whether `c` acts on a reader's screen or does not show itself.
pub(super) fn hides(c: char) -> bool {
    c.is_control()
        || hidden::in_key(c)
        || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
}

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
    fn what_some_reader_takes_for_a_value_is_quoted() {
        for text in
            ["no", "YES", "12:30:45", "1e3", "null", "~", "", "*", "a: b", "a #b", "-", ".5", "0x1", "é"]
        {
            assert!(scalar(text).starts_with('"'), "{text}");
        }
        for text in ["get_me", "fs.read", "github/search", "REQUEST_CHANGES", "nope"] {
            assert_eq!(scalar(text), text);
        }
    }

    #[test]
    fn what_hides_is_written_out() {
        assert_eq!(quoted("a\u{202e}\u{e0041}\"\\"), "\"a\\u202E\\U000E0041\\\"\\\\\"");
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
