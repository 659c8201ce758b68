//! The rules about schemas, where the examples of their pages do not reach.

use harnessc::check::check;
use harnessc::tree::Tree;

/// Everything that is found about schemas and names, as `level rule: underlined text`.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    const RULES: [&str; 10] = [
        "bad-schema",
        "step-input-refused",
        "loose-input",
        "unanchored-pattern",
        "skippable-narrowing",
        "open-output-schema",
        "unknown-reference",
        "reference-cycle",
        "vendored-drift",
        "yaml-syntax",
    ];
    let outside = files.iter().any(|(path, _)| path.starts_with("vendor/"));
    let manifest = match outside {
        true => "[policy]\nname = \"example\"\nexternal_servers = [\"box\"]\n",
        false => "[policy]\nname = \"example\"\n",
    };
    let manifest = ("harness.toml", manifest);
    let all = files.iter().chain([&manifest]);
    let (tree, sink) =
        Tree::from_files(all.map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
    let (checked, ()) = check(&tree, sink, |_, _| ());
    let findings = checked.findings.iter().filter(|finding| RULES.contains(&finding.diagnostic.rule.0));
    findings
        .map(|finding| {
            let text = tree.sources.slice(finding.diagnostic.primary.span);
            format!("{} {}: {text}", finding.level.word(), finding.diagnostic.rule)
        })
        .collect()
}

/// Fails with every row that does not yield what it should.
#[derive(Default)]
struct Rows(String);

impl Rows {
    fn row(&mut self, row: &str, found: &[String], expected: &[&str]) {
        if found != expected {
            self.0 += &format!("\n{row}\n  expected {expected:?}\n  found    {found:?}");
        }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        assert!(self.0.is_empty(), "{}", self.0);
    }
}

/// A read of our own; `more` follows its other fields.
fn tool(input: &str, more: &str) -> String {
    format!(
        "tools:\n  find: {{title: T, description: D, unbound: none here, effect: read, returns: none, input: {input}{more}}}\n"
    )
}

fn wearing(item: &str) -> String {
    format!("harnesses:\n  a: {{title: A, toolset: [{item}]}}\n")
}

/// What is found in a tree of one tool that one harness holds as `item` says, with `more` in a file of its own.
fn of(input: &str, item: &str, more: &str) -> Vec<String> {
    found(&[
        ("tools/t.yaml", &tool(input, "")),
        ("harnesses/a.yaml", &wearing(item)),
        ("policies/p.yaml", more),
    ])
}

const RUN: &str = "run: {id: {type: integer}}\n";

#[test]
fn one_fault_is_one_finding() {
    let rows: [(&str, &str, &str, &[&str]); 12] = [
        ("{properties: {a: word}}", "find", RUN, &["forbid unknown-reference: word"]),
        ("{properties: {a: string}}", "find", RUN, &["forbid unknown-reference: string"]),
        ("{properties: {a: {keys: recrds}}}", "find", RUN, &["forbid unknown-reference: recrds"]),
        ("{properties: {a: {keys: record_types}}}", "find", RUN, &["forbid bad-schema: record_types"]),
        ("{properties: {a: word}}", "find", "types: {word: word}\n", &["forbid reference-cycle: word"]),
        (
            "{properties: {a: word}}",
            "find",
            "types: {word: {properties: {of: other}}, other: {type: array, items: word}}\n",
            &["forbid reference-cycle: other"],
        ),
        ("{properties: {a: {type: string, maxLenght: 3}}}", "find", RUN, &["forbid bad-schema: maxLenght"]),
        (
            "{properties: {a: {$ref: \"https://x.example/y\"}}}",
            "find",
            RUN,
            &["forbid bad-schema: \"https://x.example/y\""],
        ),
        (
            "{properties: {a: [x]}}",
            "find",
            "run: {id: {properties: {x: [y]}}}\n",
            &["forbid bad-schema: {properties: {x: [y]}}"],
        ),
        ("{properties: {a: [x]}}", "{tool: find, only: {b: [x]}}", RUN, &["forbid unknown-reference: b"]),
        (
            "{properties: {a: [x]}}",
            "{tool: find, only: {a: {type: strin}}}",
            RUN,
            &["forbid bad-schema: strin"],
        ),
        ("{properties: {a: {type: array, items: [x]}}}", "find", RUN, &["warn loose-input: input"]),
    ];
    let mut seen = Rows::default();
    for (input, item, more, expected) in rows {
        seen.row(&format!("{input} {item} {more}"), &of(input, item, more), expected);
    }
}

#[test]
fn a_type_is_judged_once_and_at_its_own_place() {
    let twice = "{properties: {a: word, b: word}}";
    assert_eq!(of(twice, "find", "types: {word: {type: string, maxLength: x}}\n"), ["forbid bad-schema: x"]);
    assert_eq!(of(twice, "find", "types: {word: {type: string}}\n"), ["warn loose-input: word"]);
    // A type that no input takes is not an input that is loose.
    let idle = "types: {word: {type: string}, other: {type: string}}\n";
    assert_eq!(of(twice, "find", idle), ["warn loose-input: word"]);
    let bad = "types: {word: {type: string, maxLength: 3, pattern: \"a\"}}\n";
    assert_eq!(of(twice, "find", bad), ["warn unanchored-pattern: \"a\""]);
    let narrowed = of(twice, "{tool: find, only: {a: word}}", bad);
    assert_eq!(narrowed, ["deny unanchored-pattern: \"a\""], "as grave as its gravest use");
    let once =
        "{properties: {a: {$ref: \"#/$defs/w\"}}, $defs: {w: {type: string, maxLength: 3, pattern: \"a\"}}}";
    let run = "run: {a: {type: string}}\nbind: {a: run.a}\n";
    assert_eq!(of(once, "find", run), ["deny unanchored-pattern: \"a\""], "through a reference too");
    let bound = format!("{bad}run: {{b: word}}\nbind: {{b: run.b}}\n");
    assert_eq!(of(twice, "find", &bound), ["deny unanchored-pattern: \"a\""]);
}

#[test]
fn narrowing_is_held_against_the_tool() {
    let input = "{properties: {a: {type: integer, minimum: 1, maximum: 9}, o: {properties: {deep: [x]}}}}";
    let rows: [(&str, &[&str]); 5] = [
        ("{tool: find, only: {a: [3]}}", &[]),
        ("{tool: find, only: {a: [10]}}", &["forbid bad-schema: [10]"]),
        ("{tool: find, only: {a: [x]}}", &["forbid bad-schema: [x]"]),
        ("{tool: find, only: {deep: [x]}}", &["forbid skippable-narrowing: deep"]),
        ("{tool: find, only: {o: {properties: {deep: [x]}, required: [deep]}}}", &[]),
    ];
    let mut seen = Rows::default();
    for (item, expected) in rows {
        seen.row(item, &of(input, item, RUN), expected);
    }
    let shared = "toolsets: {t: [{tool: find, only: {deep: [x]}}]}\n";
    assert_eq!(of(input, "toolset: t", shared).len(), 1, "a toolset is judged once, in its own text");
}

#[test]
fn cases_are_exactly_the_values_of_one_input() {
    let row = |input: &str, cases: &str| {
        let text = format!(
            "tools:\n  t: {{title: T, description: D, unbound: x, undo: [snapshot], returns: none, input: {{properties: {input}}}, cases: {cases}}}\n"
        );
        found(&[("tools/t.yaml", &text), ("harnesses/a.yaml", &wearing("t"))])
    };
    let rows: [(&str, &str, &[&str]); 7] = [
        ("{m: [get, set]}", "{m: {get: read, set: write}}", &[]),
        ("{m: {const: get}}", "{m: {get: read}}", &[]),
        ("{m: [get, set]}", "{m: {get: read}}", &["forbid bad-schema: m"]),
        ("{m: [get]}", "{m: {get: read, set: write}}", &["forbid bad-schema: set"]),
        ("{m: {type: string, maxLength: 3}}", "{m: {get: read}}", &["forbid bad-schema: m"]),
        ("{m: [get]}", "{n: {get: read}}", &["forbid bad-schema: n"]),
        ("{m: [get], n: [get]}", "{m: {get: read}, n: {get: read}}", &["forbid bad-schema: n"]),
    ];
    let mut seen = Rows::default();
    for (input, cases, expected) in rows {
        seen.row(&format!("{input} {cases}"), &row(input, cases), expected);
    }
}

/// What is found for one overlay over one published tool.
fn overlay(published: &str, rest: &str) -> Vec<String> {
    let vendor = format!("{{\"tools\": [{{\"name\": \"put\", \"description\": \"Puts.\", {published}}}]}}");
    let tools = format!(
        "servers: {{box: {{tools: vendor/box.json}}}}\ntools:\n  put: {{from: box, unbound: none here, undo: [snapshot]{rest}}}\n"
    );
    found(&[("vendor/box.json", &vendor), ("tools/t.yaml", &tools), ("harnesses/a.yaml", &wearing("put"))])
}

#[test]
fn published_schemas_are_found_at_the_overlay() {
    let open = r#""inputSchema": {"type": "object", "patternProperties": {"^x": {"type": "string"}}}"#;
    let method = r#""inputSchema": {"type": "object", "properties": {"m": {"type": "string", "enum": ["get", "set", "drop"]}}}"#;
    let free =
        r#""inputSchema": {"type": "object", "properties": {"m": {"type": "string", "maxLength": 9}}}"#;
    let whole = r#""inputSchema": {"type": "object", "properties": {"m": {"type": "integer"}}}"#;
    let pattern = r#""inputSchema": {"type": "object", "properties": {"m": {"type": "string", "maxLength": 9, "pattern": "a"}}}"#;
    let header =
        r#""inputSchema": {"type": "object", "properties": {"m": {"enum": ["get"], "X-MCP-Header": "M"}}}"#;
    let rows: [(&str, &str, &[&str]); 12] = [
        (header, "", &["forbid bad-schema: box"]),
        (open, "", &["forbid bad-schema: box"]),
        ("\"title\": \"Put\"", "", &["forbid bad-schema: box"]),
        (method, ", cases: {m: {get: read, set: write}}", &["warn vendored-drift: m"]),
        (method, ", cases: {m: {get: read, sett: write}}", &["forbid bad-schema: sett"]),
        (free, ", cases: {m: {get: read, set: write}}", &[]),
        (whole, ", cases: {m: {get: read}}", &["forbid bad-schema: get"]),
        (whole, ", input: {properties: {m: [1, 2]}}", &[]),
        (whole, ", input: {properties: {m: {type: integer}}}", &["warn loose-input: input"]),
        (free, ", effect: read, returns: structured", &["forbid bad-schema: structured"]),
        (pattern, "", &["warn unanchored-pattern: box"]),
        (
            pattern,
            ", cases: {m: {a: read, b: write}}",
            &["forbid bad-schema: b", "deny unanchored-pattern: box"],
        ),
    ];
    let mut seen = Rows::default();
    for (published, rest, expected) in rows {
        let mut found = overlay(published, rest);
        found.sort_by_key(|line| line.split_once(' ').map(|(_, rule)| rule.to_owned()));
        seen.row(&format!("{published} {rest}"), &found, expected);
    }
}

#[test]
fn the_input_of_a_step_is_one_that_its_tool_takes() {
    let input = "{properties: {a: {type: integer, minimum: 1, maximum: 9}, b: [x]}, required: [b]}";
    let rows: [(&str, &[&str]); 6] = [
        ("{b: x, a: 3}", &[]),
        ("{b: x, a: 10}", &["deny step-input-refused: 10"]),
        ("{b: x, a: nine}", &["deny step-input-refused: nine"]),
        ("{b: x, c: 1}", &["deny step-input-refused: c"]),
        ("{a: 1}", &["deny step-input-refused: {a: 1}"]),
        ("[b]", &["deny step-input-refused: [b]"]),
    ];
    let mut seen = Rows::default();
    for (step, expected) in rows {
        let plan =
            format!("plan_templates: {{p: {{title: P, steps: {{one: {{tool: find, input: {step}}}}}}}}}\n");
        seen.row(step, &of(input, "find", &plan), expected);
    }
}

#[test]
fn names_for_prose_are_kept_from_roles_that_act() {
    let structured = |output: &str, effect: &str, roles: &str| {
        let text = format!(
            "tools:\n  t: {{title: T, description: D, unbound: x, effect: {effect}, input: {{properties: {{}}}}, returns: structured, output: {output}}}\n{roles}"
        );
        found(&[("tools/t.yaml", &text), ("harnesses/a.yaml", &wearing("t"))])
    };
    let deep =
        "{properties: {rows: {type: array, maxItems: 3, items: {properties: {Body: {type: string}}}}}}";
    assert_eq!(structured(deep, "read", ""), ["forbid open-output-schema: Body"]);
    let readers = "roles: {reader: {reads_untrusted: true, tools: harness_toolset}}\n";
    assert_eq!(structured(deep, "read", readers), [] as [&str; 0]);
    let both = "roles: {reader: {reads_untrusted: true, tools: [t]}, actor: {tools: harness_toolset}}\n";
    assert_eq!(structured(deep, "read", both), ["forbid open-output-schema: Body"]);
    assert_eq!(structured("{properties: {heading: {type: string}}}", "read", ""), [] as [&str; 0]);
}
