//! `harnessc test`: what it says of tests that hold and of tests that do not, in each format.

use serde_json::Value;

use crate::cli_common::Scratch;

const HOLDS: &str = r"tests:
  a triager finds bugs alone:
    run: {harness: triager, role: desk, ticket_id: T-1}
    call: {tool: tickets.search, input: {ticket_id: T-1, kind: bug}}
    expect: auto
    needs: [kind]
    refuses: [{kind: request}, {ticket_id: T-2}]
  a triager, exactly: {run: {harness: triager, role: desk}, exactly: {auto: [tickets.search], confirm: [tickets.label/add]}}
";

const FAILS: &str = r"
  a triager closes:
    run: {harness: triager, role: desk, ticket_id: T-1}
    call: {tool: tickets.close, input: {ticket_id: T-1, reply: Done.}}
    expect: four_eyes
";

fn scratch(tests: &str) -> Scratch {
    let scratch = Scratch::small();
    scratch.write("tests/policy/desk.yaml", tests);
    scratch
}

#[test]
fn tests_that_hold_are_counted() {
    let scratch = scratch(HOLDS);
    insta::assert_snapshot!("holds", scratch.transcript(&["test"]));
    insta::assert_snapshot!("filtered", scratch.transcript(&["test", "--filter", "exactly"]));
    insta::assert_snapshot!("none", scratch.transcript(&["test", "--filter", "no such test"]));
    insta::assert_snapshot!("coverage", scratch.transcript(&["test", "--coverage"]));
}

#[test]
fn a_test_that_does_not_hold_shows_both_places_and_exits_1() {
    let scratch = scratch(&format!("{HOLDS}{FAILS}"));
    insta::assert_snapshot!("fails", scratch.transcript(&["test"]));
    insta::assert_snapshot!("fails_short", scratch.transcript(&["test", "--format", "short"]));
    let output = scratch.run(&["test", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"], serde_json::json!({"passed": 2, "failed": 1}));
    let failure = &report["tests"][2]["failures"][0];
    assert_eq!(
        (failure["expected"].as_str(), failure["got"].as_str()),
        (Some("four_eyes"), Some("harness_denied"))
    );
}

#[test]
fn a_word_that_no_decision_has_is_a_failure_that_says_so() {
    let scratch = scratch(&HOLDS.replace("expect: auto", "expect: automatic"));
    let said = scratch.transcript(&["test"]);
    assert!(said.contains("`automatic`") && said.ends_with("--- exit 1\n"), "{said}");
}

#[test]
fn no_test_is_asked_of_a_tree_that_is_not_settled() {
    let scratch = scratch(HOLDS);
    scratch.edit("harnesses/triager.yaml", "personas: [agent]", "personas: [agnet]");
    let said = scratch.transcript(&["test"]);
    assert!(
        said.contains("no test is asked while findings deny") && said.ends_with("--- exit 1\n"),
        "{said}"
    );
}

#[test]
fn weakenings_that_nobody_notices_come_with_a_test() {
    let scratch = scratch(HOLDS);
    insta::assert_snapshot!("mutate", scratch.transcript(&["test", "--mutate=approver"]));
    let output = scratch.run(&["test", "--mutate", "--sample", "30", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["mutation"]["tried"], 30);
    assert!(report["mutation"]["mutants"].as_u64().unwrap() > 30);
    let said = scratch.transcript(&["test", "--mutate", "--sample", "5"]);
    assert!(said.contains("weakenings were tried, spread evenly"), "{said}");
}

#[test]
fn nothing_is_weakened_while_a_test_fails() {
    let said = scratch(&format!("{HOLDS}{FAILS}")).transcript(&["test", "--mutate"]);
    assert!(said.contains("nothing is weakened while a test fails"), "{said}");
}
