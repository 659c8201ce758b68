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
