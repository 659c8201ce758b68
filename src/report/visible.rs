//! Text that a terminal or a viewer would obey or hide, written out so that a person sees it.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

/// How wide a tab is shown.
const TAB: &str = "    ";

/// `text` in one line, with every character that acts or hides instead of showing itself as an escape (`\u{202e}`).
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c == '\n' || c == '\t' || is_hidden(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            _ => push(&mut shown, c),
        }
    }
    Cow::Owned(shown)
}

/// The same for text of several lines: line feeds stay, CRLF becomes one, tabs become spaces.
pub(super) fn visible_lines(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            shown.push('\n');
        }
        line.strip_suffix('\r').unwrap_or(line).chars().for_each(|c| push(&mut shown, c));
    }
    shown
}

/// Appends `c` as it is shown within a line of source.
pub(super) fn push(shown: &mut String, c: char) {
    match c {
        '\t' => shown.push_str(TAB),
        '\r' => shown.push_str("\\r"),
        _ if is_hidden(c) => {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        }
        _ => shown.push(c),
    }
}

/// Whether `c` steers the terminal, reorders or hides text, or has no agreed look: controls, bidi marks, zero-width
/// characters, tag characters, variation selectors (bytes are smuggled in both), invisible fillers, private use.
pub(super) fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => true,
        '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' => true,
        '\u{e000}'..='\u{f8ff}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'.. => {
            true
        }
        _ => c.is_control(),
    }
}

/// How many terminal cells `text` takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_act_or_hide_is_written_out() {
        assert_eq!(visible("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(visible("\u{202e}\u{e0041}\u{200b}"), "\\u{202e}\\u{e0041}\\u{200b}");
        assert_eq!(visible("a\r\n\tb"), "a\\r\\n\\tb");
    }

    #[test]
    fn what_shows_itself_stays() {
        assert!(matches!(visible("naïve 薬 é 🧪"), Cow::Borrowed(_)));
        assert_eq!(visible_lines("a\r\n\tb"), "a\n    b");
    }
}
