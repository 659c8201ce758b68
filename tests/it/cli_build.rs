//! `harnessc build`: what it writes, where it writes nothing, and what `--locked` says.

use crate::cli_common::Scratch;

fn built() -> Scratch {
    let scratch = Scratch::small();
    assert_eq!(scratch.run(&["build"]).status.code(), Some(0));
    scratch
}

fn locked(scratch: &Scratch) -> String {
    scratch.transcript(&["build", "--locked"])
}

#[test]
fn a_build_says_what_it_wrote_and_a_second_one_writes_nothing() {
    let scratch = Scratch::small();
    insta::assert_snapshot!("first", scratch.transcript(&["build"]));
    let before = std::fs::metadata(scratch.at("harness.lock")).unwrap().modified().unwrap();
    insta::assert_snapshot!("second", scratch.transcript(&["build"]));
    assert_eq!(std::fs::metadata(scratch.at("harness.lock")).unwrap().modified().unwrap(), before);
    assert_eq!(scratch.run(&["build", "-o", "other.lock"]).status.code(), Some(0));
    assert_eq!(scratch.read("other.lock"), scratch.read("harness.lock"));
}

#[test]
fn the_bytes_depend_on_the_sources_alone() {
    let (one, other) = (built(), Scratch::small());
    // Line ends, the locale, the zone and the place of the call are none of them.
    let text = String::from_utf8(other.read("prompts/v1/harness/closer.txt")).unwrap();
    other.write("prompts/v1/harness/closer.txt", &text.replace('\n', "\r\n"));
    let mut command = other.command(&["build"]);
    command.current_dir(other.at("tools")).env("LC_ALL", "tr_TR.UTF-8").env("TZ", "Asia/Kathmandu");
    assert_eq!(command.output().unwrap().status.code(), Some(0));
    assert_eq!(one.read("harness.lock"), other.read("harness.lock"));
}

#[test]
fn the_lock_of_the_small_tree() {
    let scratch = built();
    let lock = String::from_utf8(scratch.read("harness.lock")).unwrap();
    let (first, rest) = lock.split_once('\n').unwrap();
    assert!(first.starts_with("{\"digest\":\"sha256:") && first.ends_with("\","));
    assert!(rest.ends_with("}\n") && !lock.contains('\r'));
    let lock = regex::Regex::new("sha256:[0-9a-f]{64}").unwrap().replace_all(&lock, "sha256:<digest>");
    insta::assert_snapshot!(lock);
}

#[test]
fn nothing_is_written_while_findings_deny() {
    let scratch = built();
    let before = scratch.read("harness.lock");
    scratch.edit("tools/tickets.yaml", "approval: four_eyes", "approval: auto");
    let output = scratch.run(&["build"]);
    assert_eq!(output.status.code(), Some(1));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.ends_with("harness.lock is not built while findings deny\n"), "{err}");
    assert_eq!(scratch.read("harness.lock"), before);
}

#[test]
fn an_approval_that_changes_is_named_with_its_cells() {
    let scratch = built();
    scratch.edit("tools/tickets.yaml", "    approval: four_eyes\n", "");
    insta::assert_snapshot!(locked(&scratch));
}

#[test]
fn a_tool_more_and_one_less_are_named() {
    let scratch = built();
    scratch.edit("harnesses/triager.yaml", "cases: [add]", "cases: [add, drop]");
    insta::assert_snapshot!("more", locked(&scratch));
    let scratch = built();
    scratch.edit("harnesses/triager.yaml", "      - {tool: tickets.label, cases: [add]}\n", "");
    insta::assert_snapshot!("less", locked(&scratch));
}

#[test]
fn a_narrowing_that_changes_is_named() {
    let scratch = built();
    scratch.edit("harnesses/triager.yaml", "only: {kind: [bug]}", "only: {kind: [bug, request]}");
    insta::assert_snapshot!(locked(&scratch));
}

#[test]
fn what_is_text_alone_changes_no_authority() {
    let scratch = built();
    scratch.edit("prompts/v1/harness/triager.txt", "Sort", "Order");
    scratch.edit("tools/tickets.yaml", "title: Search tickets", "title: Find tickets");
    insta::assert_snapshot!(locked(&scratch));
}

#[test]
fn what_weakens_the_guard_is_said_to() {
    let scratch = built();
    scratch.write(
        "harness.toml",
        &(String::from_utf8(scratch.read("harness.toml")).unwrap()
            + "\n[rules]\nunused-definition = \"allow\"\n"),
    );
    insta::assert_snapshot!(locked(&scratch));
}

#[test]
fn a_comment_changes_a_source_and_nothing_else() {
    let scratch = built();
    scratch.edit("policies/people.yaml", "personas:\n", "# Who works here.\npersonas:\n");
    insta::assert_snapshot!(locked(&scratch));
}

#[test]
fn a_source_that_comes_or_goes_is_named() {
    let scratch = built();
    scratch.write("policies/more.yaml", "toolsets: {closing: [tickets.close]}\n");
    scratch.edit(
        "policies/people.yaml",
        "tickets.label, tickets.close]}",
        "tickets.label, {toolset: closing}]}",
    );
    insta::assert_snapshot!("comes", locked(&scratch));
    assert_eq!(scratch.run(&["build"]).status.code(), Some(0));
    std::fs::remove_file(scratch.at("policies/more.yaml")).unwrap();
    scratch.edit("policies/people.yaml", "{toolset: closing}", "tickets.close");
    assert!(locked(&scratch).contains("  source removed: policies/more.yaml\n"));
}

#[test]
fn a_lock_that_was_changed_by_hand_or_is_not_there_differs() {
    let scratch = built();
    assert!(locked(&scratch).ends_with("--- exit 0\n"));
    scratch.edit("harness.lock", "\"name\": \"desk\"", "\"name\": \"disk\"");
    insta::assert_snapshot!("by_hand", locked(&scratch));
    std::fs::remove_file(scratch.at("harness.lock")).unwrap();
    insta::assert_snapshot!("not_there", locked(&scratch));
}

#[test]
fn machines_are_told_the_same() {
    let scratch = built();
    scratch.edit("tools/tickets.yaml", "    approval: four_eyes\n", "");
    let output = scratch.run(&["build", "--locked", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0));
    assert_eq!((&report["status"], &report["difference"]["authority"]), (&"differs".into(), &true.into()));
    assert_eq!(report["difference"]["sources"][0]["file"], "tools/tickets.yaml");
    assert_eq!(report["difference"]["cells"][0]["deed"], "tickets.close");
    scratch.edit("tools/tickets.yaml", "effect: write\n", "effect: wirte\n");
    let output = scratch.run(&["build", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["status"], &report["check"]["version"]), (&"refused".into(), &1.into()));
    assert!(report["check"]["summary"]["deny"].as_u64().unwrap() > 0);
}
