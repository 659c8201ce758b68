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
fn the_first_test_quotes_keys_that_yaml_reads_as_something_else() {
    for key in ["1", "null", "true", "on", "1e3", "0x1"] {
        let scratch = Scratch::empty();
        scratch.write("harness.toml", "[policy]\nname = \"keys\"\n");
        let tree = format!(
            "tools: {{\"{key}\": {{title: T, description: D., effect: read, unbound: none, input: {{properties: {{}}}}, returns: none}}}}
roles: {{\"{key}\": {{tools: harness_toolset}}}}
personas: {{\"{key}\": {{title: P, bundle: [\"{key}\"]}}}}
surfaces: {{\"{key}\": {{scopes: {{\"{key}\": {{effects: [read]}}}}}}}}
harnesses: {{\"{key}\": {{title: H, personas: [\"{key}\"], toolset: [\"{key}\"]}}}}
"
        );
        scratch.write("policies/all.yaml", &tree);
        let said = String::from_utf8(scratch.run(&["test"]).stderr).unwrap();
        let Some((_, first)) = said.split_once("\n\n") else { panic!("{key}: {said}") };
        scratch.write("tests/policy/first.yaml", first);
        let said = scratch.transcript(&["test"]);
        assert!(
            said.contains("1 test: all as expected") && said.ends_with("--- exit 0\n"),
            "{key}: {first}{said}"
        );
    }
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

/// Both sides of a near miss that passes: what the test gives, and the place of the schema that takes it.
#[test]
fn a_near_miss_that_passes_shows_where_the_schema_lets_it_through() {
    let scratch =
        scratch(&HOLDS.replace("refuses: [{kind: request}", "refuses: [{ticket_id: T-1, kind: bug}"));
    insta::assert_snapshot!("near_miss", scratch.transcript(&["test"]));
    let output = scratch.run(&["test", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let places = report["tests"][0]["failures"][0]["let_through"].as_array().unwrap();
    let kind = places.iter().find(|place| place["input"] == "kind").unwrap();
    assert_eq!((&kind["pointer"], &kind["file"]), (&"/properties/kind".into(), &"tools/tickets.yaml".into()));
    // The narrowing of the harness is a place of its own.
    let files: Vec<&str> = places.iter().map(|place| place["file"].as_str().unwrap()).collect();
    assert!(files.contains(&"harnesses/triager.yaml"), "{files:?}");

    let needless = HOLDS
        .replace("needs: [kind]", "")
        .replace("refuses: [{kind: request}, {ticket_id: T-2}]", "needs: [kind]");
    let scratch = self::scratch(&needless.replace(
        "harness: triager, role: desk, ticket_id: T-1",
        "harness: closer, role: desk, ticket_id: T-1",
    ));
    let said = scratch.transcript(&["test"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("`kind` is let through by `/required` in the input of `tickets.search`"), "{said}");
}

#[test]
fn a_limit_in_a_failure_is_called_what_the_policy_calls_it() {
    let spent = |limits: &str, spent: &str| {
        let scratch = scratch(&format!(
            "tests:\n  t:\n    run: {{harness: triager, role: desk, ticket_id: T-1, spent: {{{spent}}}}}\n    call: {{tool: tickets.search, input: {{ticket_id: T-1, kind: bug}}}}\n    expect: auto\n"
        ));
        scratch.write("policies/limits.yaml", &format!("limits: {{{limits}}}\n"));
        scratch.transcript(&["test"]).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (limits, used, name) in [
        ("run: {steps: 3}", "steps: 3", "limits.run.steps"),
        ("run: {tool_calls: 2}", "tool_calls: 2", "limits.run.tool_calls"),
        (
            "per_tool: {tickets.search: {calls: 1}}",
            "calls: {tickets.search: 1}",
            "limits.per_tool.tickets.search.calls",
        ),
        ("run: {model_calls: 2}", "model_calls: 2", "limits.run.model_calls"),
    ] {
        let said = spent(limits, used);
        assert!(said.contains(&format!("`{name}` is used up")), "{name}: {said}");
    }
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
fn no_share_of_nothing_is_reached() {
    let scratch = Scratch::empty();
    scratch.write("harness.toml", "[policy]\nname = \"small\"\n");
    scratch.write(
        "policies/all.yaml",
        "tools: {find: {title: T, description: D., effect: read, unbound: none, input: {properties: {}}, returns: none}}
harnesses: {h: {title: H, toolset: [find]}}
tests: {h: {run: {harness: h, role: run}, exactly: {auto: [find]}}}
",
    );
    let code = |least: &str| scratch.run(&["test", "--mutate=bundle", "--min-score", least]).status.code();
    assert_eq!((code("0"), code("0.1"), code("100")), (Some(0), Some(1), Some(1)));
    let said = scratch.transcript(&["test", "--mutate=bundle", "--min-score", "100"]);
    assert!(
        said.contains("no weakening that changes the policy was tried, and `--min-score` asks for 100.0 %"),
        "{said}"
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
