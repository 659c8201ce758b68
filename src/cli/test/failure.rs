//! A failed test as a finding: what was expected, what is so, and the lines of the policy that decided it.

use harnessc_runtime::decide::{Bundle, Gate};

use crate::diagnostic::{Diagnostic, Finding, Level, RuleId};
use crate::model::Def;
use crate::model::tests::{Test, TestRun};
use crate::rules::Cx;
use crate::trial::{Failure, Outcome, rows};
use crate::why;

const FAILED_TEST: RuleId = RuleId("failed-test");

/// So many failures of one test are shown; the others are counted.
const SHOWN: usize = 5;

/// The failures of all tests, in their order.
pub(super) fn findings(cx: &Cx<'_>, bundle: &Bundle, outcomes: &[Outcome<'_>]) -> Vec<Finding> {
    outcomes.iter().flat_map(|outcome| of_test(cx, bundle, outcome)).collect()
}

fn of_test(cx: &Cx<'_>, bundle: &Bundle, outcome: &Outcome<'_>) -> Vec<Finding> {
    let more = outcome.failures.len().saturating_sub(SHOWN);
    let mut found: Vec<Diagnostic> = outcome
        .failures
        .iter()
        .take(SHOWN)
        .map(|failure| finding(cx, bundle, outcome.test, failure))
        .collect();
    if let Some(last) = found.last_mut().filter(|_| more > 0) {
        last.notes.push(format!("{more} more decisions of this test are not as expected"));
    }
    found.into_iter().map(|diagnostic| Finding { diagnostic, level: Level::Deny }).collect()
}

fn finding(cx: &Cx<'_>, bundle: &Bundle, test: &Def<Test>, failure: &Failure) -> Diagnostic {
    let name = &test.key.value;
    if failure.tool.is_empty() {
        let message = format!("the test `{name}` cannot be asked: {}", failure.got);
        return Diagnostic::new(FAILED_TEST, failure.at, message, failure.expected.clone());
    }
    let is_word = !failure.expected.contains(' ');
    let expected = if is_word { format!("`{}`", failure.expected) } else { failure.expected.clone() };
    let got = if failure.got.contains(' ') { failure.got.clone() } else { format!("`{}`", failure.got) };
    let message = format!("`{}` is {got}, and the test expects {expected}", failure.tool);
    let mut found = Diagnostic::new(FAILED_TEST, failure.at, message, format!("expected {expected}"))
        .note(format!("asked: {}, in the test `{name}`", failure.who));
    if let Some(gate) = failure.gate {
        let detail = if failure.detail.is_empty() { String::new() } else { format!(" ({})", failure.detail) };
        found = found.note(format!("the gate that is closed: {}{detail}", gate.usual().reason()));
    }
    for label in deciding(cx, bundle, test, failure) {
        if label.span != failure.at {
            found.labels.push(label);
        }
    }
    found.help(help(failure, is_word))
}

/// The lines of the policy behind the gate, or behind the approval where none is closed.
fn deciding(
    cx: &Cx<'_>,
    bundle: &Bundle,
    test: &Def<Test>,
    failure: &Failure,
) -> Vec<crate::diagnostic::Label> {
    let none = TestRun::default();
    let run = test.run.as_ref().unwrap_or(&none);
    let of = rows(bundle.lock(), run, failure.harness.as_deref());
    let row = of.iter().find(|row| row.persona.map(str::to_owned) == failure.persona);
    let gate = failure.gate.unwrap_or(Gate::Approval);
    let lines = row.map_or_else(Vec::new, |row| why::lines(cx, bundle, row, &failure.tool));
    lines.into_iter().find(|line| line.gate == gate).map_or_else(Vec::new, |line| line.at)
}

fn help(failure: &Failure, is_word: bool) -> String {
    let harness = failure.harness.as_deref().unwrap_or("none");
    let persona = failure.persona.as_ref().map_or_else(String::new, |key| format!(" --persona {key}"));
    let why = format!("harnessc why {harness} {} --role {}{persona}", failure.tool, failure.role);
    if is_word {
        format!(
            "where the policy is right, write what it says here; where the test is, `{why}` shows what to change"
        )
    } else {
        format!("`{why}` shows the lines behind it")
    }
}
