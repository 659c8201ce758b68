//! Patterns, judged on the parsed expression.
//!
//! JSON Schema's patterns are ECMA 262 and match anywhere in a text. They are read here for a linear-time engine: what
//! such an engine has not, and what changes meaning half-way (inline flags), is refused.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look};

/// What a pattern amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Every match begins at the text's start and ends at its end.
    pub anchored: bool,
    /// The longest text it matches whole, in Unicode scalar values; nothing where it is unbounded or not anchored.
    pub max_chars: Option<u64>,
    /// Whether a match may contain white space.
    pub white_space: bool,
}

impl Pattern {
    /// Whether the pattern bounds a string by itself: anchored, of bounded length.
    pub fn bounds(self) -> bool {
        self.anchored && self.max_chars.is_some()
    }
}

/// No more repetitions than this, multiplied out: a compiled expression has to stay small.
const MAX_REPETITIONS: u64 = 10_000;

/// A compiled expression stays below this many bytes, by estimate; the engine's own bound is 10 MiB.
const MAX_COMPILED: u64 = 10_000_000;

/// Reads a pattern.
///
/// # Errors
/// Why it is refused, as the end of a sentence that begins with the pattern: it does not parse, or uses inline flags,
/// look-around or back-references.
pub fn judge(pattern: &str) -> Result<Pattern, String> {
    if let Some(known) = JUDGED.with_borrow(|judged| judged.get(pattern).cloned()) {
        return known;
    }
    let found = judge_afresh(pattern);
    JUDGED.with_borrow_mut(|judged| {
        if judged.len() < MAX_JUDGED {
            judged.insert(pattern.to_owned(), found.clone());
        }
    });
    found
}

/// So many verdicts are kept.
const MAX_JUDGED: usize = 10_000;

thread_local! {
    /// A shared type brings the same pattern to every schema that names it, and parsing is dear.
    static JUDGED: RefCell<BTreeMap<String, Result<Pattern, String>>> = const { RefCell::new(BTreeMap::new()) };
}

fn judge_afresh(pattern: &str) -> Result<Pattern, String> {
    let translated = translate(pattern)?;
    let hir = regex_syntax::Parser::new().parse(&translated).map_err(|error| match error {
        regex_syntax::Error::Parse(error) => format!("does not parse: {}", error.kind()),
        regex_syntax::Error::Translate(error) => format!("does not parse: {}", error.kind()),
        _ => "does not parse".to_owned(),
    })?;
    if weight(&hir) > MAX_REPETITIONS {
        return Err(format!("repeats more than {MAX_REPETITIONS} times; bound the length with `maxLength`"));
    }
    if bytes(&hir) > MAX_COMPILED {
        return Err(
            "grows too large when its repetitions are written out; bound the length with `maxLength`"
                .to_owned(),
        );
    }
    let anchored = starts(&hir) && ends(&hir);
    let max_chars = if anchored { longest(&hir) } else { None };
    Ok(Pattern { anchored, max_chars, white_space: !anchored || may_hold_space(&hir) })
}

/// Whether every match begins with the start of the text.
fn starts(hir: &Hir) -> bool {
    edge(hir, Look::Start, &|parts| Box::new(parts.iter()))
}

/// Whether every match ends with the end of the text.
fn ends(hir: &Hir) -> bool {
    edge(hir, Look::End, &|parts| Box::new(parts.iter().rev()))
}

type Order = dyn for<'h> Fn(&'h [Hir]) -> Box<dyn Iterator<Item = &'h Hir> + 'h>;

fn edge(hir: &Hir, look: Look, order: &Order) -> bool {
    match hir.kind() {
        HirKind::Look(found) => *found == look,
        HirKind::Capture(capture) => edge(&capture.sub, look, order),
        HirKind::Repetition(repetition) => repetition.min > 0 && edge(&repetition.sub, look, order),
        HirKind::Alternation(branches) => branches.iter().all(|branch| edge(branch, look, order)),
        HirKind::Concat(parts) => {
            for part in order(parts) {
                if edge(part, look, order) {
                    return true;
                }
                if part.properties().maximum_len() != Some(0) {
                    return false;
                }
            }
            false
        }
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => false,
    }
}

/// The most characters a match has.
fn longest(hir: &Hir) -> Option<u64> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(0),
        HirKind::Literal(literal) => {
            Some(std::str::from_utf8(&literal.0).map_or(literal.0.len(), |text| text.chars().count()) as u64)
        }
        HirKind::Class(_) => Some(1),
        HirKind::Capture(capture) => longest(&capture.sub),
        HirKind::Repetition(repetition) => match longest(&repetition.sub)? {
            0 => Some(0),
            one => one.checked_mul(u64::from(repetition.max?)),
        },
        HirKind::Concat(parts) => parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(longest(part)?)),
        HirKind::Alternation(branches) => {
            branches.iter().try_fold(0, |most, branch| longest(branch).map(|length| length.max(most)))
        }
    }
}

/// How many characters the expression names once its repetitions are written out.
fn weight(hir: &Hir) -> u64 {
    total(hir, &|_| 1)
}

/// About how many bytes it takes compiled: sets beyond ASCII become a small automaton for each repetition.
fn bytes(hir: &Hir) -> u64 {
    total(hir, &|leaf| match leaf.kind() {
        HirKind::Class(Class::Unicode(class)) if !class.is_ascii() => {
            1000 + 110 * class.ranges().len() as u64
        }
        HirKind::Literal(literal) => 110 * literal.0.len() as u64,
        _ => 110,
    })
}

/// The sum over all literals and classes, each counted as often as it is repeated.
fn total(hir: &Hir, leaf: &dyn Fn(&Hir) -> u64) -> u64 {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(_) | HirKind::Class(_) => leaf(hir),
        HirKind::Capture(capture) => total(&capture.sub, leaf),
        HirKind::Repetition(repetition) => {
            let times = u64::from(repetition.max.unwrap_or(repetition.min).max(1));
            total(&repetition.sub, leaf).saturating_mul(times)
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().fold(0, |sum, part| sum.saturating_add(total(part, leaf)))
        }
    }
}

fn may_hold_space(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => {
            std::str::from_utf8(&literal.0).map_or(true, |text| text.chars().any(char::is_whitespace))
        }
        HirKind::Class(Class::Unicode(class)) => {
            let mut shared = white_space();
            shared.intersect(class);
            shared.iter().next().is_some()
        }
        HirKind::Class(Class::Bytes(_)) => true,
        HirKind::Capture(capture) => may_hold_space(&capture.sub),
        HirKind::Repetition(repetition) => repetition.max != Some(0) && may_hold_space(&repetition.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(may_hold_space),
    }
}

fn white_space() -> ClassUnicode {
    let ranges = [
        ('\t', '\r'),
        (' ', ' '),
        ('\u{85}', '\u{85}'),
        ('\u{a0}', '\u{a0}'),
        ('\u{1680}', '\u{1680}'),
        ('\u{2000}', '\u{200a}'),
        ('\u{2028}', '\u{2029}'),
        ('\u{202f}', '\u{202f}'),
        ('\u{205f}', '\u{205f}'),
        ('\u{3000}', '\u{3000}'),
        ('\u{feff}', '\u{feff}'),
    ];
    ClassUnicode::new(ranges.map(|(first, last)| ClassUnicodeRange::new(first, last)))
}

/// The same expression as `regex-syntax` writes it.
pub(super) fn translate(pattern: &str) -> Result<String, String> {
    let mut rest = pattern.chars().peekable();
    let mut out = String::with_capacity(pattern.len() + 16);
    let mut class = false;
    while let Some(next) = rest.next() {
        match next {
            '\\' => escape(&mut rest, class, &mut out)?,
            '[' if class => out.push_str("\\["),
            '&' | '~' if class => {
                out.push('\\');
                out.push(next);
            }
            '-' if class && rest.peek() == Some(&'-') => out.push_str("\\-"),
            '[' => {
                class = true;
                out.push('[');
                if rest.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
                if rest.peek() == Some(&']') {
                    return Err("has an empty set of characters".to_owned());
                }
            }
            ']' if class => {
                class = false;
                out.push(']');
            }
            '(' if !class && rest.peek() == Some(&'?') => group(&mut rest, &mut out)?,
            other => out.push(other),
        }
    }
    Ok(out)
}

/// What follows `(` where a `?` does.
fn group(rest: &mut Peekable<Chars<'_>>, out: &mut String) -> Result<(), String> {
    rest.next();
    let after = rest.clone().take(2).collect::<String>();
    if after.starts_with(':') {
        out.push_str("(?");
        return Ok(());
    }
    if after.starts_with(['=', '!']) || after == "<=" || after == "<!" {
        return Err("looks around, which the linear-time engine cannot do".to_owned());
    }
    if after.starts_with('<') {
        out.push_str("(?");
        return Ok(());
    }
    Err("sets a flag inside the pattern, so that it means two things".to_owned())
}

fn escape(rest: &mut Peekable<Chars<'_>>, class: bool, out: &mut String) -> Result<(), String> {
    let Some(next) = rest.next() else { return Err("ends in a lone backslash".to_owned()) };
    match next {
        'd' => out.push_str(if class { "0-9" } else { "[0-9]" }),
        'D' => out.push_str("[^0-9]"),
        'w' => out.push_str(if class { "0-9A-Za-z_" } else { "[0-9A-Za-z_]" }),
        'W' => out.push_str("[^0-9A-Za-z_]"),
        's' => out.push_str(if class { "\\s\\x{feff}" } else { "[\\s\\x{feff}]" }),
        'S' => out.push_str("[^\\s\\x{feff}]"),
        'b' if class => out.push_str("\\x08"),
        'b' | 'B' | 'n' | 'r' | 't' | 'f' | 'v' => out.extend(['\\', next]),
        'p' | 'P' if rest.peek() == Some(&'{') => out.extend(['\\', next]),
        'x' => code_point(hex(rest, 2)?, out)?,
        'u' => unicode(rest, out)?,
        'c' => {
            let letter = rest.next().filter(char::is_ascii_alphabetic);
            let letter = letter.ok_or("has `\\c` without a letter after it")?;
            code_point(u32::from(letter) % 32, out)?;
        }
        '0' if !rest.peek().is_some_and(char::is_ascii_digit) => out.push_str("\\x00"),
        '1'..='9' | 'k' => {
            return Err("refers back to a group, which the linear-time engine cannot do".to_owned());
        }
        letter if letter.is_ascii_alphanumeric() => {
            return Err(format!("has `\\{letter}`, an escape that ECMA 262 does not know"));
        }
        other => out.push_str(&regex_syntax::escape(&other.to_string())),
    }
    Ok(())
}

fn unicode(rest: &mut Peekable<Chars<'_>>, out: &mut String) -> Result<(), String> {
    if rest.next_if_eq(&'{').is_some() {
        let digits: String = std::iter::from_fn(|| rest.next_if(|c| *c != '}')).take(8).collect();
        rest.next();
        let code = u32::from_str_radix(&digits, 16).map_err(|_| "has a broken `\\u{…}`".to_owned())?;
        return code_point(code, out);
    }
    let first = hex(rest, 4)?;
    if (0xd800..0xdc00).contains(&first) && rest.clone().take(2).eq("\\u".chars()) {
        rest.nth(1);
        let second = hex(rest, 4)?;
        return code_point(0x1_0000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff), out);
    }
    code_point(first, out)
}

fn hex(rest: &mut Peekable<Chars<'_>>, count: usize) -> Result<u32, String> {
    let digits: String = rest.take(count).collect();
    if digits.len() != count {
        return Err("has a broken hexadecimal escape".to_owned());
    }
    u32::from_str_radix(&digits, 16).map_err(|_| "has a broken hexadecimal escape".to_owned())
}

fn code_point(code: u32, out: &mut String) -> Result<(), String> {
    let found = char::from_u32(code).ok_or("names a code point that is no character")?;
    out.push_str(&format!("\\x{{{:x}}}", u32::from(found)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::judge;

    #[test]
    fn anchoring_is_judged_on_the_parsed_expression() {
        for anchored in [
            "^a$",
            "^(?:a|b)$",
            "^(a|b)$",
            "^a$|^b$",
            "(^a$)",
            "^[A-Z]+-[0-9]+$",
            "^$",
            "(?:^)a(?:$)",
            "^\\d+$",
            r"^\b\w+$",
        ] {
            assert!(judge(anchored).unwrap().anchored, "{anchored}");
        }
        for loose in [
            "^a|b$", "a", "^a", "a$", "^a|^b$", "(^)?a$", "^*a$", "a|^b$", r"^a\$", r"\^a$", "^a$|b",
            "[^a]$", "^(a|b$)", "^a$*",
        ] {
            assert!(judge(loose).is_err() || !judge(loose).unwrap().anchored, "{loose}");
        }
    }

    #[test]
    fn length_and_white_space_come_from_the_expression() {
        let bounded = judge("^ref-[0-9]{1,6}$").unwrap();
        assert_eq!(bounded.max_chars, Some(10));
        assert!(bounded.bounds());
        assert_eq!(judge("^[äö]{2}$").unwrap().max_chars, Some(2));
        assert_eq!(judge("^a*$").unwrap().max_chars, None);
        for spaced in ["^[a-z ]{1,9}$", "^[^a]{1,9}$", r"^\s$", "^.{1,9}$"] {
            let judged = judge(spaced).unwrap();
            assert!(judged.bounds() && judged.white_space, "{spaced}");
        }
        for close in [r"^\S{1,9}$", r"^[\w.-]{1,9}$"] {
            let judged = judge(close).unwrap();
            assert!(judged.bounds() && !judged.white_space, "{close}");
        }
        assert!(!judge("[0-9]{1,6}").unwrap().bounds());
        assert!(!judge("^[0-9]+$").unwrap().bounds());
    }

    #[test]
    fn what_a_linear_engine_has_not_is_refused() {
        for refused in [
            "(",
            "(?=a)",
            "(?!a)",
            "(?<=a)b",
            "(?<!a)b",
            "(?i)a",
            "(?s:a)",
            r"(a)\1",
            r"(?<n>a)\k<n>",
            r"\Aa\z",
            "a\\",
            "[]",
            "^[a-z]{1,200}{1,200}$",
            "^[a-z]{20000}$",
            r"\xZ1",
            r"\u12",
            r"\c1",
            "[b-a]",
        ] {
            assert!(judge(refused).is_err(), "{refused}");
        }
        for kept in [
            r"^\/a\-b$",
            r"^[[]$",
            "^[a&&b]$",
            r"^\u0041\x41\cA$",
            "^(?<year>[0-9]{4})$",
            "^(a+)+$",
            r"^[\b]$",
        ] {
            assert!(judge(kept).is_ok(), "{kept}: {:?}", judge(kept));
        }
    }

    #[test]
    fn what_is_accepted_compiles_within_the_usual_bounds() {
        for large in ["^.{0,8000}$", r"^\S{4000}$", r"^[^\s<>]{1,3500}$", r"^\p{L}{1,130}$", "^[a-z]{10000}$"]
        {
            assert!(judge(large).is_ok(), "{large}");
            let compiled = regex::Regex::new(&super::translate(large).unwrap());
            assert!(compiled.is_ok(), "{large}: {compiled:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn an_anchored_pattern_matches_whole_texts_only(pattern in "[\\^$ab|()*?\\[\\]{}0-9\\\\dws]{0,14}", text in "[ab0 ]{0,6}") {
            if let Ok(judged) = judge(&pattern)
                && let Ok(regex) = regex::Regex::new(&super::translate(&pattern).unwrap())
                && judged.anchored
                && let Some(found) = regex.find(&text)
            {
                proptest::prop_assert_eq!(found.range(), 0..text.len());
                let length = text.chars().count() as u64;
                proptest::prop_assert!(judged.max_chars.is_none_or(|most| length <= most));
                proptest::prop_assert!(judged.white_space || !text.contains(' '));
            }
        }
    }
}
