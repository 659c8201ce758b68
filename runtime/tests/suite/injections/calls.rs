//! The same texts as arguments, at the whole boundary: they open no gate, close none, and stand in no record.

use std::collections::BTreeMap;
use std::sync::Arc;

use harnessc_runtime::boundary::{
    Boundary, Bounds, Call, Claims, Conditions, DeedNames, Ledger, Lifecycle, Locks, Mode, NameKey, Overlay,
    PlanState, Ruling, RunState,
};
use harnessc_runtime::json::Json;
use harnessc_runtime::upstream::Upstreams;
use serde_json::{Value, json};

use super::fixtures;
use crate::common::bundle;
use crate::results::Engine;
use crate::world::world;

/// A call in a chemist's run for program P-1: its answer, its denial's code, and its record as text.
fn check(locks: &Locks, tool: &str, input: &[u8], surface: &str, claimed: Option<&str>) -> (String, String) {
    let permissions =
        DeedNames::of(["memory.recall", "records.search", "records.propose", "labels.edit"], locks);
    let values = BTreeMap::from([("program_id".to_owned(), Json::parse(b"\"P-1\"").unwrap())]);
    let lock = locks.in_force().digest().to_owned();
    let run = RunState {
        acting_user: "person-1",
        harness: Some("chemist"),
        id: "run-1",
        lifecycle: Lifecycle::begun(0),
        lock: &lock,
        mode: Mode::Work,
        organization: "org-1",
        permissions: Ok(&permissions),
        personas: &["scientist"],
        plan: Ok(PlanState::None),
        requester: "person-1",
        role: "console",
        values: &values,
    };
    let claims = Claims {
        audience: "harnessd",
        harness: claimed,
        organization: "org-1",
        role: "console",
        run: "run-1",
        scopes: &["desk:read", "desk:write"],
    };
    let overlay = Overlay::none().unwrap();
    let conditions = Conditions {
        high_water_ms: 1,
        kill_switch: Ok(false),
        now_ms: Ok(1),
        overlay: Ok(&overlay),
        upstreams: Upstreams::UNSEEN,
    };
    let key = NameKey::new([7; 32]);
    let boundary = Boundary { audience: "harnessd", bounds: Bounds::default(), key: &key, locks };
    let mut ledger = Ledger::default();
    let call = Call { input, surface: Some(surface), tool };
    let decided = boundary.check(Ok(Some(&run)), &claims, &call, &conditions, Ok(&mut ledger));
    let answer = match &decided.ruling {
        Ruling::Allow(_) => "allow".to_owned(),
        Ruling::Propose(proposal) => format!("propose {:?} {:?}", proposal.approval, proposal.approvers),
        Ruling::Deny(refusal) => {
            let told = format!("{}{:?}", refusal.denial.code, refusal.fault);
            format!("{} {told}", refusal.denial.reason)
        }
    };
    (answer, format!("{:?}", decided.event))
}

#[test]
fn as_an_argument_no_text_opens_a_gate_and_none_reaches_the_record() {
    let locks = Locks::new(bundle(&world()), Arc::new(Engine));
    let ask = |tool: &str, input: &Value| {
        check(&locks, tool, input.to_string().as_bytes(), "desk", Some("chemist"))
    };
    let clean = ask("records.propose", &json!({"program_id": "P-1"})).0;
    assert!(clean.starts_with("propose Confirm"), "{clean}");
    for fixture in fixtures() {
        let text = fixture.text.as_str();
        let quotes = |told: &str| text.chars().count() > 3 && told.contains(text);
        let asked = [
            (ask("records.propose", &json!({"program_id": text})), "target_mismatch"),
            (ask("records.propose", &json!({"program_id": "P-1", text: text})), "input_invalid"),
            (ask("labels.edit", &json!({"method": text})), "input_invalid"),
            (ask("labels.edit", &json!({"method": "delete", "color": text})), "harness_denied"),
            (ask("records.erase", &json!({"confirm": text, text: true})), "harness_denied"),
            (ask(text, &json!({"program_id": "P-1"})), "unknown_tool"),
            (check(&locks, "records.search", text.as_bytes(), "desk", Some("chemist")), "input_invalid"),
            (
                check(&locks, "records.search", b"{\"program_id\":\"P-1\"}", "desk", Some(text)),
                "harness_mismatch",
            ),
        ];
        for ((answer, record), code) in asked {
            assert!(answer.contains(code), "{}: {answer}, not {code}", fixture.name);
            assert!(!quotes(&answer) && !quotes(&record), "{}: {answer} {record}", fixture.name);
        }
        // A free argument is what it is: shown to the approver, and decided about like any other.
        let free = ask("labels.edit", &json!({"method": "update", "color": text})).0;
        assert_eq!(
            free,
            ask("labels.edit", &json!({"method": "update", "color": "red"})).0,
            "{}",
            fixture.name
        );
    }
}
