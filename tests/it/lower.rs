//! What a tree's statements become in the lock, where it is not plain.

use harnessc::check::check;
use harnessc::lower::lower;
use harnessc::tree::Tree;
use harnessc_runtime::lock::{Approval, Effect, Lock, Preview, Undo};
use harnessc_runtime::prove;

const MANIFEST: &str = "[policy]\nname = \"notes\"\n";

const TOOLS: &str = r#"tools:
  notes.find:
    title: Find notes
    description: Find notes by word.
    effect: read
    unbound: a notebook belongs to no run
    input: {properties: {kind: [a, b, c], most: {type: integer, minimum: 1, maximum: 1e1}}}
    returns: structured
    output: {properties: {ids: {type: array, maxItems: 20, items: {type: string, maxLength: 20}}}}
"#;

/// The lock of these files beside the manifest, whatever is found in them.
fn lock_of(manifest: &str, files: &[(&str, &str)]) -> Lock {
    let manifest = [("harness.toml", manifest)];
    let all = files.iter().chain(&manifest);
    let (tree, sink) =
        Tree::from_files(all.map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
    let (_, lock) = check(&tree, sink, |cx, checked| lower(cx, &checked.grading));
    lock
}

fn with_harness(toolset: &str, toolsets: &str) -> Lock {
    let text = format!("{toolsets}harnesses:\n  finder: {{title: Finder, toolset: {toolset}}}\n");
    let lock = lock_of(MANIFEST, &[("tools/notes.yaml", TOOLS), ("harnesses/finder.yaml", &text)]);
    assert_eq!(prove::failures(&lock), []);
    lock
}

#[test]
fn what_a_tree_leaves_unsaid_has_its_default() {
    let lock = with_harness("[notes.find]", "");
    assert_eq!((lock.revision, &lock.predecessor, lock.policy.edition), (1, &None, 1));
    assert_eq!(lock.roles.keys().collect::<Vec<_>>(), ["run"]);
    assert_eq!(lock.approvals.at_least.of(Effect::Destructive), Approval::FourEyes);
    assert!(lock.approvals.approvers.is_none() && lock.prompt.is_none() && lock.limits.is_none());
    let tool = &lock.tools["notes.find"];
    assert_eq!((tool.approval, tool.enabled, tool.preview), (None, true, Preview::Input));
    assert!(tool.surfaces.is_none() && tool.undo.is_empty() && tool.server.is_none());
}

#[test]
fn numbers_stay_as_they_are_written() {
    let input = with_harness("[notes.find]", "").tools["notes.find"].input.compact();
    assert!(input.contains(r#""maximum":1e+1"#) || input.contains(r#""maximum":1e1"#), "{input}");
}

#[test]
fn several_mentions_of_a_tool_hold_together() {
    let toolsets = "toolsets: {some: [{tool: notes.find, only: {kind: [a, b]}}]}\n";
    let both =
        "[{toolset: some}, {tool: notes.find, approval: confirm, only: {kind: [b, c], most: {const: 1}}}]";
    let text = format!("{toolsets}harnesses:\n  finder: {{title: Finder, toolset: {both}}}\n");
    let lock = lock_of(MANIFEST, &[("tools/notes.yaml", TOOLS), ("harnesses/finder.yaml", &text)]);
    let cell = &lock.effective["finder"]["run"][0];
    assert_eq!(cell.approval, Approval::Confirm);
    let kind = cell.only["kind"].compact();
    let (first, second) = (r#"{"type":"string","enum":["a","b"]}"#, r#"{"type":"string","enum":["b","c"]}"#);
    assert_eq!(kind, format!(r#"{{"allOf":[{first},{second}]}}"#));
    assert_eq!(cell.only, lock.harnesses["finder"].toolset[0].only);
    // The same narrowing twice is one.
    let lock = with_harness("[{toolset: some}, {toolset: some}]", toolsets);
    assert_eq!(lock.effective["finder"]["run"][0].only["kind"].compact(), first);
}

#[test]
fn a_pinned_tool_keeps_what_was_published() {
    let pinned = r#"{"tools": [{"name": "label", "title": "Label",  "description": "Labels.",
      "inputSchema": {"type": "object", "properties": {"method": {"type": "string", "enum": ["add", "drop"]}, "n": {"type": "number", "maximum": 1.50}}},
      "annotations": {"readOnlyHint": false, "destructiveHint": true}}]}"#;
    let policy = "servers: {desk: {tools: vendor/desk.tools.json}}
tools:
  label:
    from: desk
    unbound: labels belong to no run
    approval: four_eyes
    cases: {method: {add: {effect: create, approval: confirm, preview: before_after}, drop: {effect: destructive, undo: [snapshot]}}}
harnesses:
  finder: {title: Finder, toolset: [label]}
";
    let manifest = format!("{MANIFEST}external_servers = [\"desk\"]\n");
    let lock = lock_of(&manifest, &[("vendor/desk.tools.json", pinned), ("policies/all.yaml", policy)]);
    assert_eq!(
        (lock.servers["desk"].tools.as_str(), lock.servers["desk"].address()),
        ("vendor/desk.tools.json", None)
    );
    let tool = &lock.tools["label"];
    let server = tool.server.as_ref().unwrap();
    assert_eq!((server.name.as_str(), server.upstream.as_str()), ("desk", "label"));
    assert_eq!((server.hints.destructive, server.hints.read_only), (Some(true), Some(false)));
    assert!(server.pinned.as_str().contains("\"maximum\":1.50"), "{}", server.pinned.as_str());
    assert_eq!(server.pinned_digest, server.pinned.digest());
    assert_eq!((tool.effect, tool.approval), (Effect::Destructive, None));
    let cases = tool.cases.as_ref().unwrap();
    assert_eq!(cases.input, "method");
    let (add, drop) = (&cases.by["add"], &cases.by["drop"]);
    assert_eq!((add.approval, add.preview), (Some(Approval::FourEyes), Preview::BeforeAfter));
    assert_eq!((drop.approval, &drop.undo), (Some(Approval::FourEyes), &vec![Undo::Snapshot]));
    let approvals: Vec<_> =
        lock.effective["finder"]["run"].iter().map(|cell| (cell.deed.as_str(), cell.approval)).collect();
    assert_eq!(approvals, [("label/add", Approval::FourEyes), ("label/drop", Approval::FourEyes)]);
    assert_eq!(prove::failures(&lock), []);
}

#[test]
fn each_harness_has_the_prompt_parts_it_bears() {
    let manifest = "[policy]\nname = \"notes\"\nprompt_version = \"v1\"\n";
    let policy = "refusals:
  never: {line: You never send.}
  seldom: {line: You seldom ask., optional: true}
skills: {finding: {title: Finding, version: 1, tools: [notes.find], instructions: skills/finding.txt}}
prompt: {order: [harness, skills, lenses, memory]}
harnesses:
  all: {title: All, toolset: [notes.find], prompt_ref: harness/all.txt, skills: [finding]}
  few: {title: Few, toolset: [notes.find], refusal_rules: [never]}
";
    let lock = lock_of(
        manifest,
        &[
            ("tools/notes.yaml", TOOLS),
            ("policies/all.yaml", policy),
            ("prompts/v1/refusals.txt", "* You never send.\r\n* You seldom ask.\r\n"),
            ("prompts/v1/harness/all.txt", "Find.\r\n"),
            ("prompts/v1/skills/finding.txt", "Look twice.\n"),
        ],
    );
    // An order without refusals has them first: no prompt goes without the lines that its harness bears.
    assert_eq!(lock.harnesses["all"].prompt, ["refusals", "harness/all", "skills/finding", "memory"]);
    assert_eq!(lock.harnesses["few"].prompt, ["refusals/few", "memory"]);
    let prompt = lock.prompt.as_ref().unwrap();
    assert_eq!(prompt.volatile, ["memory"]);
    assert_eq!(prompt.parts["refusals"].text, "* You never send.\n* You seldom ask.\n");
    assert_eq!(prompt.parts["refusals/few"].text, "You never send.\n");
    assert_eq!(lock.skills["finding"].instructions.as_deref(), Some("skills/finding"));
    assert_eq!(prove::failures(&lock), []);
}

/// Without an order, what is said to change stands last; without a word on it, what changes is what always does.
#[test]
fn what_changes_stands_behind_what_does_not() {
    let prompt_of = |prompt: &str| {
        let lock = lock_of(MANIFEST, &[("tools/notes.yaml", TOOLS), ("policies/p.yaml", prompt)]);
        assert_eq!(prove::failures(&lock), []);
        lock.prompt.unwrap()
    };
    let harness_changes = prompt_of("prompt: {volatile: [harness]}\n");
    assert_eq!(harness_changes.order, ["refusals", "lenses", "skills", "harness"]);
    assert_eq!(harness_changes.volatile, ["harness"]);
    let unsaid = prompt_of("prompt: {order: [planning, harness, window]}\n");
    assert_eq!(unsaid.volatile, ["window"]);
    let said = prompt_of("prompt: {order: [window, harness, memory], volatile: [memory]}\n");
    assert_eq!(said.volatile, ["memory"]);
}

#[test]
fn a_tree_full_of_faults_still_comes_to_a_lock_that_grants_least() {
    let policy = "tools:
  bad: {title: Bad, description: No input at all.}
  odd: {title: Odd, description: A schema that is none., effect: read, input: {type: 7}}
harnesses:
  finder: {toolset: [bad, odd, nowhere], personas: [nobody]}
limits: {prices: {unknown: {}}}
";
    let lock = lock_of("", &[("policies/all.yaml", policy)]);
    assert_eq!(lock.tools["bad"].effect, Effect::Destructive);
    assert_eq!(lock.tools["odd"].input.as_str(), "false");
    assert!(lock.limits.unwrap().prices["unknown"].input_micro_usd > 1_000_000_000);
}
