//! What is stated is what a run does: beyond the rule pages' examples, case by case.

use harnessc::diagnostic::Applicability;

use crate::cli_common::Scratch;
use crate::small_tree::{MANIFEST, TOOLS, found};

/// A tool with two cases that change something.
const CASES: &str = "tools: {note: {title: N, description: D., unbound: none, returns: none, cases: {then: {keep: write, drop: destructive}}, input: {properties: {then: [keep, drop]}}}}";

/// The texts under a rule's findings, in one policy file.
fn texts(rule: &str, policy: &str) -> Vec<String> {
    let found = found(rule, &[("policies/a.yaml", policy)]);
    found.texts().into_iter().map(str::to_owned).collect()
}

#[test]
fn a_phase_states_no_more_than_the_runtime_gives() {
    let phases = |phases: &str| {
        texts("not-in-force", &format!("engines: {{order: [ai, rules], phases: {{{phases}}}}}"))
    };
    assert!(
        phases("plan: {fallback: phase, corrections: 1}, triage: {fallback: run, corrections: 0}").is_empty()
    );
    assert_eq!(phases("plan: {fallback: run, corrections: 2}"), ["2"]);
    assert_eq!(phases("command: {fallback: phase}"), ["phase"]);
    let fixed = found(
        "not-in-force",
        &[(
            "policies/a.yaml",
            "engines: {order: [ai, rules], phases: {diagnose: {fallback: phase, corrections: 3}}}",
        )],
    );
    assert!(fixed.fixed().contains("corrections: 1}"));
}

#[test]
fn an_order_names_the_model_and_then_the_rules() {
    let order = |engines: &str| texts("not-in-force", &format!("engines: {{{engines}}}"));
    assert!(
        order("order: [ai]").is_empty()
            && order("order: [rules]").is_empty()
            && order("order: [ai, rules]").is_empty()
    );
    assert_eq!(order("order: [ai, ai, rules]"), ["ai"]);
    assert!(
        texts("idle-setting", "engines: {order: [ai, ai, rules]}").is_empty(),
        "one fault is one finding"
    );
    assert_eq!(order("order: [rules], phases: {plan: {fallback: phase}}"), ["[rules]"]);
    // Of the order and the phases behind it each is a fault of its own: the model is not asked, and nothing falls back from it.
    assert_eq!(order("order: [rules, ai], phases: {plan: {fallback: phase}}"), ["[rules, ai]", "ai"]);
}

#[test]
fn a_retry_says_after_what() {
    let retry = |model: &str| texts("not-in-force", &format!("limits: {{retry: {{model: {model}}}}}"));
    assert!(
        retry("{attempts: 5, on: [timeout]}").is_empty()
            && retry("{attempts: 1}").is_empty()
            && retry("never").is_empty()
    );
    assert_eq!(retry("{attempts: 5}"), ["5"]);
    assert_eq!(retry("{attempts: 0, on: [timeout]}"), ["0"]);
}

#[test]
fn a_limit_of_one_case_is_told_where_there_is_such_a_case() {
    let limit = |rule: &str, key: &str| {
        let policy = format!("limits: {{per_tool: {{{key}: {{calls: 1}}}}}}");
        let found = found(rule, &[("tools/t.yaml", CASES), ("policies/a.yaml", &policy)]);
        found.texts().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(limit("not-in-force", "note/drop"), ["note/drop"]);
    assert!(limit("not-in-force", "note").is_empty() && limit("unknown-reference", "note/drop").is_empty());
    for nowhere in ["nope/x", "note/x"] {
        assert_eq!(limit("unknown-reference", nowhere).len(), 1, "{nowhere}");
        assert!(limit("not-in-force", nowhere).is_empty(), "one fault is one finding: {nowhere}");
    }
}

#[test]
fn a_state_is_held_against_the_list_that_the_others_are_taken_from() {
    let states = |states: &str, ready: &str| {
        let output = format!(
            "{{properties: {{rows: {{type: array, maxItems: 9, items: {{properties: {{state: {states}}}}}}}}}}}"
        );
        let tool = format!(
            "tools: {{find: {{title: Find, description: Find., effect: read, unbound: none, input: {{properties: {{}}}}, returns: structured, output: {output}}}}}"
        );
        let policy = format!(
            "evidence: {{ready_states: {ready}, quotes: verbatim}}\ntypes: {{colour: [red, green, ready_]}}"
        );
        found("idle-setting", &[("tools/t.yaml", &tool), ("policies/a.yaml", &policy)])
    };
    for (known, ready) in [
        ("[READ, UNREAD]", "[READY]"),
        ("[READ, UNREAD]", "[READ, REOD]"),
        ("[READY, STALE]", "[READY, FROZEN]"),
        ("[READY, READ]", "[READY]"),
        ("[RED, BLUE]", "[READY, STALE]"),
    ] {
        assert!(states(known, ready).texts().is_empty(), "{known} {ready}");
    }
    let slip = states("[READY, STALE, ARCHIVED]", "[READY, ARCHVED]");
    assert_eq!(slip.texts(), ["ARCHVED"]);
    assert_eq!(slip.labels(), [("a state of the list from which others here are taken", "ARCHIVED")]);
    let fix = &slip.only().fixes[0];
    assert_eq!(fix.applicability, Applicability::Unsafe, "what may be cited is never changed unasked");
    assert_eq!(states("[ready, true_]", "[ready]").texts(), [""; 0]);
    assert_eq!(states("[\"ready\", \"1234\"]", "[ready, 12345]").texts().len(), 0, "a number is no state");
    let number = states("[ready, \"1234\"]", "[ready, \"12345\"]");
    assert!(number.fixed().contains("[ready, \"1234\"]"), "{}", number.fixed());
}

#[test]
fn a_time_zone_is_spelt_as_the_database_spells_it() {
    let zone = |zone: &str| texts("wrong-type", &format!("limits: {{day: {{tokens: 9, timezone: {zone}}}}}"));
    for known in ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+1"] {
        assert!(zone(known).is_empty(), "{known}");
    }
    for unknown in ["Europe/Berln", "europe/berlin", "Berlin", "CEST", "\"\"", "+01:00"] {
        assert_eq!(zone(unknown), [unknown]);
    }
    let found =
        found("wrong-type", &[("policies/a.yaml", "limits: {day: {tokens: 9, timezone: Europe/Berln}}")]);
    assert!(found.fixed().contains("Europe/Berlin}"), "{:?}", found.only());
}

#[test]
fn every_place_of_a_template_is_judged_where_it_stands() {
    let status = |text: &str| {
        let policy = format!("status_templates: {{line: \"{text}\"}}");
        texts("unknown-placeholder", &policy)
    };
    assert!(status("{person}, {decider}, {harness.title}").is_empty() && status("no place").is_empty());
    assert_eq!(status("{person} {decidr} {harness.titel}"), ["{decidr}", "{harness.titel}"]);
    assert_eq!(status("{person} {} {Person}"), ["{}", "{Person}"]);
    assert_eq!(status("{person} as {harness.title"), ["{harness.title"]);
    assert_eq!(
        status("{person} as {harness {decider {a"),
        ["{harness"],
        "behind the first one none is closed"
    );
    assert_eq!(status("{decidr} {person} {decidr}"), ["{decidr}", "{decidr}"]);
    assert_eq!(status("By {person}} and }{decider}"), ["}"], "everybody would be shown it");
    assert_eq!(status("{{person}} for {decider}"), ["{{person}"], "one fault is one finding");
    assert_eq!(status("{person} \\x7bdecidr}"), ["\"{person} \\x7bdecidr}\""]);
    let wrap = |text: &str| texts("unknown-placeholder", &format!("prompt: {{memory_wrap: \"{text}\"}}"));
    assert!(wrap("<<<memory:{text}>>>").is_empty() && wrap("[{text}]").is_empty());
    assert_eq!(wrap("[{text}] [{text}]"), ["{text}"]);
    assert_eq!(wrap("[memory]").len(), 1);
    assert_eq!(wrap("{{{{ {txt}"), ["{txt}"]);
}

#[test]
fn texts_made_to_exhaust_a_rule_end_soon() {
    let begun = std::time::Instant::now();
    let template =
        |text: String| texts("unknown-placeholder", &format!("status_templates: {{line: \"{text}\"}}"));
    assert_eq!(template("{".repeat(400_000)).len(), 1);
    assert_eq!(template("{ ".repeat(200_000)).len(), 1);
    assert_eq!(template(format!("{}}}", "{".repeat(400_000))).len(), 1);
    assert_eq!(template("{a}".repeat(100_000)).len(), 2_000, "so many of one rule are told");
    assert_eq!(
        texts("unknown-placeholder", &format!("prompt: {{memory_wrap: \"{}}}\"}}", "{".repeat(400_000)))
            .len(),
        1
    );
    let states = |of: fn(usize) -> String| {
        let words: Vec<String> = (0..60_000).map(of).collect();
        texts("idle-setting", &format!("evidence: {{ready_states: [{}]}}", words.join(", "))).len()
    };
    assert_eq!(states(|n| format!("s{n}")), 0);
    assert_eq!(states(|n| format!("s{}", n.min(59_000))), 999);
    assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn one_switch_is_one_finding_with_every_place() {
    let tools = TOOLS.replace("effect: read,", "effect: read, enabled: false,");
    let policy = "plan_templates:
  a: {title: A, steps: {one: {tool: notes.find}, two: {tool: notes.find}}}
skills: {s: {title: S, version: 1, tools: [notes.find]}}
harnesses: {h: {title: H, toolset: [notes.find, notes.change], plan_templates: [a], skills: [s]}}
";
    let found = found("disabled-tool-required", &[("tools/t.yaml", &tools), ("policies/a.yaml", policy)]);
    assert_eq!(found.texts(), ["false"]);
    let labels: Vec<&str> = found.labels().into_iter().map(|(text, _)| text).collect();
    assert_eq!(labels, ["used by skill `s`", "step `one` of plan `a`", "step `two` of plan `a`"]);
}

#[test]
fn nothing_in_a_required_key_is_told_the_right_edit() {
    let help = |rule: &str, policy: &str| {
        let found = found(rule, &[("policies/a.yaml", policy)]);
        found.only().help.clone().unwrap()
    };
    let required = help("empty-list", "diagnoses: {c: {r: {requires: []}}}");
    assert_eq!(
        required,
        "name at least one: a root cause needs `requires`, so the key cannot be taken out alone"
    );
    assert!(
        help("null-value", "personas: {p: {title: null, bundle: [x]}}")
            .starts_with("write a value: a persona needs `title`")
    );
    assert!(help("empty-list", "evidence: {ready_states: []}").ends_with("or take the key out"));
}

#[test]
fn a_plan_for_every_root_cause() {
    let cause = |requires: &str, more: &str| {
        let policy = format!(
            "diagnoses: {{c: {{r: {{requires: {requires}}}}}}}\nharnesses: {{h: {{title: H, toolset: [notes.find, notes.change]}}}}\n{more}"
        );
        let found = found("cause-without-plan", &[("tools/t.yaml", TOOLS), ("policies/a.yaml", &policy)]);
        found.texts().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(cause("[notes.find, notes.change]", "").is_empty());
    assert_eq!(cause("[notes.find, notes.change]", "limits: {run: {steps: 1}}"), ["r"]);
    assert!(cause("[notes.change, notes.change]", "approvals: {max_actions_per_run: 1}").is_empty());
    let apart =
        "roles: {reading: {tools: harness_toolset, effects: [read]}, acting: {tools: [notes.change]}}";
    assert_eq!(cause("[notes.find, notes.change]", apart), ["r"]);
    assert_eq!(
        cause("[notes.change]", "roles: {reading: {tools: harness_toolset, effects: [read]}}"),
        ["notes.change"]
    );
}

#[test]
fn one_step_meets_a_tool_and_its_case() {
    let cause = |requires: &str, more: &str| {
        let policy = format!(
            "diagnoses: {{c: {{r: {{requires: {requires}}}}}}}\nharnesses: {{h: {{title: H, toolset: [note]}}}}\n{more}"
        );
        let found = found("cause-without-plan", &[("tools/t.yaml", CASES), ("policies/a.yaml", &policy)]);
        found.texts().len()
    };
    for cap in ["limits: {run: {steps: 1}}", "approvals: {max_actions_per_run: 1}"] {
        assert_eq!(cause("[note/keep, note]", cap), 0, "{cap}");
        assert_eq!(cause("[note, note/keep]", cap), 0, "{cap}");
        assert_eq!(cause("[note/drop, note/keep]", cap), 1, "{cap}");
        assert_eq!(cause("[note/drop, note, note/keep]", cap), 1, "{cap}");
    }
    // The proof at load counts as the rule does.
    let scratch = Scratch::empty();
    scratch.write("harness.toml", MANIFEST);
    let policy = "diagnoses: {c: {r: {requires: [note/keep, note, note/keep]}}}
harnesses: {h: {title: H, toolset: [note]}}
approvals: {max_actions_per_run: 1}
";
    scratch.write(
        "tools/t.yaml",
        &CASES.replace("returns: none", "returns: none, undo: none, approval: four_eyes"),
    );
    scratch.write("policies/a.yaml", policy);
    assert!(scratch.transcript(&["build"]).ends_with("--- exit 0\n"), "{}", scratch.transcript(&["build"]));
    assert!(scratch.transcript(&["verify"]).ends_with("--- exit 0\n"), "{}", scratch.transcript(&["verify"]));
}

#[test]
fn no_cause_requires_more_than_any_plan_holds() {
    let required = |count: usize| {
        let tool = |n: usize| {
            format!(
                "t{n}: {{title: T, description: D., effect: read, unbound: none, input: {{properties: {{}}}}, returns: none}}"
            )
        };
        let tools: Vec<String> = (0..count).map(tool).collect();
        let names: Vec<String> = (0..count).map(|n| format!("t{n}")).collect();
        let names = names.join(", ");
        let policy = format!(
            "diagnoses: {{c: {{r: {{requires: [{names}]}}}}}}\nharnesses: {{h: {{title: H, toolset: [{names}]}}}}"
        );
        let tools = format!("tools: {{{}}}", tools.join(", "));
        let found = found("cause-without-plan", &[("tools/t.yaml", &tools), ("policies/a.yaml", &policy)]);
        found.texts().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(required(64).is_empty());
    assert_eq!(required(65), ["r"]);
}

#[test]
fn a_reader_of_prose_that_also_acts_is_warned_of_once() {
    let tools = TOOLS.replacen("returns: none", "returns: prose", 1);
    let reader = |role: &str| {
        let policy = format!(
            "roles: {{worker: {{tools: harness_toolset}}, r: {{reads_untrusted: true, {role}}}}}\nharnesses: {{h: {{title: H, toolset: [notes.find, notes.change]}}, i: {{title: I, toolset: [notes.find, notes.change]}}}}"
        );
        let found = found("reader-that-acts", &[("tools/t.yaml", &tools), ("policies/a.yaml", &policy)]);
        found.levels()
    };
    assert_eq!(reader("tools: harness_toolset"), ["warn"]);
    assert_eq!(reader("tools: [notes.change, notes.find]"), ["warn"]);
    assert!(
        reader("tools: [notes.find]").is_empty()
            && reader("tools: harness_toolset, effects: [read]").is_empty()
    );
    assert!(reader("tools: [notes.change]").is_empty());
}

#[test]
fn no_plan_is_longer_than_the_runtime_takes() {
    let steps = |count: usize| {
        let steps: Vec<String> = (0..count).map(|at| format!("s{at}: {{tool: notes.find}}")).collect();
        let policy = format!("plan_templates: {{long: {{title: L, steps: {{{}}}}}}}", steps.join(", "));
        let found = found("plan-too-long", &[("tools/t.yaml", TOOLS), ("policies/a.yaml", &policy)]);
        found.texts().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(steps(64).is_empty());
    assert_eq!(steps(65), ["long"]);
}

/// A tree whose results are brought back by `get`, changed by `more`.
fn compacted(get: &str, more: &str) -> Vec<String> {
    let output = "output: {properties: {id: {type: string, maxLength: 9}}}";
    let tools = format!(
        "tools:
  find: {{title: F, description: D., effect: read, unbound: none, input: {{properties: {{}}}}, returns: structured, {output}}}
  add: {{title: A, description: D., effect: write, unbound: none, input: {{properties: {{}}}}, returns: structured, {output}}}
  get: {{title: G, description: D., effect: read, unbound: none, {get}, {output}}}
prompt: {{compaction: {{above: 4KiB, resolve_with: get}}}}
"
    );
    let rest = if more.contains("harnesses:") {
        String::new()
    } else {
        "harnesses: {h: {title: H, toolset: [find, add, get]}}\n".to_owned()
    };
    let found = found(
        "unresolvable-result",
        &[("tools/t.yaml", &tools), ("policies/a.yaml", &format!("{rest}{more}"))],
    );
    found.messages().into_iter().map(str::to_owned).collect()
}

const GETS: &str =
    "input: {required: [ref], properties: {ref: {type: string, maxLength: 20}}}, returns: structured";

#[test]
fn a_reference_alone_calls_the_tool_that_brings_results_back() {
    let get = |input: &str| compacted(&format!("input: {input}, returns: structured"), "");
    let text = "{type: string, maxLength: 20}";
    for input in [
        format!("{{required: [ref], properties: {{ref: {text}}}}}"),
        format!("{{properties: {{ref: {text}, rank: {{type: integer}}}}}}"),
        format!("{{required: [ref], properties: {{ref: {text}, note: {text}}}}}"),
        "{required: [ref], properties: {ref: {type: string, format: uuid}}}".to_owned(),
        "{required: [ref], properties: {ref: {anyOf: [{type: string, maxLength: 9}, {type: integer}]}}}"
            .to_owned(),
    ] {
        assert_eq!(get(&input), [""; 0], "{input}");
    }
    for (input, said) in [
        (
            format!("{{required: [rank], properties: {{rank: {{type: integer}}, note: {text}}}}}"),
            "asks for `rank`, in which no reference",
        ),
        (
            format!("{{required: [ref, note], properties: {{ref: {text}, note: {text}}}}}"),
            "a reference is one of them at most",
        ),
        ("{properties: {day: {type: string, format: date}}}".to_owned(), "takes no input in which"),
        ("{properties: {ref: {type: string, maxLength: 2}}}".to_owned(), "takes no input in which"),
        ("{properties: {}}".to_owned(), "takes no input in which"),
    ] {
        let found = get(&input);
        assert!(found.len() == 1 && found[0].contains(said), "{input}: {found:?}");
    }
}

#[test]
fn every_role_that_is_given_results_brings_them_back() {
    let roles = |roles: &str| compacted(GETS, &format!("roles: {{{roles}}}"));
    for good in [
        "all: {tools: harness_toolset}",
        "reading: {tools: harness_toolset, effects: [read]}",
        "one: {tools: [find, get]}",
        "none: {tools: [get]}",
    ] {
        assert_eq!(roles(good), [""; 0], "{good}");
    }
    for bad in ["x: {tools: [find]}", "x: {tools: harness_toolset, effects: [write]}"] {
        let said = "`get` is to bring shortened results back, and role `x` leaves it to no run";
        assert_eq!(roles(&format!("all: {{tools: harness_toolset}}, {bad}")), [said]);
    }
    let prose = GETS.replace("structured", "prose").replace(", output", "");
    let worker = "x: {tools: harness_toolset}, reader: {reads_untrusted: true, tools: harness_toolset}";
    assert_eq!(compacted(&prose, &format!("roles: {{{worker}}}")).len(), 1, "the worker reads no prose");
    assert_eq!(
        compacted(&prose, "roles: {x: {tools: harness_toolset}}"),
        [""; 0],
        "nobody does: another rule's"
    );
}

#[test]
fn a_run_without_a_harness_brings_its_results_back_too() {
    let viewer = |bundle: &str| {
        compacted(GETS, &format!("personas: {{viewer: {{title: V, harness: none, bundle: [{bundle}]}}}}"))
    };
    assert_eq!(viewer("find, get"), [""; 0]);
    assert_eq!(viewer("add"), [""; 0], "such a run reads only");
    assert_eq!(viewer("find"), ["`get` is to bring shortened results back, and `viewer` does not hold it"]);
}

#[test]
fn a_surface_that_gives_results_brings_them_back() {
    let desk = |scopes: &str| compacted(GETS, &format!("surfaces: {{desk: {{scopes: {{{scopes}}}}}}}"));
    for good in [
        "look: {effects: [read]}, act: {effects: [write]}",
        "all: {effects: [read, write]}",
        "drop: {effects: [destructive]}",
    ] {
        assert_eq!(desk(good), [""; 0], "{good}");
    }
    assert_eq!(
        desk("act: {effects: [write]}"),
        ["`get` is to bring shortened results back, and `desk` does not show it"]
    );
    let shown = format!("{GETS}, surfaces: [desk]");
    assert_eq!(compacted(&shown, "surfaces: {desk: {}, chat: {}}").len(), 1);
    assert_eq!(
        compacted(&shown, "surfaces: {desk: {}, chat: {scopes: {drop: {effects: [destructive]}}}}"),
        [""; 0]
    );
    assert_eq!(compacted(&shown, "surfaces: {desk: {}, mcp: {origin: outside}}"), [""; 0]);
}
