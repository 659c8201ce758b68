//! The console's own tests: all as expected, everything reached, weakenings noticed.

use harnessc::trial::mutate::{Fate, Kind, mutants, sample, survive};
use harnessc::trial::{Coverage, run};

use super::{console, within};

#[test]
fn they_hold_and_reach_every_harness_tool_and_code() {
    within(&console(), |cx, stand| {
        let outcomes = run(stand, &cx.model.tests, None);
        let failed: Vec<_> = outcomes.iter().flat_map(|outcome| &outcome.failures).collect();
        assert!(failed.is_empty(), "{failed:#?}");
        let coverage = Coverage::of(stand.bundle(), &outcomes);
        for share in
            [&coverage.harnesses, &coverage.tools, &coverage.granted, &coverage.gates, &coverage.codes]
        {
            assert!(share.missed.is_empty(), "{:?}", share.missed);
        }
    });
}

/// A few of each kind that a test and no rule notices; `harnessc test --mutate` tries them all.
#[test]
fn they_notice_a_weaker_policy() {
    let original = console();
    within(&original, |cx, stand| {
        let mut all = mutants(cx);
        all.retain(|mutant| {
            matches!(mutant.kind, Kind::Approver | Kind::Limit | Kind::Only | Kind::Approval)
        });
        for one in survive(&original, stand, &cx.model.tests, &sample(all, 12)) {
            assert!(!matches!(one.fate, Fate::Survived(_)), "{one:#?}");
        }
    });
}
