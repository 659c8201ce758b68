//! The rules about authority, where the examples of their pages do not reach. Each row is a small tree and all that the
//! rules named beside it find in it.

use harnessc::check::check;
use harnessc::tree::Tree;

/// What `rules` find, as `level rule: underlined text`.
pub(crate) fn found(rules: &[&str], files: &[(&str, &str)]) -> Vec<String> {
    let manifest = ("harness.toml", "[policy]\nname = \"example\"\nexternal_servers = [\"box\"]\n");
    let stated = files.iter().any(|(path, _)| *path == manifest.0);
    let all = files.iter().chain((!stated).then_some(&manifest));
    let (tree, sink) =
        Tree::from_files(all.map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
    let (checked, ()) = check(&tree, sink, |_, _| ());
    let broken = files.iter().any(|(_, text)| text.ends_with("[\n") || text.ends_with("\": ["));
    let unread = |rule: &str| matches!(rule, "yaml-syntax" | "json-syntax" | "bad-manifest");
    assert!(broken || !checked.findings.iter().any(|finding| unread(finding.diagnostic.rule.0)), "{files:?}");
    checked
        .findings
        .iter()
        .filter(|finding| rules.contains(&finding.diagnostic.rule.0))
        .map(|finding| {
            let text = tree.sources.slice(finding.diagnostic.primary.span);
            format!("{} {}: {text}", finding.level.word(), finding.diagnostic.rule)
        })
        .collect()
}

/// One tool of our own: `more` holds what the row is about.
pub(crate) fn tool(name: &str, more: &str) -> String {
    format!(
        "  {name}: {{title: T, description: D, unbound: none here, input: {{properties: {{}}}}, returns: none, {more}}}\n"
    )
}

/// A tool that reads marks and sets them.
fn marks(more: &str, set: &str) -> String {
    format!(
        "  marks: {{title: T, description: D, unbound: none here, input: {{properties: {{mode: [get, set]}}}}, \
         returns: none, cases: {{mode: {{get: read, set: {set}}}}}{more}}}\n"
    )
}

pub(crate) fn tools(all: &[String]) -> String {
    format!("tools:\n{}", all.concat())
}

const APPROVALS: &[&str] = &["write-never-auto", "approval-below-tier", "read-not-auto"];

#[test]
fn approvals_are_judged_deed_by_deed() {
    let rows: &[(&str, String, &str, &[&str])] = &[
        (
            "a case's own approval",
            marks("", "{effect: destructive, approval: confirm}"),
            "",
            &["forbid approval-below-tier: confirm"],
        ),
        ("a case may ask for more", marks("", "{effect: write, approval: four_eyes}"), "", &[]),
        (
            "a looser case under a stricter tool is judged for itself",
            marks(", approval: four_eyes", "{effect: destructive, approval: confirm}"),
            "",
            &["forbid approval-below-tier: confirm", "deny read-not-auto: four_eyes"],
        ),
        (
            "an approval beside cases reaches the case without its own",
            marks(", approval: auto", "{effect: write, approval: confirm}"),
            "",
            &[],
        ),
        (
            "and then it is judged for it",
            marks(", approval: auto", "write"),
            "",
            &["forbid write-never-auto: auto"],
        ),
        (
            "a harness that holds the writing case alone may tighten it",
            marks("", "write"),
            "harnesses: {h: {title: H, toolset: [{tool: marks, cases: [set], approval: four_eyes}]}}",
            &[],
        ),
        (
            "one that holds both asks a person for a read",
            marks("", "write"),
            "harnesses: {h: {title: H, toolset: [{tool: marks, approval: four_eyes}]}}",
            &["deny read-not-auto: four_eyes"],
        ),
        (
            "a case named with its tool is that case",
            marks("", "write"),
            "toolsets: {t: [{tool: marks/get, approval: confirm}, {tool: marks/set, approval: auto}]}",
            &["deny read-not-auto: confirm", "forbid write-never-auto: auto"],
        ),
        (
            "an anchor's word counts wherever its alias stands",
            tool("x", "effect: write, approval: &a auto") + &tool("y", "effect: write, approval: *a"),
            "",
            &["forbid write-never-auto: auto", "forbid write-never-auto: auto"],
        ),
        ("an effect that is missing is a finding of its own", tool("x", "approval: auto"), "", &[]),
        ("an effect that cannot be read is one too", tool("x", "effect: wirte, approval: auto"), "", &[]),
        (
            "a tier of reads",
            tool("x", "effect: read"),
            "approvals: {at_least: {read: confirm}}",
            &["deny read-not-auto: confirm"],
        ),
        (
            "a tier of destructive deeds that was lowered makes one yes enough",
            tool("x", "effect: destructive, approval: confirm"),
            "approvals: {at_least: {destructive: confirm}}",
            &[],
        ),
        (
            "a create below its tier",
            tool("x", "effect: create, approval: auto"),
            "",
            &["forbid approval-below-tier: auto"],
        ),
    ];
    for (what, registry, policy, expected) in rows {
        let files = [
            ("tools/a.yaml", tools(std::slice::from_ref(registry))),
            ("policies/z.yaml", (*policy).to_owned()),
        ];
        let files: Vec<(&str, &str)> =
            files.iter().map(|(p, t)| (*p, t.as_str())).filter(|(_, t)| !t.is_empty()).collect();
        assert_eq!(found(APPROVALS, &files), *expected, "{what}");
    }
}

#[test]
fn a_create_is_auto_only_where_a_tool_of_ours_takes_it_back() {
    let auto = "approvals: {at_least: {create: auto}}";
    let rows: &[(&str, &str, String, &[&str])] = &[
        ("undo: [{by: drop}]", "another tool", tool("drop", "effect: destructive, undo: none"), &[]),
        ("undo: [snapshot, {by: drop}]", "among other ways", tool("drop", "effect: write"), &[]),
        (
            "undo: [snapshot]",
            "a pre-image alone",
            tool("drop", "effect: write"),
            &["forbid write-never-auto: create"],
        ),
        (
            "undo: [{by: drop}]",
            "a disabled tool, and no second finding for it",
            tool("drop", "effect: write, enabled: false"),
            &["forbid write-never-auto: create"],
        ),
        ("undo: [{by: drop}]", "a read", tool("drop", "effect: read"), &["forbid write-never-auto: create"]),
        ("undo: [{by: add}]", "itself", tool("drop", "effect: write"), &["forbid write-never-auto: create"]),
        (
            "undo: [{by: nobody}]",
            "a name that leads nowhere is its own finding",
            tool("drop", "effect: write"),
            &[],
        ),
        ("approval: confirm", "a create that asks", tool("drop", "effect: write"), &[]),
    ];
    for (more, what, other, expected) in rows {
        let registry = tools(&[tool("add", &format!("effect: create, {more}")), other.clone()]);
        let files = [("tools/a.yaml", registry.as_str()), ("policies/z.yaml", auto)];
        assert_eq!(found(&["write-never-auto", "disabled-tool-required"], &files), *expected, "{what}");
    }
}

/// A pinned list with one tool.
fn pinned(annotations: &str) -> String {
    format!(
        "{{\"tools\": [{{\"name\": \"put\", \"description\": \"Puts.\", {annotations}\"inputSchema\": {{\"type\": \"object\", \
         \"properties\": {{\"mode\": {{\"enum\": [\"get\", \"set\"], \"type\": \"string\"}}, \"text\": {{\"type\": \"string\", \
         \"maxLength\": 9}}}}}}}}]}}"
    )
}

const OUTSIDE: &[&str] = &[
    "write-never-auto",
    "destructive-without-undo",
    "external-server",
    "read-unbacked",
    "unbound-target",
    "vendored-drift",
];

#[test]
fn an_outside_tool_is_held_to_what_its_server_published() {
    let no = "\"annotations\": {\"readOnlyHint\": false}, ";
    let worst = "\"annotations\": {\"destructiveHint\": true}, ";
    let rows: &[(&str, &str, &str, &[&str])] = &[
        (
            "an unstated effect is destructive",
            "",
            "put: {from: box, unbound: u}",
            &["deny destructive-without-undo: put"],
        ),
        (
            "so is what the server says",
            worst,
            "put: {from: box, effect: write, unbound: u}",
            &["deny destructive-without-undo: write"],
        ),
        ("which raises a read too", worst, "put: {from: box, effect: read, undo: none, unbound: u}", &[]),
        (
            "a hint of change raises a read, so it asks",
            no,
            "put: {from: box, effect: read, unbound: u}",
            &["warn read-unbacked: read"],
        ),
        (
            "in a tool with cases it speaks of the tool, and the reading case stands unbacked",
            no,
            "put: {from: box, unbound: u, cases: {mode: {get: read, set: write}}}",
            &["deny read-unbacked: read"],
        ),
        (
            "an overlay under its own name",
            "",
            "pvt: {from: box, effect: write, unbound: u}",
            &["forbid vendored-drift: pvt"],
        ),
        ("or under another", "", "save: {from: box/put, effect: write, unbound: u}", &[]),
        (
            "what is not there is judged no further",
            "",
            "save: {from: box/gone, effect: read}",
            &["forbid vendored-drift: box/gone"],
        ),
        (
            "keywords beside properties have no force",
            "",
            "put: {from: box, effect: write, unbound: u, input: {required: [text], properties: {mode: [get]}}}",
            &["deny vendored-drift: required"],
        ),
        (
            "a whole input is not restated",
            "",
            "put: {from: box, effect: write, unbound: u, input: [a, b]}",
            &["deny vendored-drift: [a, b]"],
        ),
        (
            "values beyond the published ones are looser",
            "",
            "put: {from: box, effect: write, unbound: u, input: {properties: {mode: [get, drop]}}}",
            &["deny vendored-drift: [get, drop]"],
        ),
        (
            "an outside create is never auto",
            "",
            "put: {from: box, effect: create, unbound: u, undo: [{by: put}]}\napprovals: {at_least: {create: auto}}",
            &["forbid write-never-auto: create"],
        ),
    ];
    for (what, annotations, overlay, expected) in rows {
        let registry = format!("servers: {{box: {{tools: vendor/box.json}}}}\ntools:\n  {overlay}\n");
        let vendor = pinned(annotations);
        let files = [("tools/a.yaml", registry.as_str()), ("vendor/box.json", vendor.as_str())];
        assert_eq!(found(OUTSIDE, &files), *expected, "{what}");
    }
}

/// What the row is about, the files below `vendor/`, and what is found.
type Pins = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

#[test]
fn a_pinned_list_is_there_and_is_a_list() {
    let registry =
        "servers: {box: {tools: vendor/box.json}}\ntools:\n  put: {from: box, effect: write, unbound: u}\n";
    let rows: &[Pins] = &[
        ("no file", &[], &["forbid vendored-drift: vendor/box.json"]),
        (
            "no list",
            &[("vendor/box.json", "{\"error\": {\"code\": 1}}")],
            &["forbid vendored-drift: vendor/box.json"],
        ),
        ("a file that does not parse says so itself", &[("vendor/box.json", "{\"tools\": [")], &[]),
        (
            "a bare list",
            &[("vendor/box.json", "[{\"name\": \"put\", \"inputSchema\": {\"type\": \"object\"}}]")],
            &[],
        ),
    ];
    for (what, vendor, expected) in rows {
        let files: Vec<(&str, &str)> =
            [("tools/a.yaml", registry)].into_iter().chain(vendor.iter().copied()).collect();
        assert_eq!(found(OUTSIDE, &files), *expected, "{what}");
    }
    let shut = [
        ("harness.toml", "[policy]\nname = \"example\"\nexternal_servers = []\n"),
        (
            "tools/a.yaml",
            "servers: {box: {tools: vendor/box.json}}\ntools:\n  b: {from: box/put, effect: write, unbound: u}\n  a: {from: box/put, effect: write, unbound: u}\n",
        ),
        ("vendor/box.json", "[{\"name\": \"put\", \"inputSchema\": {\"type\": \"object\"}}]"),
    ];
    assert_eq!(found(OUTSIDE, &shut), ["forbid external-server: box/put"], "one server is one finding");
}

const PEOPLE: &[&str] = &[
    "toolset-outside-persona-bundle",
    "neutral-harness-drift",
    "persona-without-harness",
    "always-allowed-missing",
    "exempt-write",
    "disabled-tool-required",
];

#[test]
fn harnesses_lie_within_personas() {
    let registry = tools(&[
        tool("a", "effect: read"),
        tool("b", "effect: write"),
        tool("off", "effect: read, enabled: false"),
        marks("", "write"),
    ]);
    let rows: &[(&str, &str, &[&str])] = &[
        (
            "a bundle that could not be followed is judged by nobody",
            "personas: {p: {title: P, bundle: [a, nobody]}}\nharnesses: {h: {title: H, personas: [p], toolset: [a, b]}}",
            &[],
        ),
        (
            "a case is not its tool",
            "personas: {p: {title: P, bundle: [marks/get]}}\nharnesses: {h: {title: H, personas: [p], toolset: [marks]}}",
            &["forbid toolset-outside-persona-bundle: marks"],
        ),
        (
            "narrowed to the case, it fits",
            "personas: {p: {title: P, bundle: [marks/get]}}\nharnesses: {h: {title: H, personas: [p], toolset: [{tool: marks, cases: [get]}]}}",
            &[],
        ),
        (
            "a disabled tool counts: it may be enabled tomorrow",
            "personas: {p: {title: P, bundle: [a]}}\nharnesses: {h: {title: H, personas: [p], toolset: [off]}}",
            &["forbid toolset-outside-persona-bundle: off"],
        ),
        (
            "two personas that lack the same are one finding",
            "personas: {p: {title: P, bundle: [a]}, q: {title: Q, bundle: [a]}}\nharnesses: {h: {title: H, personas: [p, q], toolset: [a, b]}}",
            &["forbid toolset-outside-persona-bundle: b"],
        ),
        (
            "the word persona_bundle is what all of them hold",
            "personas: {p: {title: P, bundle: [a, b]}, q: {title: Q, bundle: [a]}}\nharnesses: {h: {title: H, personas: [p, q], toolset: persona_bundle}}",
            &[],
        ),
        (
            "a neutral harness that others wear too falls short",
            "personas: {p: {title: P, bundle: [a, b]}, q: {title: Q, bundle: [a]}}\nharnesses: {p: {title: H, personas: [p, q], toolset: persona_bundle}}",
            &["deny neutral-harness-drift: persona_bundle"],
        ),
        (
            "one that its persona does not wear is held to the bundle all the same",
            "personas: {p: {title: P, bundle: [a]}, q: {title: Q, bundle: [a, b]}}\nharnesses: {p: {title: H, personas: [q], toolset: [a, b]}}",
            &["deny neutral-harness-drift: [a, b]"],
        ),
        (
            "an exempt case that reads is fine beside one that writes",
            "approvals: {always_allowed: [marks/get]}\nharnesses: {h: {title: H, toolset: [marks]}}",
            &[],
        ),
        (
            "the tool as a whole is not",
            "approvals: {always_allowed: [marks]}\nharnesses: {h: {title: H, toolset: [marks]}}",
            &["forbid exempt-write: marks"],
        ),
        (
            "a harness with some cases of what is always allowed lacks the others",
            "approvals: {always_allowed: [a, off]}\nharnesses: {h: {title: H, toolset: [a]}}",
            &["deny always-allowed-missing: [a]", "deny disabled-tool-required: false"],
        ),
        (
            "a fallback to nobody known is an unknown name, not a missing harness",
            "personas: {p: {title: P, bundle: [a]}}\npersona_fallback: [q]",
            &[],
        ),
    ];
    for (what, policy, expected) in rows {
        let files = [("tools/a.yaml", registry.as_str()), ("policies/z.yaml", policy)];
        let mut left = found(PEOPLE, &files);
        left.sort();
        assert_eq!(left, *expected, "{what}");
    }
}

#[test]
fn a_file_that_does_not_parse_mutes_what_only_its_absence_causes() {
    let registry = tools(&[tool("a", "effect: read")]);
    let whole = "personas: {p: {title: P, bundle: [a]}}\npersona_fallback: [p]";
    let files = [
        ("tools/a.yaml", registry.as_str()),
        ("policies/z.yaml", whole),
        ("harnesses/p.yaml", "harnesses: {p: [\n"),
    ];
    assert!(found(PEOPLE, &files).is_empty());
    assert_eq!(found(PEOPLE, &files[..2]), ["warn persona-without-harness: p"]);
}

#[test]
fn approvals_in_force_have_approvers() {
    let registry = tools(&[tool("w", "effect: write"), tool("d", "effect: destructive, undo: none")]);
    let rows: &[(&str, &str, &[&str])] = &[
        ("nobody is named", "", &[]),
        ("both lists", "approvals: {approvers: {confirm: [p], four_eyes: [p]}}", &[]),
        (
            "no second pair",
            "approvals: {approvers: {confirm: [p]}}",
            &["deny approvers-unreachable: destructive"],
        ),
        ("an entry for the tool", "approvals: {approvers: {confirm: [p], tools: {d: [p]}}}", &[]),
        ("no confirming", "approvals: {approvers: {four_eyes: [p]}}", &["deny approvers-unreachable: p"]),
        ("an empty list is its own finding", "approvals: {approvers: {confirm: [p], four_eyes: []}}", &[]),
    ];
    for (what, approvals, expected) in rows {
        let policy = format!(
            "personas: {{p: {{title: P, bundle: [w, d]}}}}\nharnesses: {{h: {{title: H, personas: [p], toolset: [w, d]}}}}\n{approvals}"
        );
        let files = [("tools/a.yaml", registry.as_str()), ("policies/z.yaml", policy.as_str())];
        assert_eq!(found(&["approvers-unreachable"], &files), *expected, "{what}");
    }
    for (surfaces, expected) in [
        ("surfaces: {m: {origin: outside}}", &["deny approvers-unreachable: create"][..]),
        ("surfaces: {m: {origin: inside}}", &[]),
    ] {
        let registry = tools(&[
            tool("c", "effect: create, undo: [{by: d}]"),
            tool("d", "effect: destructive, undo: none"),
        ]);
        let policy = format!(
            "harnesses: {{h: {{title: H, toolset: [c]}}}}\napprovals: {{at_least: {{create: auto}}, approvers: {{tools: {{d: [p]}}}}}}\npersonas: {{p: {{title: P, bundle: [c, d]}}}}\n{surfaces}"
        );
        let files = [("tools/a.yaml", registry.as_str()), ("policies/z.yaml", policy.as_str())];
        assert_eq!(found(&["approvers-unreachable"], &files), expected, "an auto create, with {surfaces}");
    }
    let raised = "harnesses: {h: {title: H, toolset: [{tool: w, approval: four_eyes}]}}\npersonas: {p: {title: P, bundle: [w]}}\napprovals: {approvers: {confirm: [p]}}";
    let files = [("tools/a.yaml", registry.as_str()), ("policies/z.yaml", raised)];
    assert_eq!(found(&["approvers-unreachable"], &files), ["deny approvers-unreachable: four_eyes"]);
}

#[test]
fn prose_stays_with_readers() {
    let registry =
        "tools:\n  page: {title: T, description: D, effect: read, unbound: u, input: {properties: {}}}\n";
    let rows: &[(&str, &str, &[&str])] = &[
        ("held by nobody", "", &[]),
        (
            "a harness, and no role at all",
            "harnesses: {h: {title: H, toolset: [page]}}",
            &["deny untrusted-outside-reader: page"],
        ),
        (
            "a harness, and roles that do not read",
            "roles: {r: {tools: harness_toolset}}\nharnesses: {h: {title: H, toolset: [page]}}",
            &["deny untrusted-outside-reader: page"],
        ),
        (
            "a list through a toolset",
            "toolsets: {t: [page]}\nroles: {r: {tools: [{toolset: t}]}, s: {reads_untrusted: true, tools: [page]}}",
            &["forbid untrusted-outside-reader: t"],
        ),
        (
            "a role that says no",
            "roles: {r: {reads_untrusted: false, tools: [page]}, s: {reads_untrusted: true, tools: [page]}}",
            &["forbid untrusted-outside-reader: page"],
        ),
        (
            "the list is the finding, where there is no reader at all",
            "roles: {r: {tools: [page]}}\nharnesses: {h: {title: H, toolset: [page]}}",
            &["deny untrusted-outside-reader: page"],
        ),
        (
            "a role that could not be read may be the reader",
            "roles: {r: {reads_untrusted: yes please, tools: [page]}}\nharnesses: {h: {title: H, toolset: [page]}}",
            &[],
        ),
        (
            "a persona that wears no harness",
            "personas: {v: {title: V, harness: none, bundle: [page]}}",
            &["deny untrusted-outside-reader: page"],
        ),
        (
            "narrowing the effects of a role does not make it a reader",
            "roles: {r: {effects: [read], tools: [page]}, s: {reads_untrusted: true, tools: [page]}}",
            &["forbid untrusted-outside-reader: page"],
        ),
    ];
    for (what, policy, expected) in rows {
        let files = [("tools/a.yaml", registry), ("policies/z.yaml", policy)];
        let files: Vec<(&str, &str)> = files.into_iter().filter(|(_, text)| !text.is_empty()).collect();
        assert_eq!(found(&["untrusted-outside-reader"], &files), *expected, "{what}");
    }
}

#[test]
fn nothing_the_model_fills_in_is_a_yes() {
    let write = |input: &str| {
        format!(
            "tools:\n  w: {{title: T, description: D, effect: write, unbound: u, returns: none, input: {{properties: {{{input}}}}}}}\n"
        )
    };
    let rows: &[(&str, String, &str, &[&str])] = &[
        (
            "another spelling",
            write("Skip-Approval: {type: boolean}"),
            "",
            &["deny self-confirmation: Skip-Approval"],
        ),
        (
            "in the items of a list",
            write("all: {type: array, maxItems: 3, items: {properties: {force: {type: boolean}}}}"),
            "",
            &["deny self-confirmation: force"],
        ),
        ("a value is no input", write("mode: [force, keep]"), "", &[]),
        (
            "a longer word is another",
            write("workforce: {type: boolean}, approved_by: {type: string, maxLength: 9}"),
            "",
            &[],
        ),
        (
            "words of a switch",
            write(
                "approved_by_human: {type: boolean}, isForce: {type: [boolean, 'null']}, confirm_delete: {enum: [keep, drop]}, bypassHumanReview: {type: boolean}",
            ),
            "",
            &[
                "deny self-confirmation: approved_by_human",
                "deny self-confirmation: isForce",
                "deny self-confirmation: confirm_delete",
                "deny self-confirmation: bypassHumanReview",
            ],
        ),
        (
            "a text, an amount, a filter and another step are no yes",
            write(
                "confirmation_number: {type: string, maxLength: 9}, approved_pages: {type: integer, minimum: 0, maximum: 9}, include_approved: {type: boolean}, bypass_cache: {type: boolean}, send_confirmation: {type: boolean}",
            ),
            "",
            &[],
        ),
        (
            "narrowed away by every harness",
            write("force: {type: boolean}"),
            "harnesses: {h: {title: H, toolset: [{tool: w, only: {force: {const: false}}}]}}",
            &[],
        ),
        (
            "but not by all",
            write("force: {type: boolean}"),
            "harnesses: {h: {title: H, toolset: [{tool: w, only: {force: [false]}}]}, i: {title: I, toolset: [w]}}",
            &["deny self-confirmation: force"],
        ),
        ("a read asks nobody", write("force: {type: boolean}").replace("write", "read"), "", &[]),
    ];
    for (what, registry, policy, expected) in rows {
        let files = [("tools/a.yaml", registry.as_str()), ("policies/z.yaml", policy)];
        let files: Vec<(&str, &str)> = files.into_iter().filter(|(_, text)| !text.is_empty()).collect();
        assert_eq!(found(&["self-confirmation"], &files), *expected, "{what}");
    }
}

#[test]
fn a_target_is_bound_or_its_absence_is_explained() {
    let of = |more: &str, input: &str| {
        format!(
            "run: {{id: {{type: string, maxLength: 9}}}}\ntools:\n  w: {{title: T, description: D, effect: write, returns: none, input: {{properties: {{{input}}}}}{more}}}\n"
        )
    };
    let id = "id: {type: string, maxLength: 9}";
    let rows: &[(&str, String, &[&str])] = &[
        ("bound", of(", bind: {id: run.id}", id), &[]),
        ("not bound", of("", id), &["deny unbound-target: w"]),
        ("explained", of(", unbound: a list for all", id), &[]),
        ("explained by nothing", of(", unbound: \" \"", id), &["deny unbound-target: \" \""]),
        (
            "of another type",
            of(", bind: {id: run.id}", "id: {type: integer, minimum: 1, maximum: 9}"),
            &["deny unbound-target: id"],
        ),
        ("an input that cannot be read", of("", "id: {type: strung}"), &[]),
        ("a binding that is no run field is its own finding", of(", bind: {id: ran.id}", id), &[]),
    ];
    for (what, registry, expected) in rows {
        assert_eq!(found(&["unbound-target"], &[("tools/a.yaml", registry)]), *expected, "{what}");
    }
}
