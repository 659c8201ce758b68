//! Where an author would look for a fault, which is not always where a parser stops.

use std::ops::Range;

/// The character at `at`; at the end of the text or of a line, the last character before it.
pub(super) fn place(text: &str, at: usize) -> Range<usize> {
    let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        Some(character) if !matches!(character, '\n' | '\r') => at..at + character.len_utf8(),
        _ => {
            let before = text.get(..at).unwrap_or("").trim_end();
            let last = before.chars().next_back().map_or(0, char::len_utf8);
            before.len() - last..before.len()
        }
    }
}

/// The quote that opens the text in which `at` lies: the first behind `reached` that is not closed before `at`.
pub(super) fn opening_quote(text: &str, reached: usize, at: usize) -> Range<usize> {
    let between = text.get(reached..at).unwrap_or("");
    let mut before = ' ';
    let mut open: Option<(usize, char)> = None;
    let mut escaped = false;
    let mut characters = between.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        match open {
            None if matches!(character, '"' | '\'')
                && (before.is_whitespace() || "[{,:".contains(before)) =>
            {
                open = Some((reached + offset, character));
            }
            Some((_, '"')) if escaped => escaped = false,
            Some((_, '"')) if character == '\\' => escaped = true,
            Some((_, '\''))
                if character == '\'' && characters.next_if(|(_, next)| *next == '\'').is_some() => {}
            Some((_, quote)) if character == quote => open = None,
            _ => {}
        }
        before = character;
    }
    open.map_or_else(|| place(text, at), |(start, _)| start..start + 1)
}

/// From the character at `at` to the next blank.
pub(super) fn word(text: &str, at: usize) -> Range<usize> {
    let start = place(text, at).start;
    let length = text.get(start..).unwrap_or("").find(char::is_whitespace);
    start..length.map_or(text.len(), |length| start + length)
}

/// The first escape behind `at`, inside a double-quoted text, that YAML does not know.
pub(super) fn escape(text: &str, at: usize) -> Range<usize> {
    let mut from = at;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find('\\')) {
        let start = from + found;
        let rest = text.get(start + 1..).unwrap_or("");
        let digits = match rest.chars().next() {
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some(known) if "0abtnvfre \"/\\N_LP\t\n\r".contains(known) => 0,
            other => return start..start + 1 + other.map_or(0, char::len_utf8),
        };
        let hex = rest.get(1..1 + digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        if digits > 0 && hex.and_then(char::from_u32).is_none() {
            let written = rest.bytes().skip(1).take(digits).take_while(u8::is_ascii_hexdigit).count();
            return start..start + 2 + written;
        }
        from = start + 2 + digits;
    }
    place(text, at)
}
