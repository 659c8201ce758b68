//! Where every finding of a run is gathered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Diagnostic, RuleId};
use crate::source::{FileId, Span};

/// So many findings of one file are kept; a person mends the first ones and runs again. What is beyond is counted, and the
/// count is a finding that nobody can lower.
pub const MAX_IN_FILE: usize = 2_000;

const INPUT_TOO_LARGE: RuleId = RuleId("input-too-large");

/// Takes findings in any order; gives them out in one order, each once.
#[derive(Clone, Debug, Default)]
pub struct Sink {
    found: Vec<Diagnostic>,
    taken: usize,
    in_file: BTreeMap<FileId, usize>,
    /// What a sink that this one stands beside had taken: which rule had found something in which file.
    earlier: Arc<BTreeSet<(FileId, RuleId)>>,
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

    /// An empty sink for work that goes on beside other work; [`Sink::take`] brings in what it took.
    #[must_use]
    pub fn beside(&self) -> Self {
        let earlier = self.found.iter().map(|found| (found.primary.span.file, found.rule)).collect();
        Self { earlier: Arc::new(earlier), ..Self::default() }
    }

    /// Takes all that another sink took, what it only counted among it.
    pub fn take(&mut self, other: Self) {
        let mut counted = other.in_file;
        for diagnostic in other.found {
            if let Some(count) = counted.get_mut(&diagnostic.primary.span.file) {
                *count -= 1;
            }
            self.push(diagnostic);
        }
        for (file, count) in counted.into_iter().filter(|(_, count)| *count > 0) {
            *self.in_file.entry(file).or_default() += count;
            self.taken += count;
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

    /// Whether a finding of one of `rules` was taken in `file`, here or before this sink stood beside others.
    pub fn has(&self, file: FileId, rules: &[RuleId]) -> bool {
        let here = self.found.iter().map(|found| (found.primary.span.file, found.rule));
        here.chain(self.earlier.iter().copied()).any(|(at, rule)| at == file && rules.contains(&rule))
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
    fn work_done_beside_comes_to_the_same() {
        let mut sources = crate::source::Sources::default();
        let file = sources.add("a.yaml", "a");
        let finding = |rule: &'static str, number: usize| {
            Diagnostic::new(RuleId(rule), Span::new(file, 0..1), format!("{number:05}"), "")
        };
        let work = |rule: &'static str, sink: &mut Sink| {
            for number in 0..MAX_IN_FILE {
                if !sink.is_full(file) {
                    sink.push(finding(rule, number));
                }
            }
        };
        let (mut alone, mut apart) = (Sink::default(), Sink::default());
        for sink in [&mut alone, &mut apart] {
            sink.push(finding("first", 0));
        }
        let beside = apart.beside();
        for rule in ["one", "two"] {
            work(rule, &mut alone);
            let mut own = beside.clone();
            assert!(own.has(file, &[RuleId("first")]) && !own.has(file, &[RuleId("one")]));
            work(rule, &mut own);
            apart.take(own);
        }
        assert_eq!((alone.len(), alone.iter().count()), (apart.len(), apart.iter().count()));
        assert_eq!(alone.into_sorted(), apart.into_sorted());
    }

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
