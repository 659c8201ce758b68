//! Where every finding of a run is gathered.

use super::Diagnostic;

/// Takes findings in any order; gives them out in one order, each once.
#[derive(Debug, Default)]
pub struct Sink {
    found: Vec<Diagnostic>,
}

impl Sink {
    /// Takes a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many findings were taken so far.
    pub fn len(&self) -> usize {
        self.found.len()
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
        found.sort_by(|a, b| key(a).cmp(&key(b)));
        found.dedup();
        found
    }
}

fn key(diagnostic: &Diagnostic) -> (crate::source::Span, &'static str, &str) {
    (diagnostic.primary.span, diagnostic.rule.0, &diagnostic.message)
}

impl Extend<Diagnostic> for Sink {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, iter: I) {
        self.found.extend(iter);
    }
}
