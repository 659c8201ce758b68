//! The small tree whose calls are recorded, and what may be changed of it.

use std::sync::OnceLock;

use harnessc::check::check;
use harnessc::diagnostic::Level;
use harnessc::lower;
use harnessc::tree::Tree;
use harnessc::variant;
use harnessc_runtime::Bundle;

const POLICY: &str = r#"
types: {id: {type: string, pattern: "^[A-Z]+-[0-9]+$", maxLength: 20}}
run: {ticket_id: id}
bind: {ticket_id: run.ticket_id}
tools:
  tickets.search:
    title: Search tickets
    description: Find tickets by field; returns their ids.
    effect: read
    input: {properties: {ticket_id: id, kind: [bug, request]}}
    returns: structured
    output: {properties: {tickets: {type: array, maxItems: 20, items: id}}}
  tickets.label:
    title: Change a label
    description: Put a label on the ticket or take one off.
    cases: {method: {add: {effect: create, undo: [{by: tickets.label/drop}]}, drop: {effect: write, undo: [snapshot]}}}
    input: {required: [mode], properties: {ticket_id: id, method: [add, drop], mode: [add, drop]}}
    returns: none
  tickets.note:
    title: Note something
    description: Put a note on the ticket.
    effect: write
    undo: [snapshot]
    input: {required: [kind], properties: {ticket_id: id, kind: [open, shut]}}
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
  agent: {title: Agent, bundle: [tickets.search, tickets.label, tickets.note]}
  lead: {title: Lead, bundle: [tickets.search, tickets.label, tickets.note, tickets.close]}
roles:
  desk: {tools: harness_toolset}
  review: {tools: harness_toolset, effects: [read]}
surfaces:
  desk: {scopes: {desk-read: {effects: [read], steps: 3}, desk-write: {effects: [create, write], steps: 5}}, after_approval: [desk-read]}
  mail: {origin: outside}
approvals:
  approvers: {confirm: [agent, lead], four_eyes: [lead]}
  always_allowed: [tickets.search]
  max_actions_per_run: 4
limits: {run: {steps: 5, tool_calls: 9, deadline: 45s}}
harnesses:
  triager: {title: Triager, personas: [agent], toolset: [{tool: tickets.search, only: {kind: [bug]}}, tickets.label/add, tickets.note]}
  closer: {title: Closer, personas: [lead], toolset: [tickets.search, tickets.label, tickets.note, tickets.close]}
"#;

/// Changes that a release may make, each as texts and what takes their place.
const CHANGES: &[&[(&str, &str)]] = &[
    &[("effects: [read], steps: 3", "effects: [read, create], steps: 3")],
    &[("effects: [create, write], steps: 5}", "effects: [create], steps: 5}, odd: {effects: [write]}")],
    &[("mail: {origin: outside}", "mail: {}")],
    &[("mail: {origin: outside}", "mail: {scopes: {odd: {effects: [read, create, write]}}}")],
    &[("    approval: four_eyes\n", "    approval: confirm\n")],
    &[("effects: [read]}\nsurfaces", "effects: [read, create, write]}\nsurfaces")],
    &[("only: {kind: [bug]}", "only: {kind: [bug, request]}")],
    &[("tickets.label/add, tickets.note]}", "tickets.label, tickets.note]}")],
    &[("toolset: [tickets.search, tickets.label, tickets.note,", "toolset: [tickets.search, tickets.note,")],
    &[
        ("bundle: [tickets.search, tickets.label, tickets.note]", "bundle: [tickets.search, tickets.note]"),
        ("tickets.label/add, tickets.note]}", "tickets.note]}"),
    ],
    &[
        (
            "bundle: [tickets.search, tickets.label, tickets.note]",
            "bundle: [tickets.search, tickets.label, tickets.note, tickets.close]",
        ),
        ("tickets.label/add, tickets.note]}", "tickets.label/add, tickets.note, tickets.close]}"),
    ],
    &[("deadline: 45s", "deadline: 20s")],
    &[("deadline: 45s", "deadline: 90s")],
    &[("{run: {steps: 5,", "{run: {steps: 2,")],
    &[("{run: {steps: 5,", "{run: {steps: 9,"), ("tool_calls: 9", "tool_calls: 30")],
    &[("max_actions_per_run: 4", "max_actions_per_run: 1")],
    &[
        ("cases: {method: {add", "cases: {mode: {add"),
        ("input: {required: [mode], properties", "input: {required: [method], properties"),
    ],
    &[(
        "    effect: write\n    undo: [snapshot]\n    input: {required: [kind]",
        "    cases: {kind: {open: {effect: create, undo: [{by: tickets.note/shut}]}, shut: {effect: write, undo: [snapshot]}}}\n    input: {required: [kind]",
    )],
    &[
        (
            "    cases: {method: {add: {effect: create, undo: [{by: tickets.label/drop}]}, drop: {effect: write, undo: [snapshot]}}}\n",
            "    effect: write\n    undo: [snapshot]\n",
        ),
        ("tickets.label/add, tickets.note]}", "tickets.label, tickets.note]}"),
    ],
    &[(
        "    effect: write\n    approval: four_eyes\n",
        "    effect: write\n    enabled: false\n    approval: four_eyes\n",
    )],
    &[("    effect: read\n", "    effect: read\n    enabled: false\n")],
    &[("always_allowed: [tickets.search]\n", "always_allowed: [tickets.search, tickets.search]\n")],
    &[("  always_allowed: [tickets.search]\n", "")],
    &[("surfaces: [desk]\n", "surfaces: [desk, mail]\n")],
    &[(
        "approvers: {confirm: [agent, lead], four_eyes: [lead]}",
        "approvers: {confirm: [lead], four_eyes: [lead]}",
    )],
    &[(
        "effect: write\n    undo: [snapshot]\n    input: {required: [kind], properties: {ticket_id: id, kind: [open, shut]}}",
        "effect: write\n    undo: [snapshot]\n    input: {required: [kind], properties: {ticket_id: id, kind: [open]}}",
    )],
    &[(
        "kind: [bug, request]}}\n",
        "kind: [bug, request], most: {type: integer, minimum: 1, maximum: 9}}}\n",
    )],
];

/// A lock of the tree, and of each changed tree that compiles: one change, or two.
pub(super) struct Bundles {
    pub(super) base: Bundle,
    pub(super) changed: Vec<Bundle>,
}

pub(super) fn bundles() -> &'static Bundles {
    static BUNDLES: OnceLock<Bundles> = OnceLock::new();
    BUNDLES.get_or_init(|| {
        let mut changed: Vec<Bundle> = Vec::new();
        for (at, one) in CHANGES.iter().enumerate() {
            let single = apply(POLICY, one);
            let paired =
                CHANGES.get((at * 7 + 3) % CHANGES.len()).and_then(|other| apply(single.as_ref()?, other));
            changed.extend([single, paired].into_iter().flatten().filter_map(|text| compiled(&text)));
        }
        assert!(changed.len() > 20, "{} of the changed trees compile", changed.len());
        Bundles { base: compiled(POLICY).unwrap(), changed }
    })
}

fn apply(text: &str, change: &[(&str, &str)]) -> Option<String> {
    change.iter().try_fold(text.to_owned(), |text, (old, new)| {
        (text.matches(old).count() == 1).then(|| text.replace(old, new))
    })
}

fn compiled(policy: &str) -> Option<Bundle> {
    let files = [("harness.toml", "[policy]\nname = \"desk\"\n"), ("policies/all.yaml", policy)];
    let (tree, read) =
        Tree::from_files(files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())));
    let (_, bundle) = check(&tree, read, |cx, checked| {
        let denies = checked.findings.iter().any(|found| found.level >= Level::Deny);
        (!denies).then(|| variant::bundle(&lower::lower(cx, &checked.grading)).unwrap())
    });
    bundle
}
