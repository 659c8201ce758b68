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
fn a_word_that_nothing_comes_to_is_a_finding_of_the_check() {
    let broken = scratch(&HOLDS.replace("expect: auto", "expect: automatic"));
    for verb in ["check", "test"] {
        let said = broken.transcript(&[verb, "--format", "short"]);
        assert!(said.contains("[wrong-type]: `automatic` is nothing that comes of a call"), "{said}");
        assert!(said.ends_with("--- exit 1\n"), "{said}");
    }
    insta::assert_snapshot!("expects_nothing", broken.transcript(&["check"]));
    let near = scratch(&HOLDS.replace("expect: auto", "expect: harness_denid")).transcript(&["check"]);
    assert!(near.contains("did you mean `harness_denied`?"), "{near}");
    let sequence = |word: &str| {
        let steps = format!(
            "tests:\n  t:\n    run: {{harness: closer, role: desk, ticket_id: T-1}}\n    sequence:\n      - {{call: {{tool: tickets.close, input: {{ticket_id: T-1}}}}, expect: four_eyes}}\n      - {{decide: yes, by: {{person: requester}}, expect: {word}}}\n"
        );
        scratch(&steps)
    };
    assert!(sequence("auto").transcript(&["check"]).contains("`auto` is nothing that comes of an answer"));
    for word in ["executed", "expired"] {
        let said = sequence(word).transcript(&["check"]);
        assert!(said.ends_with("--- exit 0\n"), "{said}");
        let said = sequence(word).transcript(&["test", "--format", "short"]);
        assert!(
            said.contains("the answer about `tickets.close` comes out as `four_eyes`; the test expects"),
            "{said}"
        );
    }
}

#[test]
fn a_tree_without_a_test_fails_and_the_first_one_passes() {
    let scratch = Scratch::small();
    insta::assert_snapshot!("no_test", scratch.transcript(&["test"]));
    for arguments in [&["--format", "json"][..], &["--filter", "x"], &["--mutate", "--sample", "2"]] {
        assert_eq!(scratch.run(&[&["test"], arguments].concat()).status.code(), Some(1), "{arguments:?}");
    }
    let output = scratch.run(&["test"]);
    let said = String::from_utf8(output.stderr).unwrap();
    let (_, first) = said.split_once("\n\n").unwrap();
    scratch.write("tests/policy/first.yaml", first);
    let said = scratch.transcript(&["test"]);
    assert!(said.contains("1 test: all as expected") && said.ends_with("--- exit 0\n"), "{said}");
}

#[test]
fn what_a_tree_lacks_stands_in_the_documents_too() {
    let bare = Scratch::small();
    let junit = String::from_utf8(bare.run(&["test", "--format", "junit"]).stdout).unwrap();
    assert!(
        junit.contains("tests=\"1\" failures=\"1\"") && junit.contains("the tree states no test"),
        "{junit}"
    );
    let github = String::from_utf8(bare.run(&["test", "--format", "github"]).stdout).unwrap();
    assert!(
        github.starts_with("::error file=harness.toml,title=harnessc::the tree states no test"),
        "{github}"
    );
    let low = scratch(HOLDS);
    let arguments = ["test", "--mutate=approver", "--min-score", "97.5", "--format"];
    let said =
        |format: &str| String::from_utf8(low.run(&[&arguments[..], &[format]].concat()).stdout).unwrap();
    assert!(
        said("junit").contains("failures=\"1\"") && said("junit").contains("`--min-score` asks for 97.5 %")
    );
    assert!(said("github").contains("::error file=harness.toml,title=harnessc::1 of 5 weakenings"));
    let enough = low.run(&["test", "--mutate=approver", "--min-score", "20", "--format", "junit"]);
    assert!(String::from_utf8(enough.stdout).unwrap().contains("failures=\"0\""));
}

#[test]
fn a_run_that_cannot_be_is_a_finding_of_the_check() {
    for value in ["not a ticket", "5", "{a: 1}", "[T-1]"] {
        let said = scratch(
            &HOLDS.replace("role: desk, ticket_id: T-1}", &format!("role: desk, ticket_id: {value}}}")),
        )
        .transcript(&["check", "--format", "short"]);
        assert!(said.contains("[wrong-type]: no run carries this as its `ticket_id`"), "{value}: {said}");
    }
    insta::assert_snapshot!(
        "run_that_cannot_be",
        scratch(&HOLDS.replace("desk, ticket_id: T-1}", "desk, ticket_id: T1}")).transcript(&["check"])
    );
}

#[test]
fn a_test_that_asks_nothing_is_no_test() {
    for (test, said) in [
        ("{run: {harness: triager, role: desk}, matrix: {}}", "[empty-list]"),
        ("{run: {harness: triager, role: desk}, sequence: [{after: 23h}]}", "[missing-field]"),
        (
            "{run: {harness: triager, role: desk}, sequence: [{decide: yes, by: {person: dana}, expect: nothing_proposed}]}",
            "[missing-field]",
        ),
    ] {
        let found = scratch(&format!("tests:\n  t: {test}\n")).transcript(&["check", "--format", "short"]);
        assert!(found.contains(said) && found.ends_with("--- exit 1\n"), "{test}: {found}");
    }
    // Where every persona wears a harness, nobody runs without one.
    let nobody = scratch("tests:\n  t: {run: {harness: none, role: desk}, exactly: {}}\n");
    nobody.edit("policies/people.yaml", "guest: {title: Guest, harness: none,", "guest: {title: Guest,");
    nobody.edit("harnesses/closer.yaml", "personas: [lead]", "personas: [lead, guest]");
    assert_eq!(
        nobody.run(&["check"]).status.code(),
        Some(0),
        "{}",
        nobody.transcript(&["check", "--format", "short"])
    );
    let said = nobody.transcript(&["test", "--format", "short"]);
    assert!(said.ends_with("--- exit 1\n") && said.contains("no run is without one"), "{said}");
}

#[test]
fn a_filter_that_no_name_holds_is_a_slip() {
    let scratch = scratch(HOLDS);
    for (filter, meant) in [
        ("exctly", "did you mean `exactly`?"),
        ("A Triager", "did you mean `a triager finds bugs alone`?"),
        ("a triagr, exactly", "did you mean `a triager, exactly`?"),
        ("no such test", "lists the tests by name"),
    ] {
        let said = scratch.transcript(&["test", "--filter", filter]);
        assert!(said.contains(meant) && said.ends_with("--- exit 2\n"), "{filter}: {said}");
    }
}

#[test]
fn personas_that_fare_alike_are_told_of_together() {
    let scratch = scratch(
        "tests:\n  nobody labels:\n    run: {harness: triager, role: desk, ticket_id: T-1}\n    call: {tool: tickets.label, input: {ticket_id: T-1, method: add}}\n    expect: harness_denied\n",
    );
    scratch.edit("harnesses/triager.yaml", "personas: [agent]", "personas: [agent, lead]");
    let said = scratch.transcript(&["test", "--format", "short"]);
    assert_eq!(said.matches("deny[failed-test]").count(), 1, "{said}");
    let said = scratch.transcript(&["test"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("for the personas `agent` and `lead`"), "{said}");
    let output = scratch.run(&["test", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["tests"][0]["failures"].as_array().unwrap().len(), 2, "machines are told of each");
}

#[test]
fn near_misses_that_show_nothing_say_so_in_a_sentence() {
    let said =
        |from: &str, to: &str| scratch(&HOLDS.replace(from, to)).transcript(&["test", "--format", "short"]);
    let needs = said("needs: [kind]", "needs: [ticket]");
    assert!(needs.contains("`tickets.search`: the call of this test does not carry `ticket`, so leaving it out shows nothing; the test expects"), "{needs}");
    let refuses = said("refuses: [{kind: request}, {ticket_id: T-2}]", "refuses: [{kind: bug}]");
    assert!(refuses.contains("`tickets.search` comes out as `auto` with these inputs; the test expects it to be refused for its input or its target"), "{refuses}");
    let cell = scratch("tests:\n  t: {run: {role: desk}, matrix: {tickets.close: {}}}\n")
        .transcript(&["test", "--format", "short"]);
    assert!(
        cell.contains("`tickets.close` comes out as `four_eyes`; the test expects it to be denied"),
        "{cell}"
    );
}

#[test]
fn a_score_below_what_is_asked_for_fails() {
    let scratch = scratch(HOLDS);
    let code = |least: &str| scratch.run(&["test", "--mutate=approver", "--min-score", least]).status.code();
    assert_eq!(
        (code("0"), code("20"), code("20.1"), code("100"), code("101")),
        (Some(0), Some(0), Some(1), Some(1), Some(2))
    );
    let said = scratch.transcript(&["test", "--mutate=approver", "--min-score", "97.5", "--format", "json"]);
    assert!(said.contains("1 of 5 weakenings were noticed, and `--min-score` asks for 97.5 %"), "{said}");
    assert_eq!(
        scratch.run(&["test", "--min-score", "50"]).status.code(),
        Some(2),
        "without --mutate it means nothing"
    );
}

#[test]
fn outputs_are_weakened_too() {
    let scratch = scratch(HOLDS);
    let output = scratch.run(&["test", "--mutate=output", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kinds = &report["mutation"]["kinds"]["output"];
    assert!(
        kinds["rule"].as_u64().unwrap() > 0,
        "a free text in what a role without untrusted text reads: {report}"
    );
    let said: Vec<&str> = report["mutation"]["survivors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["said"].as_str().unwrap())
        .collect();
    assert!(
        said.contains(&"`maxItems` of `tickets` in the output of `tickets.search` is raised"),
        "{said:?}"
    );
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
