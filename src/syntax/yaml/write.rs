//! Texts as YAML scalars that are read as those texts and nothing else.

use std::fmt::Write as _;

use crate::syntax::hidden;

/// `text` as a YAML scalar that every reader takes for that text, in brackets too: plain where no dialect could read it as
/// anything else, else in double quotes.
pub fn scalar(text: &str) -> String {
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
pub fn quoted(text: &str) -> String {
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
pub fn hides(c: char) -> bool {
    c.is_control()
        || hidden::in_key(c)
        || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::{quoted, scalar};

    #[test]
    fn what_some_reader_takes_for_a_value_is_quoted() {
        for text in [
            "no", "YES", "12:30:45", "1e3", "null", "~", "", "*", "a: b", "a #b", "-", ".5", "0x1", "é", "a:",
        ] {
            assert!(scalar(text).starts_with('"'), "{text}");
        }
        for text in ["get_me", "fs.read", "github/search", "REQUEST_CHANGES", "nope"] {
            assert_eq!(scalar(text), text);
        }
    }

    #[test]
    fn what_hides_is_written_out() {
        assert_eq!(quoted("a\u{202e}\u{e0041}\"\\"), "\"a\\u202E\\U000E0041\\\"\\\\\"");
    }

    proptest::proptest! {
        /// Whatever the text, the reader gives it back, alone and in brackets.
        #[test]
        fn what_is_written_is_read_again(text in "(\\PC|[a-z1:#, \\[\\]{}\"'\\\\.]){0,12}") {
            let file = crate::source::Sources::default().add("test.yaml", "");
            for layout in [format!("a: {}\n", scalar(&text)), format!("a: [{}]\n", scalar(&text))] {
                let document = crate::syntax::yaml::read(file, &layout, &mut crate::diagnostic::Sink::default());
                let root = document.root.unwrap();
                let value = &root.get("a").unwrap().value;
                let node = match &value.kind {
                    crate::syntax::Kind::List(items) => &items[0],
                    _ => value,
                };
                proptest::prop_assert_eq!(node.text(), Some(text.as_str()), "{}", layout);
            }
        }
    }
}
