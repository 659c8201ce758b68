//! What a list that was just taken in is told of, and what it is not: tools of one server together, placeholders, near names,
//! who says yes.

use crate::cli_common::Scratch;
use crate::small_tree::{Found, found};

const MANIFEST: &str = "[policy]\nname = \"desk\"\nexternal_servers = [\"box\"]\n";

/// Three pinned reads and a write, each with `owner`, the write with `related_owner` too.
fn pinned() -> String {
    let tool = |name: &str, read: bool, more: &str| {
        format!(
            "{{\"name\": \"{name}\", \"description\": \"D.\", \"annotations\": {{\"readOnlyHint\": {read}, \"destructiveHint\": false}}, \
             \"inputSchema\": {{\"type\": \"object\", \"required\": [\"owner\"], \"properties\": {{\"owner\": {{\"type\": \"string\"}}{more}}}}}}}"
        )
    };
    let near = ", \"related_owner\": {\"type\": \"string\"}, \"ownership\": {\"type\": \"string\"}";
    format!(
        "{{\"tools\": [{}, {}, {}, {}]}}",
        tool("a", true, ""),
        tool("b", true, ""),
        tool("c", true, ""),
        tool("link", false, near)
    )
}

/// What a rule finds beside the server, its tools as `tools` says, the rest of the tree as `rest`.
fn beside(rule: &str, tools: &str, rest: &str) -> Found {
    let overlay = format!("servers: {{box: {{tools: vendor/box.json}}}}\ntools:\n{tools}");
    let pinned = pinned();
    let files = [
        ("harness.toml", MANIFEST),
        ("vendor/box.json", pinned.as_str()),
        ("tools/box.yaml", overlay.as_str()),
        ("policies/rest.yaml", rest),
    ];
    found(rule, &files)
}

const READS: &str =
    "  a: {from: box, effect: read}\n  b: {from: box, effect: read}\n  c: {from: box, effect: read}\n";
const RUN: &str = "run: {owner: {type: string, maxLength: 9}}\n";
const BIND: &str = "run: {owner: {type: string, maxLength: 9}}\nbind: {owner: run.owner}\n";

#[test]
fn reads_of_one_server_that_are_bound_to_nothing_are_one_finding() {
    let rule = "unbound-target";
    let all = beside(rule, READS, "");
    let finding = all.only();
    assert_eq!(
        finding.message,
        "3 tools of server `box` are bound to nothing of the run, and do not say why"
    );
    assert_eq!(all.labels(), [("and `b`", "b"), ("and `c`", "c")]);
    assert!(finding.help.as_ref().unwrap().starts_with("3 of them take `owner`"), "{:?}", finding.help);
    let run = beside(rule, READS, RUN);
    assert!(
        run.only().help.as_ref().unwrap().starts_with("write `bind: {owner: run.owner}` once, for the 3")
    );
    assert_eq!(beside(rule, READS, BIND).texts(), [""; 0]);
    // One alone is told as one, a write weighs more, and a reason settles it.
    let one = beside(
        rule,
        "  a: {from: box, effect: read}\n  b: {from: box, effect: read, unbound: one box}\n",
        "",
    );
    assert_eq!((one.texts(), one.levels()), (vec!["a"], vec!["warn"]));
    assert_eq!(beside(rule, "  link: {from: box, effect: write}\n", "").levels(), ["deny"]);
}

#[test]
fn an_input_that_is_named_like_the_bound_one_is_told_and_only_that_one() {
    let rule = "unbound-target";
    let near = beside(rule, "  link: {from: box, effect: write}\n", BIND);
    let finding = near.only();
    assert_eq!(finding.message, "`link` is bound by `owner`, and the model chooses `related_owner`");
    assert!(finding.help.as_ref().unwrap().contains("bind: {related_owner: run.owner}"));
    assert_eq!((near.texts(), near.levels()), (vec!["link"], vec!["warn"]));
    for mended in [
        "  link: {from: box, effect: write, bind: {related_owner: run.owner}}\n",
        "  link: {from: box, effect: write, input: {properties: {related_owner: {const: nobody}}}}\n",
        "  # harnessc: allow unbound-target -- a link may lead anywhere\n  link: {from: box, effect: write}\n",
    ] {
        assert_eq!(beside(rule, mended, BIND).texts(), [""; 0], "{mended}");
    }
}

#[test]
fn a_reason_that_is_none_is_told_once_a_harness_holds_the_tool_and_goes_where_a_binding_holds() {
    let rule = "unbound-target";
    let unsaid = "unbound: \"imported from box; nobody has said yet what it acts on\"";
    let tools =
        format!("  a: {{from: box, effect: read, {unsaid}}}\n  b: {{from: box, effect: read, {unsaid}}}\n");
    let harness = "harnesses: {h: {title: H, toolset: [a, b]}}\n";
    assert_eq!(beside(rule, &tools, "").texts(), [""; 0], "nobody holds them");
    let held = beside(rule, &tools, harness);
    assert_eq!(
        held.only().message,
        "2 tools of server `box` are held by a harness, and nobody has said what the model may reach through them"
    );
    let bound = beside(rule, &tools, BIND);
    assert_eq!(bound.only().message, "2 tools of server `box` are bound, and still say why not");
    assert_eq!(bound.only().fixes[0].edits.len(), 2);
    let first = bound.fixed();
    assert!(first.contains("  a: {from: box, effect: read}\n"), "{first}");
}

#[test]
fn where_personas_could_be_named_and_an_outside_server_acts_nobody_named_is_told() {
    let rule = "approvers-unreachable";
    let link = "  link: {from: box, effect: write, unbound: one box}\n  a: {from: box, effect: read, unbound: one box}\n";
    let tree = |held: &str, more: &str| {
        let rest = format!(
            "personas: {{desk: {{title: D, bundle: [link, a]}}}}\nharnesses: {{h: {{title: H, personas: [desk], toolset: [{held}]}}}}\n{more}"
        );
        beside(rule, link, &rest).levels().len()
    };
    assert_eq!(tree("link", ""), 1);
    assert_eq!(tree("a", ""), 0, "a read asks nobody");
    assert_eq!(tree("link", "approvals: {approvers: {confirm: [desk]}}\n"), 0);
    let bare = beside(rule, link, "harnesses: {h: {title: H, toolset: [link]}}\n");
    assert_eq!(bare.texts(), [""; 0], "without personas there is nobody to name");
}

#[test]
fn a_hidden_character_of_a_pinned_list_is_not_the_author_s_to_remove() {
    let files = [("harness.toml", MANIFEST), ("vendor/box.json", "{\"tools\": [{\"name\": \"a\u{202e}\"}]}")];
    let told = found("hidden-character", &files);
    assert!(
        told.only().help.as_ref().unwrap().contains("do not edit the pinned list"),
        "{:?}",
        told.only().help
    );
}

#[test]
fn a_list_that_comes_again_under_another_name_is_asked_about() {
    let scratch = Scratch::empty();
    scratch.write("harness.toml", MANIFEST);
    scratch.write("box.json", &pinned());
    let run = |arguments: &[&str]| scratch.run(&[&["import", "mcp"], arguments, &["--out", "."]].concat());
    assert_eq!(run(&["box.json"]).status.code(), Some(0));
    scratch.write("next.json", &pinned().replace("\"c\"", "\"d\""));
    let output = run(&["next.json"]);
    let said = String::from_utf8(output.stderr).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("3 of the list's tools are those of server `box`"), "{said}");
    assert!(said.contains("did you mean `--server box`?"), "{said}");
    assert!(!scratch.at("vendor/next.tools.json").exists());
    // Whoever says so begins a second one; another list is another server anyhow.
    assert_eq!(run(&["next.json", "--server", "next"]).status.code(), Some(0));
    scratch.write("other.json", "[{\"name\": \"x\", \"inputSchema\": {}}]");
    assert_eq!(run(&["other.json"]).status.code(), Some(0));
}

#[test]
fn init_leaves_git_s_attributes_as_they_are_and_says_what_they_lack() {
    let scratch = Scratch::empty();
    scratch.write(".gitattributes", "*.png binary\nharness.lock -text merge=binary\n");
    let said = scratch.transcript(&["init", "--yes", "--name", "desk"]);
    assert!(
        said.contains("add what it lacks, or git will merge locks:\n  harness.lock.sig -text merge=binary\n"),
        "{said}"
    );
    assert_eq!(scratch.read(".gitattributes"), b"*.png binary\nharness.lock -text merge=binary\n");
}

#[test]
fn prose_of_one_server_that_no_role_reads_is_one_finding() {
    let rule = "untrusted-outside-reader";
    let held = "harnesses: {h: {title: H, toolset: [a, b, c]}}\n";
    let all = beside(rule, READS, held);
    let finding = all.only();
    assert!(finding.message.starts_with("3 tools of server `box` return prose"), "{}", finding.message);
    let roles =
        "`roles: {worker: {tools: harness_toolset}, reading: {reads_untrusted: true, tools: [a, b, c]}}`";
    assert!(finding.help.as_ref().unwrap().contains(roles), "{:?}", finding.help);
    assert_eq!(all.levels(), ["deny"]);
    // What the help says to write settles it.
    let roles = format!("{held}{}\n", roles.trim_matches('`'));
    assert_eq!(beside(rule, READS, &roles).texts(), [""; 0]);
    let one = beside(rule, READS, "harnesses: {h: {title: H, toolset: [b]}}\n");
    assert_eq!(one.only().message, "`b` returns prose, and no role of this tree reads untrusted text");
}

/// Every finding of a tree, in short.
fn short(files: &[(&str, &str)]) -> Vec<String> {
    let scratch = Scratch::empty();
    scratch.write("harness.toml", "[policy]\nname = \"desk\"\n");
    files.iter().for_each(|(path, text)| scratch.write(path, text));
    let said = String::from_utf8(scratch.run(&["check", "--format", "short"]).stdout).unwrap();
    said.lines().map(str::to_owned).collect()
}

#[test]
fn a_misspelt_section_is_one_finding_and_what_it_defines_is_there() {
    let harness = ("harnesses/h.yaml", "harnesses: {h: {title: H, toolset: [notes.find, notes.change]}}\n");
    let slip = crate::small_tree::TOOLS.replace("tools:", "toolz:");
    let told = short(&[("tools/notes.yaml", &slip), harness]);
    assert_eq!(told, ["tools/notes.yaml:1:1: forbid[unknown-field]: there is no section `toolz`"]);
    // One that is like no section is not read, and what it would define is missed.
    let far = crate::small_tree::TOOLS.replace("tools:", "gadgets:");
    assert_eq!(short(&[("tools/notes.yaml", &far), harness]).len(), 3);
}

#[test]
fn a_slip_in_a_definition_s_key_is_told_there_and_not_at_every_use() {
    let tools = ("tools/notes.yaml", crate::small_tree::TOOLS);
    let sets = |key: &str| format!("toolsets: {{{key}: [notes.find, notes.change]}}\n");
    let harness = |key: &str, set: &str| format!("  {key}: {{title: H, toolset: [{{toolset: {set}}}]}}\n");
    let worn = |sets: &[&str]| {
        let all = sets.iter().zip(["h", "b", "c"]).map(|(set, key)| harness(key, set)).collect::<String>();
        format!("harnesses:\n{all}")
    };
    let slip =
        short(&[tools, ("policies/p.yaml", &sets("reding")), ("harnesses/h.yaml", &worn(&["reading"; 3]))]);
    assert_eq!(
        slip,
        [
            "policies/p.yaml:1:12: forbid[unknown-reference]: toolset `reding` is named by nothing, and `reading`, which 3 places name, is defined nowhere"
        ]
    );
    // Where others name it, the slip is theirs; where one does not, that one's alone.
    let used = short(&[
        tools,
        ("policies/p.yaml", &sets("reding")),
        ("harnesses/h.yaml", &worn(&["reding", "reading", "reading"])),
    ]);
    assert_eq!(used.iter().filter(|line| line.starts_with("harnesses/h.yaml")).count(), 2, "{used:?}");
    let once =
        short(&[tools, ("policies/p.yaml", &sets("reding")), ("harnesses/h.yaml", &worn(&["reading"]))]);
    assert_eq!(once, ["harnesses/h.yaml:2:37: forbid[unknown-reference]: `reading` names no toolset"]);
}
