//! What a cell's digest covers (APPROVALS 14): every field of the lock is altered in turn, and either some cell's digest
//! moves or the field stands on a list of exemptions with the reason why a yes does not depend on it.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::decide::cell_digest;
use harnessc_runtime::lock::{Approval, Lock, NO_HARNESS};
use harnessc_runtime::prove;
use serde_json::{Value, json};

use crate::common::small;

/// Where keys are names that an author chose; everywhere else a key is a field.
const NAMED: &[&str] = &[
    "approvals.approvers.tools",
    "context_sources",
    "diagnoses",
    "diagnoses.*",
    "duty_templates",
    "effective",
    "effective.*",
    "effective.*.*[].only",
    "engines.phases",
    "harnesses",
    "harnesses.*.toolset[].only",
    "lens_reviews",
    "limits.per_tool",
    "limits.prices",
    "memory_lenses",
    "personas",
    "plan_templates",
    "primitives",
    "prompt.parts",
    "record_types",
    "refusals",
    "refusals.*.forms",
    "roles",
    "rubrics",
    "rubrics.*.criteria",
    "rules",
    "run",
    "servers",
    "skills",
    "sources",
    "status_templates",
    "surfaces",
    "surfaces.*.scopes",
    "tools",
    "tools.*.bind",
    "tools.*.cases.by",
];

/// Schemas and other raw JSON: what is below belongs to the field.
const RAW: &[&str] = &[
    "effective.*.*[].only.*",
    "harnesses.*.toolset[].only.*",
    "plan_templates.*.steps[].input",
    "run.*",
    "tools.*.input",
    "tools.*.output",
    "tools.*.server.pinned",
];

const WORDS: &[&[&str]] = &[
    &["auto", "confirm", "four_eyes"],
    &["read", "create", "write", "destructive"],
    &["none", "prose", "structured"],
    &["none", "snapshot"],
    &["input", "before_after"],
    &["inside", "outside"],
    &["allow", "warn", "deny"],
];

/// Fields that no yes depends on, each with all below it, and why.
const EXEMPT: &[(&str, &str)] = &[
    ("approvals.always_allowed", "asked of the call, before there is an action: exempt from the plan gate"),
    ("approvals.batch", "how a batch is shown and ends; each step keeps its own digest"),
    ("approvals.max_actions_per_run", "counted when an action is proposed"),
    ("approvals.treatments", "how a card is drawn; the digest covers what it shows"),
    ("audit", "what is recorded"),
    ("baseline", "what the compiler set aside"),
    ("context_sources", "where texts come from, not what is done"),
    ("diagnoses", "what a plan must contain, asked when it is proposed"),
    ("duty_templates", "when a run is created"),
    ("engines", "who proposes, not what"),
    ("evidence", "asked of answers, not of actions"),
    ("format", "a lock of another format does not load"),
    ("harnesses.*.memory_lenses", "what a run reads"),
    ("harnesses.*.personas", "who may wear it, asked when a run is created"),
    ("harnesses.*.plan_templates", "which plans it is offered"),
    ("harnesses.*.prompt", "what a model reads"),
    ("harnesses.*.record_types", "what a run may read and write about"),
    ("harnesses.*.refusal_rules", "what a model reads, and what a tool may be called"),
    ("harnesses.*.rubric_key", "asked of reviews"),
    ("harnesses.*.skills", "what a model reads; a skill's tool has a cell of its own"),
    ("harnesses.*.status_template", "what is said of a run"),
    ("harnesses.*.title", "text"),
    ("lens_reviews", "reviews only read"),
    ("limits", "budgets, taken when the call is made"),
    ("memory_lenses", "what a run reads"),
    ("persona_fallback", "which harness a run gets"),
    ("personas.*.title", "text"),
    ("plan_templates", "what a plan may look like, asked when it is proposed"),
    ("policy", "the lock's name and versions; trust compares them at loading"),
    ("predecessor", "the lock's own history"),
    ("primitives", "who owns which part of the software"),
    ("prompt", "what a model reads"),
    ("record_types", "what a lens may be attached to"),
    ("refusals", "what a model reads, and what a tool may be called"),
    ("release", "asked of answers, not of actions"),
    ("revision", "a new lock that leaves the cell as it was voids nothing"),
    ("roles.*.title", "text"),
    ("rubrics", "asked of reviews"),
    ("rules", "which findings the compiler let through"),
    ("run", "what a run's own row may hold; the digest covers the target itself"),
    ("servers.*.tools", "which file is pinned; the entry behind a deed is in its pinned digest"),
    ("skills", "what a model reads; a skill's tool has a cell of its own"),
    ("sources", "the texts that the lock was compiled from"),
    ("status_templates", "what is said of a run"),
    ("surfaces", "where calls come from, asked of the call"),
    ("tools.*.description", "what a model reads; an outside server's is in the pinned digest"),
    ("tools.*.server.hints", "read from the pinned entry, which is digested whole"),
    ("tools.*.server.pinned", "digested by `pinned_digest`, and the proofs compare them"),
    ("tools.*.surfaces", "where calls come from, asked of the call"),
    ("tools.*.title", "text; the digest covers the tool's name"),
    ("tools.*.unbound", "why there is no target"),
    ("waivers", "which findings the compiler let through"),
];

/// A lock in which every field says something.
pub(crate) fn whole() -> Lock {
    let mut full: Value = serde_json::from_str(include_str!("../common/full.json")).unwrap();
    full["audit"]["reasoning_store"] = json!({"access": ["p"], "encrypted": true, "retention_ms": 1});
    full["limits"]["per_tool"] = json!({"a": {"calls": 1, "result_bytes": 1, "timeout_ms": 1}});
    for at in ["duty_templates/d/title", "lens_reviews/l/tools", "limits/day/tokens", "roles/r/title"] {
        let (parent, key) = at.rsplit_once('/').unwrap();
        let value = match key {
            "tools" => json!(["a"]),
            "tokens" => json!(1),
            _ => json!("title"),
        };
        full.pointer_mut(&format!("/{parent}")).expect(at)[key] = value;
    }
    for kind in full["record_types"].as_object_mut().unwrap().values_mut() {
        (kind["attachment"], kind["check_input"]) = (true.into(), true.into());
    }
    let lock = read(&full).unwrap();
    let told = format!("{lock:#?}").replace("input: {}", "");
    let silent: Vec<&str> = told
        .lines()
        .filter(|line| [": None", ": []", ": {}", ": false"].iter().any(|end| line.contains(end)))
        .collect();
    assert!(silent.is_empty(), "a field of the lock that nothing is said of: {silent:?}");
    lock
}

type Digests = BTreeMap<(String, String, String), Option<String>>;

fn digests(lock: &Lock) -> Digests {
    let mut all = Digests::new();
    for (harness, roles) in &lock.effective {
        for (role, cells) in roles {
            for cell in cells {
                let worn = Some(harness.as_str()).filter(|harness| *harness != NO_HARNESS);
                let key = (harness.clone(), role.clone(), cell.deed.clone());
                all.insert(key, cell_digest(lock, worn, role, &cell.deed));
            }
        }
    }
    all
}

fn read(value: &Value) -> Option<Lock> {
    serde_json::from_str(&value.to_string()).ok()
}

/// The field that stands at each place, by JSON pointer.
pub(crate) fn places(value: &Value, pointer: &str, field: &str, found: &mut Vec<(String, String)>) {
    if !field.is_empty() {
        found.push((pointer.to_owned(), field.to_owned()));
    }
    if RAW.contains(&field) {
        return;
    }
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let name = if NAMED.contains(&field) { "*" } else { key };
                let field = if field.is_empty() { name.to_owned() } else { format!("{field}.{name}") };
                let key = key.replace('~', "~0").replace('/', "~1");
                places(value, &format!("{pointer}/{key}"), &field, found);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                places(item, &format!("{pointer}/{at}"), &format!("{field}[]"), found);
            }
        }
        _ => {}
    }
}

/// Every other value that may stand at a place; `Null` stands for leaving it out.
fn others(value: &Value, field: &str) -> Vec<Value> {
    let mut others = vec![Value::Null];
    if RAW.contains(&field) {
        others.push(json!({"const": "something else"}));
        return others;
    }
    match value {
        Value::Array(_) => others.push(json!([])),
        Value::Object(_) => others.push(json!({})),
        Value::Bool(flag) => others.push(json!(!flag)),
        Value::Number(number) => others.push(json!(number.as_u64().unwrap() + 1)),
        Value::String(text) => {
            let words = WORDS.iter().filter(|words| words.contains(&text.as_str())).copied().flatten();
            others.extend(words.filter(|word| *word != text).map(|word| json!(word)));
            others.push(json!(format!("{text}x")));
        }
        _ => {}
    }
    others
}

fn with(lock: &Value, pointer: &str, other: &Value) -> Value {
    let mut lock = lock.clone();
    if !other.is_null() {
        *lock.pointer_mut(pointer).unwrap() = other.clone();
        return lock;
    }
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match lock.pointer_mut(parent).unwrap() {
        Value::Object(map) => drop(map.remove(&key.replace("~1", "/").replace("~0", "~"))),
        Value::Array(items) => drop(items.remove(key.parse().unwrap())),
        other => panic!("{pointer}: {other}"),
    }
    lock
}

/// Field → whether altering it moved a digest, of a lock as it stands and of one whose table is drawn up anew.
fn moved(lock: &Lock, fields: &mut BTreeMap<String, bool>) {
    let value: Value = serde_json::from_str(&serde_json::to_string(lock).unwrap()).unwrap();
    let redrawn = |lock: &Lock| {
        let mut lock = lock.clone();
        lock.effective = prove::table::effective(&lock);
        digests(&lock)
    };
    // Raw JSON may have its keys in another order once it was a value; that is no alteration.
    let lock = read(&value).unwrap();
    let before = (digests(&lock), redrawn(&lock));
    let mut found = Vec::new();
    places(&value, "", "", &mut found);
    for (pointer, field) in found {
        if fields.get(&field) == Some(&true) {
            continue;
        }
        let others = others(value.pointer(&pointer).unwrap(), &field);
        // What cannot be left out or emptied is judged by what it holds.
        let altered = others.iter().filter_map(|other| read(&with(&value, &pointer, other)));
        for altered in altered {
            let moves = fields.entry(field.clone()).or_default();
            *moves = *moves || digests(&altered) != before.0 || redrawn(&altered) != before.1;
        }
    }
}

fn exemption(field: &str) -> Option<&'static str> {
    let covers = |exempt: &str| {
        field.strip_prefix(exempt).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    EXEMPT.iter().map(|(exempt, _)| *exempt).find(|exempt| covers(exempt))
}

#[test]
fn approvals_14_every_field_of_the_lock_moves_a_cells_digest_or_is_exempt_for_a_reason() {
    let mut fields = BTreeMap::new();
    moved(&whole(), &mut fields);
    let mut lock = small();
    // A tool's own approvers that differ from everybody's.
    let approvers = &mut lock.approvals.approvers.as_mut().unwrap().tools;
    approvers.insert("records.propose".to_owned(), vec!["lead".to_owned()]);
    // And a case's own approval.
    let cases = lock.tools.get_mut("labels.edit").unwrap().cases.as_mut().unwrap();
    cases.by.get_mut("create").unwrap().approval = Some(Approval::Confirm);
    // And an outside server that is reached in both ways.
    let desk = lock.servers.get_mut("desk").unwrap();
    (desk.url, desk.command) = (Some("https://desk.example".to_owned()), vec!["desk".to_owned()]);
    lock.effective = prove::table::effective(&lock);
    moved(&lock, &mut fields);
    let mut used = BTreeSet::new();
    let mut missing = Vec::new();
    for (field, moves) in &fields {
        match exemption(field) {
            Some(exempt) => drop(used.insert(exempt)),
            None if *moves => {}
            None => missing.push(field),
        }
    }
    assert!(missing.is_empty(), "no digest moves with {missing:#?}");
    let idle: Vec<_> = EXEMPT.iter().filter(|(exempt, _)| !used.contains(exempt)).collect();
    assert!(idle.is_empty(), "nothing is exempted by {idle:#?}");
    // An exemption is no excuse for a field that does move what people said yes to.
    let needless: Vec<_> = EXEMPT
        .iter()
        .filter(|(exempt, _)| fields.get(*exempt) == Some(&true))
        .map(|(exempt, _)| exempt)
        .collect();
    assert!(needless.is_empty(), "digests move with {needless:?}");
    for covered in [
        "approvals.approvers.confirm",
        "approvals.at_least.write",
        "approvals.expires_after_ms",
        "effective.*.*[].approval",
        "effective.*.*[].approvers",
        "effective.*.*[].only.*",
        "harnesses.*.toolset[].approval",
        "harnesses.*.toolset[].only.*",
        "tools.*.bind.*",
        "tools.*.effect",
        "tools.*.input",
        "tools.*.output",
        "tools.*.preview",
        "tools.*.server.name",
        "tools.*.server.pinned_digest",
        "tools.*.server.upstream",
        "tools.*.undo",
    ] {
        assert_eq!(fields.get(covered), Some(&true), "{covered}");
    }
}
