//! Names, levels and waivers where the pages' examples do not reach.

use harnessc::check::{Checked, check};
use harnessc::report::short;
use harnessc::tree::Tree;
use harnessc_runtime::lock;

const MANIFEST: &str = "[policy]\nname = \"example\"\n";

fn checked(files: &[(&str, &str)]) -> (Tree, Checked) {
    let mut files: Vec<(String, Vec<u8>)> =
        files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    if !files.iter().any(|(path, _)| path == "harness.toml") {
        files.push(("harness.toml".to_owned(), MANIFEST.as_bytes().to_vec()));
    }
    let (tree, sink) = Tree::from_files(files);
    let (checked, ()) = check(&tree, sink, |_, _| ());
    (tree, checked)
}

/// What is found, one line each.
fn found(files: &[(&str, &str)]) -> String {
    let (tree, checked) = checked(files);
    let mut out = String::new();
    assert!(short(&checked.findings, &tree.sources, &mut out).is_ok());
    out
}

/// What is found by `rule`, without its place.
fn of(rule: &str, files: &[(&str, &str)]) -> Vec<String> {
    let (_, checked) = checked(files);
    let of = checked.findings.iter().filter(|finding| finding.diagnostic.rule.0 == rule);
    of.map(|finding| finding.diagnostic.message.clone()).collect()
}

/// A read tool of that name in one line, without what a reading of structured values needs.
fn tool(name: &str, more: &str) -> String {
    format!(
        "  {name}: {{title: Look, description: Looks., effect: read, returns: none, unbound: none, input: {{properties: {{q: {{type: string, maxLength: 9}}}}}}{more}}}\n"
    )
}

const HARNESS: &str = "harnesses: {a: {title: A, toolset: [x.get]}}\n";

fn registry(more: &str) -> String {
    format!("tools:\n{}{}", tool("x.get", more), tool("x.list", ""))
}

#[test]
fn every_field_that_takes_a_name_is_followed() {
    for (policy, unknown) in [
        ("toolsets: {t: [{toolset: no}]}", "`no` names no toolset"),
        ("toolsets: {t: [{tool: no}]}", "`no` names no tool"),
        ("toolsets: {t: [x.get/no]}", "tool `x.get` has no case `no`"),
        ("toolsets: {t: [{tool: x.get, cases: [no]}]}", "tool `x.get` has no case `no`"),
        ("toolsets: {t: [{tool: x.get, only: {q: no}}]}", "`no` names no type"),
        ("toolsets: {t: [{tool: x.get, only: {no: [a]}}]}", "tool `x.get` has no input `no`"),
        ("personas: {p: {title: P, bundle: [no]}}", "`no` names no tool"),
        ("persona_fallback: [no]", "`no` names no persona"),
        ("roles: {r: {tools: [no]}}", "`no` names no tool"),
        ("surfaces: {s: {after_approval: [no]}}", "surface `s` has no scope `no`"),
        ("skills: {s: {title: S, version: 1, tools: [no]}}", "`no` names no tool"),
        ("skills: {s: {title: S, version: 1, tools: [x.get], tool: no}}", "`no` names no tool"),
        ("approvals: {always_allowed: [no]}", "`no` names no tool"),
        ("approvals: {approvers: {confirm: [no]}}", "`no` names no persona"),
        ("approvals: {approvers: {four_eyes: [no]}}", "`no` names no persona"),
        ("approvals: {approvers: {tools: {no: [no]}}}", "`no` names no tool"),
        ("plan_templates: {p: {title: P, steps: {s: {tool: no}}}}", "`no` names no tool"),
        (
            "plan_templates: {p: {title: P, steps: {s: {tool: x.get, after: [no]}}}}",
            "plan `p` has no step `no`",
        ),
        ("diagnoses: {d: {c: {requires: [no]}}}", "`no` names no tool"),
        ("duty_templates: {d: {persona: no, plan: no}}", "`no` names no persona"),
        ("prompt: {compaction: {resolve_with: no}}", "`no` names no tool"),
        ("limits: {per_tool: {no: {calls: 1}}}", "`no` names no tool"),
        ("audit: {reasoning: {access: [no], retention: 30d, encrypted: true}}", "`no` names no persona"),
        ("types: {t: {properties: {a: {items: no, type: array}}}}", "`no` names no type"),
        ("types: {t: {anyOf: [{type: string}, no]}}", "`no` names no type"),
        ("types: {t: {keys: no}}", "`no` names no section"),
        ("run: {r: no}", "`no` names no type"),
        ("bind: {q: run.no}", "`no` names no field of the run"),
        ("bind: {q: no}", "`no` names no value of the run"),
        ("tests: {t: {run: {harness: no}, exactly: {auto: [x.get]}}}", "`no` names no harness"),
        ("tests: {t: {run: {role: no}, exactly: {auto: [x.get]}}}", "`no` names no role"),
        ("tests: {t: {run: {persona: no}, exactly: {auto: [x.get]}}}", "`no` names no persona"),
        ("tests: {t: {run: {surface: no, scopes: [no]}, exactly: {auto: [x.get]}}}", "`no` names no surface"),
        ("tests: {t: {run: {no: 1}, exactly: {auto: [x.get]}}}", "`no` names no field of the run"),
        ("tests: {t: {run: {}, call: {tool: no}, expect: auto}}", "`no` names no tool"),
        ("tests: {t: {run: {}, matrix: {no: {a: auto}}}}", "`no` names no tool"),
        ("tests: {t: {run: {}, matrix: {x.get: {no: auto}}}}", "`no` names no harness"),
        ("tests: {t: {run: {}, exactly: {confirm: [no]}}}", "`no` names no tool"),
    ] {
        let files = [("tools/x.yaml", registry("")), ("harnesses/a.yaml", HARNESS.to_owned())];
        let mut files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        files.push(("policies/p.yaml", policy));
        let found = of("unknown-reference", &files);
        assert!(found.iter().any(|message| message == unknown), "{policy}\n{found:#?}");
    }
}

#[test]
fn every_field_of_a_harness_and_of_a_tool_is_followed() {
    for (field, unknown) in [
        ("personas: [no]", "persona"),
        ("skills: [no]", "skill"),
        ("memory_lenses: [no]", "memory lens"),
        ("rubric_key: no", "rubric"),
        ("plan_templates: [no]", "plan template"),
        ("refusal_rules: [no]", "refusal"),
        ("status_template: no", "status template"),
        ("record_types: [no]", "record type"),
    ] {
        let harness = format!("harnesses: {{a: {{title: A, toolset: [x.get, x.list], {field}}}}}\n");
        let found =
            of("unknown-reference", &[("tools/x.yaml", &registry("")), ("harnesses/a.yaml", &harness)]);
        assert_eq!(found, [format!("`no` names no {unknown}")], "{field}");
    }
    for (field, unknown) in [
        (", surfaces: [no]", "`no` names no surface"),
        (", undo: [{by: no}]", "`no` names no tool"),
        (", from: no", "`no` names no server"),
        (", bind: {q: run.no}", "`no` names no field of the run"),
        (", output: {properties: {a: no}}", "`no` names no type"),
    ] {
        let found =
            of("unknown-reference", &[("tools/x.yaml", &registry(field)), ("harnesses/a.yaml", HARNESS)]);
        assert_eq!(found, [unknown], "{field}");
    }
    let manifest = "[policy]\nname = \"e\"\nexternal_servers = [\"no\"]\n[expect]\nno = 1\n[[mirror]]\nof = \"no\"\nfile = \"a\"\npattern = \"a\"\n[rules]\nno = \"warn\"\n";
    let found = of("unknown-reference", &[("harness.toml", manifest)]);
    assert_eq!(
        found,
        ["`no` names no server", "`no` names no section", "`no` names no section", "`no` names no rule"]
    );
}

#[test]
fn words_of_the_language_are_no_names() {
    for policy in [
        "tests: {t: {run: {harness: none}, exactly: {auto: [x.get]}}}",
        "tests: {t: {run: {role: run}, exactly: {auto: [plan.propose]}}}",
        "tests: {t: {run: {}, call: {tool: no}, expect: unknown_tool}}",
        "tests: {t: {run: {}, matrix: {x.get: {none: auto}}}}",
        "types: {t: {keys: record_types}}",
        "toolsets: {t: [{tool: x.get, only: {q: [no]}}]}",
        "types: {t: {enum: [no], description: no, default: no}}",
    ] {
        let files =
            [("tools/x.yaml", &*registry("")), ("harnesses/a.yaml", HARNESS), ("policies/p.yaml", policy)];
        assert!(of("unknown-reference", &files).is_empty(), "{policy}");
    }
}

#[test]
fn a_name_whose_definition_is_damaged_or_missing_with_its_holder_is_told_once() {
    let broken = "personas: {p: 7}\n";
    let harness = "harnesses: {a: {title: A, personas: [p], toolset: [x.get, x.list, no/case]}}\n";
    insta::assert_snapshot!(found(&[
        ("tools/x.yaml", &registry("")),
        ("harnesses/a.yaml", harness),
        ("policies/p.yaml", broken),
    ]), @r"
    harnesses/a.yaml:1:67: forbid[unknown-reference]: `no` names no tool
    policies/p.yaml:1:15: forbid[wrong-type]: expected a mapping with the fields of a persona, found the number `7`
    ");
}

#[test]
fn while_a_file_does_not_parse_nothing_is_unknown_or_unused() {
    let files = [("tools/x.yaml", "tools: {x.get: ]"), ("harnesses/a.yaml", HARNESS)];
    let (_, checked) = checked(&files);
    let rules: Vec<&str> = checked.findings.iter().map(|finding| finding.diagnostic.rule.0).collect();
    assert_eq!(rules, ["yaml-syntax"]);
}

#[test]
fn one_knot_is_one_finding_and_the_shortest_way_is_shown() {
    let types = "types:\n  a: {properties: {b: b, c: c}}\n  b: {properties: {c: c}}\n  c: {properties: {a: a}}\n  d: {items: d, type: array}\n";
    let found = of("reference-cycle", &[("policies/t.yaml", types)]);
    assert_eq!(found, ["type `a` leads back to itself: `a` → `b` → `c` → `a`", "type `d` names itself"]);
    let shorter = types.replace("{b: b, c: c}", "{c: c, b: b}");
    let found = of("reference-cycle", &[("policies/t.yaml", &shorter)]);
    assert_eq!(found[0], "type `a` leads back to itself: `a` → `c` → `a`");
}

#[test]
fn two_tools_may_take_each_other_back_and_none_itself() {
    let each = format!(
        "tools:\n{}{}",
        tool("x.get", ", undo: [{by: x.list}]"),
        tool("x.list", ", undo: [{by: x.get}]")
    );
    assert!(of("reference-cycle", &[("tools/x.yaml", &each)]).is_empty());
    let itself = registry(", undo: [snapshot, {by: x.get}]");
    assert_eq!(of("reference-cycle", &[("tools/x.yaml", &itself)]), ["`x.get` is said to take itself back"]);
}

#[test]
fn what_an_unused_definition_names_goes_with_it() {
    let types =
        "types: {t: {type: string, maxLength: 9}, u: {properties: {a: t}}}\ntoolsets: {s: [x.list]}\n";
    let found = of(
        "unused-definition",
        &[("tools/x.yaml", &registry("")), ("harnesses/a.yaml", HARNESS), ("policies/t.yaml", types)],
    );
    assert_eq!(found, ["type `u` is used by nothing", "toolset `s` is used by nothing"]);
}

#[test]
fn the_overlays_of_one_server_are_one_finding() {
    let list = r#"{"tools": [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "b", "inputSchema": {"type": "object"}}, {"name": "c"}]}"#;
    let tools = format!(
        "servers: {{desk: {{tools: vendor/d.json}}}}\n{}  a: {{from: desk}}\n  b: {{from: desk}}\n",
        registry("")
    );
    let manifest = "[policy]\nname = \"e\"\nexternal_servers = [\"desk\"]\n";
    let files = [
        ("tools/x.yaml", tools.as_str()),
        ("harnesses/a.yaml", HARNESS),
        ("vendor/d.json", list),
        ("harness.toml", manifest),
    ];
    assert_eq!(
        of("unused-definition", &files),
        ["tool `x.list` is used by nothing", "2 tools of server `desk` are used by nothing"]
    );
}

#[test]
fn what_nothing_names_by_its_nature_is_not_unused() {
    let policy = "surfaces: {s: {origin: inside}}\nrun: {r: {type: string, maxLength: 9}}\ndiagnoses: {d: {c: {requires: [x.get]}}}\nrefusals: {r: {line: Never.}}\nrecord_types: {g: {title: G, gate: true}}\nprimitives: {p: {owner: src, state: stub}}\ncontext_sources: {c: {title: C, origin: o, pii: low}}\n";
    let tools = format!("tools:\n{}", tool("x.get", ""));
    assert!(
        of(
            "unused-definition",
            &[("tools/x.yaml", &tools), ("harnesses/a.yaml", HARNESS), ("policies/p.yaml", policy)]
        )
        .is_empty()
    );
    assert!(of("unused-definition", &[("tools/x.yaml", &tools)]).is_empty(), "a registry in the making");
    let optional = "refusals: {r: {line: Never., optional: true}, q: {line: Never that.}}\n";
    let harness = "harnesses: {a: {title: A, toolset: [x.get], refusal_rules: [q]}}\n";
    let found = of(
        "unused-definition",
        &[("tools/x.yaml", &tools), ("harnesses/a.yaml", harness), ("policies/p.yaml", optional)],
    );
    assert_eq!(found, ["refusal `r` is used by nothing"]);
}

#[test]
fn names_collide_by_case_separator_and_look_alike_and_else_not() {
    for (one, other, collide) in [
        ("records.search", "records_search", true),
        ("recordsSearch", "records-search", true),
        ("l1st", "lIst", true),
        ("learn", "leam", true),
        ("wow", "vvovv", true),
        ("records.search", "records.searches", false),
        ("mail", "mall", false),
        ("v1", "v2", false),
        ("plan.list", "plan_propose", true),
    ] {
        let tools = format!("tools:\n{}{}", tool(one, ""), tool(other, ""));
        let found = of("colliding-names", &[("tools/x.yaml", &tools)]);
        assert_eq!(found.len(), usize::from(collide), "{one} {other}: {found:?}");
    }
}

#[test]
fn levels_are_raised_and_lowered_and_what_is_forbidden_stays() {
    let level = |setting: &str| {
        let manifest = format!("{MANIFEST}[rules]\n{setting}\n");
        found(&[("harness.toml", &manifest), ("tools/x.yaml", &registry("")), ("harnesses/a.yaml", HARNESS)])
    };
    assert_eq!(level(""), "tools/x.yaml:3:3: warn[unused-definition]: tool `x.list` is used by nothing\n");
    assert_eq!(
        level("unused-definition = \"deny\""),
        "tools/x.yaml:3:3: deny[unused-definition]: tool `x.list` is used by nothing\n"
    );
    assert_eq!(level("unused-definition = \"allow\""), "");
    assert!(level("unknown-reference = \"allow\"").starts_with(
        "harness.toml:4:1: forbid[unlowerable]: `unknown-reference` cannot be set to `allow`\n"
    ));
    assert!(
        level("unused-defintion = \"deny\"")
            .starts_with("harness.toml:4:1: forbid[unknown-reference]: `unused-defintion` names no rule\n")
    );
}

#[test]
fn the_lock_records_levels_that_differ_and_what_was_waived() {
    let manifest = format!("{MANIFEST}[rules]\nunused-definition = \"warn\"\ncolliding-names = \"warn\"\n");
    let tools = registry("").replace(
        "maxLength: 9}}}}\n  x.list",
        "maxLength: 9}}}}\n  # harnessc: allow unused-definition -- for October\n  x.list",
    );
    let files =
        [("harness.toml", manifest.as_str()), ("tools/x.yaml", &tools), ("harnesses/a.yaml", HARNESS)];
    let (_, first) = checked(&files);
    assert!(first.findings.is_empty());
    let levels: Vec<(&str, lock::Level)> =
        first.grading.levels.iter().map(|(rule, level)| (rule.as_str(), *level)).collect();
    assert_eq!(levels, [("colliding-names", lock::Level::Warn)]);
    let [waiver] = first.grading.waivers.as_slice() else { panic!("{:?}", first.grading) };
    assert_eq!(
        (waiver.file.as_str(), waiver.rule.as_str(), waiver.reason.as_str()),
        ("tools/x.yaml", "unused-definition", "for October")
    );
    assert_eq!(waiver.subject, "tools/x.list");
    assert!(waiver.excuses.starts_with("sha256:") && waiver.excuses.len() == 71);
    let other = tools.replace("Looks.", "Looks at it.");
    let (_, second) =
        checked(&[("harness.toml", &manifest), ("tools/x.yaml", &other), ("harnesses/a.yaml", HARNESS)]);
    assert_ne!(second.grading.waivers[0].excuses, waiver.excuses, "another line is another thing to excuse");
    let other = tools.replacen("effect: read", "effect: create", 2);
    let (_, stronger) =
        checked(&[("harness.toml", &manifest), ("tools/x.yaml", &other), ("harnesses/a.yaml", HARNESS)]);
    let stronger = stronger.grading.waivers.iter().find(|other| other.rule == waiver.rule).unwrap();
    assert_ne!(stronger.excuses, waiver.excuses, "a deed that became another one is another thing to excuse");
    let again = format!("# a note above\n{tools}");
    let (_, third) =
        checked(&[("harness.toml", &manifest), ("tools/x.yaml", &again), ("harnesses/a.yaml", HARNESS)]);
    assert_eq!(third.grading.waivers[0].excuses, waiver.excuses, "moved is not changed");
}

#[test]
fn a_waiver_covers_its_line_or_the_next_one_that_is_no_comment() {
    let waiver = "# harnessc: allow unused-definition -- for October";
    for (between, covered) in [
        (format!("  {waiver}\n"), true),
        (format!("  {waiver}\n  # and a word to the reader\n"), true),
        (format!("  {waiver}\n\n"), false),
        (format!("  # a word before\n  {waiver}\n"), true),
    ] {
        let tools = format!("tools:\n{}{between}{}", tool("x.get", ""), tool("x.list", ""));
        let found = of("unused-definition", &[("tools/x.yaml", &tools), ("harnesses/a.yaml", HARNESS)]);
        assert_eq!(found.is_empty(), covered, "{between}");
    }
    let tools = registry("").replace("\n  x.list", &format!("  {waiver}\n  x.list"));
    let found = found(&[("tools/x.yaml", &tools), ("harnesses/a.yaml", HARNESS)]);
    assert!(found.contains("idle-waiver") && found.contains("unused-definition"), "{found}");
}

#[test]
fn a_rule_that_the_manifest_silences_leaves_a_waiver_idle() {
    let manifest = format!("{MANIFEST}[rules]\nunused-definition = \"allow\"\n");
    let tools = registry("").trim_end().to_owned() + "  # harnessc: allow unused-definition -- for October\n";
    let (_, checked) =
        checked(&[("harness.toml", &manifest), ("tools/x.yaml", &tools), ("harnesses/a.yaml", HARNESS)]);
    let [finding] = checked.findings.as_slice() else { panic!("{:?}", checked.findings) };
    assert_eq!(finding.diagnostic.rule.0, "idle-waiver");
    assert!(finding.diagnostic.notes[0].contains("sets `unused-definition` to `allow`"));
}

#[test]
fn a_hidden_character_in_a_prompt_is_waived_beside_the_prompt_s_reference() {
    let manifest = format!("{MANIFEST}prompt_version = \"v1\"\n");
    let harness = "harnesses:\n  a:\n    title: A\n    prompt_ref: harness/a.txt  # harnessc: allow hidden-character -- the prompt is in Hebrew\n    toolset: [x.get, x.list]\n";
    let prompt = "Look\u{200f} closely.\n";
    let files = |harness: &'static str| {
        let tools = registry("");
        let files = [
            ("harness.toml", manifest.as_str()),
            ("tools/x.yaml", tools.as_str()),
            ("harnesses/a.yaml", harness),
            ("prompts/v1/harness/a.txt", prompt),
        ];
        found(&files)
    };
    assert_eq!(files(harness), "");
    let bare =
        "harnesses:\n  a:\n    title: A\n    prompt_ref: harness/a.txt\n    toolset: [x.get, x.list]\n";
    assert!(files(bare).contains("prompts/v1/harness/a.txt:1:5: deny[hidden-character]"), "{}", files(bare));
}

#[test]
fn many_faults_are_told_in_one_run_in_one_order() {
    let files = [
        ("harness.toml", "[policy]\nname = \"e\"\n\n[rules]\nunknown-field = \"warn\"\n"),
        (
            "harnesses/a.yaml",
            "harnesses:\n  a:\n    titel: A\n    toolset: [x.gt, {toolset: reading}]\n    personas: clerk\n",
        ),
        (
            "policies/people.yaml",
            "personas:\n  clerk: {title: Clerk, bundle: [x.get]}\n  clerk: {title: Clerk, bundle: []}\n",
        ),
        (
            "policies/sets.yaml",
            "toolsets:\n  reading: [{toolset: all}, x.list]\n  all: [{toolset: reading}]\n  spare: [x.get]  # harnessc: allow unused-definition\n",
        ),
        ("tools/x.yaml", &registry(", surfaces: [desk]")),
    ];
    let mut turned = files;
    turned.reverse();
    assert_eq!(found(&files), found(&turned));
    insta::assert_snapshot!(found(&files));
}
