//! `why` over every code that it can reach, on a small tree in several files: the deciding line, in both files where it is two,
//! and the smallest edit, tried here a second time.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use harnessc::diagnostic::Edit;
use harnessc::model::tests::TestRun;
use harnessc::rules::Cx;
use harnessc::source::Spanned;
use harnessc::tree::Tree;
use harnessc::trial::{Schemas, Stand, ask, rows};
use harnessc::variant::{Compiled, Original};
use harnessc::why::{Mending, lines, mendings, roles};
use harnessc_runtime::decide::Gate;

use super::within;

const TOOLS: &str = r"
tools:
  tickets.search:
    title: Search tickets
    description: Find tickets by field.
    effect: read
    unbound: a search is about no ticket
    input: {properties: {kind: [bug, request]}}
    returns: none
  tickets.count:
    title: Count tickets
    description: How many there are.
    effect: read
    unbound: a count is about no ticket
    input: {properties: {kind: [bug, request]}}
    returns: none
  tickets.old:
    title: Search old tickets
    description: Find tickets in the store of before.
    effect: read
    enabled: false
    unbound: a search is about no ticket
    input: {properties: {kind: [bug, request]}}
    returns: none
  tickets.mail:
    title: Read a mail
    description: The customer's own words.
    effect: read
    unbound: a mail belongs to the run's inbox
    input: {properties: {kind: [bug, request]}}
    returns: prose
  tickets.label:
    title: Change a label
    description: Put a label on the ticket or take one off.
    cases: {method: {add: {effect: create, undo: [{by: tickets.label/drop}]}, drop: {effect: write, undo: [snapshot]}}}
    unbound: a label belongs to the desk
    input: {properties: {method: [add, drop]}}
    returns: none
  tickets.close:
    title: Close a ticket
    description: Close the ticket with a reply to the customer.
    effect: write
    approval: four_eyes
    undo: [snapshot]
    surfaces: [desk]
    unbound: whichever is open
    input: {properties: {kind: [bug, request]}}
    returns: none
";

const PEOPLE: &str = r"
personas:
  agent: {title: Agent, bundle: [tickets.search, tickets.label, tickets.old, tickets.mail]}
  lead: {title: Lead, bundle: [tickets.search, tickets.label, tickets.old, tickets.close, tickets.count, tickets.mail]}
  clerk:
    title: Clerk
    bundle: [tickets.count]
  guest: {title: Guest, harness: none, bundle: [tickets.search]}
roles:
  desk: {tools: harness_toolset}
  short: {tools: [tickets.search]}
  review: {tools: harness_toolset, effects: [read]}
  reader: {reads_untrusted: true, tools: [tickets.mail]}
surfaces:
  desk: {scopes: {look: {effects: [read]}, change: {effects: [create, write]}}}
  mail: {origin: outside}
approvals: {approvers: {confirm: [agent, lead], four_eyes: [lead]}}
";

const LISTS: &str = "toolsets: {core: [tickets.search, {tool: tickets.label, cases: [add]}]}\n";

const HARNESSES: [(&str, &str); 3] = [
    (
        "harnesses/triager.yaml",
        "harnesses:\n  triager:\n    title: Triager\n    personas: [agent]\n    toolset:\n      - toolset: core\n      - tickets.mail\n      - tickets.old\n",
    ),
    (
        "harnesses/closer.yaml",
        "harnesses:\n  closer: {title: Closer, personas: [lead], toolset: [tickets.search, tickets.close, tickets.label]}\n",
    ),
    (
        "harnesses/counter.yaml",
        "harnesses:\n  counter: {title: Counter, personas: [clerk], toolset: persona_bundle}\n",
    ),
];

fn tree() -> Original {
    let files = [
        ("harness.toml", "[policy]\nname = \"desk\"\n"),
        ("tools/tickets.yaml", TOOLS),
        ("policies/people.yaml", PEOPLE),
        ("policies/lists.yaml", LISTS),
    ];
    let files = files.into_iter().chain(HARNESSES);
    let (tree, read) =
        Tree::from_files(files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())));
    Original::new(tree, &read)
}

/// Harness, persona, role, how it calls, deed; the first closed gate's code, the files of its lines, and what is offered.
struct Case {
    asked: [&'static str; 5],
    code: &'static str,
    files: &'static [&'static str],
    offered: &'static [&'static str],
}

const fn case(
    asked: [&'static str; 5],
    code: &'static str,
    files: &'static [&'static str],
    offered: &'static [&'static str],
) -> Case {
    Case { asked, code, files, offered }
}

const P: &str = "policies/people.yaml";
const T: &str = "tools/tickets.yaml";

/// How it calls: a surface and the scopes granted there; `-` for a run that reads alone.
const CASES: [Case; 18] = [
    case(["triager", "agent", "desk", "desk look change", "tickets.none"], "unknown_tool", &[], &[]),
    case(
        ["triager", "agent", "desk", "desk look change", "tickets.old"],
        "tool_disabled",
        &[T],
        &["switch `tickets.old` on"],
    ),
    case(
        ["triager", "agent", "short", "desk look change", "tickets.label/add"],
        "policy_denied",
        &[P],
        &["add `tickets.label/add` to the tools of the role `short`"],
    ),
    case(
        ["triager", "agent", "review", "desk look change", "tickets.label/add"],
        "policy_denied",
        &[P, P, T],
        &["add `create` to the effects of the role `review`"],
    ),
    case(
        ["triager", "agent", "desk", "desk look change", "tickets.mail"],
        "policy_denied",
        &[P, T],
        &["let the role `desk` read untrusted text, which may then speak to all its runs"],
    ),
    case(
        ["triager", "agent", "desk", "desk look change", "tickets.label/drop"],
        "harness_denied",
        &["policies/lists.yaml", "harnesses/triager.yaml"],
        &["add `drop` to the cases of `tickets.label` that the toolset `core` holds"],
    ),
    case(
        ["triager", "agent", "desk", "desk look change", "tickets.close"],
        "harness_denied",
        &["harnesses/triager.yaml"],
        &["add `tickets.close` to what `triager` holds", "add `tickets.close` to the bundle of `agent`"],
    ),
    case(
        ["counter", "clerk", "desk", "desk look change", "tickets.search"],
        "harness_denied",
        &["harnesses/counter.yaml", P],
        &["add `tickets.search` to the bundle of `clerk`"],
    ),
    case(
        ["none", "guest", "desk", "desk look change", "tickets.count"],
        "harness_denied",
        &[P],
        &["add `tickets.count` to the bundle of `guest`"],
    ),
    case(["none", "guest", "desk", "desk look change", "tickets.label/add"], "harness_denied", &[P], &[]),
    case(
        ["closer", "lead", "desk", "mail", "tickets.close"],
        "scope_denied",
        &[T],
        &["add `mail` to the surfaces of `tickets.close`"],
    ),
    case(
        ["closer", "lead", "desk", "desk look", "tickets.close"],
        "scope_denied",
        &[T, P],
        &["add `write` to what the scope `look` grants"],
    ),
    case(["closer", "lead", "desk", "desk", "tickets.close"], "scope_denied", &[T, P], &[]),
    case(["closer", "lead", "desk", "- desk look change", "tickets.close"], "read_only_run", &[T], &[]),
    case(
        ["triager", "lead", "desk", "desk look change", "tickets.search"],
        "run_not_found",
        &["harnesses/triager.yaml"],
        &["add `lead` to the personas of `triager`"],
    ),
    case(
        ["triager", "lead", "desk", "desk look change", "tickets.label/drop"],
        "run_not_found",
        &["harnesses/triager.yaml"],
        &[
            "add `lead` to the personas of `triager`",
            "add `drop` to the cases of `tickets.label` that the toolset `core` holds",
        ],
    ),
    // Whoever holds less than the harness cannot wear it: that takes more than one edit, and the rule that says so is named.
    case(
        ["triager", "guest", "desk", "desk look change", "tickets.search"],
        "run_not_found",
        &["harnesses/triager.yaml", P],
        &["!"],
    ),
    // The clerk's own harness would be worn by nobody who may.
    case(["none", "clerk", "desk", "desk look change", "tickets.count"], "run_not_found", &[P], &["!"]),
];

fn run(cx: &Cx<'_>, asked: &[&str; 5]) -> TestRun {
    let spanned = |text: &str| Spanned::new(text.to_owned(), cx.tree.manifest.span);
    let reads = asked[3].starts_with("- ");
    let mut place = asked[3].trim_start_matches("- ").split(' ').map(spanned);
    TestRun {
        harness: Some(spanned(asked[0])),
        persona: Some(spanned(asked[1])),
        role: Some(spanned(asked[2])),
        surface: place.next(),
        scopes: Some(place.collect()),
        read_only: reads.then(|| Spanned::new(true, cx.tree.manifest.span)),
        ..TestRun::default()
    }
}

#[test]
fn every_code_names_its_line_and_the_smallest_edit() {
    let original = tree();
    within(&original, |cx, stand| {
        let mut text = String::new();
        for Case { asked, code, files, offered } in CASES {
            let run = run(cx, &asked);
            let row = &rows(stand.bundle().lock(), &run, None)[0];
            let deed = asked[4];
            let found = lines(cx, stand.bundle(), row, deed);
            let closed = found.iter().find(|line| line.open == Some(false)).unwrap();
            assert_eq!(closed.gate.code(), code, "{asked:?}");
            let at: Vec<&str> = closed.at.iter().map(|label| cx.tree.sources.path(label.span.file)).collect();
            assert_eq!(at, files, "{asked:?}: {:?}", closed.at);
            writeln!(text, "{}: {code}: {}", asked.join(" "), closed.said).unwrap();
            for label in &closed.at {
                let place =
                    cx.tree.sources.slice(label.span).split_whitespace().collect::<Vec<_>>().join(" ");
                writeln!(text, "  {}: `{place}`: {}", cx.tree.sources.path(label.span.file), label.text)
                    .unwrap();
            }
            let ways = mendings(cx, &original, row, deed, &found);
            match (offered, &ways[..]) {
                ([], [Mending::NotThePolicy(gate)]) => {
                    writeln!(text, "  not the policy: {}", gate.code()).unwrap();
                }
                (["!"], ways) => {
                    for way in ways {
                        let Mending::Refused(changes, why) = way else { panic!("{asked:?}: {way:?}") };
                        writeln!(text, "  not enough: {}: {why}", changes[0].said).unwrap();
                    }
                    assert!(!ways.is_empty(), "{asked:?}");
                }
                (offered, [Mending::Holds(changes), ..]) => {
                    let said: Vec<&str> = changes.iter().map(|change| change.said.as_str()).collect();
                    assert_eq!(said, *offered, "{asked:?}");
                    let edits: Vec<Edit> = changes.iter().map(|change| change.edit.clone()).collect();
                    let Compiled::Stands(bundle) = original.with(&edits) else { panic!("{changes:#?}") };
                    let stand = Stand::new(&bundle, &Schemas::default());
                    assert!(ask(&stand, row, deed, None).word.is_granted(), "{asked:?}");
                    // No fewer of them are enough.
                    for (left_out, change) in changes.iter().enumerate() {
                        let mut fewer = edits.clone();
                        fewer.remove(left_out);
                        let stands = match original.with(&fewer) {
                            Compiled::Stands(bundle) => {
                                let again = Stand::new(&bundle, &Schemas::default());
                                let wears = bundle
                                    .lock()
                                    .harnesses
                                    .get(asked[0])
                                    .is_none_or(|own| own.personas.iter().any(|key| key == asked[1]));
                                wears && ask(&again, row, deed, None).word.is_granted()
                            }
                            _ => false,
                        };
                        assert!(!stands, "{asked:?}: `{}` is one too many", change.said);
                    }
                }
                (offered, ways) => panic!("{asked:?}: {offered:?} wanted, {ways:#?}"),
            }
        }
        insta::assert_snapshot!("codes", text);
        // What a run of this role may not, a run of another role may.
        let run = run(cx, &CASES[4].asked);
        let row = &rows(stand.bundle().lock(), &run, None)[0];
        assert_eq!(roles(stand.bundle(), row, "tickets.mail"), ["reader"]);
    });
    let reached: BTreeSet<&str> = CASES.iter().map(|case| case.code).collect();
    // A person lacks what a harness holds only where they may not wear it, which is said before.
    let asked_here = [
        Gate::RunRow,
        Gate::Known,
        Gate::Enabled,
        Gate::Role,
        Gate::Harness,
        Gate::SurfaceScope,
        Gate::ReadOnly,
    ];
    assert_eq!(reached, asked_here.iter().map(|gate| gate.code()).collect());
}

/// The person's own gate is among the lines even where no such run begins.
#[test]
fn the_persons_gate_has_its_line() {
    within(&tree(), |cx, stand| {
        let run = run(cx, &["triager", "guest", "reader", "desk look change", "tickets.mail"]);
        let row = &rows(stand.bundle().lock(), &run, None)[0];
        let found = lines(cx, stand.bundle(), row, "tickets.mail");
        let line = found.iter().find(|line| line.gate == Gate::Person).unwrap();
        assert_eq!((line.open, line.gate.code()), (Some(false), "permission_denied"));
        assert_eq!(cx.tree.sources.path(line.at[0].span.file), P);
        assert_eq!(found[0].gate, Gate::RunRow);
    });
}
