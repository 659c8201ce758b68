//! Characters that a reviewer cannot see: controls, direction marks, tag characters.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, RuleId};
use crate::source::Span;

/// Text holds a character that a reviewer cannot see.
pub const HIDDEN_CHARACTER: RuleId = RuleId("hidden-character");

/// So many hidden characters of one file are shown; a file of another kind has thousands.
pub const SHOWN: usize = 10;

/// So many letters of a text that hidden characters carry are written out.
const SPELLED: usize = 200;

/// The finding about hidden characters in text, one or a [run](runs) of them; `span` is where they stand, or the text that holds
/// them by escapes.
pub fn finding(span: Span, run: &[char]) -> Diagnostic {
    let (what, told) =
        (if run.len() == 1 { "a character that is" } else { "characters that are" }, spelled(run));
    Diagnostic::new(HIDDEN_CHARACTER, span, format!("the text holds {what} not to be seen: {told}"), "here")
    .note("a model reads such characters, a reviewer does not: they can hide an instruction or show a line in another order")
    .help("remove it")
}

/// Says of a finding about a pinned list what helps there: its text is not the author's to mend.
pub fn in_pinned(finding: &mut Diagnostic) {
    if finding.rule == HIDDEN_CHARACTER {
        finding.help = Some(
            "do not edit the pinned list, and do not grant the tool: ask the server's owner what the text does there, and pin \
             a list without it"
                .to_owned(),
        );
    }
}

/// Whether `character` hides in text: a control other than tab and line end, a mark or override of the writing
/// direction, a tag character. Source: THREATS, look-alikes.
pub fn in_text(character: char) -> bool {
    is_control(character)
        || matches!(character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Whether `character` hides in a key, where nothing but visible characters and the space may stand.
pub fn in_key(character: char) -> bool {
    in_text(character)
        || matches!(character,
            '\t' | '\n' | '\r' | '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}'
            | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0100}'..='\u{e01ef}')
}

/// The first character that hides in `key`.
pub fn find_in_key(key: &str) -> Option<char> {
    if key.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return None;
    }
    key.chars().find(|character| in_key(*character))
}

/// Whether `character` is a control that no text file has a use for.
pub fn is_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\t' | '\n' | '\r')
}

/// Every hidden character of `text` with its bytes, in order.
pub fn find(text: &str) -> impl Iterator<Item = (Range<usize>, char)> {
    // A whole chunk is passed over at once, without a branch for each byte: almost all of them are.
    let chunks = text.as_bytes().chunks(CHUNK).enumerate();
    let suspect = chunks.filter(|(_, chunk)| chunk.iter().fold(false, |any, byte| any | may_begin(*byte)));
    let places = suspect.flat_map(|(number, chunk)| chunk.iter().zip(number * CHUNK..));
    places.filter(|(byte, _)| may_begin(**byte)).filter_map(move |(_, at)| {
        let character = text.get(at..)?.chars().next()?;
        in_text(character).then(|| (at..at + character.len_utf8(), character))
    })
}

/// Every hidden character of `text` with its bytes, in order; those that stand side by side and carry a text together are one
/// run.
pub fn runs(text: &str) -> impl Iterator<Item = (Range<usize>, Vec<char>)> {
    let mut found = find(text).peekable();
    std::iter::from_fn(move || {
        let (mut range, first) = found.next()?;
        let mut run = vec![first];
        while let Some((next, character)) = found.next_if(|(next, character)| {
            next.start == range.end && carried(first).is_some() && carries_as(first, *character)
        }) {
            range.end = next.end;
            run.push(character);
        }
        Some((range, run))
    })
}

/// The first hidden characters that `text` has by an escape and that are not to be found where it is `written`.
pub fn by_escape(text: &str, written: &str) -> Option<Vec<char>> {
    let mut hiding = find(text).peekable();
    hiding.peek()?;
    let seen: BTreeSet<char> = find(written).map(|(_, character)| character).collect();
    let (at, _) = hiding.find(|(_, character)| !seen.contains(character))?;
    runs(text.get(at.start..)?).next().map(|(_, run)| run)
}

/// The byte that a tag character or a variation selector carries: texts are smuggled in both.
pub fn carried(c: char) -> Option<u8> {
    let byte = match u32::from(c) {
        code @ 0xe0000..=0xe007f => code - 0xe0000,
        code @ 0xfe00..=0xfe0f => code - 0xfe00,
        code @ 0xe0100..=0xe01ef => code - 0xe0100 + 16,
        _ => return None,
    };
    u8::try_from(byte).ok()
}

/// Whether both carry bytes in the same way.
pub fn carries_as(one: char, other: char) -> bool {
    let is_tag = |c: char| matches!(c, '\u{e0000}'..='\u{e007f}');
    carried(other).is_some() && is_tag(one) == is_tag(other)
}

/// A run of characters that hide: which they are and, where they carry a text, that text in ASCII.
pub fn spelled(run: &[char]) -> String {
    let Some((first, last)) = run.first().zip(run.last()) else { return String::new() };
    let bytes: Vec<u8> = run.iter().copied().filter_map(carried).collect();
    let printable = !bytes.is_empty() && bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'));
    let letters: String =
        bytes.iter().copied().flat_map(std::ascii::escape_default).map(char::from).take(SPELLED).collect();
    let letters = if bytes.len() > SPELLED { format!("{letters}…") } else { letters };
    let what =
        if matches!(first, '\u{e0000}'..='\u{e007f}') { "tag character" } else { "variation selector" };
    let (first, last) = (u32::from(*first), u32::from(*last));
    match (run.len(), printable) {
        (1, true) => format!("U+{first:04X}: a {what} that spells \"{letters}\""),
        (count, true) => format!("U+{first:04X}..U+{last:04X}: {count} {what}s that spell \"{letters}\""),
        (1, false) => run.iter().map(|c| name(*c)).collect(),
        (count, false) => format!("U+{first:04X}..U+{last:04X}: {count} {what}s"),
    }
}

const CHUNK: usize = 64;

/// Whether a hidden character can begin with `byte`; lets the search pass over almost everything.
fn may_begin(byte: u8) -> bool {
    matches!(byte, 0..=8 | 11 | 12 | 14..=31 | 0x7f | 0xc2 | 0xd8 | 0xe2 | 0xf3)
}

/// `U+202E (right-to-left override)`: the code point, and its name where it has one that helps.
pub fn name(character: char) -> String {
    let known = match character {
        '\0' => "NUL",
        '\t' => "tab",
        '\n' => "line feed",
        '\r' => "carriage return",
        '\u{8}' => "backspace",
        '\u{1b}' => "escape",
        '\u{7f}' => "delete",
        '\u{85}' => "next line",
        '\u{ad}' => "soft hyphen",
        '\u{61c}' | '\u{200e}' | '\u{200f}' => "writing-direction mark",
        '\u{200b}' => "zero-width space",
        '\u{200c}' => "zero-width non-joiner",
        '\u{200d}' => "zero-width joiner",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{202a}' | '\u{202b}' => "writing-direction embedding",
        '\u{202c}' => "end of a writing-direction change",
        '\u{202d}' => "left-to-right override",
        '\u{202e}' => "right-to-left override",
        '\u{2060}' => "word joiner",
        '\u{2066}'..='\u{2069}' => "writing-direction isolate",
        '\u{feff}' => "byte order mark",
        '\u{e0000}'..='\u{e007f}' => "tag character",
        character if character.is_control() => "control character",
        _ => "invisible character",
    };
    format!("U+{:04X} ({known})", u32::from(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hidden_character_is_found_at_its_bytes_and_no_other() {
        for code in 0..=0x10ffff {
            let Some(character) = char::from_u32(code) else { continue };
            let text = format!("é{character}z");
            let found: Vec<_> = find(&text).collect();
            let wanted =
                if in_text(character) { vec![(2..2 + character.len_utf8(), character)] } else { Vec::new() };
            assert_eq!(found, wanted, "U+{code:04X}");
        }
    }

    #[test]
    fn a_text_that_tag_characters_carry_is_one_run_and_written_out() {
        let tags = |text: &str| -> String {
            text.chars().map(|c| char::from_u32(u32::from(c) + 0xe0000).unwrap()).collect()
        };
        let text = format!("a{}b\u{202e}\u{202e}{}", tags("Run it"), tags("x"));
        let found: Vec<_> = runs(&text).collect();
        let told: Vec<String> = found.iter().map(|(_, run)| spelled(run)).collect();
        assert_eq!(
            told,
            [
                "U+E0052..U+E0074: 6 tag characters that spell \"Run it\"",
                "U+202E (right-to-left override)",
                "U+202E (right-to-left override)",
                "U+E0078: a tag character that spells \"x\"",
            ]
        );
        assert_eq!(found[0].0, 1..1 + 6 * 4);
        let mut sources = crate::source::Sources::default();
        let at = Span::new(sources.add("a", text.as_str()), found[0].0.clone());
        assert_eq!(
            finding(at, &found[0].1).message,
            "the text holds characters that are not to be seen: U+E0052..U+E0074: 6 tag characters that spell \"Run it\""
        );
        assert!(spelled(&tags(&"y".repeat(300)).chars().collect::<Vec<_>>()).ends_with("y…\""));
    }

    #[test]
    fn a_joiner_hides_in_keys_alone() {
        assert!(in_key('\u{200d}') && !in_text('\u{200d}'));
        assert!(in_key('\n') && !in_text('\n'));
        assert!(!in_key(' ') && !in_key('é'));
        assert_eq!(
            (0..0x7f)
                .filter_map(char::from_u32)
                .find(|c| in_key(*c) != find_in_key(&c.to_string()).is_some()),
            None
        );
        assert_eq!(find_in_key("né\u{200d}"), Some('\u{200d}'));
        assert_eq!(name('\u{202e}'), "U+202E (right-to-left override)");
    }
}
