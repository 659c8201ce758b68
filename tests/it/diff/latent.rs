//! What grants more although no cell of today moves, each kind of it: widened, latent, said in a sentence, and narrowed the
//! other way round.

use harnessc::diff::Grade;

use super::trees::{Edit, Files, compile, diff, edited, page, try_compile};

const MANIFEST: &str = "[policy]
name = \"desk\"

[rules]
unused-definition = \"allow\"
always-allowed-missing = \"allow\"
persona-without-harness = \"allow\"
unbound-target = \"allow\"
loose-input = \"allow\"
destructive-without-undo = \"allow\"
";

/// A desk that finds notes; whatever edits, counts or drafts them is registered, and nobody holds it.
const TREE: &str = "run: {desk: {type: string, pattern: \"^[a-z]{1,9}$\"}}
tools:
  find: {title: Find, description: Finds notes., effect: read, input: {properties: {word: {type: string, maxLength: 9}}}, returns: none}
  count: {title: Count, description: Counts notes., effect: read, enabled: true, surfaces: [web], bind: {desk: run.desk}, input: {properties: {desk: {type: string, maxLength: 9}, most: {type: integer, minimum: 1, maximum: 9}}}, returns: structured, output: {properties: {count: {type: integer, minimum: 0, maximum: 9}}}}
  draft: {title: Draft, description: Drafts a note., effect: create, undo: [{by: edit}], input: {properties: {}}, returns: none}
  edit:
    title: Edit
    description: Edits notes.
    input: {required: [deed], properties: {deed: [burn, move]}}
    returns: none
    cases:
      deed:
        burn: {effect: destructive, approval: four_eyes, undo: none}
        move: {effect: write, approval: four_eyes, undo: [snapshot], preview: before_after}
personas:
  clerk: {title: Clerk, bundle: [find]}
  guest: {title: Guest, bundle: [find]}
roles:
  desk: {tools: [find], effects: [read]}
surfaces:
  web: {origin: outside, scopes: {look: {effects: [read], steps: 2}}}
approvals:
  at_least: {read: auto, create: confirm, write: confirm, destructive: four_eyes}
harnesses:
  clerk: {title: Clerk, personas: [clerk], toolset: [find]}
";

pub(super) const ALL: &str = "policies/all.yaml";

pub(super) fn tree() -> Files {
    [("harness.toml", MANIFEST), (ALL, TREE)].map(|(path, text)| (path.to_owned(), text.to_owned())).into()
}

/// What is edited, and the field that is named.
const KINDS: &[(&str, &[Edit], &str)] = &[
    (
        "the effect of a case that nobody holds",
        &[(
            ALL,
            "burn: {effect: destructive, approval: four_eyes, undo: none}",
            "burn: {effect: write, approval: four_eyes, undo: none}",
        )],
        "tools.edit/burn.effect",
    ),
    (
        "the approval of a case that nobody holds",
        &[(ALL, "move: {effect: write, approval: four_eyes,", "move: {effect: write,")],
        "tools.edit/move.approval",
    ),
    ("its preview", &[(ALL, ", preview: before_after", "")], "tools.edit/move.preview"),
    ("its way back", &[(ALL, "undo: [snapshot]", "undo: none")], "tools.edit/move.undo"),
    (
        "a case more",
        &[
            (ALL, "deed: [burn, move]", "deed: [burn, move, keep]"),
            (ALL, "        move: {", "        keep: {effect: write, undo: [snapshot]}\n        move: {"),
        ],
        "tools.edit.cases",
    ),
    (
        "an input that nobody gives",
        &[(ALL, "minimum: 1, maximum: 9", "minimum: 1, maximum: 99")],
        "tools.count.input",
    ),
    (
        "a result that nobody reads",
        &[(ALL, "minimum: 0, maximum: 9", "minimum: 0, maximum: 99")],
        "tools.count.output",
    ),
    ("a target that nobody is held to", &[(ALL, "bind: {desk: run.desk}, ", "")], "tools.count.target"),
    ("a surface more", &[(ALL, "surfaces: [web], ", "")], "tools.count.surfaces"),
    ("a tier", &[(ALL, "create: confirm,", "create: auto,")], "approvals.at_least.create"),
    (
        "a role's effects, taken off",
        &[(ALL, "tools: [find], effects: [read]", "tools: [find]")],
        "roles.desk.effects",
    ),
    (
        "a role's tools",
        &[(ALL, "desk: {tools: [find],", "desk: {tools: harness_toolset,")],
        "roles.desk.tools",
    ),
    (
        "an outside surface's scope",
        &[(ALL, "look: {effects: [read],", "look: {effects: [read, write],")],
        "surfaces.web.scopes.look.effects",
    ),
    (
        "a bundle",
        &[(ALL, "guest: {title: Guest, bundle: [find]}", "guest: {title: Guest, bundle: [find, draft]}")],
        "personas.guest.bundle",
    ),
    (
        "a persona without harnesses that may wear one",
        &[(ALL, "title: Guest, bundle: [find]", "title: Guest, bundle: [draft]")],
        "personas.guest.bundle",
    ),
    (
        "an exemption from the plan gate",
        &[(ALL, "approvals:\n", "approvals:\n  always_allowed: [count]\n")],
        "approvals.always_allowed",
    ),
    (
        "a tool more",
        &[(
            ALL,
            "tools:\n",
            "tools:\n  spare: {title: Spare, description: Spares notes., effect: read, input: {properties: {}}, returns: none}\n",
        )],
        "tools.spare",
    ),
    (
        "a persona more",
        &[(ALL, "personas:\n", "personas:\n  owner: {title: Owner, bundle: [draft]}\n")],
        "personas.owner",
    ),
    ("a role more", &[(ALL, "roles:\n", "roles:\n  spare: {tools: [draft]}\n")], "roles.spare"),
];

#[test]
fn what_loosens_without_a_cell_is_widened_and_says_that_it_is_latent() {
    let base = compile(&tree());
    let mut wrong = Vec::new();
    for (name, edits, field) in KINDS {
        let after = match try_compile(&edited(tree(), edits)) {
            Ok(after) => after,
            Err(said) => {
                wrong.push(format!("{name}: {said}"));
                continue;
            }
        };
        let changes = diff(&base, &after);
        let own = changes.iter().find(|change| change.field.as_deref() == Some(*field));
        let is_said = own.is_some_and(|own| own.grade == Grade::Widened && own.latent && own.why.is_some());
        let cells = changes.iter().filter(|change| change.tool.is_some()).count();
        let back = harnessc::diff::grade(&diff(&after, &base));
        let is_mirrored =
            back == Grade::Narrowed || own.is_some_and(|own| own.delta.tighter || own.delta.altered);
        let text = page(changes.clone());
        if !is_said || cells > 0 || !is_mirrored || !text.contains("latent:") {
            wrong.push(format!("{name}: {back:?} back\n{text}{changes:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Grants from elsewhere, one of each effect: a tool that a worker comes to hold, over a surface of its own.
const GRANTS: [(&str, &str); 4] = [
    (
        "label",
        "  label: {title: Label, description: Labels notes., effect: write, surfaces: [post], undo: [{by: edit}], input: {properties: {}}, returns: none}\n",
    ),
    (
        "stamp",
        "  stamp: {title: Stamp, description: Stamps notes., effect: create, surfaces: [post], undo: [{by: edit}], input: {properties: {}}, returns: none}\n",
    ),
    (
        "shred",
        "  shred: {title: Shred, description: Shreds notes., effect: destructive, surfaces: [post], undo: none, input: {properties: {}}, returns: none}\n",
    ),
    (
        "look",
        "  look: {title: Look, description: Looks at notes., effect: read, surfaces: [post], input: {properties: {}}, returns: none}\n",
    ),
];

/// The tree with a worker who holds nothing yet, over a surface of its own; with the grant, the tool.
fn with_worker(deed: &str, tool: &str, is_held: bool) -> Files {
    let held = if is_held { deed } else { "find" };
    edited(
        tree(),
        &[
            (ALL, "tools:\n", &format!("tools:\n{tool}")),
            (ALL, "personas:\n", &format!("personas:\n  worker: {{title: Worker, bundle: [{held}]}}\n")),
            (ALL, "roles:\n", &format!("roles:\n  work: {{tools: [{held}]}}\n")),
            (ALL, "surfaces:\n", "surfaces:\n  post: {}\n"),
            (
                ALL,
                "harnesses:\n",
                &format!("harnesses:\n  worker: {{title: Worker, personas: [worker], toolset: [{held}]}}\n"),
            ),
        ],
    )
}

#[test]
fn a_grant_from_elsewhere_hides_nothing_that_is_latent() {
    let mut wrong = Vec::new();
    for (deed, tool) in GRANTS {
        let base = compile(&with_worker(deed, tool, false));
        let granted = diff(&base, &compile(&with_worker(deed, tool, true)));
        assert!(granted.iter().any(|change| change.tool.as_deref() == Some(deed)), "{granted:?}");
        for (name, edits, field) in KINDS {
            let alone = diff(&base, &compile(&edited(with_worker(deed, tool, false), edits)));
            let both = diff(&base, &compile(&edited(with_worker(deed, tool, true), edits)));
            let of = |changes: &[harnessc::diff::Change]| {
                let own = changes.iter().find(|change| change.field.as_deref() == Some(*field));
                own.map(|own| (own.grade, own.delta, own.before.clone(), own.after.clone()))
            };
            let lost: Vec<_> = granted
                .iter()
                .filter(|one| !both.iter().any(|other| one.tool == other.tool && one.field == other.field))
                .collect();
            if of(&alone).is_none() || of(&alone) != of(&both) || !lost.is_empty() {
                wrong.push(format!("{name} and {deed}: {:?} alone, {:?} beside it", of(&alone), of(&both)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_level_or_a_scope_that_cells_show_in_part_is_said_whole() {
    // The deed holds a tier of its own and is reached elsewhere: neither is what moved it.
    let edits: &[Edit<'_>] = &[
        (ALL, "create: confirm,", "create: auto,"),
        (ALL, "desk: {tools: [find],", "desk: {tools: harness_toolset,"),
    ];
    let (deed, tool) = ("stamp", GRANTS[1].1);
    let base = compile(&with_worker(deed, tool, false));
    let changes = diff(&base, &compile(&edited(with_worker(deed, tool, true), edits)));
    let of = |field: &str| {
        let own = changes.iter().find(|change| change.field.as_deref() == Some(field));
        own.map(|own| (own.grade, own.latent)).unwrap_or_else(|| panic!("{field}: {changes:?}"))
    };
    // The stamp comes as `auto`, which the old tier would not have let it be.
    assert_eq!(of("approvals.at_least.create"), (Grade::Widened, false));
    assert_eq!(of("roles.desk.tools"), (Grade::Widened, true));
}

#[test]
fn two_cases_that_turn_alike_are_both_said() {
    let edits: &[Edit<'_>] = &[
        (ALL, "move: {effect: write, approval: four_eyes,", "move: {effect: write,"),
        (ALL, "burn: {effect: destructive, approval: four_eyes,", "burn: {effect: write, approval: confirm,"),
    ];
    let changes = diff(&compile(&tree()), &compile(&edited(tree(), edits)));
    let fields: Vec<&str> = changes.iter().filter_map(|change| change.field.as_deref()).collect();
    for field in ["tools.edit/burn.approval", "tools.edit/move.approval", "tools.edit/burn.effect"] {
        assert!(fields.contains(&field), "{fields:?}");
    }
}

#[test]
fn what_names_one_deed_and_its_holder_is_not_said_again_and_what_decides_for_more_is() {
    let edits: &[Edit<'_>] = &[
        (ALL, "toolset: [find]}", "toolset: [find, draft]}"),
        (ALL, "clerk: {title: Clerk, bundle: [find]}", "clerk: {title: Clerk, bundle: [find, draft]}"),
        (ALL, "tools: [find], effects: [read]", "tools: [find, draft]"),
        (ALL, "look: {effects: [read],", "look: {effects: [read, create],"),
    ];
    let files = edited(tree(), edits);
    let changes = diff(&compile(&tree()), &compile(&files));
    assert!(changes.iter().any(|change| change.tool.as_deref() == Some("draft")));
    let fields: Vec<_> = changes
        .iter()
        .filter_map(|change| Some((change.field.as_deref()?, change.after.as_deref()?, change.latent)))
        .collect();
    let expected = [
        ("roles.desk.effects", "create, write, destructive", false),
        ("surfaces.web.scopes.look.effects", "create", false),
    ];
    assert_eq!(fields, expected);
    assert!(changes.iter().all(|change| change.field.is_none() || change.why.is_some()));
}

#[test]
fn a_harness_and_a_surface_that_go_take_away_and_those_that_come_grant() {
    let more = edited(
        tree(),
        &[
            (
                ALL,
                "harnesses:\n",
                "harnesses:\n  spare: {title: Spare, personas: [guest], toolset: [find]}\n",
            ),
            (ALL, "surfaces:\n", "surfaces:\n  desk: {scopes: {look: {effects: [read], steps: 2}}}\n"),
        ],
    );
    let (less, more) = (compile(&tree()), compile(&more));
    let (came, went) = (diff(&less, &more), diff(&more, &less));
    assert_eq!(harnessc::diff::grade(&went), Grade::Narrowed, "{went:?}");
    for field in ["harnesses.spare", "surfaces.desk"] {
        let grade = |changes: &[harnessc::diff::Change]| {
            changes.iter().find(|change| change.field.as_deref() == Some(field)).unwrap().grade
        };
        assert_eq!((grade(&came), grade(&went)), (Grade::Widened, Grade::Narrowed), "{field}");
    }
}
