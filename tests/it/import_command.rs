//! `import` as a command: what it writes, what it takes of a changed list, and what it leaves as it was.

use std::path::Path;

use harnessc::import::Acceptance;
use serde_json::{Value, json};

use super::import::{again, mcp, setting, tool};

/// Runs the command in a folder; its exit code and both streams.
fn harnessc(folder: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_harnessc"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses before it reads closes its end; that is its answer, not a failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_writes_once_and_changes_nothing_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    let read = |path: &str| std::fs::read_to_string(at(path)).unwrap();
    let list = |tools: Value| json!({ "tools": tools }).to_string();
    let (find, send) =
        (tool("find", json!({"readOnlyHint": true})), tool("send", json!({"destructiveHint": false})));
    let first = list(json!([find]));
    let import = ["import", "mcp", "-", "--server", "shop", "--out", "."];
    let run = |args: &[&str], input: &str| harnessc(folder.path(), args, input);

    let (code, out, err) = run(&["import", "mcp", "-", "--server", "shop"], &first);
    assert_eq!((code, out), (0, mcp(&json!([find])).overlay(&setting())), "{err}");
    assert!(!at("vendor").exists());
    assert_eq!(run(&["import", "mcp", "-"], &first).0, 2);

    std::fs::write(at("harness.toml"), "[policy]\nname = \"shop\"\nexternal_servers = [\"shop\"]\n").unwrap();
    let (code, out, _) = run(&import, &first);
    assert_eq!((code, out.as_str()), (0, "wrote vendor/shop.tools.json\nwrote tools/shop.yaml\n"));
    assert_eq!(read("vendor/shop.tools.json"), first);
    let overlay = read("tools/shop.yaml");
    assert_eq!(run(&["check", "."], "").0, 0);

    let (code, out, err) = run(&import, &first);
    assert_eq!(
        (code, out.as_str(), err.as_str()),
        (0, "", "`shop`: nothing moved since the list was pinned\n")
    );

    let more = list(json!([find, send]));
    assert_eq!(run(&import, &more).0, 0);
    let grown = read("tools/shop.yaml");
    assert!(
        grown.strip_prefix(&overlay).unwrap().starts_with("  send: {from: shop, effect: write,"),
        "{grown}"
    );

    let moved = list(json!([tool("find", json!({"destructiveHint": true})), send]));
    let (code, out, err) = run(&import, &moved);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("`readOnlyHint`: true → unsaid") && err.contains("--accept"), "{err}");
    assert_eq!((read("vendor/shop.tools.json"), read("tools/shop.yaml")), (more, grown.clone()));
    assert_eq!(run(&[&import[..], &["--accept", "find"]].concat(), &moved).0, 0);
    let restated = grown.replace("# hint: read only\n", "# hint: destructive\n");
    assert_ne!(restated, grown);
    assert_eq!((read("vendor/shop.tools.json"), read("tools/shop.yaml")), (moved, restated));
    assert_eq!(run(&["check", "."], "").0, 1, "a read that says so no longer is told");

    let (code, _, err) = run(&import, "[1,]");
    assert_eq!((code, err.contains("nothing was imported")), (2, true), "{err}");
}

#[test]
fn a_change_is_taken_by_its_name_and_no_other_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let read = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    let run = |args: &[&str], input: &str| harnessc(folder.path(), args, input);
    let accept = |words: &[&str], input: &str| {
        let mut args = vec!["import", "mcp", "-", "--server", "shop", "--out", "."];
        words.iter().for_each(|word| args.extend(["--accept", word]));
        run(&args, input)
    };
    let with = |name: &str, description: &str, max: u32| json!({"name": name, "description": description, "inputSchema": {"type": "object", "properties": {"q": {"type": "string", "maxLength": max}}}});
    std::fs::write(
        folder.path().join("harness.toml"),
        "[policy]\nname = \"shop\"\nexternal_servers = [\"shop\"]\n",
    )
    .unwrap();
    let old = [with("find", "Finds.", 9), with("list", "Lists.", 9), with("old", "Is old.", 9)];
    assert_eq!(accept(&[], &json!({ "tools": old }).to_string()).0, 0);
    let new = [with("find", "Finds all.", 99), with("list", "Lists all.", 9), with("fresh", "Is new.", 9)];
    let list = json!({ "tools": new }).to_string();
    let before = (read("vendor/shop.tools.json"), read("tools/shop.yaml"));

    // Without a word nothing is written, and the words that would take each change are told.
    let (code, _, err) = accept(&[], &list);
    assert_eq!(code, 1);
    let told = "--accept find:text --accept find:input --accept list:text --accept old:gone";
    assert!(err.contains(told), "{err}");
    assert!(err.contains("looser  `/properties/q/maxLength`: was `9`, now `99`"), "{err}");
    // A word that names no change, or the wrong one, takes nothing.
    for (word, help) in
        [("fnd", "did you mean `find`?"), ("list:input", "changed: `text`"), ("fresh", "changed: `find`")]
    {
        let (code, _, err) = accept(&[word], &list);
        assert_eq!((code, err.contains(help)), (2, true), "{word}: {err}");
    }
    assert_eq!((read("vendor/shop.tools.json"), read("tools/shop.yaml")), before);

    // Half of a tool's changes leave its entry as it is; the other tool's is the new one.
    let (code, out, err) = accept(&["find:text", "list"], &list);
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("wrote vendor/shop.tools.json"), "{out}");
    assert!(err.contains("the pinned entry stays: --accept find:input --accept old:gone"), "{err}");
    let pinned: Value = serde_json::from_str(&read("vendor/shop.tools.json")).unwrap();
    assert_eq!(pinned["tools"], json!([old[0], new[1], new[2], old[2]]));
    assert_eq!(pinned["_meta"]["harnessc/accepted"]["find"]["kinds"], json!(["text"]));
    assert!(read("tools/shop.yaml").contains("\n  fresh: {"));
    assert_eq!(run(&["check", "."], "").0, 0);

    // The rest stays to be taken, and with all of it the list is pinned as it came.
    let (code, _, err) = accept(&[], &list);
    assert_eq!((code, err.contains("1 gone, 1 changed")), (1, true), "{err}");
    assert!(!err.contains("Finds all.") && !err.contains("find:text"), "what was taken is told again: {err}");
    assert_eq!(accept(&["all"], &list).0, 0);
    assert_eq!(read("vendor/shop.tools.json"), list);
    assert_eq!(accept(&[], &list).0, 0);
    let (code, _, err) = accept(&["find"], &list);
    assert_eq!((code, err.contains("nothing changed")), (2, true), "{err}");
}

/// A tree with one pinned tool, and what an import of another list does with these words.
fn shop(folder: &std::path::Path, words: &[&str], list: &Value) -> (i32, String, String) {
    let mut args = vec!["import", "mcp", "-", "--server", "shop", "-o", "."];
    words.iter().for_each(|word| args.extend(["--accept", word]));
    harnessc(folder, &args, &list.to_string())
}

fn manifest(folder: &std::path::Path) {
    std::fs::write(folder.join("harness.toml"), "[policy]\nname = \"shop\"\nexternal_servers = [\"shop\"]\n")
        .unwrap();
}

/// A list in which everything of `find` changed that can, and `Find` beside it, from which it can no longer be told.
fn moved(text: &str) -> (Value, Value) {
    let find = |name: &str, text: &str, max: u32, hint: bool, other: &str| {
        let schema =
            |max: u32| json!({"type": "object", "properties": {"q": {"type": "string", "maxLength": max}}});
        json!({"name": name, "description": text, "inputSchema": schema(max), "outputSchema": schema(max),
            "annotations": {"readOnlyHint": hint}, "icons": [other]})
    };
    let old = json!({"tools": [find("find", "Finds.", 9, true, "a")]});
    let new = json!({"tools": [find("find", text, 99, false, "b"), find("Find", "Is new.", 9, true, "a")]});
    (old, new)
}

#[test]
fn changes_that_are_taken_one_after_the_other_come_to_an_end_in_any_order() {
    let kinds = ["text", "hint", "input", "output", "other", "unfit"];
    for start in 0..kinds.len() {
        let folder = tempfile::tempdir().unwrap();
        manifest(folder.path());
        let (old, new) = moved("Finds all.");
        assert_eq!(shop(folder.path(), &[], &old).0, 0);
        let mut left: Vec<&str> = (0..kinds.len()).map(|at| kinds[(start + at) % kinds.len()]).collect();
        while !left.is_empty() {
            let word = format!("find:{}", left.remove(0));
            let (code, _, err) = shop(folder.path(), &[&word], &new);
            assert_eq!(code, i32::from(!left.is_empty()), "{word}: {err}");
            // The next run tells of what is left, and of nothing else.
            let (code, _, err) = shop(folder.path(), &[], &new);
            assert_eq!(code, i32::from(!left.is_empty()), "after {word}: {err}");
            for kind in kinds {
                let told = err.contains(&format!("find:{kind}"));
                assert_eq!(told, left.contains(&kind), "after {word}, {kind}: {err}");
            }
            // While something is left the entry that stays is the one that the tree was written for.
            if !left.is_empty() {
                assert_eq!(harnessc(folder.path(), &["check", "."], "").0, 0, "after {word}");
            }
        }
        let pinned: Value = serde_json::from_str(
            &std::fs::read_to_string(folder.path().join("vendor/shop.tools.json")).unwrap(),
        )
        .unwrap();
        assert_eq!(pinned, new, "the list is pinned as it came");
    }
}

#[test]
fn what_was_taken_of_one_step_is_not_taken_of_another() {
    let folder = tempfile::tempdir().unwrap();
    manifest(folder.path());
    let (old, new) = moved("Finds all.");
    assert_eq!(shop(folder.path(), &[], &old).0, 0);
    assert_eq!(shop(folder.path(), &["find:unfit", "find:input"], &new).0, 1);
    // The server moves on: whatever was read before is to be read again.
    let (_, other) = moved("Finds all, and sends them.");
    let (code, _, err) = shop(folder.path(), &[], &other);
    assert!(code == 1 && err.contains("find:input") && err.contains("find:text"), "{err}");
}

#[test]
fn a_server_takes_nothing_in_our_name() {
    let folder = tempfile::tempdir().unwrap();
    manifest(folder.path());
    let (old, new) = moved("Finds all.");
    assert_eq!(shop(folder.path(), &[], &old).0, 0);
    assert_eq!(shop(folder.path(), &["find:input"], &new).0, 1);
    let pin = folder.path().join("vendor/shop.tools.json");
    let noted: Value = serde_json::from_str(&std::fs::read_to_string(&pin).unwrap()).unwrap();
    // A list that brings the note along is pinned without it.
    std::fs::remove_file(&pin).unwrap();
    std::fs::remove_file(folder.path().join("tools/shop.yaml")).unwrap();
    let brought = json!({"tools": old["tools"], "_meta": noted["_meta"]});
    assert_eq!(shop(folder.path(), &[], &brought).0, 0);
    assert!(!std::fs::read_to_string(&pin).unwrap().contains("accepted"));
    let (_, _, err) = shop(folder.path(), &[], &new);
    assert!(err.contains("find:input"), "{err}");
}

#[test]
fn a_tool_that_can_no_longer_be_told_from_another_holds_back_the_list() {
    let (old, new) =
        (json!([tool("find", json!({}))]), json!([tool("find", json!({})), tool("Find", json!({}))]));
    let (changes, _) = again(&old, &new);
    let all = ["all".to_owned()];
    assert_eq!(changes.standing(&Acceptance::default()), ["find:unfit"]);
    assert!(!changes.can_pin(&Acceptance::default()));
    assert!(changes.can_pin(&Acceptance::read(&all, &changes).unwrap()));
}

#[test]
fn a_tool_that_a_line_waits_for_is_not_taken_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let read = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    let import = |words: &[&str], list: &Value| {
        let mut args = vec!["import", "mcp", "-", "--server", "shop", "--out", "."];
        words.iter().for_each(|word| args.extend(["--accept", word]));
        harnessc(folder.path(), &args, &list.to_string())
    };
    std::fs::write(
        folder.path().join("harness.toml"),
        "[policy]\nname = \"shop\"\nexternal_servers = [\"shop\"]\n",
    )
    .unwrap();
    let (find, send) = (tool("find", json!({})), tool("send", json!({})));
    assert_eq!(import(&[], &json!([find, send])).0, 0);
    std::fs::create_dir(folder.path().join("harnesses")).unwrap();
    std::fs::write(folder.path().join("harnesses/h.yaml"), "harnesses: {h: {title: H, toolset: [send]}}\n")
        .unwrap();
    // It goes, and its line stays; when it comes back, it comes with whatever it says then.
    assert_eq!(import(&["send:gone"], &json!([find])).0, 0);
    let back = json!([find, {"name": "send", "inputSchema": {"properties": {"to": {"type": "string"}}}}]);
    let (code, _, err) = import(&[], &back);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("added `send`, which `h` holds: the policy has a line that waited for it"), "{err}");
    assert!(err.contains("--accept send:awaited"), "{err}");
    assert!(!read("vendor/shop.tools.json").contains("send"));
    let other = json!([tool("find", json!({"destructiveHint": false})), back[1]]);
    assert_eq!(import(&["find"], &other).0, 1);
    assert!(!read("vendor/shop.tools.json").contains("send"), "another tool's change takes it along");
    assert_eq!(import(&["send"], &other).0, 0);
    assert!(read("vendor/shop.tools.json").contains("send"));
}

/// A value that a server publishes later, and that no case of the tree's line is for, is refused when a call brings it: said once,
/// when the list comes again.
#[test]
fn a_value_that_came_up_and_has_no_case_is_told() {
    let list = |values: &[&str]| {
        let method = json!({"type": "string", "enum": values});
        json!([{"name": "edit", "inputSchema": {"type": "object", "properties": {"method": method}}}])
    };
    let told = |before: &[&str], after: &[&str]| {
        let (changes, overlay) = again(&list(before), &list(after));
        assert!(overlay.contains("cases: {method:"), "{overlay}");
        changes.remarks.into_iter().map(|remark| (remark.at, remark.text)).collect::<Vec<_>>()
    };
    let few = ["create", "update"];
    assert_eq!(told(&few, &few), []);
    assert_eq!(told(&["create", "update", "purge"], &few), []);
    let [(at, text)] = &told(&few, &["create", "purge", "update"])[..] else { panic!() };
    assert_eq!(at, "inputSchema.properties.method");
    assert_eq!(text, "can be `purge`, and no case of `edit` is for it: such a call is refused until one is");
}
