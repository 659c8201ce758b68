//! What a lock could not hold: lists that multiply, names and values that mean nothing, bindings gone
//! around. Each is found where it is written, and never first by the lock's own proofs.

use harnessc::check::check;
use harnessc::tree::Tree;

use crate::rules_authority::{found, tool, tools};

/// A chain of toolsets, each of which names the next; the last names a tool.
fn chain(length: usize, mentions: usize) -> Vec<String> {
    let named = |next: usize| vec![format!("{{toolset: t{next:03}}}"); mentions].join(", ");
    let last = std::iter::once(format!("  t{:03}: [find]\n", length - 1));
    (0..length - 1).map(|at| format!("  t{at:03}: [{}]\n", named(at + 1))).chain(last).collect()
}

#[test]
fn how_far_toolsets_lead_does_not_depend_on_their_order() {
    let harness = "harnesses: {h: {title: H, toolset: [{toolset: t000}]}}\n";
    let find = tools(&[tool("find", "effect: read")]);
    let judged = |lines: &[String]| {
        let text = format!("toolsets:\n{}", lines.concat());
        found(
            &["input-too-large"],
            &[("tools/t.yaml", &find), ("policies/p.yaml", &text), ("harnesses/h.yaml", harness)],
        )
    };
    let (mut short, mut long) = (chain(64, 1), chain(80, 1));
    assert_eq!(judged(&short), [""; 0]);
    assert_eq!(judged(&long), ["forbid input-too-large: t016"]);
    short.reverse();
    long.reverse();
    assert_eq!(judged(&short), [""; 0]);
    assert_eq!(judged(&long), ["forbid input-too-large: t016"]);
}

#[test]
fn toolsets_that_multiply_are_refused_before_they_are_followed() {
    let harness = "harnesses: {h: {title: H, toolset: [{toolset: t000}]}}\n";
    let find = tools(&[tool("find", "effect: read")]);
    for (levels, wanted) in
        [(10, &[][..]), (24, &["forbid input-too-large: t000"]), (64, &["forbid input-too-large: t000"])]
    {
        let text = format!("toolsets:\n{}", chain(levels, 2).concat());
        let files =
            [("tools/t.yaml", find.as_str()), ("policies/p.yaml", &text), ("harnesses/h.yaml", harness)];
        assert_eq!(found(&["input-too-large"], &files), wanted, "{levels} levels");
    }
}

#[test]
fn what_a_lock_could_not_hold_is_found_where_it_is_written() {
    let find = tools(&[tool("find", "effect: read")]);
    let manifest = |more: &str| {
        let text = format!("[policy]\n{more}");
        found(&["bad-manifest", "bad-key"], &[("harness.toml", &text), ("tools/t.yaml", &find)])
    };
    let digest = format!(
        "name = \"a\"\nedition = 1\n[release]\nrevision = 2\npredecessor = \"sha256:{}\"\n",
        "0a".repeat(32)
    );
    assert_eq!(manifest(&digest), [""; 0]);
}

#[test]
fn a_release_line_or_a_name_that_means_nothing_is_found() {
    let rows: &[(&str, &[&str])] = &[
        ("name = \"a\"\n[release]\nrevision = 1\npredecessor = \"\"\n", &[]),
        ("name = \"a\"\n[release]\nrevision = 1\npredecessor = \"abc\"\n", &["\"abc\""]),
        ("name = \"a\"\n[release]\nrevision = 0\npredecessor = \"\"\n", &["0"]),
        ("name = \"a\"\n[release]\nrevision = 2\npredecessor = \"\"\n", &["\"\""]),
        (
            "name = \"a\"\n[release]\nrevision = 1\npredecessor = \"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"\n",
            &["\"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\""],
        ),
        ("name = \"\"\n", &["\"\""]),
        ("name = \"a\"\nenvironment = \" \"\n", &["\" \""]),
        ("name = \"a\"\nedition = 7\n", &["7"]),
    ];
    for (more, wanted) in rows {
        let text = format!("[policy]\n{more}");
        let (tree, sink) = Tree::from_files([("harness.toml".to_owned(), text.into_bytes())]);
        let (checked, ()) = check(&tree, sink, |_, _| ());
        let bad = checked.findings.iter().filter(|finding| finding.diagnostic.rule.0 == "bad-manifest");
        let texts: Vec<&str> =
            bad.map(|finding| tree.sources.slice(finding.diagnostic.primary.span)).collect();
        assert_eq!(&texts, wanted, "{more}");
    }
}

#[test]
fn the_name_of_no_harness_is_taken() {
    let rules = &["bad-key"];
    let named = |key: &str| {
        found(
            rules,
            &[("harnesses/h.yaml", &format!("harnesses: {{\"{key}\": {{title: H, toolset: [find]}}}}\n"))],
        )
    };
    assert_eq!(named("-"), ["forbid bad-key: \"-\""]);
    assert_eq!(named("--"), [""; 0]);
}

#[test]
fn a_persona_that_wears_no_harness_is_in_none() {
    let rules = &["toolset-outside-persona-bundle"];
    let worn = |none: &str| {
        let text = format!(
            "personas: {{viewer: {{title: V, {none}bundle: [find]}}}}\nharnesses: {{h: {{title: H, personas: [viewer], toolset: [find]}}}}\n"
        );
        found(rules, &[("tools/t.yaml", &tools(&[tool("find", "effect: read")])), ("policies/p.yaml", &text)])
    };
    assert_eq!(worn("harness: none, "), ["forbid toolset-outside-persona-bundle: viewer"]);
    assert_eq!(worn(""), [""; 0]);
}

/// One outside tool `ask`, pinned as `entry` says, under a tree-wide binding of `id`.
fn outside(entry: &str, levels: &str) -> Vec<String> {
    let manifest = format!("[policy]\nname = \"example\"\nexternal_servers = [\"box\"]\n{levels}");
    let policy = "servers: {box: {tools: vendor/box.json}}\nrun: {id: {type: string, maxLength: 9}}\nbind: {id: run.id}\n\
        tools:\n  ask: {from: box, effect: destructive, undo: none, approval: four_eyes, unbound: asks nobody, returns: none}\n\
        harnesses: {h: {title: H, toolset: [ask]}}\n";
    let pinned = format!("{{\"tools\": [{entry}]}}");
    let files =
        [("harness.toml", manifest.as_str()), ("policies/p.yaml", policy), ("vendor/box.json", &pinned)];
    found(&["unbound-target", "vendored-drift"], &files)
}

#[test]
fn no_binding_is_gone_around_and_no_pinned_text_is_lost() {
    let entry = |schema: &str| {
        format!("{{\"name\": \"ask\", \"description\": \"Asks.\", \"inputSchema\": {schema}}}")
    };
    let id = "\"id\": {\"type\": \"string\"}";
    let root = entry(&format!("{{\"type\": \"object\", \"properties\": {{{id}}}}}"));
    assert_eq!(
        outside(&root, ""),
        ["warn unbound-target: asks nobody"],
        "a binding reaches it, whatever it says"
    );
    let forms =
        format!("[{{\"properties\": {{{id}}}}}, {{\"properties\": {{\"b\": {{\"type\": \"string\"}}}}}}]");
    for keyword in ["anyOf", "oneOf"] {
        let branch = entry(&format!("{{\"type\": \"object\", \"{keyword}\": {forms}}}"));
        assert_eq!(outside(&branch, ""), ["forbid unbound-target: \"id\""], "{keyword}");
    }
    let huge = entry(
        "{\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"integer\", \"maximum\": 9007199254740993}}}",
    );
    assert_eq!(outside(&huge, ""), ["forbid vendored-drift: 9007199254740993"]);
    let other = entry("{\"type\": \"object\"}").replace("\"ask\"", "\"tell\"");
    for levels in ["", "[rules]\nvendored-drift = \"allow\"\n"] {
        assert_eq!(outside(&other, levels), ["forbid vendored-drift: ask"], "{levels}");
    }
}

#[test]
fn harnesses_and_roles_that_multiply_are_refused() {
    let find = tools(&[tool("find", "effect: read")]);
    for (each, wanted) in [(90, &[][..]), (1001, &["forbid input-too-large: roles"])] {
        let lines = |what: &str| (0..each).map(|at| format!("  x{at}: {{{what}}}\n")).collect::<String>();
        let roles = format!("roles:\n{}", lines("tools: harness_toolset"));
        let harnesses = format!("harnesses:\n{}", lines("title: H, toolset: [find]"));
        let files =
            [("tools/t.yaml", find.as_str()), ("policies/p.yaml", &roles), ("harnesses/h.yaml", &harnesses)];
        assert_eq!(found(&["input-too-large"], &files), wanted, "{each} of each");
    }
}

#[test]
fn a_bundle_of_nobody_is_found() {
    let text = "harnesses: {h: {title: H, toolset: persona_bundle}}\n";
    assert_eq!(found(&["missing-field"], &[("harnesses/h.yaml", text)]), ["forbid missing-field: h"]);
}
