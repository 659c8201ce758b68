//! `harnessc check`, as it is called.

use crate::cli_common::Scratch;

/// The small tree with a fault that lies between two files, and a warning.
fn faulty() -> Scratch {
    let scratch = Scratch::small();
    scratch.edit("harnesses/triager.yaml", "- tickets.read_mail", "- tickets.read_mial");
    scratch
}

#[test]
fn a_clean_tree_is_said_to_be_clean() {
    let scratch = Scratch::small();
    insta::assert_snapshot!(scratch.transcript(&["check"]));
    assert!(scratch.run(&["check", "--format", "short"]).stdout.is_empty());
    let json = scratch.run(&["check", "--format", "json"]).stdout;
    insta::assert_snapshot!(String::from_utf8(json).unwrap());
}

#[test]
fn findings_are_for_people_scripts_and_machines() {
    let scratch = faulty();
    insta::assert_snapshot!("human", scratch.transcript(&["check"]));
    insta::assert_snapshot!("short", scratch.transcript(&["check", "--format", "short"]));
    let output = scratch.run(&["check", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0));
    assert_eq!(report["version"], 1);
    assert_eq!(report["summary"]["deny"], 1);
    assert_eq!(report["findings"][0]["file"], "harnesses/triager.yaml");
    assert_eq!(report["findings"][0]["range"]["start"]["line"], 8);
}

#[test]
fn the_tree_is_found_from_below_by_path_and_by_manifest() {
    let scratch = Scratch::small();
    let clean = |output: std::process::Output| {
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    };
    clean(scratch.command(&["check"]).current_dir(scratch.at("prompts/v1")).output().unwrap());
    let path = scratch.path().display().to_string();
    let elsewhere = Scratch::empty();
    clean(elsewhere.run(&["check", &path]));
    clean(elsewhere.run(&["check", "--manifest", &format!("{path}/harness.toml")]));
    clean(elsewhere.run(&["--manifest", &path, "check"]));
    assert_eq!(elsewhere.run(&["check", &path, "--manifest", &path]).status.code(), Some(2));
}

#[test]
fn warnings_pass_unless_they_are_denied() {
    let scratch = Scratch::small();
    scratch.edit("policies/people.yaml", "toolsets: {", "toolsets: {spare: [tickets.close], ");
    let output = scratch.run(&["check"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("1 warn"));
    assert_eq!(scratch.run(&["check", "--deny-warnings"]).status.code(), Some(1));
    assert_eq!(scratch.run(&["build"]).status.code(), Some(0));
    std::fs::remove_file(scratch.at("harness.lock")).unwrap();
    assert_eq!(scratch.run(&["build", "--deny-warnings"]).status.code(), Some(1));
    assert!(!scratch.at("harness.lock").exists());
}

#[test]
fn what_is_no_tree_or_cannot_be_read_is_a_fault_with_what_to_do() {
    let scratch = Scratch::empty();
    insta::assert_snapshot!("no_tree", scratch.transcript(&["check"]));
    insta::assert_snapshot!("nowhere", scratch.transcript(&["check", "nowhere"]));
    insta::assert_snapshot!("unknown_verb", scratch.transcript(&["chek"]));
    insta::assert_snapshot!("unknown_format", scratch.transcript(&["check", "--format", "yaml"]));
}

#[cfg(unix)]
#[test]
fn a_file_that_the_system_refuses_is_a_fault() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = Scratch::small();
    let path = scratch.at("tools/tickets.yaml");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        return; // Who may read everything sees no refusal.
    }
    insta::assert_snapshot!(scratch.transcript(&["check"]));
}

/// Where a word or a list may stand, whoever wrote another word is told of both; and a root key is no section of any folder's.
#[test]
fn what_may_stand_there_is_said_in_the_words_of_the_place() {
    let told = |path: &str, from: &str, to: &str| {
        let scratch = Scratch::small();
        scratch.edit(path, from, to);
        scratch.transcript(&["check"]).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let people = "policies/people.yaml";
    let role = told(people, "desk: {tools: harness_toolset}", "desk: {tools: none}");
    assert!(role.contains("`none` is not the word `harness_toolset` and not a list of tools"), "{role}");
    assert!(role.contains("write one of `harness_toolset`, or a list of tools"), "{role}");
    let toolset = told("harnesses/closer.yaml", "toolset: persona_bundle", "toolset: tickets.close");
    assert!(
        toolset.contains("`tickets.close` is not the word `persona_bundle` and not a list of tools"),
        "{toolset}"
    );
    let near = told(people, "desk: {tools: harness_toolset}", "desk: {tools: harness_tolset}");
    assert!(near.contains("did you mean `harness_toolset`?"), "{near}");
    for path in ["tools/tickets.yaml", people, "harnesses/closer.yaml"] {
        let scratch = Scratch::small();
        let text = std::fs::read_to_string(scratch.at(path)).unwrap();
        scratch.write(path, &format!("{text}owners: {{}}\n"));
        let said = scratch.transcript(&["check", "--format", "short"]);
        assert!(said.contains("there is no section `owners`") && !said.contains("harness file"), "{said}");
    }
}
