//! How a waiver is written, and what comes near enough to have been meant as one.

use crate::syntax::Comment;

/// What a comment says to the checker.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Marker<'a> {
    /// `# harnessc: allow RULE -- reason`; `at` is where RULE begins, in bytes behind the `#`.
    Waiver { rule: &'a str, at: usize, reason: &'a str },
    /// The same without a reason.
    NoReason { rule: &'a str },
    /// Meant as one, written otherwise; `meant` is how it is written right.
    Malformed { meant: String },
}

/// Reads a comment; nothing where it speaks to people alone.
pub(super) fn read(comment: &Comment) -> Option<Marker<'_>> {
    let text = comment.text.as_str();
    if let Some(rest) = text.strip_prefix(" harnessc: allow ") {
        return Some(waiver(text, rest));
    }
    let (name, rest) = text.trim_start().split_once([':', ' ', '-'])?;
    let (verb, rest) = rest.trim_start_matches([':', ' ']).split_once([' ', ':'])?;
    let near = |word: &str, meant: &str| strsim::damerau_levenshtein(&word.to_lowercase(), meant) <= 2;
    if !near(name, "harnessc")
        || !["allow", "waive", "ignore", "disable"].iter().any(|meant| near(verb, meant))
    {
        return None;
    }
    // "harness: allow readers …" speaks to people; "harness: allow some-rule …" does not.
    let rule_like = rest.split_whitespace().next().is_some_and(|word| word.contains('-'));
    if !rule_like && !name.eq_ignore_ascii_case("harnessc") {
        return None;
    }
    let (rule, reason) = parts(rest.trim_start());
    let rule = if rule.is_empty() { "RULE" } else { rule };
    let reason = if reason.is_empty() { "reason" } else { reason };
    Some(Marker::Malformed { meant: format!("# harnessc: allow {rule} -- {reason}") })
}

fn waiver<'a>(text: &'a str, rest: &'a str) -> Marker<'a> {
    let (rule, reason) = match rest.split_once(" -- ") {
        Some((rule, reason)) => (rule.trim(), reason.trim()),
        None => (rest.trim().trim_end_matches("--").trim_end(), ""),
    };
    if rule.is_empty() {
        return Marker::Malformed { meant: "# harnessc: allow RULE -- reason".to_owned() };
    }
    let one = rule.chars().all(|letter| !matches!(letter, ' ' | '-' | ',') || letter == '-');
    if reason.is_empty() && !one {
        let (rule, reason) = parts(rule);
        let reason = if reason.is_empty() { "reason" } else { reason };
        return Marker::Malformed { meant: format!("# harnessc: allow {rule} -- {reason}") };
    }
    if reason.is_empty() {
        return Marker::NoReason { rule };
    }
    let at = text.len() - rest.len() + (rest.len() - rest.trim_start().len());
    Marker::Waiver { rule, at, reason }
}

/// The first word, and what is left as a reason once dashes and colons before it are taken off.
fn parts(text: &str) -> (&str, &str) {
    let (rule, rest) = text.split_once([' ', ':', ',']).unwrap_or((text, ""));
    (rule, rest.trim_start_matches(['-', '–', '—', ':', ' ']).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Sources, Span};

    fn comment(text: &str) -> Comment {
        let file = Sources::default().add("a.yaml", "");
        Comment { span: Span::new(file, 0..text.len()), text: text.to_owned(), alone: true }
    }

    #[test]
    fn a_waiver_is_read_with_its_rule_s_place() {
        let text = comment(" harnessc: allow some-rule -- kept for October -- at the latest");
        let reason = "kept for October -- at the latest";
        assert_eq!(read(&text), Some(Marker::Waiver { rule: "some-rule", at: 17, reason }));
        assert_eq!(read(&comment(" harnessc: allow a-rule")), Some(Marker::NoReason { rule: "a-rule" }));
        assert_eq!(read(&comment(" harnessc: allow a-rule --")), Some(Marker::NoReason { rule: "a-rule" }));
    }

    #[test]
    fn a_near_miss_is_shown_its_right_spelling() {
        for text in [
            " harnesc: allow some-rule -- why",
            "harnessc:allow some-rule -- why",
            "harnessc: allow some-rule -- why",
            " Harnessc: Allow some-rule -- why",
            " harnessc allow some-rule -- why",
            " harnessc: allow some-rule - why",
            " harnessc: allow some-rule: why",
            " harnessc: allow some-rule why",
            " harnessc: ignore some-rule -- why",
            " harnessc-allow: some-rule -- why",
        ] {
            let meant = "# harnessc: allow some-rule -- why".to_owned();
            assert_eq!(read(&comment(text)), Some(Marker::Malformed { meant }), "{text}");
        }
    }

    #[test]
    fn a_comment_for_people_is_left_alone() {
        for text in
            [" harness: allow readers to …", " allow some-rule -- why", " harnessc reads this file", ""]
        {
            assert_eq!(read(&comment(text)), None, "{text}");
        }
    }
}
