//! English sentences of a prompt, and whether one of them tells the reader to do a thing.
//!
//! It knows no grammar: a few words decide, and whoever asks treats the answer as a hint.

use std::ops::Range;

/// One word: its bytes in the whole text, and its lower case.
pub(crate) type Token = (Range<usize>, String);

/// Words that may stand before an imperative.
const LEADING: [&str; 10] =
    ["please", "then", "now", "always", "also", "first", "next", "finally", "and", "so"];

/// Words that allow or demand, behind "you".
const MODALS: [&str; 4] = ["may", "can", "should", "must"];

/// Words that turn a sentence round.
const NEGATIONS: [&str; 9] = ["never", "not", "no", "nor", "neither", "nobody", "none", "cannot", "without"];

/// Words behind which a verb's letters are a noun: "the sign", "a send".
const DETERMINERS: [&str; 10] = ["the", "a", "an", "this", "that", "each", "every", "any", "its", "their"];

/// The sentences of a text that say one of `verbs`, which are in lower case, each as its words. They end at `. ! ? ; :` and at
/// the end of the line.
pub(crate) fn sentences(text: &str, verbs: &[&str]) -> Vec<Vec<Token>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let glance = Glance::of(verbs);
    for part in text.split_inclusive(['.', '!', '?', ';', ':', '\n']) {
        if says_any(part, verbs, &glance) {
            sentences.push(tokens(part, start));
        }
        start += part.len();
    }
    sentences
}

/// Whether any of `verbs` is a word of `part`. Most sentences say none, and are then read no further.
fn says_any(part: &str, verbs: &[&str], glance: &Glance) -> bool {
    if !part.is_ascii() {
        return tokens(part, 0).iter().any(|(_, word)| verbs.contains(&word.as_str()));
    }
    let words =
        part.split(|c: char| !(c.is_ascii_alphabetic() || c == '\'')).map(|word| word.trim_matches('\''));
    let mut words = words.filter(|word| glance.may_be(word));
    words.any(|word| verbs.iter().any(|verb| word.eq_ignore_ascii_case(verb)))
}

/// By the first byte of a verb, a bit for each length that there is; the last one for all that are longer. Almost every word
/// that is no verb is told from them by this alone.
struct Glance([u64; 128]);

impl Glance {
    fn of(verbs: &[&str]) -> Self {
        let mut lengths = [0; 128];
        for verb in verbs {
            let first = verb.bytes().next().map(usize::from);
            if let Some(here) = first.and_then(|first| lengths.get_mut(first)) {
                *here |= Self::bit(verb);
            }
        }
        Self(lengths)
    }

    /// Whether `word`, in whichever case, may be one of the verbs.
    fn may_be(&self, word: &str) -> bool {
        let first = word.bytes().next().map(|first| usize::from(first.to_ascii_lowercase()));
        first.and_then(|first| self.0.get(first)).is_some_and(|lengths| lengths & Self::bit(word) != 0)
    }

    fn bit(word: &str) -> u64 {
        1 << word.len().min(63)
    }
}

/// The words of `part`, which begins at byte `start`. An apostrophe within a word belongs to it.
fn tokens(part: &str, start: usize) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = part;
    let mut at = start;
    while let Some(begin) = rest.find(is_letter) {
        let tail = rest.get(begin..).unwrap_or("");
        let len = tail.find(|c| !is_letter(c)).unwrap_or(tail.len());
        let word = tail.get(..len).unwrap_or("");
        let bare = word.trim_matches(['\'', '’']);
        if !bare.is_empty() {
            let from = at + begin + word.len() - word.trim_start_matches(['\'', '’']).len();
            tokens.push((from..from + bare.len(), plain(bare)));
        }
        at += begin + len;
        rest = tail.get(len..).unwrap_or("");
    }
    tokens
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '\'' | '’')
}

/// A word in lower case, its apostrophes straight.
fn plain(word: &str) -> String {
    let mut lower = word.to_lowercase();
    if lower.contains('’') {
        lower = lower.replace('’', "'");
    }
    lower
}

/// Where a sentence tells its reader to do what `verb`, a base form, says: it begins the sentence or stands behind "you may",
/// "you can", "you should" or "you must", and nothing before it says no.
pub(crate) fn contradiction(sentence: &[Token], verb: &str) -> Option<Range<usize>> {
    if !sentence.iter().any(|(_, word)| word == verb) {
        return None;
    }
    let mut before: Vec<&str> = Vec::new();
    let mut allowed = false;
    for (range, word) in sentence {
        if NEGATIONS.contains(&word.as_str()) || word.ends_with("n't") {
            return None;
        }
        allowed |= MODALS.contains(&word.as_str()) && before.last() == Some(&"you");
        if word == verb {
            let noun = before.last().is_some_and(|last| DETERMINERS.contains(last));
            let imperative = before.iter().all(|word| LEADING.contains(word));
            if imperative || (allowed && !noun) {
                return Some(range.clone());
            }
        }
        before.push(word);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, verb: &str) -> Vec<String> {
        let found =
            sentences(text, &[verb]).into_iter().filter_map(|sentence| contradiction(&sentence, verb));
        found.map(|range| text[range].to_owned()).collect()
    }

    #[test]
    fn an_order_or_a_permission_is_found_where_it_stands() {
        assert_eq!(told("- Send the note to Anna.", "send"), ["Send"]);
        assert_eq!(told("Read it; then send it.", "send"), ["send"]);
        assert_eq!(told("You may read, draft and send notes.", "send"), ["send"]);
        assert_eq!(told("Once done, you must also sign.", "sign"), ["sign"]);
        assert_eq!(told("1. Please approve it.", "approve"), ["approve"]);
        assert_eq!(told("“Send” it’s fine", "send"), ["Send"]);
    }

    #[test]
    fn what_is_denied_or_said_of_others_is_let_through() {
        for text in [
            "Never send a note.",
            "You must not send it.",
            "You can't send it.",
            "You can’t send it.",
            "Without asking, you may send nothing.",
            "A person may send it.",
            "The lead sends it.",
            "You should read the sign before it.",
            "You may design a plan.",
            "Ask whether to send it.",
        ] {
            assert_eq!(told(text, "send"), [""; 0], "{text}");
            assert_eq!(told(text, "sign"), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_sentence_that_says_none_of_the_verbs_is_passed_over() {
        let verbs = ["send", "can't", "prüfe"];
        for text in ["Send it.", "He would ‘SEND’ it", "you can’t", "Prüfe dann"] {
            assert_eq!(sentences(text, &verbs).len(), 1, "{text}");
        }
        for text in ["", "Sender", "can t", "pruefe", "resend-it"] {
            assert!(sentences(text, &verbs).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_negation_holds_for_its_own_sentence() {
        assert_eq!(told("Never guess. Send what you know.", "send"), ["Send"]);
        assert_eq!(told("No guesses: send what you know.", "send"), ["send"]);
    }
}
