//! `init` and `new`: what they write checks clean, or the check says what it still needs; nothing is overwritten.

use crate::cli_common::Scratch;

fn code(scratch: &Scratch, arguments: &[&str]) -> i32 {
    scratch.run(arguments).status.code().unwrap()
}

/// A tree as `init` writes it.
fn begun() -> Scratch {
    let scratch = Scratch::empty();
    assert_eq!(code(&scratch, &["init", "--yes", "--name", "team-tasks"]), 0);
    scratch
}

fn text(scratch: &Scratch, path: &str) -> String {
    String::from_utf8(scratch.read(path)).unwrap()
}

#[test]
fn a_begun_tree_checks_clean_and_builds() {
    let scratch = Scratch::empty();
    insta::assert_snapshot!("init", scratch.transcript(&["init", "--yes", "--name", "team-tasks"]));
    assert_eq!(code(&scratch, &["check", "--deny-warnings"]), 0);
    insta::assert_snapshot!("show", scratch.transcript(&["show"]));
    assert_eq!(code(&scratch, &["build"]), 0);
    assert_eq!(code(&scratch, &["verify", "harness.lock"]), 0);
    for path in ["tools/tasks.yaml", "harnesses/assistant.yaml"] {
        assert!(
            text(&scratch, path)
                .starts_with("# yaml-language-server: $schema=../schema/harness.schema.json\n")
        );
    }
}

#[test]
fn the_schemas_that_a_begun_tree_names_are_those_of_this_harnessc() {
    let scratch = begun();
    for (which, path) in
        [("harness", "schema/harness.schema.json"), ("manifest", "schema/manifest.schema.json")]
    {
        assert_eq!(scratch.run(&["schema", which]).stdout, scratch.read(path), "{path}");
    }
}

#[test]
fn init_takes_the_folder_s_name_and_refuses_what_stands() {
    let scratch = Scratch::empty();
    assert_eq!(code(&scratch, &["init", "My Agents", "--yes"]), 0);
    assert!(text(&scratch, "My Agents/harness.toml").contains("name = \"my-agents\""));
    // Without a terminal nobody is asked.
    assert_eq!(code(&scratch, &["init", "other"]), 0);
    insta::assert_snapshot!("stands", scratch.transcript(&["init", "other", "--yes"]));
    scratch.write("third/tools/tasks.yaml", "tools: {}\n");
    assert_eq!(code(&scratch, &["init", "third", "--yes"]), 2);
    assert!(!scratch.at("third/harness.toml").exists());
    assert_eq!(code(&scratch, &["init", "fourth", "--yes", "--name", "a\"b"]), 2);
    assert!(!scratch.at("fourth").exists());
}

#[test]
fn a_new_tool_goes_where_its_like_stand_and_the_check_asks_for_the_rest() {
    let scratch = begun();
    let before = text(&scratch, "tools/tasks.yaml");
    insta::assert_snapshot!("tool", scratch.transcript(&["new", "tool", "tasks.reopen"]));
    let after = text(&scratch, "tools/tasks.yaml");
    assert!(after.starts_with(&before), "what stood there stays");
    insta::assert_snapshot!("tool_text", after.strip_prefix(&before).unwrap());
    scratch.edit(
        "tools/tasks.yaml",
        "    # Say what it acts on: `bind: {id: run.FIELD}` holds an input to the run, `unbound: WHY` says that there is no target.\n",
        "    unbound: the team shares one list\n",
    );
    scratch.edit("harnesses/assistant.yaml", "tasks.close]", "tasks.close, tasks.reopen]");
    assert_eq!(code(&scratch, &["check", "--deny-warnings"]), 0);
}

#[test]
fn a_new_tool_is_a_tool_whatever_it_does() {
    for effect in ["read", "create", "write", "destructive"] {
        let scratch = begun();
        assert_eq!(code(&scratch, &["new", "tool", "notes.first", "--effect", effect]), 0);
        let path = "tools/notes.yaml";
        let lines: Vec<String> = text(&scratch, path).lines().map(str::to_owned).collect();
        let said: Vec<String> = lines
            .into_iter()
            .map(|line| if line.contains("# Say what") { "    unbound: shared".to_owned() } else { line })
            .collect();
        scratch.write(path, &(said.join("\n") + "\n"));
        scratch.edit("harnesses/assistant.yaml", "tasks.close]", "tasks.close, notes.first]");
        let output = scratch.run(&["check", "--deny-warnings"]);
        assert_eq!(output.status.code(), Some(0), "{effect}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_new_harness_holds_the_least_there_is() {
    let scratch = begun();
    insta::assert_snapshot!("harness", scratch.transcript(&["new", "harness", "night_clerk"]));
    insta::assert_snapshot!("harness_text", text(&scratch, "harnesses/night_clerk.yaml"));
    assert_eq!(code(&scratch, &["check", "--deny-warnings"]), 0);
    let scratch = Scratch::small();
    assert_eq!(code(&scratch, &["new", "harness", "clerk"]), 0);
    insta::assert_snapshot!("harness_with_people", text(&scratch, "harnesses/clerk.yaml"));
    assert!(scratch.at("prompts/v1/harness/clerk.txt").exists());
    insta::assert_snapshot!("harness_in_a_counted_tree", scratch.transcript(&["check", "--format", "short"]));
}

#[test]
fn a_new_rubric_and_a_new_persona_say_what_they_are_for() {
    let scratch = begun();
    insta::assert_snapshot!("rubric", scratch.transcript(&["new", "rubric", "clear_reason"]));
    scratch.edit(
        "harnesses/assistant.yaml",
        "    title: Assistant\n",
        "    title: Assistant\n    rubric_key: clear_reason\n",
    );
    assert_eq!(code(&scratch, &["check", "--deny-warnings"]), 0);
    let scratch = Scratch::small();
    let said = scratch.run(&["new", "persona", "trainee"]);
    assert_eq!(said.status.code(), Some(0));
    assert_eq!(code(&scratch, &["check"]), 0);
}

#[test]
fn line_ends_and_comments_stay_where_a_definition_is_added() {
    let scratch = begun();
    let crlf = text(&scratch, "tools/tasks.yaml").replace('\n', "\r\n");
    scratch.write("tools/tasks.yaml", crlf.trim_end());
    assert_eq!(code(&scratch, &["new", "tool", "tasks.count", "--effect", "read"]), 0);
    let after = text(&scratch, "tools/tasks.yaml");
    assert!(after.starts_with(crlf.trim_end()));
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
}

#[test]
fn what_is_there_or_cannot_be_is_refused_and_nothing_changes() {
    let scratch = begun();
    insta::assert_snapshot!("exists", scratch.transcript(&["new", "tool", "tasks.find"]));
    insta::assert_snapshot!("bad_key", scratch.transcript(&["new", "harness", "night/clerk"]));
    scratch.write("tools/notes.yaml", "tools: {notes.add: {title: Add, description: Add., effect: write, unbound: shared, input: {}, returns: none}}\n");
    insta::assert_snapshot!("occupied", scratch.transcript(&["new", "tool", "notes.find"]));
    assert_eq!(code(&scratch, &["new", "harness", ".."]), 0, "a file of that name lies in its folder");
    let empty = Scratch::empty();
    empty.write("harness.toml", "[policy]\nname = \"empty\"\n");
    insta::assert_snapshot!("no_tool", empty.transcript(&["new", "harness", "clerk"]));
}
