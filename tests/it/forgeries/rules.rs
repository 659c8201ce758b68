//! What a proof refuses, a rule finds first: an author who breaks an invariant in the sources reads a finding, and never
//! meets a lock that does not load. Where the rule can be lowered or waived, the lock loads.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use harnessc::check::{Checked, check};
use harnessc::diagnostic::Level;
use harnessc::lower::lower;
use harnessc::tree::Tree;
use harnessc_runtime::load::load;
use harnessc_runtime::lock::{Lock, digest};
use harnessc_runtime::prove;

use crate::oracle::compile;

const BOOKS: &str = "tools/books.yaml";
const BOUNDS: &str = "policies/bounds.yaml";
const LIBRARY: &str = "policies/library.yaml";
const EVENING: &str = "harnesses/evening.yaml";

/// An invariant broken in the sources.
struct Break {
    proof: &'static str,
    edits: &'static [(&'static str, &'static str, &'static str)],
    rule: &'static str,
    /// Whether an author may set it aside.
    lowerable: bool,
}

const fn forbidden(
    proof: &'static str,
    edits: &'static [(&'static str, &'static str, &'static str)],
    rule: &'static str,
) -> Break {
    Break { proof, edits, rule, lowerable: false }
}

const fn lowerable(
    proof: &'static str,
    edits: &'static [(&'static str, &'static str, &'static str)],
    rule: &'static str,
) -> Break {
    Break { proof, edits, rule, lowerable: true }
}

const BREAKS: &[Break] = &[
    forbidden("references", &[(EVENING, "tool: books.lend", "tool: books.gone")], "unknown-reference"),
    forbidden("closed_words", &[(BOUNDS, "trace: [RUN, TOOL]", "trace: [RUN, HOUSE]")], "audit-payload"),
    forbidden(
        "references",
        &[(BOUNDS, "per_tool: {books.read:", "per_tool: {books.shelve/move:")],
        "not-in-force",
    ),
    forbidden(
        "engine_phases",
        &[(BOUNDS, "triage: {fallback: run}", "triage: {fallback: phase}")],
        "not-in-force",
    ),
    forbidden("engine_phases", &[(BOUNDS, "corrections: 1", "corrections: 2")], "not-in-force"),
    forbidden("engine_phases", &[(BOUNDS, "order: [ai, rules]", "order: [ai]")], "not-in-force"),
    forbidden("engine_phases", &[(BOUNDS, "order: [ai, rules]", "order: [rules, ai]")], "not-in-force"),
    forbidden("engine_phases", &[(BOUNDS, "attempts: 2, on: [timeout]", "attempts: 2")], "not-in-force"),
    forbidden("placeholders", &[(LIBRARY, "{harness.title}", "{harness.titel}")], "unknown-placeholder"),
    forbidden("placeholders", &[(BOUNDS, "<<<memory:{text}>>>", "<<<memory>>>")], "unknown-placeholder"),
    forbidden("tools", &[(BOOKS, "  books.count:", "  plan.propose:")], "colliding-names"),
    forbidden(
        "closed_schemas",
        &[(
            BOOKS,
            "output: {properties: {count:",
            "output: {additionalProperties: true, properties: {count:",
        )],
        "bad-schema",
    ),
    forbidden(
        "external_servers",
        &[("harness.toml", "external_servers = [\"post\"]", "external_servers = []")],
        "external-server",
    ),
    lowerable(
        "bound_targets",
        &[(BOOKS, "properties: {branch: branch, book: book}}", "properties: {book: book}}")],
        "unbound-target",
    ),
    forbidden(
        "approval_below_tier",
        &[(BOOKS, "approval: four_eyes, undo: none", "approval: confirm, undo: [snapshot]")],
        "approval-below-tier",
    ),
    forbidden("write_never_auto", &[(BOOKS, "approval: confirm", "approval: auto")], "write-never-auto"),
    forbidden("auto_create_undone", &[(BOUNDS, "create: confirm", "create: auto")], "write-never-auto"),
    lowerable(
        "four_eyes",
        &[(BOUNDS, "confirm: [librarian, head]", "confirm: [librarian]")],
        "approvers-unreachable",
    ),
    lowerable(
        "four_eyes",
        &[
            (BOUNDS, "destructive: four_eyes", "destructive: confirm"),
            (BOOKS, "approval: four_eyes, undo: none", "approval: confirm, undo: none"),
        ],
        "destructive-without-undo",
    ),
    forbidden(
        "untrusted_reader",
        &[(LIBRARY, "desk: {tools: harness_toolset}", "desk: {tools: [books.find, books.read]}")],
        "untrusted-outside-reader",
    ),
    forbidden(
        "persona_bundle",
        &[(
            LIBRARY,
            "Head of the branch, bundle: [{toolset: reading}, books.lend, ",
            "Head of the branch, bundle: [{toolset: reading}, ",
        )],
        "toolset-outside-persona-bundle",
    ),
    forbidden("forbidden_verb", &[(BOOKS, "title: Lend a book", "title: Promise a book")], "forbidden-verb"),
    forbidden(
        "refusal_lines",
        &[("prompts/library_v1/refusals.txt", "You promise no book to anyone.", "You promise few books.")],
        "refusal-line-missing",
    ),
    forbidden(
        "prompt_order",
        &[(BOUNDS, "order: [refusals, harness, status]", "order: [refusals, status, harness]")],
        "prompt-order",
    ),
    forbidden("memory_wrap", &[(BOUNDS, "{text}>>>", "{text}")], "prompt-order"),
    forbidden(
        "always_allowed",
        &[(BOUNDS, "always_allowed: [books.find]", "always_allowed: [books.take_back]")],
        "exempt-write",
    ),
    lowerable("always_allowed", &[(EVENING, "- toolset: reading", "- books.read")], "always-allowed-missing"),
    forbidden(
        "plans_and_skills",
        &[(LIBRARY, "find: {tool: books.find}", "find: {tool: books.count}")],
        "plan-outside-toolset",
    ),
    lowerable(
        "diagnoses",
        &[(LIBRARY, "requires: [books.find]", "requires: [books.lend, books.read]")],
        "cause-without-plan",
    ),
    lowerable(
        "diagnoses",
        &[
            (LIBRARY, "requires: [books.find]", "requires: [books.lend, books.take_back]"),
            (BOUNDS, "max_actions_per_run: 4", "max_actions_per_run: 1"),
        ],
        "cause-without-plan",
    ),
];

/// Proofs of what the compiler writes and no author does, and one whose rules are the manifest's.
const OF_NO_SECTION: &[&str] = &["disabled_tool", "effective_table", "order"];

/// The tree of everything, changed.
fn files(edits: &[(&str, &str, &str)]) -> Vec<(String, Vec<u8>)> {
    fn walk(root: &Path, folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, files);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                files.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    let root = compile::own("whole");
    let mut files = Vec::new();
    walk(&root, &root, &mut files);
    for (file, from, to) in edits {
        let (_, bytes) = files.iter_mut().find(|(name, _)| name == file).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        *bytes = text.replacen(from, to, 1).into_bytes();
    }
    files
}

fn checked(files: Vec<(String, Vec<u8>)>) -> (Tree, Checked, Lock) {
    let (tree, sink) = Tree::from_files(files);
    let (checked, lock) = check(&tree, sink, |cx, checked| lower(cx, &checked.grading));
    (tree, checked, lock)
}

fn denied(checked: &Checked) -> BTreeSet<&str> {
    let denied = checked.findings.iter().filter(|finding| finding.level >= Level::Deny);
    denied.map(|finding| finding.diagnostic.rule.0).collect()
}

/// A lock of sources without a finding loads.
fn loads(files: Vec<(String, Vec<u8>)>, what: &str) {
    let (_, checked, lock) = checked(files);
    assert_eq!(denied(&checked), BTreeSet::new(), "{what}");
    let bytes = digest::write(&lock).unwrap();
    load(&bytes, &compile::trust(&compile::own("whole")), None)
        .unwrap_or_else(|error| panic!("{what}: {error}"));
}

#[test]
fn whatever_a_proof_refuses_a_rule_finds_first() {
    let mut missed = Vec::new();
    for Break { proof, edits, rule, .. } in BREAKS {
        let (_, checked, _) = checked(files(edits));
        let denied = denied(&checked);
        if !denied.contains(rule) {
            missed.push(format!("{proof}: {denied:?}, and not {rule}"));
        }
    }
    assert_eq!(missed, [""; 0]);
    let broken: BTreeSet<&str> =
        BREAKS.iter().map(|broken| broken.proof).chain(OF_NO_SECTION.iter().copied()).collect();
    assert_eq!(broken, prove::names().collect());
}

#[test]
fn what_an_author_set_aside_no_proof_demands() {
    for Break { edits, rule, .. } in BREAKS.iter().filter(|broken| broken.lowerable) {
        let level = format!("[rules]\n{rule} = \"warn\"");
        let lowered = [edits.to_vec(), vec![("harness.toml", "[rules]", level.as_str())]].concat();
        loads(files(&lowered), &format!("{rule} as a warning"));

        let (tree, checked, _) = checked(files(edits));
        let mut waived = files(edits);
        let mut places: Vec<(&str, usize)> = Vec::new();
        for finding in checked.findings.iter().filter(|finding| finding.level >= Level::Deny) {
            let span = finding.diagnostic.primary.span;
            let file = tree.sources.path(span.file);
            let text = &tree.sources.get(span.file).unwrap().text;
            let at = span.start as usize;
            places.push((file, at + text[at..].find('\n').unwrap()));
        }
        places.sort_unstable();
        places.dedup();
        for (file, end) in places.into_iter().rev() {
            let (_, bytes) = waived.iter_mut().find(|(name, _)| name == file).unwrap();
            let comment = format!(" # harnessc: allow {rule} -- kept for now");
            bytes.splice(end..end, comment.into_bytes());
        }
        loads(waived, &format!("{rule}, waived"));
    }
}
