//! Findings in the formats that platforms read: SARIF, workflow commands, JUnit.

use serde_json::Value;

use crate::cli_common::Scratch;

const SCHEMA: &str = include_str!("sarif/sarif-schema-2.1.0.json");

/// The published schema with its one ill-formed pattern, the one of a language, put right.
fn schema() -> Value {
    let text = SCHEMA.replace("^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$", "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    assert_ne!(text, SCHEMA);
    serde_json::from_str(&text).unwrap()
}

/// The small tree with a fault between two files, a warning, a fix, and texts that would act on what shows them.
fn faulty() -> Scratch {
    let scratch = Scratch::small();
    scratch.edit("harnesses/triager.yaml", "- tickets.read_mail", "- tickets.read_mial");
    scratch.edit("policies/people.yaml", "toolsets: {", "toolsets: {spare: [tickets.close], ");
    scratch
}

/// Keys and values that a viewer, a runner or an XML reader would obey.
fn hostile() -> Scratch {
    let scratch = Scratch::small();
    scratch.write(
        "policies/zz,a%b:c.yaml",
        "\"x\\n::error::y ##[add-mask]z\": 1\n\"<b>&\\\"'[l](https://e.example) {0} \\u202e\": 2\n",
    );
    scratch
}

fn stdout(scratch: &Scratch, arguments: &[&str]) -> String {
    let output = scratch.run(arguments);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn valid(text: &str) -> Value {
    let log: Value = serde_json::from_str(text).unwrap();
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let faults: Vec<String> =
        validator.iter_errors(&log).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    log
}

#[test]
fn sarif_keeps_to_its_schema() {
    for scratch in [Scratch::small(), faulty(), hostile()] {
        let log = valid(&stdout(&scratch, &["check", "--format", "sarif"]));
        let run = &log["runs"][0];
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        }
    }
    let broken: Value = serde_json::json!({"version": "2.1.0", "runs": [{"tool": {}}]});
    assert!(!jsonschema::validator_for(&schema()).unwrap().is_valid(&broken), "the schema refuses nothing");
}

#[test]
fn sarif_points_says_and_mends_what_json_does() {
    let scratch = faulty();
    let log = valid(&stdout(&scratch, &["check", "--format", "sarif"]));
    let json: Value = serde_json::from_str(&stdout(&scratch, &["check", "--format", "json"])).unwrap();
    let (results, findings) =
        (log["runs"][0]["results"].as_array().unwrap(), json["findings"].as_array().unwrap());
    assert_eq!(results.len(), findings.len());
    for (result, finding) in results.iter().zip(findings) {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], finding["file"]);
        assert_eq!(place["region"]["startLine"], finding["range"]["start"]["line"]);
        assert_eq!(place["region"]["endColumn"], finding["range"]["end"]["column"]);
        assert_eq!(result["ruleId"], finding["rule"]);
        let fixes = |value: &Value| value["fixes"].as_array().map_or(0, Vec::len);
        assert_eq!(fixes(result), fixes(finding));
    }
    let mut slim = log.clone();
    for rule in slim["runs"][0]["tool"]["driver"]["rules"].as_array_mut().unwrap() {
        assert!(rule["help"]["markdown"].as_str().unwrap().starts_with("# "));
    }
    slim["runs"][0]["tool"]["driver"]["rules"] = Value::Null;
    let text = serde_json::to_string_pretty(&slim).unwrap();
    let print = regex::Regex::new("sha256:[0-9a-f]{64}").unwrap();
    insta::assert_snapshot!(print.replace_all(&text, "sha256:<digest>"));
}

#[test]
fn fingerprints_outlive_moved_lines() {
    let prints = |scratch: &Scratch| {
        let log = valid(&stdout(scratch, &["check", "--format", "sarif"]));
        let results = log["runs"][0]["results"].as_array().unwrap().clone();
        results.iter().map(|one| one["partialFingerprints"].to_string()).collect::<Vec<_>>()
    };
    let scratch = faulty();
    let before = prints(&scratch);
    scratch.edit("harnesses/triager.yaml", "harnesses:\n", "# a comment\n\nharnesses:\n");
    assert_eq!(before, prints(&scratch));
    scratch.edit("harnesses/triager.yaml", "tickets.read_mial", "tickets.read_moil");
    assert_ne!(before, prints(&scratch));
}

#[test]
fn sarif_obeys_nothing_in_a_text() {
    let log = valid(&stdout(&hostile(), &["check", "--format", "sarif"]));
    let results = log["runs"][0]["results"].as_array().unwrap();
    let texts: Vec<&str> = results.iter().map(|one| one["message"]["text"].as_str().unwrap()).collect();
    let text = texts.iter().find(|text| text.contains("e.example")).unwrap();
    assert!(text.contains("\\[l\\](https") && text.contains("{{0}}") && !text.contains('\u{202e}'), "{text}");
    assert!(
        results.iter().all(|one| {
            one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                == "policies/zz%2Ca%25b%3Ac.yaml"
        }),
        "{results:#?}"
    );
}

#[test]
fn commands_stand_at_their_lines() {
    insta::assert_snapshot!("github", faulty().transcript(&["check", "--format", "github"]));
    insta::assert_snapshot!("github_hostile", hostile().transcript(&["check", "--format", "github"]));
}

#[test]
fn no_more_annotations_than_are_shown() {
    let scratch = Scratch::small();
    let keys: String = (0..25).map(|number| format!("\"##[error]{number}\": 1\n")).collect();
    scratch.write("policies/many.yaml", &keys);
    let said = stdout(&scratch, &["check", "--format", "github"]);
    let commands = |kind: &str| said.lines().filter(|line| line.starts_with(kind)).count();
    assert_eq!((commands("::error "), commands("::group::")), (10, 1), "{said}");
    let left: Vec<&str> = said.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(left.len(), 15, "{said}");
    assert!(left.iter().all(|line| !line.contains("##[")), "{said}");
    assert!(said.ends_with("in 1 file\n") && said.contains("harnessc: 25 findings"), "{said}");
}

#[test]
fn junit_has_a_case_for_each_finding_and_each_kept_rule() {
    let clean = stdout(&Scratch::small(), &["check", "--format", "junit"]);
    assert!(
        clean.contains("failures=\"0\"") && clean.contains("name=\"write-never-auto\" time=\"0\"/>"),
        "{clean}"
    );
    // How many rules there are is not this test's.
    let count = regex::Regex::new(" tests=\"[0-9]+\"").unwrap();
    for (name, scratch) in [("junit", faulty()), ("junit_hostile", hostile())] {
        let said = stdout(&scratch, &["check", "--format", "junit"]);
        let kept = |line: &&str| !line.contains("classname=\"rules\"");
        let said = said.lines().filter(kept).collect::<Vec<_>>().join("\n");
        insta::assert_snapshot!(name, count.replace_all(&said, " tests=\"<count>\""));
    }
    let denied = |more: &[&str]| {
        let all = [&["check", "--format", "junit"], more].concat();
        stdout(&faulty(), &all).matches("<failure").count()
    };
    assert_eq!(denied(&[]) + 1, denied(&["--deny-warnings"]));
}

#[test]
fn paths_are_told_from_the_root_of_the_repository() {
    let scratch = Scratch::empty();
    std::fs::create_dir(scratch.at(".git")).unwrap();
    for (path, text) in [("harness.toml", "[policy]\nname = \"x\"\n"), ("tools/a.yaml", "tool: {}\n")] {
        scratch.write(&format!("sub dir/{path}"), text);
    }
    let said = stdout(&scratch, &["check", "sub dir", "--format", "github"]);
    assert!(said.starts_with("::error file=sub dir/tools/a.yaml,line=1"), "{said}");
    let log = valid(&stdout(&scratch, &["check", "sub dir", "--format", "sarif"]));
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(place["uri"], "sub%20dir/tools/a.yaml");
}

#[test]
fn build_and_test_write_them_too() {
    let scratch = Scratch::small();
    let output = scratch.run(&["build", "--format", "sarif"]);
    valid(&String::from_utf8(output.stdout).unwrap());
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("wrote harness.lock"));
    scratch.edit("tools/tickets.yaml", "Find tickets by field", "Find a ticket by field");
    let said = scratch.run(&["build", "--locked", "--format", "github"]);
    assert!(
        String::from_utf8(said.stdout)
            .unwrap()
            .contains("::error file=harness.lock,title=harnessc::it is not")
    );
    scratch.write(
        "tests/policy/first.yaml",
        "tests:\n  it holds: {run: {harness: closer, role: desk, ticket_id: A-1}, call: {tool: tickets.search, input: {ticket_id: A-1}}, expect: auto}\n  \"it <fails>\": {run: {harness: triager, role: desk}, call: {tool: tickets.close}, expect: confirm}\n",
    );
    insta::assert_snapshot!("test_junit", scratch.transcript(&["test", "--format", "junit"]));
    insta::assert_snapshot!("test_github", scratch.transcript(&["test", "--format", "github"]));
    valid(&stdout(&scratch, &["test", "--format", "sarif"]));
}

#[test]
fn other_verbs_say_who_writes_a_format() {
    for format in ["sarif", "github", "junit", "markdown"] {
        let output = Scratch::small().run(&["show", "--format", format]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        assert!(String::from_utf8(output.stderr).unwrap().contains(format));
    }
}

/// Braces and brackets act in messages alone; in a rule's help nobody takes an escape out again.
#[test]
fn the_help_of_a_rule_is_its_page_as_it_is_written() {
    let log = valid(&stdout(&Scratch::small(), &["check", "--format", "sarif"]));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.iter().any(|rule| rule["help"]["text"].as_str().unwrap().contains("{properties: {")));
    for rule in rules {
        assert_eq!(rule["help"]["text"], rule["help"]["markdown"]);
        assert!(!rule["shortDescription"]["text"].as_str().unwrap().contains("{{"), "{rule}");
    }
}
