//! `harnessc diff` as it is run: what it compares, what it prints, how it ends.

use serde_json::Value;

use crate::merging::Repository;

const ATTRIBUTES: &str = "harness.lock -text\n";

fn loosened() -> Repository {
    let repository = Repository::new(ATTRIBUTES);
    repository.0.edit("tools/tickets.yaml", "    approval: four_eyes\n", "");
    repository
}

#[test]
fn a_tree_is_compared_with_a_revision_with_a_lock_and_with_itself() {
    let repository = loosened();
    insta::assert_snapshot!("widened", repository.run(&["diff", "git:HEAD"], 1));
    insta::assert_snapshot!("short", repository.run(&["diff", "git:HEAD", "--format", "short"], 1));
    assert!(repository.run(&["diff", "."], 0).contains("no change in authority"));
    std::fs::copy(repository.0.at("harness.lock"), repository.0.at("old.lock")).unwrap();
    for base in [
        "old.lock",
        "git:HEAD:harness.lock",
        "git:HEAD:./harness.lock",
        "git:HEAD:",
        "git:HEAD:.",
        "git:HEAD:./",
        "git:HEAD:harness.toml",
        "git:HEAD:./harness.toml",
        "git:HEAD",
    ] {
        let said = repository.run(&["diff", base, "--format", "short"], 1);
        assert!(
            said.contains(
                "widened closer / desk / lead / tickets.close: four_eyes; by lead -> confirm; by agent, lead"
            ),
            "{said}"
        );
    }
    let back = repository.run(&["diff", ".", "old.lock"], 0);
    assert!(
        back.contains("this change only takes away") && back.contains("a lock does not hold tests"),
        "{back}"
    );
    repository.run(&["diff", ".", "old.lock", "--fail-on", "any"], 1);
    repository.run(&["diff", "git:HEAD", "--fail-on", "never"], 0);
    repository.run(&["build"], 0);
    repository.commit("Loosen");
    assert!(repository.run(&["diff", "git:HEAD~1", "git:HEAD"], 1).contains("tickets.close"));
}

#[test]
fn an_unbuilt_revision_is_compiled_and_a_lock_that_lags_is_told() {
    let repository = loosened();
    repository.commit("Loosen without building");
    let said = repository.run(&["diff", "git:HEAD~1", "git:HEAD"], 1);
    assert!(said.contains("the harness.lock of git:HEAD is not what its sources give"), "{said}");
    std::fs::remove_file(repository.0.at("harness.lock")).unwrap();
    repository.commit("No lock at all");
    assert!(!repository.run(&["diff", "git:HEAD~2", "git:HEAD"], 1).contains("is not what its sources give"));
}

#[test]
fn what_cannot_be_compared_is_said() {
    let repository = loosened();
    repository.0.edit("tools/tickets.yaml", "effect: write\n", "effect: wrote\n");
    repository.commit("Broken");
    let said = repository.run(&["diff", "git:HEAD"], 1);
    assert!(said.contains("the base does not compile") && said.contains("wrong-type"), "{said}");
    let said = repository.run(&["diff", "git:HEAD~1", "--format", "json"], 1);
    let json: Value = serde_json::from_str(said.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&json["unread"]["side"], json.get("grade")), (&Value::from("head"), None));
    let text = String::from_utf8(repository.0.read("harness.lock")).unwrap();
    repository.0.write("bad.lock", &text.replacen("confirm", "conform", 1));
    assert!(repository.run(&["diff", "bad.lock"], 1).contains("the lock of `bad.lock` does not load"));
    for base in ["nowhere.lock", "git:nowhere", "git:--batch", "git:HEAD..HEAD"] {
        repository.run(&["diff", base], 2);
    }
    for base in [
        "git:",
        "git:HEAD:nothing/here",
        "git:HEAD:tools",
        "git:HEAD:tools/../",
        "git:HEAD:tools/harness.toml",
    ] {
        let said = repository.run(&["diff", base], 2).replace('\n', " ");
        assert!(said.contains("`git:REV:PATH`"), "{base}: {said}");
    }
    let said = repository.run(&["check", "--format", "markdown"], 2);
    assert!(said.contains("`diff` alone writes markdown"), "{said}");
}

#[test]
fn a_lock_under_a_baseline_is_held_against_its_sources() {
    let repository = Repository::new(ATTRIBUTES);
    // A finding that denies, known since the tree was adopted.
    repository.0.write("policies/more.yaml", "toolsets: {idle: [tickets.close]}\n");
    repository.0.edit("harness.toml", "[policy]", "[rules]\nunused-definition = \"deny\"\n\n[policy]");
    repository.run(&["check", "--baseline", "known.json", "--write-baseline"], 0);
    repository.run(&["build", "--baseline", "known.json"], 0);
    repository.commit("Adopt");
    let said = repository.run(&["diff", "git:HEAD"], 0);
    assert!(said.contains("compiles under its baseline alone"), "{said}");
    // The sources let more happen, and the lock is left as it was.
    repository.0.edit("tools/tickets.yaml", "    approval: four_eyes\n", "");
    for head in [&["diff", "git:HEAD"][..], &["diff", "git:HEAD", "git:HEAD~0"]] {
        let code = i32::from(head.len() == 2);
        let said = repository.run(head, code).replace('\n', " ");
        assert_eq!(said.contains("is not what its sources give under its baseline"), code == 1, "{said}");
    }
    repository.commit("Loosen, and say nothing");
    let said = repository.run(&["diff", "git:HEAD~1", "git:HEAD"], 1).replace('\n', " ");
    assert!(said.contains("is not what its sources give under its baseline"), "{said}");
    // Built again, it is compared.
    repository.run(&["build", "--baseline", "known.json"], 0);
    assert!(repository.run(&["diff", "git:HEAD~1"], 1).contains("tickets.close"));
    // The baseline is gone: nobody can tell.
    std::fs::remove_file(repository.0.at("known.json")).unwrap();
    let said = repository.run(&["diff", "git:HEAD~1"], 1).replace('\n', " ");
    assert!(said.contains("no `.json` file beside its `harness.toml` is the baseline"), "{said}");
}

#[test]
fn a_revision_names_a_tree_in_a_folder_and_its_lock() {
    let repository = Repository::new(ATTRIBUTES);
    std::fs::create_dir_all(repository.0.at("policy/desk")).unwrap();
    for name in ["harness.toml", "harness.lock", "tools", "policies", "harnesses", "prompts"] {
        let to = format!("policy/desk/{name}");
        repository.git(&["mv", name, &to]);
    }
    repository.commit("Move the desk");
    repository.0.edit("policy/desk/tools/tickets.yaml", "    approval: four_eyes\n", "");
    let manifest = ["--manifest", "policy/desk/harness.toml"];
    for base in [
        "git:HEAD",
        "git:HEAD:policy/desk",
        "git:HEAD:policy/desk/",
        "git:HEAD:policy/desk/harness.lock",
        "git:HEAD:./policy/desk/harness.toml",
    ] {
        let said = repository.run(&[&manifest[..], &["diff", base, "--format", "short"]].concat(), 1);
        assert!(said.contains("four_eyes; by lead -> confirm; by agent, lead"), "{base}: {said}");
    }
    repository.commit("Loosen");
    // Below the folder that we stand in, and with the tree at the root of an older revision.
    let sides = ["diff", "git:HEAD~1:policy/desk", "git:HEAD:policy/desk", "--format", "short"];
    let output = repository
        .0
        .command(&sides)
        .current_dir(repository.0.at("policy/desk"))
        .env("PATH", std::env::var_os("PATH").unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("four_eyes; by lead -> confirm; by agent, lead"), "{text}");
    assert!(
        repository
            .run(&["diff", "git:HEAD~2:", "git:HEAD~1:policy/desk"], 0)
            .contains("no change in authority")
    );
}

#[test]
fn a_link_under_a_revision_is_not_followed() {
    let repository = loosened();
    std::fs::remove_file(repository.0.at("tools/tickets.yaml")).unwrap();
    std::os::unix::fs::symlink("../policies/people.yaml", repository.0.at("tools/tickets.yaml")).unwrap();
    repository.commit("A link");
    let said = repository.run(&["diff", "git:HEAD", "git:HEAD~1"], 2);
    assert!(said.contains("links are not followed"), "{said}");
}

#[test]
fn the_machine_format_keeps_to_its_schema() {
    let repository = loosened();
    let said = repository.run(&["diff", "git:HEAD", "--format", "json"], 1);
    let json: Value = serde_json::from_str(said.lines().nth(1).unwrap()).unwrap();
    let schema =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/schema/diff.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    assert!(
        validator.is_valid(&json),
        "{:?}",
        validator.iter_errors(&json).map(|e| e.to_string()).collect::<Vec<_>>()
    );
    let change = &json["changes"][0];
    for (key, value) in [
        ("grade", "widened"),
        ("harness", "closer"),
        ("role", "desk"),
        ("persona", "lead"),
        ("tool", "tickets.close"),
    ] {
        assert_eq!(change[key], value);
    }
    assert_eq!(
        (&change["witness"]["before"], &change["witness"]["after"]),
        (&Value::from("four_eyes"), &Value::from("confirm"))
    );
    assert_eq!(
        (&json["version"], &json["grade"], &json["passes"]),
        (&Value::from(1), &Value::from("widened"), &Value::from(false))
    );
}

#[test]
fn nothing_foreign_acts_in_a_comment() {
    let repository = Repository::new(ATTRIBUTES);
    let evil = "@org/admins <img src=x onerror=alert(1)> [go](https://evil.example) `x` | ::set-output name=x:: #1 </code></details> **b**";
    repository.0.edit(
        "tools/tickets.yaml",
        "description: Close the ticket with a reply to the customer.",
        &format!("description: \"{evil}\""),
    );
    let said = repository.run(&["diff", "git:HEAD", "--format", "markdown"], 1);
    for acts in ["@org", "<img", "](http", "https://", "::set-output", " #1", "**b**", "`x`", "| "] {
        assert!(!said.contains(acts), "`{acts}` in {said}");
    }
    assert_eq!(said.matches("<code>").count(), said.matches("</code>").count());
    assert!(said.contains("&#64;org"), "{said}");
    insta::assert_snapshot!("comment", loosened().run(&["diff", "git:HEAD", "--format", "markdown"], 1));
}

#[test]
fn a_long_comment_stays_below_the_limit() {
    let repository = Repository::new(ATTRIBUTES);
    let tests = |word: &str| {
        let one = |at: usize| {
            format!(
                "  test {at} {}: {{run: {{harness: closer, role: desk, persona: lead}}, call: {{tool: {word}}}, expect: auto}}\n",
                "x".repeat(80)
            )
        };
        format!("tests:\n{}", (0..700).map(one).collect::<String>())
    };
    repository.0.write("tests/policy/many.yaml", &tests("tickets.search"));
    repository.commit("Many tests");
    repository.0.write("tests/policy/many.yaml", &tests("tickets.close"));
    let said = repository.run(&["diff", "git:HEAD", "--format", "markdown"], 1);
    assert!(said.len() <= 65_536 + 200 && said.contains("more did not fit here"), "{}", said.len());
    assert_eq!(said.matches("<details>").count(), said.matches("</details>").count());
    assert!(repository.run(&["diff", "git:HEAD"], 1).lines().count() < 45);
}
