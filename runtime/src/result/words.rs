//! Whether a `pattern` or `format` leaves room for more than one word. It is decided from the schema alone and once: an
//! upstream chooses its texts and must not choose by them whether they are labelled.
//!
//! Patterns are read narrowly: anchored at both ends, and only of parts that are known to take no white space. Whatever is
//! not understood is taken to leave room, so that the label stands.

use std::iter::Peekable;
use std::str::Chars;

/// Formats whose texts have no white space. The text itself is looked at besides.
const ONE_WORD: [&str; 10] =
    ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"];

pub(super) fn format_is_one_word(format: &str) -> bool {
    ONE_WORD.contains(&format)
}

/// Whether every text that the pattern takes is one word.
pub(super) fn pattern_is_one_word(pattern: &str) -> bool {
    let Some(body) = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')) else { return false };
    // An escaped dollar at the end is no anchor.
    let escapes = body.chars().rev().take_while(|character| *character == '\\').count();
    escapes % 2 == 0 && reads(body).is_some()
}

/// Reads a whole body; `None`: something may be white space, or is not understood.
fn reads(body: &str) -> Option<()> {
    let mut rest = body.chars().peekable();
    let mut depth = 0_usize;
    while let Some(character) = rest.next() {
        match character {
            '\\' => escape(&mut rest)?,
            '[' => class(&mut rest)?,
            '(' => {
                depth += 1;
                if rest.next_if_eq(&'?').is_some() {
                    rest.next_if_eq(&':')?;
                }
            }
            ')' => depth = depth.checked_sub(1)?,
            // Outside a group it would leave each side with one anchor.
            '|' if depth > 0 => {}
            '|' | '.' | '^' | '$' => return None,
            other => plain(other)?,
        }
    }
    (depth == 0).then_some(())
}

/// A character that is seen and parts no words. Quantifiers are some of them, and take nothing themselves.
fn plain(character: char) -> Option<()> {
    character.is_ascii_graphic().then_some(())
}

fn escape(rest: &mut Peekable<Chars<'_>>) -> Option<()> {
    let escaped = rest.next()?;
    (matches!(escaped, 'd' | 'w' | 'S') || escaped.is_ascii_punctuation()).then_some(())
}

/// A class of characters behind its `[`. A negated one takes no white space where it names all of it.
fn class(rest: &mut Peekable<Chars<'_>>) -> Option<()> {
    let negated = rest.next_if_eq(&'^').is_some();
    let (mut bare, mut spaces) = (true, false);
    loop {
        match rest.next()? {
            ']' => break,
            // A class in a class, or `&&`: engines differ.
            '[' | '&' | '~' => return None,
            '\\' if rest.next_if_eq(&'s').is_some() => (bare, spaces) = (false, true),
            '\\' => escape(rest)?,
            other => bare &= plain(other).is_some(),
        }
    }
    (if negated { spaces } else { bare }).then_some(())
}

#[cfg(test)]
mod tests {
    use super::{format_is_one_word, pattern_is_one_word};

    #[test]
    fn what_cannot_be_two_words_is_told_from_the_pattern_alone() {
        for one in [
            "^R-[0-9]{1,9}$",
            "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$",
            "^(?:draft|final)-\\d+$",
            "^\\S+$",
            "^[^\\s]{1,9}$",
            "^a\\.b\\$$",
            "^[!-}]+$",
        ] {
            assert!(pattern_is_one_word(one), "{one}");
        }
        for more in [
            ".*",
            "^.*$",
            "R",
            "^R",
            "R$",
            "^[a-z ]+$",
            "^a b$",
            "^a|b$",
            "^\\w+\\s\\w+$",
            "^[^a]+$",
            "^[ -~]+$",
            "^a\\$",
            "^(?=a)b$",
            "^(?i)a$",
            "^\\D+$",
            "^\\x20$",
            "^\\u0020$",
            "^[\\t]$",
            "^\\p{L}+$",
            "^[a-é]+$",
            "^a)(b$",
            "^[a$",
            "^[a[ ]]$",
            "^\\",
            "",
            "^",
        ] {
            assert!(!pattern_is_one_word(more), "{more}");
        }
        assert!(format_is_one_word("date") && !format_is_one_word("regex"));
    }
}
