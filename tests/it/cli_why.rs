//! `harnessc why`: the gates with their lines, and what would open them; exit 0 whatever the answer.

use serde_json::Value;

use crate::cli_common::Scratch;

#[test]
fn a_yes_and_a_no_with_the_edit_that_mends_it() {
    let scratch = Scratch::small();
    insta::assert_snapshot!(
        "yes",
        scratch.transcript(&["why", "triager", "tickets.search", "--role", "desk"])
    );
    insta::assert_snapshot!(
        "no",
        scratch.transcript(&["why", "triager", "tickets.label/drop", "--role", "desk"])
    );
    insta::assert_snapshot!(
        "two_files",
        scratch.transcript(&["why", "triager", "tickets.close", "--role", "desk"])
    );
    insta::assert_snapshot!("bare", scratch.transcript(&["why", "none", "tickets.close", "--role", "desk"]));
    insta::assert_snapshot!(
        "short",
        scratch.transcript(&["why", "triager", "tickets.label", "--format", "short"])
    );
}

#[test]
fn machines_read_the_same() {
    let output =
        Scratch::small().run(&["why", "triager", "tickets.close", "--role", "desk", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let answer = &report["answers"][0];
    assert_eq!(answer["decision"], "harness_denied");
    let mending = &answer["mendings"][0];
    assert_eq!(mending["holds"], true);
    let files: Vec<&str> = mending["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["file"].as_str().unwrap())
        .collect();
    assert_eq!(files, ["harnesses/triager.yaml", "policies/people.yaml"]);
}

/// Whoever may not wear the harness is told so first, and a run that nobody begins is no silence.
#[test]
fn a_run_that_does_not_begin_is_said_first() {
    let scratch = Scratch::small();
    insta::assert_snapshot!(
        "not_worn",
        scratch.transcript(&["why", "triager", "tickets.search", "--role", "desk", "--persona", "lead"])
    );
    let output = scratch.run(&[
        "why",
        "triager",
        "tickets.search",
        "--role",
        "desk",
        "--persona",
        "lead",
        "--format",
        "json",
    ]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["answers"][0]["decision"], "run_not_found");
    assert_eq!(report["answers"][0]["gates"][0]["at"][0]["file"], "harnesses/triager.yaml");
    scratch.edit(
        "policies/people.yaml",
        "  guest: {title: Guest, harness: none, bundle: [{toolset: reading}]}\n",
        "",
    );
    insta::assert_snapshot!(
        "nobody",
        scratch.transcript(&["why", "none", "tickets.search", "--role", "desk"])
    );
    let short = scratch.transcript(&["why", "none", "tickets.search", "--role", "desk", "--format", "short"]);
    assert!(short.contains("no run without a harness begins"), "{short}");
}

#[test]
fn a_role_that_may_not_names_those_that_may() {
    let scratch = Scratch::small();
    let said = scratch.transcript(&["why", "triager", "tickets.read_mail", "--role", "desk"]);
    assert!(said.contains("help: the role `reader` does it as things are"), "{said}");
    assert!(said.contains("let the role `desk` read untrusted text"), "{said}");
}

#[test]
fn a_name_that_is_not_there_gets_the_nearest() {
    let scratch = Scratch::small();
    for (arguments, meant) in [
        (&["why", "triger", "tickets.close"][..], "did you mean `triager`?"),
        (&["why", "triager", "ticket.close"], "did you mean `tickets.close`?"),
        (&["why", "triager", "tickets.close", "--role", "desks"], "did you mean `desk`?"),
    ] {
        let said = scratch.transcript(arguments);
        assert!(said.contains(meant) && said.ends_with("--- exit 2\n"), "{said}");
    }
}
