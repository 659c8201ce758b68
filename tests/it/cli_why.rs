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
fn personas_with_equal_answers_are_answered_together() {
    let scratch = Scratch::small();
    scratch.edit("harnesses/triager.yaml", "personas: [agent]", "personas: [agent, lead]");
    insta::assert_snapshot!(
        "together",
        scratch.transcript(&["why", "triager", "tickets.search", "--role", "desk"])
    );
    let output = scratch.run(&["why", "triager", "tickets.search", "--role", "desk", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["answers"].as_array().unwrap().len(), 2, "machines are told of each");
    // Where they differ in more than their names, each has its own answer.
    let said = scratch.transcript(&["why", "triager", "tickets.close", "--role", "desk"]);
    assert_eq!(said.matches("tickets.close: harness_denied\n").count(), 2, "{said}");
}

#[test]
fn a_scope_that_is_missing_is_named() {
    let scratch = Scratch::small();
    scratch.write(
        "policies/surfaces.yaml",
        "surfaces:\n  mcp: {scopes: {look: {effects: [read]}, change: {effects: [create, write]}}}\n",
    );
    let close = ["why", "closer", "tickets.close", "--role", "desk", "--surface", "mcp"];
    let said = scratch.transcript(&[&close[..], &["--scope", "look"]].concat());
    assert!(
        said.contains(
            "the surface `mcp` may not reach it: `write` needs the scope `change`, and it is not granted"
        ),
        "{said}"
    );
    assert!(said.contains("help: granted, it is a yes as things are: ask with `--scope change`"), "{said}");
    let none = scratch.transcript(&[&close[..], &["--scope", "none"]].concat());
    assert!(none.contains("`write` needs the scope `change`"), "{none}");
    let nowhere =
        scratch.transcript(&["why", "closer", "tickets.close", "--role", "desk", "--surface", "none"]);
    assert!(nowhere.contains("scopes grant effects here, and a call over no surface has none"), "{nowhere}");
    scratch.edit(
        "policies/surfaces.yaml",
        "change: {effects: [create, write]}",
        "change: {effects: [create]}",
    );
    let said = scratch.transcript(&close);
    assert!(said.contains("no scope of `mcp` covers `write`"), "{said}");
    scratch.edit(
        "tools/tickets.yaml",
        "title: Close a ticket",
        "title: Close a ticket\n    surfaces: [shop]",
    );
    scratch.edit("policies/surfaces.yaml", "surfaces:\n", "surfaces:\n  shop: {}\n");
    let said = scratch.transcript(&close);
    assert!(said.contains("it is served over `shop` alone"), "{said}");
}

#[test]
fn a_guest_is_offered_where_no_run_without_a_harness_begins() {
    let scratch = Scratch::small();
    let close = scratch.transcript(&["why", "none", "tickets.close", "--role", "desk"]);
    assert!(close.contains("help: the harness `closer` does it as things are: ask in such a run"), "{close}");
    scratch.edit(
        "policies/people.yaml",
        "  guest: {title: Guest, harness: none, bundle: [{toolset: reading}]}\n",
        "",
    );
    let said = scratch.transcript(&["why", "none", "tickets.search", "--role", "desk"]);
    assert!(said.contains("help: this would make it a yes (tried in memory)\n      policies/people.yaml:2: add the persona `guest: {title: Guest, harness: none, bundle: [tickets.search]}`"), "{said}");
    let said = scratch.transcript(&["why", "none", "tickets.close", "--role", "desk"]);
    assert!(said.contains("a run without a harness") && !said.contains("add the persona"), "{said}");
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
