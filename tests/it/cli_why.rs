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
