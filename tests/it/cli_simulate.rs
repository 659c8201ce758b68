//! `harnessc simulate`: a log that the runtime wrote, under the lock of its time, under another one, and damaged.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use harnessc_runtime::Bundle;
use harnessc_runtime::audit::{Chain, Checkpoint, Memory, Store as _, record};
use harnessc_runtime::boundary::validate::JsonSchema;
use harnessc_runtime::boundary::{
    Boundary, Bounds, Call, Claims, Conditions, DeedNames, Ledger, Lifecycle, Locks, Mode, NameKey, Overlay,
    PlanState, RunState,
};
use harnessc_runtime::json::Json;
use harnessc_runtime::load::{Signers, Trust};
use harnessc_runtime::upstream::Upstreams;
use serde_json::Value;

use crate::cli_common::Scratch;

const NOW: u64 = 1_700_000_000_000;
const SEARCH: &str = r#"{"kind":"bug","ticket_id":"T-1"}"#;
const ADD: &str = r#"{"label":"urgent","method":"add","ticket_id":"T-1"}"#;
const DROP: &str = r#"{"label":"urgent","method":"drop","ticket_id":"T-1"}"#;
const CLOSE: &str = r#"{"reply":"Done.","ticket_id":"T-1"}"#;

/// A call of the log: harness, persona, whether the person has the persona's permissions, the run's existence, tool, input.
type Asked = (&'static str, &'static str, bool, bool, &'static str, &'static str);

const CALLS: [Asked; 10] = [
    ("triager", "agent", true, true, "tickets.search", SEARCH),
    ("triager", "agent", true, true, "tickets.search", r#"{"kind":"request","ticket_id":"T-1"}"#),
    ("triager", "agent", true, true, "tickets.label", ADD),
    ("triager", "agent", true, true, "tickets.label", DROP),
    ("triager", "agent", true, true, "tickets.label", DROP),
    ("closer", "lead", true, true, "tickets.close", CLOSE),
    ("closer", "lead", false, true, "tickets.close", CLOSE),
    ("closer", "lead", true, true, "tickets.burn", "{}"),
    ("closer", "lead", true, true, "tickets.read_mail", r#"{"ticket_id":"T-1"}"#),
    ("closer", "lead", true, false, "tickets.close", CLOSE),
];

fn built() -> Scratch {
    let scratch = Scratch::small();
    assert_eq!(scratch.run(&["build"]).status.code(), Some(0));
    log(&scratch);
    std::fs::copy(scratch.at("harness.lock"), scratch.at("held.lock")).unwrap();
    scratch
}

/// Writes `audit.jsonl` as a tool server would, and a checkpoint of its end.
fn log(scratch: &Scratch) {
    let trust = Trust {
        allow_gap: false,
        environment: Some("test".to_owned()),
        policy: "desk".to_owned(),
        signers: Signers::Unsigned,
    };
    let bundle = Bundle::load(&scratch.read("harness.lock"), &trust, None).unwrap();
    let locks = Locks::new(bundle, Arc::new(JsonSchema));
    let mut store = Memory::default();
    for (at, asked) in (NOW..).zip(CALLS) {
        let event = decided(&locks, asked, at);
        record(&mut store, Chain::Trail, "org-1", &[event], at).unwrap();
    }
    let records = store.records(Chain::Trail, "org-1");
    let lines = records.iter().fold(String::new(), |mut lines, record| {
        writeln!(lines, "{record}").unwrap();
        lines
    });
    scratch.write("audit.jsonl", &lines);
    let head = store.head(Chain::Trail, "org-1").unwrap().unwrap();
    scratch.write("checkpoint.json", &Checkpoint::of(&head).unwrap().statement());
}

fn decided(locks: &Locks, asked: Asked, at: u64) -> harnessc_runtime::audit::Event {
    let (harness, persona, permitted, exists, tool, input) = asked;
    let bundle = &locks.in_force().lock().personas[persona].bundle;
    let names = bundle.iter().map(String::as_str).filter(|_| permitted);
    let permissions = DeedNames::of(names, locks);
    let values = BTreeMap::from([("ticket_id".to_owned(), Json::parse(b"\"T-1\"").unwrap())]);
    let run = RunState {
        acting_user: "u-1",
        harness: Some(harness),
        id: "run-1",
        lifecycle: Lifecycle::begun(NOW),
        lock: locks.in_force().digest(),
        mode: Mode::Work,
        organization: "org-1",
        permissions: Ok(&permissions),
        personas: &[persona],
        plan: Ok(PlanState::None),
        requester: "u-1",
        role: "desk",
        values: &values,
    };
    let claims = Claims {
        audience: "server",
        harness: Some(harness),
        organization: "org-1",
        role: "desk",
        run: "run-1",
        scopes: &[],
    };
    let overlay = Overlay::none().unwrap();
    let conditions = Conditions {
        high_water_ms: NOW,
        kill_switch: Ok(false),
        now_ms: Ok(at),
        overlay: Ok(&overlay),
        upstreams: Upstreams::UNSEEN,
    };
    let boundary =
        Boundary { audience: "server", bounds: Bounds::default(), key: &NameKey::new([7; 32]), locks };
    let call = Call { input: input.as_bytes(), surface: None, tool };
    let row = exists.then_some(&run);
    boundary.check(Ok(row), &claims, &call, &conditions, Ok(&mut Ledger::default())).event
}

/// More cases for one harness, a weaker yes for one tool, a stricter one for a case, another narrowing of a read.
fn other(scratch: &Scratch) {
    scratch.edit("harnesses/triager.yaml", "cases: [add]", "cases: [add, drop]");
    scratch.edit("harnesses/triager.yaml", "only: {kind: [bug]}", "only: {kind: [bug, request]}");
    scratch.edit("tools/tickets.yaml", "    approval: four_eyes\n", "    approval: confirm\n");
    scratch.edit(
        "tools/tickets.yaml",
        "{effect: create, undo: [{by: tickets.label/drop}]}",
        "{effect: create, approval: four_eyes, undo: [{by: tickets.label/drop}]}",
    );
    scratch.edit("policies/people.yaml", "tickets.label: [agent]", "tickets.label: [lead]");
    let output = scratch.run(&["build"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

fn json(scratch: &Scratch, more: &[&str], code: i32) -> Value {
    let arguments = ["simulate", "--audit", "audit.jsonl", "harness.lock", "--format", "json"];
    let output = scratch.run(&[&arguments[..], more].concat());
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let schema = include_str!("../../schema/simulate.schema.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&report), "{report}");
    report
}

#[test]
fn under_the_lock_of_its_time_nothing_ends_otherwise() {
    let scratch = built();
    let report = json(&scratch, &[], 0);
    assert_eq!((&report["decisions"], &report["flips"]), (&Value::from(10), &Value::from(0)));
    assert_eq!(report["cannot_tell"], 0, "{report}");
    assert_eq!(report["locks"][0]["at_hand"], true);
}

#[test]
fn what_would_end_otherwise_is_listed_by_deed() {
    let scratch = built();
    other(&scratch);
    insta::assert_snapshot!(scratch.transcript(&["simulate", "--audit", "audit.jsonl", "harness.lock"]));
    insta::assert_snapshot!(
        "short",
        scratch.transcript(&["simulate", "--audit", "audit.jsonl", "harness.lock", "--format", "short"])
    );
}

#[test]
fn a_lock_of_that_time_lets_more_be_told() {
    let scratch = built();
    // Nothing about the calls' own deeds changes but that one of them asks for a weaker yes.
    scratch.edit("tools/tickets.yaml", "    approval: four_eyes\n", "    approval: confirm\n");
    assert_eq!(scratch.run(&["build"]).status.code(), Some(0));
    let without = json(&scratch, &[], 1);
    let with = json(&scratch, &["--held", "held.lock"], 1);
    assert_eq!((&without["flips"], &with["flips"]), (&Value::from(1), &Value::from(1)));
    let untold = |report: &Value| report["cannot_tell"].as_u64().unwrap();
    assert!(untold(&without) > untold(&with), "{without} {with}");
    // A name that no lock knew.
    assert_eq!(untold(&with), 1);
}

#[test]
fn a_log_that_was_changed_or_cut_decides_nothing() {
    let scratch = built();
    let lines = String::from_utf8(scratch.read("audit.jsonl")).unwrap();
    scratch.write("audit.jsonl", &lines.replacen("\"verdict\":\"deny\"", "\"verdict\":\"allow\"", 1));
    insta::assert_snapshot!(
        "changed",
        scratch.transcript(&["simulate", "--audit", "audit.jsonl", "harness.lock"])
    );
    let report = json(&scratch, &[], 1);
    assert_eq!(
        (&report["audit"]["broken_at"], &report["audit"]["broken"]),
        (&3.into(), &"hash_mismatch".into())
    );

    let cut: String = lines.split_inclusive('\n').take(6).collect();
    scratch.write("audit.jsonl", &cut);
    assert_eq!(json(&scratch, &[], 0)["audit"]["whole"], true);
    let report = json(&scratch, &["--checkpoint", "checkpoint.json"], 1);
    assert_eq!((&report["audit"]["broken_at"], &report["audit"]["broken"]), (&7.into(), &"missing".into()));
    scratch.write("audit.jsonl", &lines);
    assert_eq!(json(&scratch, &["--checkpoint", "checkpoint.json"], 0)["audit"]["anchored"], true);
    scratch.write("audit.jsonl", "");
    assert_eq!(json(&scratch, &[], 1)["audit"]["whole"], false);
}

#[test]
fn what_is_no_lock_no_log_or_no_checkpoint_is_a_fault() {
    let scratch = built();
    let run = |arguments: &[&str]| scratch.run(arguments).status.code();
    assert_eq!(run(&["simulate", "--audit", "none.jsonl", "harness.lock"]), Some(2));
    assert_eq!(run(&["simulate", "--audit", "audit.jsonl", "none.lock"]), Some(2));
    assert_eq!(run(&["simulate", "--audit", "audit.jsonl", "harness.toml"]), Some(2));
    let checkpoint = ["simulate", "--audit", "audit.jsonl", "harness.lock", "--checkpoint", "harness.toml"];
    assert_eq!(run(&checkpoint), Some(2));
}
