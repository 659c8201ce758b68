//! `rubrics:`: what is asked of a record, and what evidence an answer needs.

use super::keyed::Keyed;
use super::read::fields;
use crate::source::Spanned;

/// The words of every score, weakest first; stored 0 to 3 for "Changed since scored" alone (seed 003).
pub const LEVELS: [&str; 4] = ["no_evidence", "weak", "moderate", "strong"];

fields! {
    /// One rubric.
    Rubric = "a rubric" {
        /// Raised when what is asked changes.
        req version: Spanned<u64>,
        /// The criteria, by key.
        req criteria: Keyed<Criterion>,
        /// The words of a score; unsaid, and never other than `no_evidence weak moderate strong`.
        opt levels: Vec<Spanned<String>>,
    }
}

fields! {
    /// One criterion.
    Criterion = "a criterion" {
        /// The question.
        req asks: Spanned<String>,
        /// What must be cited; without it the score is no_evidence and the claim an assumption.
        opt evidence_required: Spanned<String>,
    }
}
