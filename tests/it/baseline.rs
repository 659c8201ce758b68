//! `--baseline`: an existing tree is adopted, and what is new in it is found.

use crate::cli_common::Scratch;

/// The small tree with two warnings.
fn adopted() -> Scratch {
    let scratch = Scratch::small();
    scratch.edit("policies/people.yaml", "toolsets: {", "toolsets: {spare: [tickets.close], ");
    scratch.write("prompts/v1/harness/stray.txt", "Nobody reads this.\n");
    scratch
}

fn code(scratch: &Scratch, arguments: &[&str]) -> i32 {
    scratch.run(arguments).status.code().unwrap()
}

const STRICT: [&str; 4] = ["check", "--deny-warnings", "--baseline", "known.json"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    STRICT.iter().chain(more).copied().collect()
}

#[test]
fn a_tree_is_adopted_and_what_is_known_is_set_aside() {
    let scratch = adopted();
    assert_eq!(code(&scratch, &["check", "--deny-warnings"]), 1);
    insta::assert_snapshot!("none", scratch.transcript(&STRICT));
    insta::assert_snapshot!("made", scratch.transcript(&with(&["--write-baseline"])));
    insta::assert_snapshot!("file", scrubbed(&scratch.read("known.json")));
    insta::assert_snapshot!("known", scratch.transcript(&STRICT));
    let made = scratch.read("known.json");
    scratch.run(&with(&["--write-baseline"]));
    assert_eq!(scratch.read("known.json"), made);
}

fn scrubbed(bytes: &[u8]) -> String {
    let digest = regex::Regex::new("sha256:[0-9a-f]{64}").unwrap();
    digest.replace_all(std::str::from_utf8(bytes).unwrap(), "sha256:<digest>").into_owned()
}

#[test]
fn moved_lines_change_nothing_and_another_text_is_new() {
    let scratch = adopted();
    scratch.run(&with(&["--write-baseline"]));
    let people = String::from_utf8(scratch.read("policies/people.yaml")).unwrap();
    scratch.write("policies/people.yaml", &format!("# moved\n\n# further down\n{people}"));
    assert_eq!(code(&scratch, &STRICT), 0);
    scratch.write("policies/people.yaml", &people.replace("spare: ", "other: "));
    insta::assert_snapshot!("another", scratch.transcript(&STRICT));
    scratch.write("policies/people.yaml", &people.replace('\n', "\r\n"));
    assert_eq!(code(&scratch, &STRICT), 0);
    scratch.write("policies/more.yaml", "toolsets: {idle: [tickets.close]}\n");
    assert_eq!(code(&scratch, &STRICT), 1);
}

#[test]
fn of_findings_alike_in_all_so_many_are_known_as_there_were() {
    let scratch = Scratch::small();
    scratch.edit("harnesses/triager.yaml", "- tickets.read_mail", "- tickets.lost\n      - tickets.lost");
    scratch.run(&with(&["--write-baseline"]));
    assert_eq!(code(&scratch, &STRICT), 0);
    scratch.edit("harnesses/triager.yaml", "- tickets.lost\n      - tickets.lost", "- tickets.lost");
    assert_eq!(code(&scratch, &STRICT), 0);
    scratch.edit(
        "harnesses/triager.yaml",
        "- tickets.lost",
        "- tickets.lost\n      - tickets.lost\n      - tickets.lost",
    );
    let output = scratch.run(&["check", "--baseline", "known.json", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
    assert_eq!(report["baseline"], serde_json::json!({"set_aside": 2, "forbidden": 2, "gone": 0}));
}

#[test]
fn a_baseline_shrinks_by_itself_and_grows_on_purpose() {
    let scratch = adopted();
    scratch.run(&with(&["--write-baseline"]));
    std::fs::remove_file(scratch.at("prompts/v1/harness/stray.txt")).unwrap();
    insta::assert_snapshot!("gone", scratch.transcript(&STRICT));
    scratch.edit("policies/people.yaml", "toolsets: {", "toolsets: {another: [tickets.close], ");
    insta::assert_snapshot!("shrinks", scratch.transcript(&with(&["--write-baseline"])));
    insta::assert_snapshot!("grows", scratch.transcript(&with(&["--write-baseline", "--grow-baseline"])));
    assert_eq!(code(&scratch, &STRICT), 0);
}

#[test]
fn while_a_file_does_not_parse_the_baseline_stands() {
    let scratch = adopted();
    scratch.run(&with(&["--write-baseline"]));
    let made = scratch.read("known.json");
    scratch.write("policies/broken.yaml", "tools: [\n");
    let said = scratch.run(&with(&["--write-baseline", "--grow-baseline"]));
    assert_eq!((said.status.code(), scratch.read("known.json") == made), (Some(1), true));
    assert!(String::from_utf8(said.stderr).unwrap().contains("is not written while a file does not parse"));
}

#[test]
fn a_build_records_its_baseline_and_excuses_nothing_forbidden() {
    let scratch = Scratch::small();
    scratch.write("policies/more.yaml", "toolsets: {idle: [tickets.close]}\n");
    scratch.edit("harness.toml", "[policy]", "[rules]\nunused-definition = \"deny\"\n\n[policy]");
    assert_eq!(code(&scratch, &["build"]), 1);
    scratch.run(&with(&["--write-baseline"]));
    insta::assert_snapshot!("built", scratch.transcript(&["build", "--baseline", "known.json"]));
    let lock = String::from_utf8(scratch.read("harness.lock")).unwrap();
    assert!(lock.contains("\"baseline\"") && lock.contains("\"findings\": 1"), "{lock}");
    assert_eq!(code(&scratch, &["build", "--locked", "--baseline", "known.json"]), 0);
    assert_eq!(code(&scratch, &["verify", "harness.lock"]), 0);

    scratch.edit("harnesses/triager.yaml", "- tickets.read_mail", "- tickets.lost");
    scratch.run(&with(&["--write-baseline", "--grow-baseline"]));
    insta::assert_snapshot!("forbidden", scratch.transcript(&STRICT));
    let said = scratch.run(&["build", "--baseline", "known.json"]);
    assert_eq!(said.status.code(), Some(1));
    assert!(String::from_utf8(said.stderr).unwrap().contains("forbid[unknown-reference]"));
}

#[test]
fn what_is_no_baseline_is_a_fault() {
    let scratch = adopted();
    scratch.write("known.json", "{\"version\": 2, \"findings\": []}");
    insta::assert_snapshot!("version", scratch.transcript(&STRICT));
    scratch.write("known.json", "[]");
    assert_eq!(code(&scratch, &with(&["--write-baseline"])), 2);
    assert_eq!(code(&scratch, &["build", "--baseline", "nowhere.json"]), 2);
    assert_eq!(code(&scratch, &["check", "--write-baseline"]), 2);
}

/// A write without a bound target denies; under the baseline all that reads a tree reads this one.
#[test]
fn what_asks_a_tree_asks_it_under_its_baseline() {
    let scratch = Scratch::small();
    scratch.edit("tools/tickets.yaml", "bind: {ticket_id: run.ticket_id}\n", "");
    scratch.write("tests/policy/a.yaml", "tests: {a: {run: {harness: triager, role: desk}, exactly: {auto: [tickets.search], confirm: [tickets.label/add]}}}\n");
    scratch.run(&["check", "--baseline", "known.json", "--write-baseline"]);
    assert_eq!(
        code(&scratch, &["build", "--baseline", "known.json"]),
        0,
        "{}",
        scratch.transcript(&["build", "--baseline", "known.json"])
    );
    let verbs: [&[&str]; 5] = [&["test"], &["show"], &["graph"], &["gen", "rust"], &["report", "--html"]];
    for verb in verbs {
        assert_eq!(code(&scratch, verb), 1, "{verb:?}");
        assert_eq!(code(&scratch, &[verb, &["--baseline", "known.json"]].concat()), 0, "{verb:?}");
        assert_eq!(code(&scratch, &[verb, &["--baseline", "no.json"]].concat()), 2, "{verb:?}");
    }
    assert_eq!(code(&scratch, &["test", "--mutate", "--baseline", "known.json"]), 2);
    // What is new is found all the same.
    scratch.edit("harnesses/triager.yaml", "personas: [agent]", "personas: [agnet]");
    for verb in verbs {
        assert_eq!(code(&scratch, &[verb, &["--baseline", "known.json"]].concat()), 1, "{verb:?}");
    }
    scratch.write("list.json", "[]");
    let said = scratch.transcript(&["check", "--baseline", "list.json"]).replace('\n', " ");
    assert!(said.contains("it is no mapping, and a baseline is what `--write-baseline` wrote"), "{said}");
}
