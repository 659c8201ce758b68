//! From diagnostics to findings: levels in force, waivers taken into account.

use crate::diagnostic::{Finding, Level, Sink};
use crate::rules::{Cx, rule};

/// The levels and waivers in force.
#[derive(Clone, Debug, Default)]
pub struct Grading {}

/// Grades everything that was found.
pub fn grade(_cx: &Cx<'_>, sink: Sink) -> (Vec<Finding>, Grading) {
    let level = |diagnostic: &crate::diagnostic::Diagnostic| {
        let own = rule(diagnostic.rule.0).and_then(|rule| rule.page().levels.first().copied());
        diagnostic.level.or(own).unwrap_or(Level::Forbid)
    };
    let findings = sink
        .into_sorted()
        .into_iter()
        .map(|diagnostic| Finding { level: level(&diagnostic), diagnostic })
        .collect();
    (findings, Grading::default())
}
