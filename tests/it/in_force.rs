//! What is stated is what a run does: beyond the rule pages' examples, case by case.

use crate::small_tree::{TOOLS, found};

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
    let wrap = |text: &str| texts("unknown-placeholder", &format!("prompt: {{memory_wrap: \"{text}\"}}"));
    assert!(wrap("<<<memory:{text}>>>").is_empty() && wrap("[{text}]").is_empty());
    assert_eq!(wrap("[{text}] [{text}]"), ["{text}"]);
    assert_eq!(wrap("[memory]").len(), 1);
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
