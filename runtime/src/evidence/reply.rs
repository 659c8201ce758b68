//! A reply to the person who asked (row S2): its length, how it addresses them, and whom it names.

use super::{Issue, IssueCode};

/// What a reply keeps to. The names come from the server, which alone knows the organization's other practices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyRules<'a> {
    /// Words that address a person too familiarly, each a whole word in any case.
    pub familiar: &'a [&'a str],
    /// The longest reply, in characters.
    pub max_chars: usize,
    /// The names of every practice but the run's.
    pub other_practices: &'a [&'a str],
}

/// What is wrong with a reply, sorted. Case, white space and characters that nobody sees hide neither a name nor a word.
#[must_use]
pub fn reply(rules: &ReplyRules<'_>, text: &str) -> Vec<Issue> {
    let mut codes = Vec::new();
    let plain = plain(text);
    if rules.familiar.iter().any(|word| has(&plain, word)) {
        codes.push(IssueCode::ReplyAddress);
    }
    if plain.is_empty() || text.chars().count() > rules.max_chars {
        codes.push(IssueCode::ReplyLength);
    }
    if rules.other_practices.iter().any(|name| has(&plain, name)) {
        codes.push(IssueCode::ReplyOtherPractice);
    }
    codes.into_iter().map(|code| Issue::new(code, "/reply")).collect()
}

/// The letters that are seen, in lower case, one blank between words.
fn plain(text: &str) -> String {
    let seen: String = text.chars().filter(|c| !is_unseen(*c)).flat_map(char::to_lowercase).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Soft hyphens, joiners, marks of direction, variation selectors and tags.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a name stands in a text as whole words.
fn has(text: &str, name: &str) -> bool {
    let name = plain(name);
    if name.is_empty() {
        return false;
    }
    let bound = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    text.match_indices(&name).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at.saturating_add(name.len())..).and_then(|after| after.chars().next());
        bound(before) && bound(after)
    })
}

#[cfg(test)]
mod tests {
    use super::{ReplyRules, reply};
    use crate::evidence::IssueCode;

    fn codes(text: &str) -> Vec<IssueCode> {
        let rules = ReplyRules {
            familiar: &["du", "dein"],
            max_chars: 60,
            other_practices: &["Praxis Nord", "Zahnärzte Übersee"],
        };
        reply(&rules, text).into_iter().map(|issue| issue.code).collect()
    }

    // S2: the reply's length, formal address, and that it names no other practice.
    #[test]
    fn a_reply_keeps_to_its_rules() {
        assert_eq!(codes("Guten Tag, Ihr Export läuft wieder. Die Dudenstraße bleibt."), []);
        assert_eq!(codes("Du kannst es nun sehen"), [IssueCode::ReplyAddress]);
        assert_eq!(codes(" \u{200b} "), [IssueCode::ReplyLength]);
        assert_eq!(codes(&"x".repeat(61)), [IssueCode::ReplyLength]);
    }

    #[test]
    fn no_spelling_hides_another_practice() {
        for text in [
            "wie bei Praxis Nord",
            "wie bei PRAXIS\n\tNORD.",
            "wie bei Praxis\u{200b} No\u{ad}rd",
            "(zahnärzte übersee)",
        ] {
            assert_eq!(codes(text), [IssueCode::ReplyOtherPractice], "{text}");
        }
        assert_eq!(codes("wie bei Praxis Nordsee"), []);
    }
}
