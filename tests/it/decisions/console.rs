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
        let all = mutants(cx);
        let mut tried = Vec::new();
        for kind in [Kind::Approver, Kind::Limit, Kind::Only, Kind::Approval, Kind::Surface] {
            let own: Vec<_> = all.iter().filter(|mutant| mutant.kind == kind).cloned().collect();
            assert!(!own.is_empty(), "nothing of the console is weakened as {kind}");
            tried.extend(sample(own, 3));
        }
        for one in survive(&original, stand, &cx.model.tests, &tried) {
            assert!(!matches!(one.fate, Fate::Survived(_) | Fate::Same), "{one:#?}");
        }
    });
}
