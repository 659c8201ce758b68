//! Where every finding of a run is gathered.

use std::collections::BTreeMap;

use super::{Diagnostic, RuleId};
use crate::source::{FileId, Span};

/// So many findings of one file are kept; a person mends the first ones and runs again. What is beyond is counted, and the
/// count is a finding that nobody can lower.
pub const MAX_IN_FILE: usize = 2_000;

const INPUT_TOO_LARGE: RuleId = RuleId("input-too-large");

/// Takes findings in any order; gives them out in one order, each once.
#[derive(Debug, Default)]
pub struct Sink {
    found: Vec<Diagnostic>,
    taken: usize,
    in_file: BTreeMap<FileId, usize>,
}

impl Sink {
    /// Takes a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.taken += 1;
        let count = self.in_file.entry(diagnostic.primary.span.file).or_default();
        *count += 1;
        if *count <= MAX_IN_FILE {
            self.found.push(diagnostic);
        }
    }

    /// Counts a finding of `file` without one being made, where the file has more than are kept. Says whether it did.
    pub fn is_full(&mut self, file: FileId) -> bool {
        let Some(count) = self.in_file.get_mut(&file).filter(|count| **count >= MAX_IN_FILE) else {
            return false;
        };
        *count += 1;
        self.taken += 1;
        true
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many findings were taken so far, those beyond [`MAX_IN_FILE`] among them.
    pub fn len(&self) -> usize {
        self.taken
    }

    /// Whether a finding of one of `rules` was taken.
    pub fn has(&self, rules: &[super::RuleId]) -> bool {
        self.found.iter().any(|diagnostic| rules.contains(&diagnostic.rule))
    }

    /// What was taken so far, in the order of taking.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter()
    }

    /// What was taken, in the order of taking.
    pub fn into_found(self) -> Vec<Diagnostic> {
        self.found
    }

    /// All findings: by file number (the tree numbers files by path), place, rule and message; twins fall together.
    pub fn into_sorted(self) -> Vec<Diagnostic> {
        let mut found = self.found;
        let over = self.in_file.into_iter().filter(|(_, count)| *count > MAX_IN_FILE);
        found.extend(over.map(|(file, count)| too_many(file, count)));
        found.sort_by(|a, b| key(a).cmp(&key(b)));
        found.dedup();
        found
    }
}

fn too_many(file: FileId, count: usize) -> Diagnostic {
    Diagnostic::new(
        INPUT_TOO_LARGE,
        Span::new(file, 0..0),
        format!("this file has {count} findings, and {MAX_IN_FILE} of them are shown"),
        "",
    )
    .note("so many at once are the mark of a file that is no policy, or of one slip that repeats itself")
    .help("mend the first ones and check again")
}

fn key(diagnostic: &Diagnostic) -> (crate::source::Span, &'static str, &str) {
    (diagnostic.primary.span, diagnostic.rule.0, &diagnostic.message)
}

impl Extend<Diagnostic> for Sink {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, iter: I) {
        iter.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_counted_and_cut() {
        let mut sources = crate::source::Sources::default();
        let (flooded, other) = (sources.add("a.yaml", "a"), sources.add("b.yaml", "b"));
        let finding =
            |file, text: &str| Diagnostic::new(RuleId("wrong-type"), Span::new(file, 0..1), text, "");
        let mut sink = Sink::default();
        for number in 0..MAX_IN_FILE + 3 {
            sink.push(finding(flooded, &number.to_string()));
        }
        assert!(sink.is_full(flooded) && !sink.is_full(other));
        sink.push(finding(other, "one"));
        assert_eq!(sink.len(), MAX_IN_FILE + 5);
        let found = sink.into_sorted();
        assert_eq!(found.len(), MAX_IN_FILE + 2);
        let cut = found.iter().find(|diagnostic| diagnostic.rule == INPUT_TOO_LARGE).unwrap();
        assert_eq!(
            cut.message,
            format!("this file has {} findings, and {MAX_IN_FILE} of them are shown", MAX_IN_FILE + 4)
        );
    }
}
