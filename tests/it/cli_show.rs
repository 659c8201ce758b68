//! `harnessc show`: what a reviewer reads, in each format, wide and narrow.

use crate::cli_common::Scratch;

#[test]
fn all_harnesses_in_one_table() {
    insta::assert_snapshot!(Scratch::small().transcript(&["show"]));
}

#[test]
fn one_harness_for_every_role_and_for_one() {
    let scratch = Scratch::small();
    insta::assert_snapshot!("every_role", scratch.transcript(&["show", "triager"]));
    insta::assert_snapshot!("desk", scratch.transcript(&["show", "closer", "--role", "desk"]));
    insta::assert_snapshot!("review", scratch.transcript(&["show", "closer", "--role", "review"]));
    insta::assert_snapshot!(
        "reader",
        scratch.transcript(&["show", "triager", "--role", "reader", "--persona", "agent"])
    );
    insta::assert_snapshot!("bare", scratch.transcript(&["show", "-", "--role", "desk"]));
}

/// A tree with a tool switched off, creates that run at once, and surfaces with scopes.
fn with_surfaces() -> Scratch {
    let scratch = Scratch::small();
    scratch.edit("tools/tickets.yaml", "title: Read a mail", "title: Read a mail\n    enabled: false");
    scratch.edit(
        "tools/tickets.yaml",
        "title: Close a ticket",
        "title: Close a ticket\n    surfaces: [desk, mcp]",
    );
    scratch.edit(
        "policies/people.yaml",
        "max_actions_per_run: 4",
        "max_actions_per_run: 4\n  at_least: {create: auto}",
    );
    scratch.write(
        "policies/surfaces.yaml",
        "surfaces:\n  desk: {}\n  shop: {scopes: {look: {effects: [read]}}}\n  mcp:\n    origin: outside\n    scopes: {look: {effects: [read]}, change: {effects: [read, create, write], steps: 20}}\n",
    );
    scratch
}

#[test]
fn what_is_switched_off_automatic_or_served_somewhere_is_told() {
    let scratch = with_surfaces();
    insta::assert_snapshot!("all_of_it", scratch.transcript(&["show"]));
    insta::assert_snapshot!("one_of_it", scratch.transcript(&["show", "closer"]));
    let reader = scratch.transcript(&["show", "closer", "--role", "reader"]);
    assert!(
        reader.contains("disabled   tickets.read_mail: `enabled: false` in tools/tickets.yaml:14\n"),
        "{reader}"
    );
    let output = scratch.run(&["show", "closer", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let harness = &report["harnesses"][0];
    assert_eq!(
        harness["disabled"],
        serde_json::json!([{"tool": "tickets.read_mail", "file": "tools/tickets.yaml", "line": 14}])
    );
    let tools = harness["roles"]["desk"].as_array().unwrap();
    let of = |key: &str| &tools.iter().find(|tool| tool["tool"] == key).unwrap()["surfaces"];
    assert_eq!(
        (of("tickets.close"), of("tickets.search")),
        (&serde_json::json!(["desk", "mcp"]), &serde_json::Value::Null)
    );
    assert_eq!(report["surfaces"]["mcp"]["scopes"]["change"]["steps"], 20);
    assert_eq!(report["surfaces"]["desk"], serde_json::json!({"outside": false}));
}

#[test]
fn runs_without_a_harness_go_by_both_names_and_are_no_fault_where_none_begins() {
    let scratch = Scratch::small();
    let none = scratch.transcript(&["show", "none", "--role", "desk"]);
    assert_eq!(
        none.split_once('\n').unwrap().1,
        scratch.transcript(&["show", "-", "--role", "desk"]).split_once('\n').unwrap().1
    );
    let lead = scratch.transcript(&["show", "none", "--persona", "lead"]);
    assert!(lead.contains("a run of `lead` wears a harness") && lead.ends_with("--- exit 2\n"), "{lead}");
    scratch.edit(
        "policies/people.yaml",
        "  guest: {title: Guest, harness: none, bundle: [{toolset: reading}]}\n",
        "",
    );
    let nobody = scratch.transcript(&["show", "none"]);
    assert!(
        nobody.contains("runs of    nobody: no persona says `harness: none`, so no such run begins"),
        "{nobody}"
    );
    assert!(nobody.ends_with("--- exit 0\n"), "{nobody}");
}

/// The parts of a name stay whole where the columns have room for them.
#[test]
fn a_narrowing_is_broken_between_words() {
    let scratch = Scratch::small();
    let words =
        ["case_documentation", "billing_quarter", "recipient_acknowledgement", "therapeutic_correspondence"];
    let list = words.join(", ");
    scratch.edit("tools/tickets.yaml", "label: [urgent, waiting]", &format!("label: [urgent, {list}]"));
    scratch.edit(
        "harnesses/triager.yaml",
        "{tool: tickets.label, cases: [add]}",
        &format!("{{tool: tickets.label, cases: [add], only: {{label: [{list}]}}}}"),
    );
    for width in [60, 64, 74, 80] {
        let output =
            scratch.command(&["show", "triager"]).env("COLUMNS", width.to_string()).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.lines().all(|line| line.chars().count() <= width), "{width}: {said}");
        for part in words.iter().flat_map(|word| word.split('_')) {
            assert!(said.contains(part), "{width}: {part}: {said}");
        }
    }
}

#[test]
fn forty_columns_are_kept_to() {
    let scratch = Scratch::small();
    let output =
        scratch.command(&["show", "closer", "--role", "desk"]).env("COLUMNS", "40").output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(said.lines().all(|line| line.chars().count() <= 40), "{said}");
    insta::assert_snapshot!(scratch.said("show closer --role desk  # COLUMNS=40", &output));
}

#[test]
fn below_forty_columns_a_row_is_told_line_by_line() {
    let scratch = Scratch::small();
    let of = |arguments: &[&str], columns: &str| {
        let output = scratch.command(arguments).env("COLUMNS", columns).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let said = of(&["show"], "30");
    assert!(said.lines().all(|line| line.chars().count() <= 30), "{said}");
    assert!(said.contains("\ncloser\n  title: Ticket closer\n  worn by: lead\n"), "{said}");
    assert!(of(&["show"], "40").contains("------") && !said.contains("------"));
    let said = of(&["show", "triager"], "32");
    assert!(said.lines().all(|line| line.chars().count() <= 32), "{said}");
}

#[test]
fn machines_and_scripts_read_the_cells() {
    let scratch = Scratch::small();
    insta::assert_snapshot!(
        "short",
        scratch.transcript(&["show", "--persona", "agent", "--format", "short"])
    );
    let output = scratch.run(&["show", "triager", "--role", "desk", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    insta::assert_snapshot!("json", format!("{report:#}"));
}

#[test]
fn a_name_that_is_not_there_gets_the_nearest() {
    let scratch = Scratch::small();
    insta::assert_snapshot!("harness", scratch.transcript(&["show", "triger"]));
    insta::assert_snapshot!("role", scratch.transcript(&["show", "triager", "--role", "kitchen"]));
    insta::assert_snapshot!("persona", scratch.transcript(&["show", "triager", "--persona", "lead"]));
}

#[test]
fn nothing_is_shown_of_a_tree_that_is_not_settled() {
    let scratch = Scratch::small();
    scratch.edit("harnesses/triager.yaml", "personas: [agent]", "personas: [agnet]");
    let output = scratch.run(&["show", "triager"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
}
