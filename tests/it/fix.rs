//! Fixes: what is applied, what stays, and that none widens.

use std::collections::BTreeMap;

use harnessc::check::check;
use harnessc::diagnostic::{Applicability, Diagnostic, Edit, Finding, Level, RuleId};
use harnessc::fix::{Patch, patch};
use harnessc::rules::RULES;
use harnessc::source::{Sources, Span};
use harnessc::tree::Tree;
use harnessc::{lock, lower};
use harnessc_runtime::lock::Lock;
use proptest::prelude::*;

use crate::cli_common::Scratch;

type Files = BTreeMap<String, String>;

/// A tree that was checked, with its lock where nothing denies.
struct Checked {
    tree: Tree,
    findings: Vec<Finding>,
    lock: Option<Lock>,
}

fn checked(files: &Files) -> Checked {
    let bytes = files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes()));
    let (tree, sink) = Tree::from_files(bytes);
    let (checked, lock) = check(&tree, sink, |cx, checked| {
        let denies = checked.findings.iter().any(|finding| finding.level >= Level::Deny);
        (!denies).then(|| lower::lower(cx, &checked.grading))
    });
    Checked { tree, findings: checked.findings, lock }
}

impl Checked {
    fn patch(&self, findings: &[Finding], reach: Applicability) -> Patch {
        patch(findings, &self.tree.sources, reach, &|path| !path.starts_with("vendor/"))
    }

    /// How often this fault stands in this file.
    fn count(&self, path: &str, diagnostic: &Diagnostic) -> usize {
        let same = |finding: &&Finding| {
            finding.diagnostic.rule == diagnostic.rule
                && finding.diagnostic.message == diagnostic.message
                && self.tree.sources.path(finding.diagnostic.primary.span.file) == path
        };
        self.findings.iter().filter(same).count()
    }
}

fn after(files: &Files, patch: &Patch) -> Files {
    let mut files = files.clone();
    files.extend(patch.files.clone());
    files
}

/// The trees of the bad examples of every rule, with the rule and the example's title.
fn examples() -> Vec<(&'static str, String, Files)> {
    let mut examples = Vec::new();
    for rule in RULES {
        for example in rule.page().examples.iter().filter(|example| !example.findings.is_empty()) {
            let mut files: Files =
                example.files.iter().map(|file| (file.path.to_owned(), file.text.to_owned())).collect();
            let manifest = || "[policy]\nname = \"example\"\n".to_owned();
            files.entry("harness.toml".to_owned()).or_insert_with(manifest);
            examples.push((rule.id.0, example.title.to_owned(), files));
        }
    }
    examples
}

#[test]
fn every_fix_of_every_page_mends_its_finding_and_none_widens() {
    let mut wrong = String::new();
    for (rule, title, files) in examples() {
        let before = checked(&files);
        for finding in &before.findings {
            for fix in &finding.diagnostic.fixes {
                let mut alone = finding.clone();
                alone.diagnostic.fixes = vec![fix.clone()];
                let patch = before.patch(&[alone], Applicability::Unsafe);
                let now = checked(&after(&files, &patch));
                let path = before.tree.sources.path(finding.diagnostic.primary.span.file);
                let (was, is) =
                    (before.count(path, &finding.diagnostic), now.count(path, &finding.diagnostic));
                if patch.applied.is_empty() || is >= was {
                    wrong += &format!("\n{rule} / {title}: `{}` mends nothing", fix.title);
                }
                if let (Some(before), Some(now)) = (&before.lock, &now.lock)
                    && let Some(cell) = lock::widened(before, now)
                {
                    wrong += &format!("\n{rule} / {title}: `{}` widens {cell}", fix.title);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_page_says_that_its_rule_brings_fixes_where_it_does() {
    let fixing: std::collections::BTreeSet<&str> = examples()
        .iter()
        .flat_map(|(_, _, files)| checked(files).findings)
        .filter(|finding| !finding.diagnostic.fixes.is_empty())
        .map(|finding| finding.diagnostic.rule.0)
        .collect();
    let said: std::collections::BTreeSet<&str> =
        RULES.iter().filter(|rule| rule.page().fixable).map(|rule| rule.id.0).collect();
    assert_eq!(fixing, said);
}

/// The lock of a small tree, its registry, approvals and harness as given.
fn locked(approvals: &str, toolset: &str) -> Lock {
    let files = [
        ("harness.toml", "[policy]\nname = \"notebook\"\n"),
        ("tools/notes.yaml", crate::small_tree::TOOLS),
        ("policies/approvals.yaml", approvals),
        (
            "harnesses/helper.yaml",
            &format!("harnesses: {{helper: {{title: Helper, toolset: [{toolset}]}}}}\n"),
        ),
    ];
    let checked = checked(&files.map(|(path, text)| (path.to_owned(), text.to_owned())).into());
    checked.lock.unwrap_or_else(|| panic!("{:#?}", checked.findings))
}

#[test]
fn a_cell_more_a_yes_less_or_a_narrowing_less_is_wider() {
    const USUAL: &str = "approvals: {max_actions_per_run: 4}\n";
    const FOUR: &str = "approvals: {at_least: {write: four_eyes}}\n";
    let narrow = locked(FOUR, "{tool: notes.change, only: {words: [a]}}");
    let cases = [
        (
            locked(FOUR, "{tool: notes.change, only: {words: [a]}}, notes.find"),
            Some("helper / run / notes.find"),
        ),
        (locked(USUAL, "{tool: notes.change, only: {words: [a]}}"), Some("helper / run / notes.change")),
        (locked(FOUR, "notes.change"), Some("helper / run / notes.change")),
        (locked(FOUR, "{tool: notes.change, only: {words: [a]}}"), None),
    ];
    for (other, wider) in &cases {
        assert_eq!(lock::widened(&narrow, other).as_deref(), *wider);
        assert_eq!(lock::widened(other, &narrow), None, "the other way round");
    }
}

#[test]
fn mending_comes_to_an_end_at_which_nothing_is_left_to_mend() {
    for (rule, title, mut files) in examples() {
        for reach in [Applicability::Safe, Applicability::Unsafe] {
            let mut rounds = 0;
            loop {
                let now = checked(&files);
                let patch = now.patch(&now.findings, reach);
                if patch.applied.is_empty() {
                    break;
                }
                rounds += 1;
                assert!(rounds <= 8, "{rule} / {title} is mended without end");
                files = after(&files, &patch);
            }
        }
    }
}

/// A finding in `file` with one fix of these edits.
fn finding(sources: &Sources, edits: Vec<Edit>) -> Finding {
    let file = sources.iter().next().unwrap().0;
    let diagnostic = Diagnostic::new(RuleId("wrong-type"), Span::new(file, 0..0), "wrong", "").fix_all(
        "mend",
        Applicability::Safe,
        edits,
    );
    Finding { diagnostic, level: Level::Deny }
}

fn edit(sources: &Sources, range: std::ops::Range<usize>, replacement: &str) -> Edit {
    let file = sources.iter().next().unwrap().0;
    Edit { span: Span::new(file, range), replacement: replacement.to_owned() }
}

#[test]
fn of_two_fixes_that_meet_the_first_is_taken_whole_and_the_other_not_at_all() {
    let mut sources = Sources::default();
    sources.add("a.yaml", "one two three");
    let findings = [
        finding(&sources, vec![edit(&sources, 0..3, "1"), edit(&sources, 8..13, "3")]),
        finding(&sources, vec![edit(&sources, 4..7, "2"), edit(&sources, 12..13, "x")]),
        finding(&sources, vec![edit(&sources, 4..7, "zwei")]),
        finding(&sources, vec![edit(&sources, 7..7, "!")]),
    ];
    let patch = patch(&findings, &sources, Applicability::Safe, &|_| true);
    assert_eq!(patch.files["a.yaml"], "1 zwei 3");
    assert_eq!(patch.applied.len(), 2);
}

#[test]
fn a_fix_beyond_reach_or_in_a_file_of_others_is_left() {
    let mut sources = Sources::default();
    sources.add("vendor/a.tools.json", "one");
    let findings = [finding(&sources, vec![edit(&sources, 0..3, "1")])];
    assert!(patch(&findings, &sources, Applicability::Safe, &|_| false).applied.is_empty());
    let mut wild = findings.clone();
    wild[0].diagnostic.fixes[0].applicability = Applicability::Unsafe;
    assert!(patch(&wild, &sources, Applicability::Safe, &|_| true).applied.is_empty());
    assert_eq!(patch(&wild, &sources, Applicability::Unsafe, &|_| true).applied.len(), 1);
}

#[test]
fn a_new_file_lies_within_the_tree_or_is_not_written() {
    let mut sources = Sources::default();
    let file = sources.add("a.yaml", "one");
    for (path, is_written) in [
        ("prompts/v1/refusals.txt", true),
        ("prompts/../../refusals.txt", false),
        ("/etc/refusals.txt", false),
        ("prompts//refusals.txt", false),
        ("a.yaml", false),
    ] {
        let diagnostic = Diagnostic::new(RuleId("wrong-type"), Span::new(file, 0..0), "wrong", "")
            .fix_creating("write it", Applicability::Safe, path, "text\n");
        let findings = [Finding { diagnostic, level: Level::Deny }];
        let patch = patch(&findings, &sources, Applicability::Safe, &|_| true);
        assert_eq!(patch.files.contains_key(path), is_written, "{path}");
    }
}

proptest! {
    #[test]
    fn bytes_that_no_edit_names_stay(
        text in "[a-z#\r\n ]{0,40}",
        edits in proptest::collection::vec((0usize..44, 0usize..6, "[A-Z\n]{0,3}"), 0..6),
    ) {
        let mut sources = Sources::default();
        sources.add("a.yaml", text.as_str());
        let findings: Vec<Finding> = edits
            .iter()
            .map(|(start, length, new)| finding(&sources, vec![edit(&sources, *start..start + length, new)]))
            .collect();
        let patch = patch(&findings, &sources, Applicability::Safe, &|_| true);
        let made = patch.files.get("a.yaml").cloned().unwrap_or_else(|| text.clone());
        // What comes is upper case: without it, what is left is a subsequence of the text.
        let kept: String = made.chars().filter(|c| c.is_ascii_lowercase() || matches!(c, '#' | ' ')).collect();
        let mut letters = text.chars();
        prop_assert!(kept.chars().all(|c| letters.any(|letter| letter == c)));
        if patch.applied.is_empty() {
            prop_assert_eq!(made, text);
        }
    }
}

#[test]
fn check_fix_mends_what_is_plain_and_keeps_the_rest() {
    let scratch = Scratch::small();
    let text = String::from_utf8(scratch.read("harnesses/closer.yaml")).unwrap();
    let text = text.replace("    title: Ticket closer", "    titel: Ticket closer   # as the desk says");
    scratch.write("harnesses/closer.yaml", &text.replace('\n', "\r\n"));
    std::fs::remove_file(scratch.at("prompts/v1/refusals.txt")).unwrap();
    insta::assert_snapshot!("safe", scratch.transcript(&["check", "--fix"]));
    let mended = String::from_utf8(scratch.read("harnesses/closer.yaml")).unwrap();
    assert!(mended.contains("    title: Ticket closer   # as the desk says\r\n"), "{mended}");
    assert_eq!(mended.matches('\n').count(), mended.matches("\r\n").count());
    assert_eq!(scratch.read("prompts/v1/refusals.txt"), b"- You never send anything yourself.\n");
    insta::assert_snapshot!("again", scratch.transcript(&["check", "--fix"]));
    assert_eq!(scratch.read("harnesses/closer.yaml"), mended.as_bytes());
}

#[test]
fn what_a_person_should_look_at_waits_for_unsafe() {
    let scratch = Scratch::small();
    scratch.edit("harnesses/triager.yaml", "- tickets.read_mail", "- tickets.read_mial");
    let before = scratch.read("harnesses/triager.yaml");
    assert_eq!(scratch.run(&["check", "--fix"]).status.code(), Some(1));
    assert_eq!(scratch.read("harnesses/triager.yaml"), before);
    insta::assert_snapshot!(scratch.transcript(&["check", "--fix", "--unsafe"]));
    assert!(
        String::from_utf8(scratch.read("harnesses/triager.yaml")).unwrap().contains("- tickets.read_mail")
    );
    assert_eq!(scratch.run(&["check", "--unsafe"]).status.code(), Some(2));
}

#[test]
fn a_prompt_version_leads_no_fix_out_of_the_tree() {
    let outer = Scratch::small();
    outer.edit("harness.toml", "prompt_version = \"v1\"", "prompt_version = \"../../outside\"");
    outer.run(&["check", "--fix", "--unsafe"]);
    assert!(!outer.path().parent().unwrap().join("outside").exists());
}

#[test]
fn a_machine_is_told_what_was_mended() {
    let scratch = Scratch::small();
    std::fs::remove_file(scratch.at("prompts/v1/refusals.txt")).unwrap();
    let output = scratch.run(&["check", "--fix", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["fixed"][0]["rule"], "refusal-line-missing");
    assert_eq!(report["summary"]["deny"], 0);
    assert!(output.stderr.is_empty());
}

#[cfg(unix)]
#[test]
fn a_link_on_the_way_stops_a_fix_before_anything_is_written() {
    let scratch = Scratch::small();
    scratch.edit("harnesses/closer.yaml", "    title: Ticket closer", "    titel: Ticket closer");
    let before = scratch.read("harnesses/closer.yaml");
    std::fs::remove_dir_all(scratch.at("prompts")).unwrap();
    let outside = Scratch::empty();
    std::os::unix::fs::symlink(outside.path(), scratch.at("prompts")).unwrap();
    assert_eq!(scratch.run(&["check", "--fix"]).status.code(), Some(2));
    assert!(std::fs::read_dir(outside.path()).unwrap().next().is_none(), "nothing goes through the link");
    assert_eq!(scratch.read("harnesses/closer.yaml"), before);
}

#[test]
fn the_editor_s_line_is_written_as_the_other_files_have_it_and_only_once() {
    let tool = |key: &str| {
        format!(
            "tools:\r\n  {key}: {{title: T, description: D., effect: read, unbound: no target, input: {{properties: {{}}}}, returns: none}}\r\n"
        )
    };
    let line = |up: &str| format!("# yaml-language-server: $schema={up}schema/harness.schema.json");
    let scratch = Scratch::empty();
    scratch.write("harness.toml", "[policy]\nname = \"desk\"\n");
    scratch.write("tools/bare.yaml", &tool("bare"));
    // Where no file has such a line, none is missed.
    scratch.run(&["check", "--fix"]);
    assert_eq!(scratch.read("tools/bare.yaml"), tool("bare").as_bytes());
    let harness = "harnesses:\n  h: {title: H, toolset: [bare, deep]}\n";
    scratch.write("harnesses/h.yaml", &format!("{}\n{harness}", line("../")));
    scratch.write(
        "harnesses/other/i.yaml",
        &format!("# ours\n{}\n{}", line("../../"), harness.replace("h:", "i:")),
    );
    scratch.write("tools/deep/deep.yaml", &format!("{}\r\n{}", line("../"), tool("deep")));
    let said = scratch.transcript(&["check", "--fix"]);
    assert!(said.contains("applied 2 fixes in 2 files"), "{said}");
    assert_eq!(scratch.read("tools/bare.yaml"), format!("{}\r\n{}", line("../"), tool("bare")).as_bytes());
    assert_eq!(
        scratch.read("tools/deep/deep.yaml"),
        format!("{}\r\n{}", line("../../"), tool("deep")).as_bytes()
    );
    assert!(scratch.transcript(&["check", "--fix"]).contains("no fix applies"));
}

#[test]
fn a_value_without_a_case_is_listed_as_the_gravest_and_nothing_else_moves() {
    let tool = "tools:
  notes.change: # ours
    title: Change a note
    description: Change a note.
    unbound: a notebook
    undo: [snapshot]
    input: {properties: {method: [add, replace, remove, wipe]}}
    cases:
      method:
        add: create # the mildest
        replace: write # and this
    returns: none
";
    let scratch = Scratch::empty();
    scratch.write("harness.toml", "[policy]\nname = \"desk\"\n");
    scratch.write("tools/notes.yaml", tool);
    scratch.write("harnesses/h.yaml", "harnesses:\n  h: {title: H, toolset: [notes.change/add]}\n");
    scratch.run(&["check", "--fix"]);
    let wanted =
        tool.replace("# and this\n", "# and this\n        remove: destructive\n        wipe: destructive\n");
    assert_eq!(String::from_utf8(scratch.read("tools/notes.yaml")).unwrap(), wanted);
    assert!(scratch.transcript(&["check", "--fix"]).contains("no fix applies"));
}

/// The plan of a tree whose tool tells its cases apart by `how`, before and after `check --fix`, and what the check then says.
fn with_its_case(case: &str, input: &str) -> (String, String, String) {
    let scratch = Scratch::empty();
    scratch.write("harness.toml", "[policy]\nname = \"cases\"\n");
    let tools = format!(
        "tools: {{note: {{title: N, description: D., unbound: none, returns: none, undo: [snapshot], cases: {{how: {{{case}: write, other: write}}}}, input: {{required: [how], properties: {{how: [{case}, other], content: {{type: string, maxLength: 90}}}}}}}}}}
harnesses: {{h: {{title: H, toolset: [note], plan_templates: [p]}}}}
tests: {{h: {{run: {{harness: h, role: run}}, matrix: {{}}}}}}
"
    );
    scratch.write("tools/note.yaml", &tools);
    let name = if case.starts_with('"') {
        format!("\"note/{}\"", case.trim_matches('"'))
    } else {
        format!("note/{case}")
    };
    let before = format!(
        "plan_templates:\n  p:\n    title: P\n    steps:\n      one:\n        tool: {name}\n        input: {input}"
    );
    scratch.write("policies/plan.yaml", &before);
    scratch.run(&["check", "--fix"]);
    let after = String::from_utf8(scratch.read("policies/plan.yaml")).unwrap();
    (before, after, scratch.transcript(&["check", "--format", "short"]))
}

#[test]
fn an_added_case_is_read_as_that_case() {
    for case in ["plain", "\"1\"", "\"true\"", "\"null\"", "\"1.5e3\"", "\"no\""] {
        for (input, added) in [
            ("{content: x}\n", format!("{{content: x, how: {case}}}\n")),
            (
                "\n          content: x   # why\n",
                format!("\n          content: x   # why\n          how: {case}\n"),
            ),
        ] {
            let (before, after, said) = with_its_case(case, input);
            assert_eq!(after, before.replace(input, &added), "{said}");
            assert!(!said.contains("step-input-refused"), "{after}{said}");
        }
    }
}

#[test]
fn behind_a_block_of_text_nothing_is_added_unasked() {
    for mark in ["|", "|+", "|-", ">", ">+"] {
        let (before, after, said) =
            with_its_case("plain", &format!("\n          content: {mark}\n            x\n            y\n\n"));
        assert_eq!(after, before);
        assert!(
            said.contains("[step-input-refused]: the input of step `one` does not say `how: plain`"),
            "{said}"
        );
    }
}
