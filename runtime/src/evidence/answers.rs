//! An answer against what the policy knows (row S2): the root cause against its category, the plan against what the cause
//! requires; and how often a refused answer is corrected.

use std::collections::BTreeMap;

use super::{Issue, IssueCode};
use crate::engines::{Fallback, Phase};
use crate::lock::{Cause, Engines, stands_for};

/// `diagnoses`: category → root cause → what it requires.
type Diagnoses = BTreeMap<String, BTreeMap<String, Cause>>;

/// Whether a diagnosis states the category that was found and a root cause of it.
#[must_use]
pub fn diagnosis(
    diagnoses: &Diagnoses,
    category: &str,
    stated_category: Option<&str>,
    root_cause: Option<&str>,
) -> Vec<Issue> {
    let mut issues = Vec::new();
    if stated_category.is_some_and(|stated| stated != category) || !diagnoses.contains_key(category) {
        issues.push(Issue::new(IssueCode::Category, "/category"));
    }
    let causes = diagnoses.get(category);
    if !root_cause.is_some_and(|cause| causes.is_some_and(|causes| causes.contains_key(cause))) {
        issues.push(Issue::new(IssueCode::RootCause, "/root_cause"));
    }
    issues
}

/// Whether a plan, by the names of its deeds, holds every one that its root cause requires; of a tool with cases that is
/// required as a whole, any. A cause that is not known requires nothing that could be held against a plan, and is refused.
#[must_use]
pub fn plan(diagnoses: &Diagnoses, category: &str, root_cause: &str, plan: &[String]) -> Vec<Issue> {
    match diagnoses.get(category).and_then(|causes| causes.get(root_cause)) {
        None => vec![Issue::new(IssueCode::RootCause, "/root_cause")],
        Some(cause) if cause.requires.iter().all(|name| plan.iter().any(|deed| stands_for(name, deed))) => {
            Vec::new()
        }
        Some(_) => vec![Issue::new(IssueCode::PlanIncomplete, "/plan")],
    }
}

/// What follows from a phase's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It stands.
    Accept,
    /// The model is asked once more and told the issues.
    Correct,
    /// The rules take over.
    Fall(Fallback),
}

/// The corrections of one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corrections {
    left: u64,
}

impl Corrections {
    /// As the policy states, at most one, for `diagnose` and `plan` alone.
    #[must_use]
    pub fn of(engines: Option<&Engines>, phase: Phase) -> Self {
        Self { left: phase.corrections(engines) }
    }

    /// What follows from an answer with these issues. One that is final is not corrected.
    pub fn next(&mut self, issues: &[Issue]) -> Next {
        if issues.is_empty() {
            return Next::Accept;
        }
        if self.left > 0 && !issues.iter().any(|issue| issue.code.is_final()) {
            self.left -= 1;
            return Next::Correct;
        }
        let malformed = issues.iter().all(|issue| issue.code == IssueCode::DraftSchema);
        Next::Fall(if malformed { Fallback::InvalidOutput } else { Fallback::Guardrail })
    }
}
