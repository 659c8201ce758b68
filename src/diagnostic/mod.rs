//! Findings about the author's text: what is wrong, where, why it matters and the edit that mends it.
//!
//! No rendering and no levels from the manifest here; `report` shows, `rules` grades.

mod finding;
mod sink;

use crate::source::Span;
pub use finding::Finding;
pub use sink::{MAX_IN_FILE, Sink};

/// A rule's name, kebab-case, as LANGUAGE.md's table has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub &'static str);

impl std::fmt::Display for RuleId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// How grave a finding is. Ordered: what is greater weighs more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Not reported.
    Allow,
    /// Reported; the exit code stays 0 unless `--deny-warnings`.
    Warn,
    /// Reported; exit 1. May be waived in place.
    Deny,
    /// Reported; exit 1. Neither lowered by `[rules]` nor waived.
    Forbid,
}

/// A place and what is to be seen there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The exact bytes.
    pub span: Span,
    /// A few words; lower case, no full stop.
    pub text: String,
}

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Applicability {
    /// Keeps what the author meant and never widens anything.
    Safe,
    /// Likely right, but a person should look.
    Unsafe,
}

/// One replacement of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What goes; empty for an insertion.
    pub span: Span,
    /// What comes.
    pub replacement: String,
}

/// A file that is missing, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// Relative to the manifest's folder, `/` between parts.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Edits that mend a finding, all or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the fix does, as an imperative: "write `approval`".
    pub title: String,
    /// Whether it may be applied unasked.
    pub applicability: Applicability,
    /// The replacements; they do not overlap.
    pub edits: Vec<Edit>,
    /// Files to write where there are none.
    pub creates: Vec<NewFile>,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule is broken.
    pub rule: RuleId,
    /// The level of this finding where the rule has more than one; else the rule's own is taken.
    pub level: Option<Level>,
    /// What is wrong, in one sentence; lower case, no full stop, names in backticks.
    pub message: String,
    /// The place to look at, with a few words.
    pub primary: Label,
    /// Further places, in any file.
    pub labels: Vec<Label>,
    /// Why it matters: one sentence or two.
    pub notes: Vec<String>,
    /// The edit that mends it, said to a person.
    pub help: Option<String>,
    /// The same as edits, where they are plain.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A finding of `rule` at `span`. `label` says what is to be seen there; it may be empty.
    pub fn new(rule: RuleId, span: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            rule,
            level: None,
            message: message.into(),
            primary: Label { span, text: label.into() },
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// Graded by hand, for a rule that has several levels.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = Some(level);
        self
    }

    /// A further place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Why it matters.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The edit that mends it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A fix of one replacement.
    #[must_use]
    pub fn fix(
        self,
        title: impl Into<String>,
        applicability: Applicability,
        span: Span,
        replacement: impl Into<String>,
    ) -> Self {
        self.fix_all(title, applicability, vec![Edit { span, replacement: replacement.into() }])
    }

    /// A fix of several replacements, all or none.
    #[must_use]
    pub fn fix_all(
        mut self,
        title: impl Into<String>,
        applicability: Applicability,
        edits: Vec<Edit>,
    ) -> Self {
        self.fixes.push(Fix { title: title.into(), applicability, edits, creates: Vec::new() });
        self
    }

    /// A fix that writes one file, which is missing.
    #[must_use]
    pub fn fix_creating(
        mut self,
        title: impl Into<String>,
        applicability: Applicability,
        path: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        let creates = vec![NewFile { path: path.into(), text: text.into() }];
        self.fixes.push(Fix { title: title.into(), applicability, edits: Vec::new(), creates });
        self
    }
}

/// The nearest of `candidates` to `written`, where one is near enough to be what was meant.
pub fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(written);
    let length = folded.chars().count();
    // Every one-letter name is one letter away from every other.
    let reach = if length < 3 { 0 } else { (written.chars().count() / 3).clamp(1, 4) };
    candidates
        .into_iter()
        .filter(|candidate| *candidate != written)
        .map(|candidate| (fold(candidate), candidate))
        .filter(|(fold, _)| fold.chars().count().abs_diff(length) <= reach)
        .map(|(fold, candidate)| (strsim::damerau_levenshtein(&folded, &fold), candidate))
        .filter(|(distance, _)| *distance <= reach)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Whether a did-you-mean may be applied unasked: what was written is `meant` but for a slip of the hand (case and separators,
/// one letter more, fewer or other, two letters swapped), and no other candidate is as near. A word that is further away may
/// be another word that the language does not have, and a person has to look.
pub fn sureness<'a>(
    written: &str,
    meant: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Applicability {
    let folded = fold(written);
    let distance = |candidate: &str| strsim::damerau_levenshtein(&folded, &fold(candidate));
    let of_meant = distance(meant);
    let rivals =
        candidates.into_iter().filter(|other| *other != meant && distance(other) <= of_meant).count();
    if of_meant <= 1 && rivals == 0 { Applicability::Safe } else { Applicability::Unsafe }
}

/// Case and separators are the commonest slips: `refusalRules`, `refusal-rules` and `refusal_rules` fold alike.
fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{Applicability, nearest, sureness};

    #[test]
    fn only_a_slip_is_mended_unasked() {
        let keys = ["steps", "tool_calls", "refusal_rules", "title", "tile"];
        for (written, meant) in
            [("toolCalls", "tool_calls"), ("tool_cals", "tool_calls"), ("refusal-rule", "refusal_rules")]
        {
            assert_eq!(sureness(written, meant, keys), Applicability::Safe, "{written}");
        }
        // Another word, and one that two candidates are equally near to.
        for (written, meant) in [("model_calls", "tool_calls"), ("tite", "title")] {
            assert_eq!(sureness(written, meant, keys), Applicability::Unsafe, "{written}");
        }
    }

    #[test]
    fn a_near_name_is_offered_and_a_far_one_is_not() {
        let keys = ["refusal_rules", "rubric_key", "title"];
        assert_eq!(nearest("refusalRules", keys), Some("refusal_rules"));
        assert_eq!(nearest("titel", keys), Some("title"));
        assert_eq!(nearest("owner", keys), None);
        assert_eq!(nearest("b", ["a", "B"]), Some("B"));
    }
}
