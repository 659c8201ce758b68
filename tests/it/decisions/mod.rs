//! Decision tests, what they reach, and who notices a weaker policy: on a small tree and on the console.

#![cfg(test)]

mod asked;
mod codes;
mod console;
mod mutants;
mod reasons;

use std::path::PathBuf;

use harnessc::check::check;
use harnessc::diagnostic::Level;
use harnessc::lower;
use harnessc::rules::Cx;
use harnessc::tree::Tree;
use harnessc::trial::{Schemas, Stand};
use harnessc::variant::{self, Original};

/// A tree with all that a test can state.
const POLICY: &str = r#"
types: {id: {type: string, pattern: "^[A-Z]+-[0-9]+$", maxLength: 20}}
run: {ticket_id: id}
bind: {ticket_id: run.ticket_id}
tools:
  tickets.search:
    title: Search tickets
    description: Find tickets by field; returns their ids.
    effect: read
    input: {required: [kind], properties: {ticket_id: id, kind: [bug, request], most: {type: integer, minimum: 1, maximum: 50}}}
    returns: structured
    output: {properties: {tickets: {type: array, maxItems: 20, items: id}}}
  tickets.old:
    title: Search old tickets
    description: Find tickets in the store of before.
    effect: read
    enabled: false
    input: {properties: {ticket_id: id}}
    returns: none
  tickets.label:
    title: Change a label
    description: Put a label on the ticket or take one off.
    cases: {method: {add: {effect: create, undo: [{by: tickets.label/drop}]}, drop: {effect: write, undo: [snapshot]}}}
    input: {properties: {ticket_id: id, method: [add, drop], label: [urgent, waiting]}}
    returns: none
  tickets.close:
    title: Close a ticket
    description: Close the ticket with a reply to the customer.
    effect: write
    approval: four_eyes
    undo: [snapshot]
    surfaces: [desk]
    input: {required: [reply], properties: {ticket_id: id, reply: {type: string, maxLength: 2000}}}
    returns: none
personas:
  agent: {title: Agent, bundle: [tickets.search, tickets.label, tickets.old]}
  lead: {title: Lead, bundle: [tickets.search, tickets.label, tickets.close]}
  guest: {title: Guest, harness: none, bundle: [tickets.search]}
roles:
  desk: {tools: harness_toolset}
  review: {tools: harness_toolset, effects: [read]}
surfaces: {desk: {}, mail: {origin: outside}}
approvals:
  approvers: {confirm: [agent, lead], four_eyes: [lead], tools: {tickets.label: [agent]}}
  always_allowed: [tickets.search]
  max_actions_per_run: 4
  expires_after: 72h
limits:
  run: {steps: 5, tool_calls: 9, model_calls: 6, tokens: 9000, cost: 0.50 USD, deadline: 45s}
  per_tool: {tickets.label: {calls: 2}, tickets.search: {result_bytes: 64KiB}}
  prices: {unknown: {input: 30.00 USD, output: 120.00 USD}}
harnesses:
  triager: {title: Triager, personas: [agent], toolset: [{tool: tickets.search, only: {kind: [bug]}}, tickets.label/add, tickets.old]}
  closer: {title: Closer, personas: [lead], toolset: [tickets.search, tickets.label, tickets.close]}
"#;

/// The small tree with these tests: a file of `tests/policy/`.
fn small(tests: &str) -> Original {
    tree_of(POLICY, tests)
}

/// A policy in one file, and tests in another.
fn tree_of(policy: &str, tests: &str) -> Original {
    let files = [
        ("harness.toml", "[policy]\nname = \"desk\"\n"),
        ("policies/all.yaml", policy),
        ("tests/policy/all.yaml", tests),
    ];
    let (tree, read) =
        Tree::from_files(files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())));
    Original::new(tree, &read)
}

/// The tree that ships.
fn console() -> Original {
    let (tree, read) = Tree::open(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("harness.toml")).unwrap();
    Original::new(tree, &read)
}

/// Compiles a tree and hands it on with its lock in force.
pub(crate) fn within<T>(original: &Original, then: impl FnOnce(&Cx<'_>, &Stand) -> T) -> T {
    let (_, came) = check(&original.tree, original.read(), |cx, checked| {
        let denied: Vec<_> = checked.findings.iter().filter(|found| found.level >= Level::Deny).collect();
        assert!(denied.is_empty(), "{denied:#?}");
        let bundle = variant::bundle(&lower::lower(cx, &checked.grading)).unwrap();
        then(cx, &Stand::new(&bundle, &Schemas::default()))
    });
    came
}
