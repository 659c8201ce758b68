//! The direction of every field of the lock that no cell shows: from unstated to stated, and from one value to the next, as
//! the runtime reads both. A field of a lock's type that has no row here, and is not left to the cells, fails.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::engines::UNSTATED_CORRECTIONS;
use harnessc_runtime::evidence::UNSTATED_REPAIRS;
use harnessc_runtime::lock::Lock;
use harnessc_runtime::meter::UNSTATED_ATTEMPTS;
use harnessc_runtime::prompt::DEFAULT_WRAP;
use harnessc_runtime::release::DEFAULT_MAX_BYTES;
use serde_json::{Value, json};

use super::fields;
use super::grade::Delta;

/// The same: what is stated is what the runtime does unasked.
const SAME: Delta = Delta::EQUAL;
const WIDER: Delta = Delta::WIDER;
const TIGHTER: Delta = Delta::TIGHTER;
const EITHER: Delta = Delta::EITHER;
const READ: Delta = Delta::ALTERED;

/// A value, how it stands to the field as the start has it, and to the value before.
type Step = (Value, Delta, Delta);

/// A field, where it stands, what else is stated, and its values. Whatever encloses it stands on both sides.
struct Row(&'static str, &'static str, Vec<(&'static str, Value)>, Vec<Step>);

/// One value.
fn one(field: &'static str, at: &'static str, value: Value, delta: Delta) -> Row {
    Row(field, at, Vec::new(), vec![(value, delta, delta)])
}

fn all(field: &'static str, at: &'static str, steps: Vec<Step>) -> Row {
    Row(field, at, Vec::new(), steps)
}

/// A bound from above that is none where it is unstated.
fn bound(field: &'static str, at: &'static str) -> Row {
    all(field, at, vec![(json!(1), TIGHTER, TIGHTER), (json!(2), TIGHTER, WIDER)])
}

/// Names of which each grants something, and none grants nothing.
fn grants(field: &'static str, at: &'static str) -> Row {
    all(field, at, vec![(json!(["a"]), WIDER, WIDER), (json!(["a", "b"]), WIDER, WIDER)])
}

/// Names of which each guards something, and none guards nothing.
fn guards(field: &'static str, at: &'static str) -> Row {
    all(field, at, vec![(json!(["a"]), TIGHTER, TIGHTER), (json!(["a", "b"]), TIGHTER, TIGHTER)])
}

/// Names that alone are let through, and none lets through all.
fn only(field: &'static str, at: &'static str) -> Row {
    all(field, at, vec![(json!(["a"]), TIGHTER, TIGHTER), (json!(["a", "b"]), TIGHTER, WIDER)])
}

/// How a deed is shown that, unstated, is shown as a message where nobody is asked.
fn treatment(field: &'static str, at: &'static str) -> Row {
    all(
        field,
        at,
        vec![
            (json!("silent"), WIDER, WIDER),
            (json!("notify"), SAME, TIGHTER),
            (json!("plan_card"), TIGHTER, TIGHTER),
            (json!("one_plan_card"), EITHER, EITHER),
        ],
    )
}

fn of_people() -> Vec<Row> {
    let yes = |field, at| {
        let steps = vec![
            (json!(["a"]), WIDER, WIDER),
            (json!(["a", "b"]), WIDER, WIDER),
            (json!(["b"]), WIDER, TIGHTER),
        ];
        all(field, at, steps)
    };
    vec![
        one("Approvals.approvers", "/approvals/approvers", json!({"confirm": ["a"]}), TIGHTER),
        one("Approvals.batch", "/approvals/batch", json!({}), SAME),
        bound("Approvals.expires_after_ms", "/approvals/expires_after_ms"),
        bound("Approvals.max_actions_per_run", "/approvals/max_actions_per_run"),
        one("Approvals.treatments", "/approvals/treatments", json!({}), SAME),
        yes("Approvers.confirm", "/approvals/approvers/confirm"),
        yes("Approvers.four_eyes", "/approvals/approvers/four_eyes"),
        yes("Approvers.tools", "/approvals/approvers/tools/x"),
        all(
            "Batch.keep_partial",
            "/approvals/batch/keep_partial",
            vec![(json!(false), TIGHTER, TIGHTER), (json!(true), SAME, WIDER)],
        ),
        one("Batch.on_failure", "/approvals/batch/on_failure", json!("stop"), TIGHTER),
        all(
            "Batch.treatment",
            "/approvals/batch/treatment",
            vec![(json!("one_plan_card"), SAME, SAME), (json!("plan_card"), EITHER, EITHER)],
        ),
        treatment("Treatments.create", "/approvals/treatments/create"),
        treatment("Treatments.destructive", "/approvals/treatments/destructive"),
        all(
            "Treatments.read",
            "/approvals/treatments/read",
            vec![
                (json!("silent"), SAME, SAME),
                (json!("notify"), TIGHTER, TIGHTER),
                (json!("plan_card"), TIGHTER, TIGHTER),
                (json!("one_plan_card"), EITHER, EITHER),
            ],
        ),
        treatment("Treatments.write", "/approvals/treatments/write"),
        // A role that reads strangers' words is a reader the more.
        one("Role.reads_untrusted", "/roles/run/reads_untrusted", json!(true), EITHER),
        one("Role.title", "/roles/run/title", json!("t"), READ),
        only("Surface.after_approval", "/surfaces/x/after_approval"),
        all(
            "Surface.origin",
            "/surfaces/x/origin",
            vec![(json!("outside"), TIGHTER, TIGHTER), (json!("inside"), SAME, WIDER)],
        ),
        one("Surface.scopes", "/surfaces/x/scopes", json!({"a": {"effects": ["read"]}}), TIGHTER),
        bound("Scope.steps", "/surfaces/x/scopes/a/steps"),
        // Of the granted scopes the largest that states any holds.
        Row(
            "Scope.steps",
            "/surfaces/x/scopes/a/steps",
            vec![("/surfaces/x/scopes/b", json!({"effects": ["read"], "steps": 1}))],
            vec![(json!(1), TIGHTER, TIGHTER), (json!(2), EITHER, WIDER)],
        ),
    ]
}

fn of_limits() -> Vec<Row> {
    vec![
        one("Limits.day", "/limits/day", json!({}), SAME),
        one("Limits.per_tool", "/limits/per_tool/y", json!({"calls": 1}), TIGHTER),
        one(
            "Limits.prices",
            "/limits/prices/n",
            json!({"input_micro_usd": 5, "output_micro_usd": 5}),
            EITHER,
        ),
        one("Limits.retry", "/limits/retry", json!({}), SAME),
        one("Limits.run", "/limits/run", json!({}), SAME),
        bound("DayLimits.cost_micro_usd", "/limits/day/cost_micro_usd"),
        one("DayLimits.timezone", "/limits/day/timezone", json!("UTC"), EITHER),
        bound("DayLimits.tokens", "/limits/day/tokens"),
        bound("ToolLimit.calls", "/limits/per_tool/x/calls"),
        bound("ToolLimit.result_bytes", "/limits/per_tool/x/result_bytes"),
        bound("ToolLimit.timeout_ms", "/limits/per_tool/x/timeout_ms"),
        all(
            "Price.cached_micro_usd",
            "/limits/prices/m/cached_micro_usd",
            vec![(json!(4), WIDER, WIDER), (json!(5), SAME, TIGHTER), (json!(6), TIGHTER, TIGHTER)],
        ),
        all(
            "Price.input_micro_usd",
            "/limits/prices/m/input_micro_usd",
            vec![(json!(4), WIDER, WIDER), (json!(6), TIGHTER, TIGHTER)],
        ),
        all(
            "Price.output_micro_usd",
            "/limits/prices/m/output_micro_usd",
            vec![(json!(4), WIDER, WIDER), (json!(6), TIGHTER, TIGHTER)],
        ),
        all(
            "Retry.model",
            "/limits/retry/model",
            vec![
                (json!({"attempts": UNSTATED_ATTEMPTS}), SAME, SAME),
                (json!({"attempts": UNSTATED_ATTEMPTS + 1, "on": ["timeout"]}), WIDER, WIDER),
            ],
        ),
        one("RetryModel.attempts", "/limits/retry/model/attempts", json!(UNSTATED_ATTEMPTS + 1), WIDER),
        grants("RetryModel.on", "/limits/retry/model/on"),
        bound("RunLimits.cost_micro_usd", "/limits/run/cost_micro_usd"),
        bound("RunLimits.deadline_ms", "/limits/run/deadline_ms"),
        bound("RunLimits.model_call_ms", "/limits/run/model_call_ms"),
        bound("RunLimits.model_calls", "/limits/run/model_calls"),
        bound("RunLimits.result_bytes", "/limits/run/result_bytes"),
        bound("RunLimits.steps", "/limits/run/steps"),
        bound("RunLimits.tokens", "/limits/run/tokens"),
        bound("RunLimits.tool_calls", "/limits/run/tool_calls"),
    ]
}

fn of_answers() -> Vec<Row> {
    let code = || json!(["failure_code"]);
    vec![
        one("Engines.model", "/engines/model", json!("m"), EITHER),
        one("Engines.order", "/engines/order", json!(["ai"]), EITHER),
        all(
            "Engines.phases",
            "/engines/phases/plan",
            vec![(json!({}), SAME, SAME), (json!({"corrections": UNSTATED_CORRECTIONS + 1}), WIDER, WIDER)],
        ),
        one("Engines.providers", "/engines/providers", json!({}), SAME),
        all(
            "Engines.unsure_below_millionths",
            "/engines/unsure_below_millionths",
            vec![(json!(1), TIGHTER, TIGHTER), (json!(2), TIGHTER, TIGHTER)],
        ),
        all(
            "Phase.corrections",
            "/engines/phases/diagnose/corrections",
            vec![(json!(UNSTATED_CORRECTIONS), SAME, SAME), (json!(UNSTATED_CORRECTIONS + 1), WIDER, WIDER)],
        ),
        one("Phase.fallback", "/engines/phases/diagnose/fallback", json!("phase"), EITHER),
        one("Providers.cooldown_ms", "/engines/providers/cooldown_ms", json!(1), EITHER),
        one("Providers.order", "/engines/providers/order", json!(["a"]), EITHER),
        one("Evidence.quotes", "/evidence/quotes", json!("verbatim"), TIGHTER),
        only("Evidence.ready_states", "/evidence/ready_states"),
        all(
            "Evidence.repairs",
            "/evidence/repairs",
            vec![(json!(UNSTATED_REPAIRS), SAME, SAME), (json!(UNSTATED_REPAIRS + 1), WIDER, WIDER)],
        ),
        one("Evidence.semantic", "/evidence/semantic", json!({"attempts": 1}), TIGHTER),
        one("Semantic.attempts", "/evidence/semantic/attempts", json!(2), EITHER),
        all(
            "Release.unsupported",
            "/release/unsupported",
            vec![
                (json!({}), SAME, SAME),
                (json!({"fields": code(), "max_bytes": DEFAULT_MAX_BYTES * 2}), WIDER, WIDER),
                (json!({"fields": code(), "max_bytes": 1}), WIDER, TIGHTER),
            ],
        ),
        grants("Unsupported.fields", "/release/unsupported/fields"),
        Row(
            "Unsupported.max_bytes",
            "/release/unsupported/max_bytes",
            vec![("/release/unsupported/fields", code())],
            vec![
                (json!(DEFAULT_MAX_BYTES), SAME, SAME),
                (json!(DEFAULT_MAX_BYTES + 1), WIDER, WIDER),
                (json!(DEFAULT_MAX_BYTES - 1), TIGHTER, TIGHTER),
            ],
        ),
        guards("Audit.action", "/audit/action"),
        one("Audit.reasoning", "/audit/reasoning", json!("separate"), EITHER),
        all(
            "Audit.reasoning_store",
            "/audit/reasoning_store",
            vec![
                (json!({"encrypted": false}), SAME, SAME),
                (json!({"access": ["a"], "encrypted": false}), WIDER, WIDER),
            ],
        ),
        guards("Audit.tool_call", "/audit/tool_call"),
        all(
            "Audit.trace",
            "/audit/trace",
            vec![
                (json!(["AGENT"]), WIDER, WIDER),
                (json!(["AGENT", "TOOL"]), WIDER, TIGHTER),
                (json!(harnessc_runtime::lock::closed_words::TRACE_STAGES), SAME, TIGHTER),
            ],
        ),
        grants("ReasoningStore.access", "/audit/reasoning_store/access"),
        one("ReasoningStore.encrypted", "/audit/reasoning_store/encrypted", json!(true), TIGHTER),
        one("ReasoningStore.retention_ms", "/audit/reasoning_store/retention_ms", json!(1), EITHER),
        guards("Cause.requires", "/diagnoses/c/r/requires"),
    ]
}

fn of_texts() -> Vec<Row> {
    vec![
        one("Prompt.compaction", "/prompt/compaction", json!({}), SAME),
        all(
            "Prompt.memory_wrap",
            "/prompt/memory_wrap",
            vec![(json!(DEFAULT_WRAP), SAME, SAME), (json!("<{text}>"), EITHER, EITHER)],
        ),
        one("Prompt.order", "/prompt/order", json!(["harness"]), READ),
        one("Prompt.parts", "/prompt/parts/y", json!({"digest": "d", "text": "t"}), READ),
        one("Prompt.planning", "/prompt/planning", json!({"when": {}}), READ),
        one("Prompt.volatile", "/prompt/volatile", json!(["status"]), READ),
        one("Prompt.window", "/prompt/window", json!({}), READ),
        one("Window.messages", "/prompt/window/messages", json!(1), READ),
        one("Window.tokens", "/prompt/window/tokens", json!(1), READ),
        one("Compaction.above_bytes", "/prompt/compaction/above_bytes", json!(1), READ),
        one("Compaction.keep_last", "/prompt/compaction/keep_last", json!(1), READ),
        one("Compaction.resolve_with", "/prompt/compaction/resolve_with", json!("x"), READ),
        one("PlanningWhen.effects", "/prompt/planning/when/effects", json!(["read"]), READ),
        one("PlanningWhen.intent", "/prompt/planning/when/intent", json!("write"), READ),
        guards("Refusal.forbidden_verbs", "/refusals/x/forbidden_verbs"),
        guards("Refusal.forms", "/refusals/x/forms/v"),
        one("Refusal.optional", "/refusals/x/optional", json!(true), WIDER),
        one("Rubric.criteria", "/rubrics/x/criteria/y", json!({"asks": "a", "evidence_required": "e"}), READ),
        one("Rubric.version", "/rubrics/x/version", json!(2), READ),
    ]
}

fn of_work() -> Vec<Row> {
    let steps = || json!([{"key": "k", "tool": "x"}, {"key": "l", "tool": "x"}]);
    vec![
        grants("Harness.memory_lenses", "/harnesses/x/memory_lenses"),
        grants("Harness.plan_templates", "/harnesses/x/plan_templates"),
        one("Harness.prompt", "/harnesses/x/prompt", json!(["a"]), READ),
        grants("Harness.record_types", "/harnesses/x/record_types"),
        guards("Harness.refusal_rules", "/harnesses/x/refusal_rules"),
        one("Harness.rubric_key", "/harnesses/x/rubric_key", json!("r"), READ),
        grants("Harness.skills", "/harnesses/x/skills"),
        one("Harness.status_template", "/harnesses/x/status_template", json!("s"), READ),
        one("Server.command", "/servers/x/command", json!(["c"]), EITHER),
        one("Server.url", "/servers/x/url", json!("https://a.example"), EITHER),
        one("Skill.instructions", "/skills/x/instructions", json!("i"), READ),
        grants("Skill.tools", "/skills/x/tools"),
        one("Skill.version", "/skills/x/version", json!(2), READ),
        one("PlanTemplate.steps", "/plan_templates/x/steps", steps(), WIDER),
        guards("PlanStep.after", "/plan_templates/x/steps/0/after"),
        all(
            "PlanStep.input",
            "/plan_templates/x/steps/0/input",
            vec![(json!({"a": 1}), TIGHTER, TIGHTER), (json!({"a": 2}), TIGHTER, EITHER)],
        ),
        one("DutyTemplate.persona", "/duty_templates/x/persona", json!("p"), EITHER),
        one("DutyTemplate.plan", "/duty_templates/x/plan", json!("p"), EITHER),
        one("DutyTemplate.title", "/duty_templates/x/title", json!("t"), READ),
        one("DutyTemplate.when_wearing", "/duty_templates/x/when_wearing", json!("x"), TIGHTER),
        one("RecordType.attachment", "/record_types/x/attachment", json!(true), WIDER),
        one("RecordType.check_input", "/record_types/x/check_input", json!(true), WIDER),
        one("RecordType.gate", "/record_types/x/gate", json!(true), TIGHTER),
        grants("MemoryLens.kinds", "/memory_lenses/x/kinds"),
        one("ContextSource.origin", "/context_sources/x/origin", json!("o"), EITHER),
        one("ContextSource.pii", "/context_sources/x/pii", json!("low"), EITHER),
        one("ContextSource.untrusted", "/context_sources/x/untrusted", json!(true), TIGHTER),
        grants("LensReview.lenses", "/lens_reviews/x/lenses"),
        grants("LensReview.records", "/lens_reviews/x/records"),
        one("LensReview.tools", "/lens_reviews/x/tools", json!(["x"]), EITHER),
        one(
            "LensReview.view",
            "/lens_reviews/x/view",
            json!({"columns": "lenses", "rows": "criteria"}),
            READ,
        ),
        one("LensView.first", "/lens_reviews/x/view/first", json!("f"), READ),
        one("Tool.unbound", "/tools/x/unbound", json!("why"), WIDER),
    ]
}

fn of_the_lock() -> Vec<Row> {
    let digest = format!("sha256:{}", "0".repeat(64));
    let excused = json!([{"excuses": "e", "file": "f", "reason": "r", "rule": "u", "subject": "s"}]);
    let section = |field, at: &'static str, delta| {
        let key = at.rsplit_once('/').map_or(at, |(section, _)| section);
        let template = templates().remove(&format!("{key}/x").replace("/roles/x", "/roles/run"));
        one(field, at, template.unwrap_or(json!({})), delta)
    };
    vec![
        one("Lock.audit", "/audit", json!({}), SAME),
        one("Lock.baseline", "/baseline", json!({"digest": digest, "findings": 1}), WIDER),
        Row(
            "Baseline.findings",
            "/baseline/findings",
            vec![("/baseline", json!({"digest": digest, "findings": 1}))],
            vec![(json!(2), EITHER, EITHER)],
        ),
        section("Lock.context_sources", "/context_sources/y", WIDER),
        section("Lock.diagnoses", "/diagnoses/y", EITHER),
        section("Lock.duty_templates", "/duty_templates/y", WIDER),
        one("Lock.engines", "/engines", json!({}), SAME),
        one("Lock.evidence", "/evidence", json!({}), SAME),
        section("Lock.harnesses", "/harnesses/y", WIDER),
        section("Lock.lens_reviews", "/lens_reviews/y", WIDER),
        one("Lock.limits", "/limits", json!({}), SAME),
        section("Lock.memory_lenses", "/memory_lenses/y", READ),
        one("Lock.persona_fallback", "/persona_fallback", json!(["x"]), EITHER),
        // Where none is stated nobody is held against one.
        section("Lock.personas", "/personas/y", TIGHTER),
        section("Lock.plan_templates", "/plan_templates/y", WIDER),
        one("Lock.predecessor", "/predecessor", json!(digest), SAME),
        section("Lock.primitives", "/primitives/y", READ),
        one("Lock.prompt", "/prompt", json!({}), SAME),
        section("Lock.record_types", "/record_types/y", WIDER),
        section("Lock.refusals", "/refusals/y", TIGHTER),
        one("Lock.release", "/release", json!({}), SAME),
        one("Lock.revision", "/revision", json!(2), WIDER),
        section("Lock.roles", "/roles/y", WIDER),
        section("Lock.rubrics", "/rubrics/y", READ),
        all(
            "Lock.rules",
            "/rules/loose-input",
            vec![(json!("allow"), WIDER, WIDER), (json!("deny"), TIGHTER, TIGHTER)],
        ),
        // Of a rule some of whose findings warn and some deny, `warn` lowers these.
        all(
            "Lock.rules",
            "/rules/unanchored-pattern",
            vec![(json!("warn"), WIDER, WIDER), (json!("deny"), TIGHTER, TIGHTER)],
        ),
        one("Lock.run", "/run/y", json!({"type": "string"}), READ),
        section("Lock.servers", "/servers/y", WIDER),
        section("Lock.skills", "/skills/y", WIDER),
        one("Lock.sources", "/sources/tests~1policy~1a.yaml", json!(digest), TIGHTER),
        one("Lock.status_templates", "/status_templates/y", json!("t"), READ),
        section("Lock.surfaces", "/surfaces/y", WIDER),
        section("Lock.tools", "/tools/y", WIDER),
        one("Lock.waivers", "/waivers", excused, WIDER),
        one("Policy.edition", "/policy/edition", json!(2), TIGHTER.and(READ)),
        one("Policy.environment", "/policy/environment", json!("e"), EITHER),
        grants("Policy.external_servers", "/policy/external_servers"),
        one("Policy.harness_version", "/policy/harness_version", json!("v"), READ),
        one("Policy.prompt_version", "/policy/prompt_version", json!("v"), READ),
    ]
}

/// What the cells show, and `latent` where none does: both are held against every call of both runtimes (`tests/it/diff`).
const IN_CELLS: &[&str] = &[
    "Approvals.always_allowed",
    "Case.approval",
    "Case.undo",
    "Cases.by",
    "Cell.approvers",
    "Cell.only",
    "Harness.personas",
    "Harness.toolset",
    "Hints.destructive",
    "Hints.idempotent",
    "Hints.open_world",
    "Hints.read_only",
    "Mention.approval",
    "Mention.case",
    "Mention.only",
    "Persona.bundle",
    "Persona.harness",
    "Role.effects",
    "Scope.effects",
    "Skill.tool",
    "Tool.approval",
    "Tool.bind",
    "Tool.cases",
    "Tool.enabled",
    "Tool.output",
    "Tool.server",
    "Tool.surfaces",
    "Tool.undo",
];

/// What a definition cannot be without, by where it stands.
fn templates() -> BTreeMap<String, Value> {
    let of = [
        ("/audit/reasoning_store", json!({"encrypted": false})),
        ("/context_sources/x", json!({"title": "t"})),
        ("/diagnoses/c/r", json!({"requires": []})),
        ("/evidence/semantic", json!({"attempts": 1})),
        ("/harnesses/x", json!({"title": "t", "toolset": []})),
        ("/lens_reviews/x", json!({"lenses": [], "phrase": "p"})),
        ("/lens_reviews/x/view", json!({"columns": "lenses", "rows": "criteria"})),
        ("/limits/prices/m", json!({"input_micro_usd": 5, "output_micro_usd": 5})),
        ("/limits/retry/model", json!({"attempts": UNSTATED_ATTEMPTS})),
        ("/memory_lenses/x", json!({"title": "t"})),
        ("/personas/x", json!({"bundle": [], "harness": true, "title": "t"})),
        ("/plan_templates/x", json!({"steps": [{"key": "k", "tool": "x"}], "title": "t"})),
        ("/primitives/x", json!({"owner": "o", "state": "stub"})),
        ("/prompt/planning", json!({"when": {}})),
        ("/record_types/x", json!({"title": "t"})),
        ("/refusals/x", json!({"line": "l"})),
        ("/roles/run", json!({"reads_untrusted": false, "tools": "harness_toolset"})),
        ("/rubrics/x", json!({"criteria": {}, "version": 1})),
        ("/servers/x", json!({"tools": "f"})),
        ("/skills/x", json!({"title": "t", "tools": [], "version": 1})),
        ("/surfaces/x/scopes/a", json!({"effects": ["read"]})),
        (
            "/tools/x",
            json!({
                "description": "d", "effect": "read", "enabled": true, "input": {"type": "object"},
                "preview": "input", "returns": "none", "title": "t",
            }),
        ),
    ];
    of.map(|(at, value)| (at.to_owned(), value)).into()
}

/// A lock that states as little as one can.
fn bare() -> Value {
    json!({
        "approvals": {
            "at_least": {"create": "confirm", "destructive": "four_eyes", "read": "auto", "write": "confirm"},
        },
        "effective": {}, "format": "harness-lock/1", "policy": {"edition": 1, "name": "p"}, "revision": 1,
        "roles": {"run": {"reads_untrusted": false, "tools": "harness_toolset"}}, "sources": {}, "tools": {},
    })
}

/// The lock with this value there, and whatever encloses it.
fn stating(mut lock: Value, at: &str, value: Option<Value>) -> Value {
    let templates = templates();
    let (mut place, mut path) = (&mut lock, String::new());
    let (parents, last) = at[1..].rsplit_once('/').unwrap_or(("", &at[1..]));
    for name in parents.split('/').filter(|name| !name.is_empty()) {
        path = format!("{path}/{name}");
        place = match place {
            Value::Array(items) => &mut items[name.parse::<usize>().unwrap()],
            own => {
                let map = own.as_object_mut().unwrap();
                map.entry(name).or_insert_with(|| templates.get(&path).cloned().unwrap_or(json!({})))
            }
        };
    }
    if let Some(value) = value {
        place.as_object_mut().unwrap().insert(last.replace("~1", "/"), value);
    }
    lock
}

fn delta(before: &Value, after: &Value) -> Delta {
    let read = |lock: &Value| -> Lock { serde_json::from_value(lock.clone()).unwrap() };
    let changes = fields::differing(&read(before), &read(after));
    changes.iter().fold(Delta::EQUAL, |all, change| all.and(change.delta))
}

fn rows() -> Vec<Row> {
    [of_people(), of_limits(), of_answers(), of_texts(), of_work(), of_the_lock()]
        .into_iter()
        .flatten()
        .collect()
}

#[test]
fn each_field_grants_more_in_the_direction_that_the_runtime_gives_it() {
    let mut wrong = Vec::new();
    for Row(field, at, given, steps) in rows() {
        let start = given.into_iter().fold(bare(), |lock, (at, value)| stating(lock, at, Some(value)));
        let start = stating(start, at, None);
        let mut previous = start.clone();
        for (value, of_start, of_previous) in steps {
            let now = stating(start.clone(), at, Some(value.clone()));
            for (from, before, expected) in
                [("unstated", &start, of_start), ("the value before", &previous, of_previous)]
            {
                let (there, back) = (delta(before, &now), delta(&now, before));
                // The revision goes one way: a step on is no change, and a step back is one.
                let mirrored =
                    if field == "Lock.revision" { (SAME, WIDER) } else { (expected, expected.mirrored()) };
                if (there, back) != mirrored {
                    wrong.push(format!("{field}: {from} -> {value}: {there:?}, and back {back:?}"));
                }
            }
            previous = now;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_field_of_the_lock_is_without_a_direction() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/src/lock");
    let mut found = BTreeSet::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        // How a lock is opened, not what stands in it.
        if file.file_name().is_some_and(|name| name == "digest.rs") {
            continue;
        }
        let (text, mut owner) = (std::fs::read_to_string(file).unwrap(), String::new());
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("pub struct ") {
                owner = name.split([' ', '(']).next().unwrap().to_owned();
            }
            let Some((name, kind)) = line.strip_prefix("    pub ").and_then(|own| own.split_once(": "))
            else {
                continue;
            };
            if ["Option<", "Vec<", "BTreeMap<", "bool", "u64"].iter().any(|own| kind.starts_with(own)) {
                found.insert(format!("{owner}.{name}"));
            }
        }
    }
    let told = rows().into_iter().map(|Row(field, ..)| field).chain(IN_CELLS.iter().copied());
    assert_eq!(told.map(str::to_owned).collect::<BTreeSet<_>>(), found);
}
