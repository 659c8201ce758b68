//! `harnessc explain` and `harnessc schema`.

use crate::cli_common::Scratch;

#[test]
fn a_page_in_the_terminal() {
    insta::assert_snapshot!(Scratch::empty().transcript(&["explain", "rubric-without-evidence"]));
}

#[test]
fn a_rule_that_is_not_there_gets_the_nearest() {
    insta::assert_snapshot!("near", Scratch::empty().transcript(&["explain", "rubric-without-evidense"]));
    insta::assert_snapshot!("far", Scratch::empty().transcript(&["explain", "beauty"]));
    assert_eq!(Scratch::empty().run(&["explain"]).status.code(), Some(2));
}

#[test]
fn every_rule_in_each_format() {
    let scratch = Scratch::empty();
    let count = harnessc::rules::RULES.len();
    let json = scratch.run(&["explain", "--all", "--format", "json"]).stdout;
    let report: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!((&report["version"], report["rules"].as_array().unwrap().len()), (&1.into(), count));
    for rule in report["rules"].as_array().unwrap() {
        assert!(["forbid", "deny", "warn"].contains(&rule["level"].as_str().unwrap()), "{rule}");
        assert!(rule["summary"].as_str().is_some_and(|summary| !summary.is_empty()), "{rule}");
    }
    let short = String::from_utf8(scratch.run(&["explain", "--all", "--format", "short"]).stdout).unwrap();
    assert_eq!(short.lines().count(), count);
    let human = scratch.command(&["explain", "--all"]).env("COLUMNS", "60").output().unwrap().stdout;
    assert!(String::from_utf8(human).unwrap().lines().all(|line| line.chars().count() <= 60));
}

#[test]
fn the_committed_schemas_are_those_of_this_version() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/schema");
    let output = Scratch::empty().run(&["schema", "--check", folder]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_schema_that_is_stale_or_missing_is_named() {
    let scratch = Scratch::empty();
    assert_eq!(scratch.run(&["schema", "--out"]).status.code(), Some(0));
    assert_eq!(scratch.run(&["schema", "--check"]).status.code(), Some(0));
    scratch.edit("schema/show.schema.json", "\"title\": \"ShowReport\"", "\"title\": \"Show\"");
    std::fs::remove_file(scratch.at("schema/findings.schema.json")).unwrap();
    insta::assert_snapshot!(scratch.transcript(&["schema", "--check"]));
    let printed = scratch.run(&["schema", "manifest"]).stdout;
    assert_eq!(printed, scratch.read("schema/manifest.schema.json"));
}

#[test]
fn what_the_verbs_print_fits_its_schema() {
    let scratch = Scratch::small();
    assert_eq!(scratch.run(&["build"]).status.code(), Some(0));
    scratch.edit("tools/tickets.yaml", "    approval: four_eyes\n", "");
    let fits = |which: &str, arguments: &[&str]| {
        let schema = serde_json::from_slice(&scratch.run(&["schema", which]).stdout).unwrap();
        let said = scratch.run(&[arguments, &["--format", "json"]].concat()).stdout;
        let said = serde_json::from_slice(&said).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let faults: Vec<String> = validator.iter_errors(&said).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{which}: {faults:?}");
    };
    fits("build", &["build", "--locked"]);
    fits("show", &["show"]);
    fits("verify", &["verify", "harness.lock"]);
    fits("explain", &["explain", "--all"]);
    scratch.edit("harnesses/triager.yaml", "- tickets.read_mail", "- tickets.read_mial");
    fits("findings", &["check"]);
    fits("build", &["build"]);
}
