//! Forbidden verbs in names: how a name splits into words and which forms of a verb count.
//!
//! The compiler's rules and the runtime's proof share this file, so that they cannot disagree. It reads names and
//! titles; of prose it knows the bullet before a refusal's line, and nothing else.

use std::ops::Range;

/// A word of a name: its bytes there, and its lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// Its letters in lower case.
    pub lower: String,
}

/// The words of a name or title. Whatever is no letter divides (`.`, `_`, `-`, digits, spaces), and so does a capital
/// after a small letter (`sendNow`) or before one (`HTTPSend`).
#[must_use]
pub fn words(name: &str) -> Vec<Word> {
    let word = |range: Range<usize>| Some(Word { lower: name.get(range.clone())?.to_lowercase(), range });
    ranges(name).filter_map(word).collect()
}

/// Where the words of a name or title stand, in bytes: those of [`words`].
pub fn ranges(name: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start: Option<usize> = None;
    let mut previous = ' ';
    let mut chars = name.char_indices().peekable();
    core::iter::from_fn(move || {
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, next)| *next);
            let ended = start.filter(|_| !c.is_alphabetic() || is_hump(previous, c, next));
            if ended.is_some() {
                start = None;
            }
            if c.is_alphabetic() && start.is_none() {
                start = Some(at);
            }
            previous = c;
            if let Some(begin) = ended {
                return Some(begin..at);
            }
        }
        start.take().map(|begin| begin..name.len())
    })
}

/// Whether `lower` is `word` in lower case.
#[must_use]
#[inline]
pub fn is_lower_of(lower: &str, word: &str) -> bool {
    let letters = || word.bytes().map(|letter| letter.to_ascii_lowercase());
    (lower.len() == word.len() && lower.bytes().eq(letters()))
        || (!word.is_ascii() && word.to_lowercase() == lower)
}

/// What may stand before a refusal's line in a prompt.
pub const BULLETS: [&str; 3] = ["- ", "* ", "• "];

/// A line without white space around it and without the bullet before it.
#[must_use]
pub fn without_bullet(line: &str) -> &str {
    let line = line.trim();
    BULLETS.iter().find_map(|bullet| line.strip_prefix(bullet)).unwrap_or(line).trim()
}

/// Whether a new word begins at `c`.
fn is_hump(previous: char, c: char, next: Option<char>) -> bool {
    c.is_uppercase()
        && (previous.is_lowercase() || previous.is_uppercase() && next.is_some_and(char::is_lowercase))
}

/// Usual verbs of what a tool may do whose past is irregular; an author states what is missing.
const IRREGULAR: [(&str, &[&str]); 28] = [
    ("begin", &["began", "begun"]),
    ("bring", &["brought"]),
    ("buy", &["bought"]),
    ("choose", &["chose", "chosen"]),
    ("draw", &["drew", "drawn"]),
    ("forget", &["forgot", "forgotten"]),
    ("freeze", &["froze", "frozen"]),
    ("get", &["got", "gotten"]),
    ("give", &["gave", "given"]),
    ("hold", &["held"]),
    ("keep", &["kept"]),
    ("leave", &["left"]),
    ("lend", &["lent"]),
    ("make", &["made"]),
    ("overwrite", &["overwrote", "overwritten"]),
    ("pay", &["paid"]),
    ("rewrite", &["rewrote", "rewritten"]),
    ("run", &["ran"]),
    ("sell", &["sold"]),
    ("send", &["sent"]),
    ("show", &["shown"]),
    ("spend", &["spent"]),
    ("take", &["took", "taken"]),
    ("tell", &["told"]),
    ("undo", &["undid", "undone"]),
    ("withdraw", &["withdrew", "withdrawn"]),
    ("withhold", &["withheld"]),
    ("write", &["wrote", "written"]),
];

/// The forms of a verb that count: the base, -s and -es, -ed and -ing with the dropped e, the doubled consonant and
/// y → ie, the irregular ones of usual verbs and those that the author states. Sorted, each once.
#[must_use]
pub fn forms(verb: &str, irregular: &[String]) -> Vec<String> {
    let base = verb.to_lowercase();
    let mut out: Vec<String> = irregular.iter().map(|form| form.to_lowercase()).collect();
    if let Ok(at) = IRREGULAR.binary_search_by_key(&base.as_str(), |(verb, _)| verb)
        && let Some((_, forms)) = IRREGULAR.get(at)
    {
        out.extend(forms.iter().map(|form| (*form).to_owned()));
    }
    for ending in ["", "s", "es", "ed", "ing"] {
        out.push(format!("{base}{ending}"));
    }
    if let Some(stem) = base.strip_suffix('e') {
        out.extend([format!("{stem}ed"), format!("{stem}ing")]);
    }
    if let Some(stem) = base.strip_suffix("ie") {
        out.push(format!("{stem}ying"));
    }
    if let Some(stem) = base.strip_suffix('y') {
        out.extend([format!("{stem}ies"), format!("{stem}ied")]);
    }
    if let Some(last) = doubled(&base) {
        out.extend([format!("{base}{last}ed"), format!("{base}{last}ing")]);
    }
    out.sort();
    out.dedup();
    out
}

/// The last letter, where a verb may double it: one consonant after one vowel.
fn doubled(base: &str) -> Option<char> {
    let vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
    let mut back = base.chars().rev();
    let last = back.next().filter(|c| c.is_alphabetic() && !vowel(*c) && !matches!(c, 'w' | 'x' | 'y'))?;
    back.next().filter(|c| vowel(*c))?;
    Some(last)
}

/// The first word of a name that is a form of the verb.
#[must_use]
pub fn bears(name: &str, verb: &str, irregular: &[String]) -> Option<Word> {
    let forms = forms(verb, irregular);
    words(name).into_iter().find(|word| forms.binary_search(&word.lower).is_ok())
}

#[cfg(test)]
mod tests {
    use super::{bears, is_lower_of, words};

    fn split(name: &str) -> Vec<String> {
        words(name).into_iter().map(|word| word.lower).collect()
    }

    #[test]
    fn names_split_at_marks_digits_and_humps() {
        assert_eq!(split("records.search_all-2now"), ["records", "search", "all", "now"]);
        assert_eq!(split("sendHTTPRequest"), ["send", "http", "request"]);
        assert_eq!(split("Send a note"), ["send", "a", "note"]);
        assert_eq!(split("..9_"), [""; 0]);
        assert_eq!(split("Prüfung"), ["prüfung"]);
    }

    #[test]
    fn irregular_forms_of_usual_verbs_are_known() {
        assert!(super::IRREGULAR.is_sorted());
        assert!(
            bears("mail_sent", "send", &[]).is_some()
                && bears("Overwritten records", "overwrite", &[]).is_some()
        );
        assert!(bears("sender", "send", &[]).is_none() && bears("mail_sent", "mend", &[]).is_none());
    }

    #[test]
    fn a_word_is_compared_in_lower_case() {
        assert!(is_lower_of("send", "SEND") && is_lower_of("prüfung", "PRÜFUNG"));
        assert!(!is_lower_of("send", "sends") && !is_lower_of("SEND", "SEND") && !is_lower_of("", "s"));
    }

    #[test]
    fn every_form_of_a_verb_counts() {
        for (name, verb) in [
            ("records.approve", "approve"),
            ("approves_all", "approve"),
            ("ApprovedList", "approve"),
            ("approving", "approve"),
            ("doc_signed", "sign"),
            ("submitted2", "submit"),
            ("submitting", "submit"),
            ("notifies.lead", "notify"),
            ("notified", "notify"),
            ("push_pushes", "push"),
            ("SEND", "send"),
        ] {
            assert!(bears(name, verb, &[]).is_some(), "{name} bears {verb}");
        }
        assert_eq!(bears("was_flung", "fling", &["flung".to_owned()]).unwrap().range, 4..9);
    }

    #[test]
    fn longer_words_are_let_through() {
        for (name, verb) in [
            ("design", "sign"),
            ("assay.designs", "sign"),
            ("sender", "send"),
            ("notification", "notify"),
            ("records.end", "send"),
            ("disapprove", "approve"),
        ] {
            assert_eq!(bears(name, verb, &[]), None, "{name} does not bear {verb}");
        }
    }
}
