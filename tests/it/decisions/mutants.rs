//! Weakened policies: who notices, and the test that would.

use std::collections::BTreeMap;

use harnessc::trial::mutate::{Fate, Kind, Tried, mutants, sample, score, survive};
use harnessc::variant::Original;

use super::{POLICY, console, small, tree_of, within};

fn tried(original: &Original, wanted: impl Fn(Kind) -> bool, bound: usize) -> Vec<Tried> {
    within(original, |cx, stand| {
        let mut all = mutants(cx);
        all.retain(|mutant| wanted(mutant.kind));
        survive(original, stand, &cx.model.tests, &sample(all, bound))
    })
}

/// Without a test, what changes a decision and compiles survives; and for each there is a test that kills it.
#[test]
fn each_survivor_comes_with_a_test_that_kills_it() {
    let bare = small("tests:\n  a: {run: {harness: none, role: desk}, exactly: {auto: [tickets.search]}}\n");
    let all = tried(&bare, |_| true, 0);
    let (kinds, total) = score(&all);
    for kind in [
        Kind::Approval,
        Kind::Tool,
        Kind::Limit,
        Kind::Schema,
        Kind::Role,
        Kind::Only,
        Kind::Approver,
        Kind::Enabled,
        Kind::Surface,
        Kind::AlwaysAllowed,
        Kind::Effect,
        Kind::Bind,
    ] {
        assert!(kinds.contains_key(&kind), "nothing is weakened as {kind}");
    }
    assert!(total.survived > 20 && total.rule > 5, "{total:?}");
    let mut text = String::from("tests:\n");
    let mut without = Vec::new();
    for one in &all {
        match &one.fate {
            Fate::Survived(Some(test)) => text.push_str(test.strip_prefix("tests:\n").unwrap()),
            Fate::Survived(None) => without.push(one.mutant.said.clone()),
            _ => {}
        }
    }
    // These weaken the guard and, as things stand, no call that a test can state: nobody may take them for nothing.
    let undecided = [
        "`maxItems` of `tickets` in the output of `tickets.search` is raised",
        "the role `desk` reads untrusted text",
        "the role `review` reads untrusted text",
        "the role `review` has the effect `destructive` too",
        "`lead` may hold `tickets.old` too",
        "`guest` may hold `tickets.old` too",
        "`tickets.label/drop` is called a `create` and no longer a `write`",
        "`tickets.close` is called a `create` and no longer a `write`",
        "`guest` may say yes too under `confirm`",
    ];
    assert_eq!(without, undecided, "no test was found for these");
    let again = tried(&small(&text), |_| true, 0);
    let survived = again.iter().filter(|one| matches!(one.fate, Fate::Survived(_)));
    let left: Vec<&str> = survived.map(|one| one.mutant.said.as_str()).collect();
    assert_eq!(left, undecided);
    assert!(score(&again).1.per_mille().is_some_and(|score| (800..1000).contains(&score)));
    assert_eq!(score(&[]).1.per_mille(), None);
}

/// The run's field takes less than the inputs that are bound to it.
#[test]
fn a_test_that_is_offered_is_about_a_run_that_can_be() {
    let policy = POLICY
        .replace("run: {ticket_id: id}", "run: {ticket_id: {type: string, pattern: \"^T-[0-9]{1,4}$\"}}");
    let wanted =
        |kind: Kind| matches!(kind, Kind::Bind | Kind::Schema | Kind::Limit | Kind::Approver | Kind::Only);
    let bare = "tests:\n  a: {run: {harness: none, role: desk}, exactly: {auto: [tickets.search]}}\n";
    let mut text = String::from("tests:\n");
    let mut noticed = Vec::new();
    for one in tried(&tree_of(&policy, bare), wanted, 0) {
        if let Fate::Survived(Some(test)) = one.fate {
            text.push_str(test.strip_prefix("tests:\n").unwrap());
            noticed.push(one.mutant.said);
        }
    }
    assert!(noticed.len() > 10, "{noticed:?}");
    assert!(text.contains("expect: input_invalid") && text.contains("expires_after: 72h"), "{text}");
    // Compiled with the tests in it: a run that cannot be would be a finding.
    for one in tried(&tree_of(&policy, &text), wanted, 0) {
        let missed = matches!(one.fate, Fate::Survived(_)) && noticed.contains(&one.mutant.said);
        assert!(!missed, "{}", one.mutant.said);
    }
}

#[test]
fn fates_are_told_apart() {
    let tests = "tests:\n  lists: {run: {harness: triager, role: desk}, exactly: {auto: [tickets.search], confirm: [tickets.label/add]}}\n";
    let all = tried(&small(tests), |kind| matches!(kind, Kind::Tool | Kind::Approval | Kind::Only), 0);
    let fates: BTreeMap<&str, &Fate> = all.iter().map(|one| (one.mutant.said.as_str(), &one.fate)).collect();
    let rule = |rule: &str| Fate::Rule(rule.to_owned());
    assert_eq!(fates["`triager` holds `tickets.close` too"], &rule("toolset-outside-persona-bundle"));
    assert_eq!(fates["`triager` holds `tickets.label/drop` too"], &Fate::Test("lists".to_owned()));
    assert!(matches!(
        fates["`triager` no longer narrows `kind` of `tickets.search`"],
        Fate::Survived(Some(_))
    ));
    assert!(matches!(
        fates["`tickets.close` asks for `confirm` and no longer for `four_eyes`"],
        Fate::Survived(Some(_))
    ));
}

#[test]
fn every_mutant_changes_its_file_once() {
    within(&console(), |cx, _| {
        let all = mutants(cx);
        assert!(all.len() > 1_000, "{}", all.len());
        for mutant in &all {
            let old = cx.tree.sources.slice(mutant.edit.span);
            assert_ne!(old, mutant.edit.replacement, "{}", mutant.said);
        }
        assert_eq!(sample(all.clone(), 100).len(), 100);
        assert_eq!(sample(all.clone(), 0), all);
    });
}
