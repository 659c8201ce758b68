//! Who reads each field of a lock: one total table. A field that no room of this crate reads is the host's, with the reason; a new
//! field, or one that is read no more, fails here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::actions::cells::{places, whole};

/// Read at run time: the file below `src/`, and the fields that it takes from the lock.
const RUNTIME: &[(&str, &[&str])] = &[
    ("actions/proposal.rs", &["approvals.expires_after_ms", "approvals.max_actions_per_run"]),
    ("actions/resume.rs", &["surfaces.*.after_approval"]),
    (
        "actions/treatment.rs",
        &[
            "approvals.batch.treatment",
            "approvals.treatments.create",
            "approvals.treatments.destructive",
            "approvals.treatments.read",
            "approvals.treatments.write",
        ],
    ),
    ("audit/columns.rs", &["audit.action", "audit.tool_call"]),
    (
        "audit/reasoning.rs",
        &[
            "audit.reasoning",
            "audit.reasoning_store.access",
            "audit.reasoning_store.encrypted",
            "audit.reasoning_store.retention_ms",
        ],
    ),
    (
        "boundary/budget/caps.rs",
        &[
            "limits.per_tool.*.calls",
            "limits.per_tool.*.result_bytes",
            "limits.run.result_bytes",
            "limits.run.steps",
            "limits.run.tool_calls",
        ],
    ),
    ("boundary/list.rs", &["tools.*.description", "tools.*.title"]),
    ("boundary/locks.rs", &["run"]),
    (
        "decide/cell.rs",
        &["tools.*.bind", "tools.*.input", "tools.*.output", "tools.*.returns", "tools.*.cases.input"],
    ),
    (
        "decide/index.rs",
        &[
            "approvals.always_allowed",
            "effective.*.*[].approval",
            "effective.*.*[].approvers",
            "effective.*.*[].deed",
            "effective.*.*[].only",
            "harnesses.*.skills",
            "personas.*.bundle",
            "roles.*.effects",
            "skills.*.tool",
            "surfaces.*.origin",
            "surfaces.*.scopes.*.effects",
            "surfaces.*.scopes.*.steps",
            "tools.*.enabled",
            "tools.*.surfaces",
        ],
    ),
    (
        "deeds.rs",
        &[
            "approvals.approvers.confirm",
            "approvals.approvers.four_eyes",
            "approvals.approvers.tools",
            "harnesses.*.toolset[].approval",
            "harnesses.*.toolset[].case",
            "harnesses.*.toolset[].tool",
            "tools.*.approval",
            "tools.*.cases.by.*.approval",
            "tools.*.cases.by.*.effect",
            "tools.*.cases.by.*.preview",
            "tools.*.cases.by.*.undo",
            "tools.*.effect",
            "tools.*.preview",
            "tools.*.undo[].by",
        ],
    ),
    ("engines/phases.rs", &["engines.phases.*.corrections", "engines.phases.*.fallback"]),
    ("engines/providers.rs", &["engines.providers.cooldown_ms", "engines.providers.order"]),
    ("engines/router.rs", &["engines.order"]),
    ("engines/unsure.rs", &["engines.unsure_below_millionths"]),
    ("evidence/answers.rs", &["diagnoses.*.*.requires"]),
    ("evidence/guard.rs", &["evidence.ready_states", "evidence.repairs"]),
    ("evidence/semantic.rs", &["evidence.semantic.attempts"]),
    ("lens/attach.rs", &["record_types.*.attachment", "record_types.*.check_input", "record_types.*.gate"]),
    (
        "lens/card.rs",
        &[
            "harnesses.*.personas",
            "harnesses.*.title",
            "lens_reviews.*.lenses",
            "lens_reviews.*.phrase",
            "lens_reviews.*.records",
            "lens_reviews.*.view.columns",
            "lens_reviews.*.view.first",
            "lens_reviews.*.view.rows",
            "rubrics.*.criteria.*.evidence_required",
        ],
    ),
    ("lens/plan.rs", &["lens_reviews.*.tools"]),
    ("load/mod.rs", &["format", "policy.environment", "policy.name"]),
    ("load/revision.rs", &["predecessor", "revision"]),
    (
        "lock/approvals.rs",
        &[
            "approvals.at_least.create",
            "approvals.at_least.destructive",
            "approvals.at_least.read",
            "approvals.at_least.write",
        ],
    ),
    ("lock/server.rs", &["servers.*.command", "servers.*.url"]),
    ("lock/tool.rs", &["tools.*.server.hints.destructive", "tools.*.server.hints.read_only"]),
    ("meter/day.rs", &["limits.day.timezone"]),
    (
        "meter/ledger.rs",
        &[
            "limits.day.cost_micro_usd",
            "limits.day.tokens",
            "limits.run.cost_micro_usd",
            "limits.run.model_calls",
            "limits.run.tokens",
        ],
    ),
    (
        "meter/price.rs",
        &[
            "limits.prices.*.cached_micro_usd",
            "limits.prices.*.input_micro_usd",
            "limits.prices.*.output_micro_usd",
        ],
    ),
    ("meter/retry.rs", &["limits.retry.model.attempts", "limits.retry.model.on"]),
    (
        "prompt/assemble.rs",
        &[
            "harnesses.*.prompt",
            "harnesses.*.refusal_rules",
            "prompt.memory_wrap",
            "prompt.parts.*.text",
            "prompt.volatile",
            "refusals.*.line",
        ],
    ),
    (
        "prompt/compact.rs",
        &["prompt.compaction.above_bytes", "prompt.compaction.keep_last", "prompt.compaction.resolve_with"],
    ),
    ("prompt/planning.rs", &["prompt.planning.when.effects", "prompt.planning.when.intent"]),
    ("prompt/status.rs", &["harnesses.*.status_template", "status_templates"]),
    ("prompt/window.rs", &["prompt.window.messages", "prompt.window.tokens"]),
    (
        "release/context.rs",
        &["limits.per_tool.*.timeout_ms", "limits.run.deadline_ms", "limits.run.model_call_ms"],
    ),
    ("release/fallback.rs", &["release.unsupported.fields", "release.unsupported.max_bytes"]),
    ("result/project.rs", &["roles.*.reads_untrusted"]),
    (
        "runs/choice.rs",
        &[
            "harnesses.*.rubric_key",
            "persona_fallback",
            "personas.*.harness",
            "policy.harness_version",
            "rubrics.*.version",
        ],
    ),
    ("runs/duty.rs", &["duty_templates.*.persona", "duty_templates.*.plan", "duty_templates.*.when_wearing"]),
    (
        "runs/template.rs",
        &[
            "plan_templates.*.steps[].after",
            "plan_templates.*.steps[].input",
            "plan_templates.*.steps[].key",
            "plan_templates.*.steps[].tool",
        ],
    ),
    ("timeline/mod.rs", &["audit.trace"]),
    ("upstream/drift.rs", &["tools.*.server.pinned"]),
    ("upstream/look.rs", &["tools.*.server.name", "tools.*.server.pinned_digest", "tools.*.server.upstream"]),
];

/// Read when a lock is loaded: proved, and asked of no call.
const PROVED: &[(&str, &[&str])] = &[
    ("prove/bound.rs", &["tools.*.unbound"]),
    ("prove/mod.rs", &["rules", "waivers[].rule", "waivers[].subject"]),
    ("prove/order.rs", &["prompt.parts.*.digest", "sources"]),
    ("prove/plans.rs", &["harnesses.*.plan_templates", "skills.*.tools"]),
    ("prove/prompt_order.rs", &["prompt.order"]),
    ("prove/references.rs", &["skills.*.instructions"]),
    ("prove/refusals.rs", &["refusals.*.optional"]),
    ("prove/servers.rs", &["policy.external_servers", "servers.*.tools"]),
    ("prove/table.rs", &["harnesses.*.toolset[].only", "roles.*.tools.list"]),
    ("prove/verbs.rs", &["refusals.*.forbidden_verbs", "refusals.*.forms"]),
];

/// Can say one thing alone, and the runtime does that whether it is said or not.
const FIXED: &[(&str, &str)] = &[
    (
        "approvals.batch.keep_partial",
        "what a batch did before a step failed stays; `false` is refused by `idle-setting`",
    ),
    ("approvals.batch.on_failure", "a batch stops at the first step that fails; there is no other word"),
    ("evidence.quotes", "a quote is held against its source word for word; there is no other word"),
];

/// Read by the compiler, the diff and the people who review a lock.
const REVIEW: &[(&str, &str)] = &[
    ("baseline.digest", "which findings were set aside"),
    ("baseline.findings", "how many findings were set aside"),
    ("policy.edition", "by which edition's levels the rules were graded"),
    ("tools.*.server.hints.idempotent", "what a server says of its tool; no gate leans on it"),
    ("tools.*.server.hints.open_world", "what a server says of its tool; no gate leans on it"),
    ("waivers[].excuses", "which finding was excused"),
    ("waivers[].file", "where it was excused"),
    ("waivers[].reason", "why it was excused"),
];

/// Read by whoever runs the tool server, for what this crate does not do. `docs/boundary.md` says the same.
const HOST: &[(&str, &str)] = &[
    ("context_sources.*.origin", FETCHED),
    ("context_sources.*.pii", FETCHED),
    ("context_sources.*.title", SHOWN),
    ("context_sources.*.untrusted", FETCHED),
    ("duty_templates.*.title", SHOWN),
    ("engines.model", "the model that is called; what it may cost and spend is metered here"),
    ("harnesses.*.memory_lenses", REMEMBERED),
    (
        "harnesses.*.record_types",
        "the records that a run is offered; what an input is about is known to the store of records alone",
    ),
    ("memory_lenses.*.kinds", REMEMBERED),
    ("memory_lenses.*.title", SHOWN),
    ("personas.*.title", SHOWN),
    ("plan_templates.*.title", SHOWN),
    ("policy.prompt_version", "the folder that the texts came from, for whoever keeps them"),
    ("primitives.*.owner", REPORTED),
    ("primitives.*.state", REPORTED),
    ("record_types.*.title", SHOWN),
    ("roles.*.title", SHOWN),
    (
        "rubrics.*.criteria.*.asks",
        "the question that a lens is asked; its words are put into the prompt by whoever asks",
    ),
    ("skills.*.title", SHOWN),
    ("skills.*.version", "recorded by whoever offers the skill"),
];

const FETCHED: &str =
    "whoever fetches a context labels it; what a tool brings is labelled by its schema and its reader's role";
const REMEMBERED: &str = "which notes a memory looks in; whichever they are, they are wrapped as data";
const REPORTED: &str = "who owns which part of the software, in `harnessc report`";
const SHOWN: &str = "a name that people are shown";

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// A file's words, without its comments and its tests.
fn words(file: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines
        .flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
        .map(str::to_owned)
        .collect()
}

/// Every file of the runtime that decides something: without the lock's own types and the proofs.
fn rooms(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("lock") && !path.ends_with("prove") {
            rooms(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The fields that hold something themselves, as the lock has them.
fn fields() -> BTreeSet<String> {
    let mut found = Vec::new();
    places(&serde_json::to_value(whole()).unwrap(), "", "", &mut found);
    let mut fields = BTreeSet::new();
    for (_, field) in found {
        let mut field = field.as_str();
        while let Some(outer) = field.strip_suffix(".*").or_else(|| field.strip_suffix("[]")) {
            field = outer;
        }
        fields.insert(field.to_owned());
    }
    let holds = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.') || rest.starts_with("[]"))
    };
    fields.iter().filter(|outer| !fields.iter().any(|inner| holds(outer, inner))).cloned().collect()
}

/// The names that a path is made of.
fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('.').map(|name| name.trim_end_matches("[]")).filter(|name| *name != "*")
}

#[test]
fn every_field_of_a_lock_has_one_reader() {
    let read = RUNTIME.iter().chain(PROVED).flat_map(|(_, fields)| fields.iter().copied());
    let said = FIXED.iter().chain(REVIEW).chain(HOST).map(|(field, _)| *field);
    let mut told: BTreeMap<&str, usize> = BTreeMap::new();
    for field in read.chain(said) {
        *told.entry(field).or_default() += 1;
    }
    let fields = fields();
    let fields: BTreeSet<&str> = fields.iter().map(String::as_str).collect();
    let listed: BTreeSet<&str> = told.keys().copied().collect();
    let unread: Vec<_> = fields.difference(&listed).collect();
    assert!(unread.is_empty(), "say here who reads {unread:?}");
    let gone: Vec<_> = listed.difference(&fields).collect();
    assert!(gone.is_empty(), "no lock has {gone:?}");
    let twice: Vec<_> = told.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    assert!(fields.len() > 180, "{}", fields.len());
}

#[test]
fn whoever_is_said_to_read_a_field_names_it() {
    let mut silent = Vec::new();
    for (file, fields) in RUNTIME.iter().chain(PROVED) {
        let words = words(&source().join(file));
        let unnamed = fields.iter().filter(|field| !words.contains(names(field).last().unwrap()));
        silent.extend(unnamed.map(|field| (*file, *field)));
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

/// What is left to the host is read nowhere here: a room that begins to read it is listed as its reader.
#[test]
fn no_room_reads_what_is_left_to_the_host() {
    let mut files = Vec::new();
    rooms(&source(), &mut files);
    assert!(files.len() > 100, "{}", files.len());
    let words: BTreeSet<String> = files.iter().flat_map(|file| words(file)).collect();
    for section in [
        "context_sources",
        "memory_lenses",
        "primitives",
        "prompt_version",
        "edition",
        "on_failure",
        "keep_partial",
    ] {
        assert!(!words.contains(section), "a room reads `{section}`");
        let listed =
            FIXED.iter().chain(REVIEW).chain(HOST).any(|(field, _)| names(field).any(|name| name == section));
        assert!(listed, "{section}");
    }
}

#[test]
fn the_page_says_what_is_left_to_the_host() {
    let page = source().join("../../docs/boundary.md");
    let page = fs::read_to_string(page).unwrap();
    for (field, why) in FIXED.iter().chain(HOST).filter(|(_, why)| *why != SHOWN) {
        let row = page.lines().find(|line| line.starts_with('|') && line.contains(&format!("`{field}`")));
        assert!(row.is_some_and(|row| row.contains(why)), "docs/boundary.md has no row of `{field}`: {why}");
    }
}
