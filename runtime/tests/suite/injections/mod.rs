//! Injection fixtures: each text goes in by every way there is, and nothing but its own place in the prompt or result is
//! another than without it. SYSTEMS C13, S8; THREATS, the agent and its model.

mod calls;

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::Bundle;
use harnessc_runtime::decide::{Call, Plan, RunRow, Verdict};
use harnessc_runtime::foreign::{LABEL, is_hidden, looks_like_angle};
use harnessc_runtime::lens::{Level, Requester, Review, Score, review};
use harnessc_runtime::lock::{Lock, Returns};
use harnessc_runtime::prompt::{Attribution, Inserts, ToolResult, assemble, compact};
use harnessc_runtime::result::{Audience, Expected, Failure, Handed, Projector, receive};
use harnessc_runtime::runs::{NewRun, Refused, create};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::common::bundle;
use crate::results::Engine;
use crate::world::world;

#[derive(Deserialize)]
struct Fixture {
    name: String,
    text: String,
    through: String,
}

fn fixtures() -> Vec<Fixture> {
    serde_json::from_str(include_str!("fixtures.json")).unwrap()
}

/// All that a run may see and do, whatever is said to it.
#[derive(Debug, PartialEq)]
struct Picture {
    bootstrap: String,
    card: String,
    list: Vec<(String, String)>,
    rubrics: String,
    stable: String,
    verdicts: BTreeMap<String, String>,
}

const CLEAN: &str = "A harmless sentence about an assay.";

/// The picture of a chemist's run into which the text was put by every way that leads into a run.
fn picture(lock: &Lock, bundle: &Bundle, text: &str) -> Picture {
    let new = NewRun {
        lock_digest: bundle.digest(),
        now_ms: 1,
        organization: "org-1",
        person: "person-1",
        personas: &["scientist", text],
        program: text,
        run: "run-1",
        workbench_role: Some("chemist"),
    };
    let row = create(lock, &new).unwrap().0;
    let who = Attribution { decider: Some(text), person: text };
    let inserts = Inserts { memory: &[text, text], who: Some(who), ..Inserts::default() };
    let prompt = assemble(lock, "chemist", &inserts).unwrap();
    let permissions = ["memory.recall", "records.search", "records.propose", "labels.edit/update", text];
    let person = bundle.person(permissions);
    let run_row = RunRow {
        harness: row.harness(),
        person: &person,
        plan: Plan::None,
        read_only: false,
        role: "console",
        scopes: &["desk:read", "desk:write", text],
        surface: Some("desk"),
    };
    let list = bundle.tools_list(&run_row);
    let mut verdicts = BTreeMap::new();
    for tool in lock.tools.keys() {
        for case in [None, Some("create"), Some("update"), Some("delete")] {
            let verdict = format!("{:?}", bundle.check_call(&run_row, &Call { case, tool }));
            verdicts.insert(format!("{tool}/{case:?}"), verdict);
        }
    }
    Picture {
        bootstrap: serde_json::to_string(&row.bootstrap()).unwrap(),
        card: card(lock, text),
        list: list.iter().map(|listed| (listed.name.to_owned(), listed.input().unwrap())).collect(),
        rubrics: format!("{:?}", lock.rubrics),
        stable: prompt.stable,
        verdicts,
    }
}

/// A scorecard in which the text is a word and a source.
fn card(lock: &Lock, text: &str) -> String {
    let read: BTreeSet<String> = ["R-1".to_owned()].into();
    let said: BTreeMap<String, Score> = [
        ("potency".to_owned(), Score::new(text, &["R-1"], &read)),
        ("purity".to_owned(), Score::new("strong", &[text], &read)),
    ]
    .into();
    assert!(said.values().all(|score| score.level() == Level::NO_EVIDENCE));
    assert!(said["purity"].citations().is_empty());
    let requester = Requester::Person { personas: &["scientist"], is_proposer: false };
    let asked = Review { record: "R-1", record_type: "summary", requester, review: "design" };
    review(lock, &asked, &[("chemist".to_owned(), said)].into()).unwrap().to_string()
}

#[test]
fn there_are_enough_of_them_and_by_every_way() {
    let fixtures = fixtures();
    assert!(fixtures.len() >= 40);
    let ways: BTreeSet<&str> = fixtures.iter().map(|fixture| fixture.through.as_str()).collect();
    assert_eq!(
        ways.into_iter().collect::<Vec<_>>(),
        ["argument", "invisible", "lookalike", "memory", "name", "output", "title"]
    );
}

#[test]
fn no_text_changes_a_tool_list_a_verdict_a_refusal_a_rubric_or_a_citation() {
    let (lock, clean) = (world(), CLEAN);
    let bundle = bundle(&lock);
    let expected = picture(&lock, &bundle, clean);
    assert!(expected.stable.contains("- Never approve or sign.\n"));
    for fixture in fixtures() {
        assert_eq!(picture(&lock, &bundle, &fixture.text), expected, "{}", fixture.name);
    }
}

#[test]
fn in_the_prompt_a_text_stays_in_its_own_place() {
    let lock = world();
    for fixture in fixtures() {
        let text = fixture.text.as_str();
        let who = Attribution { decider: None, person: text };
        let inserts = Inserts { memory: &[text, "second"], who: Some(who), ..Inserts::default() };
        let volatile = assemble(&lock, "chemist", &inserts).unwrap().volatile;
        // The status line, and two notes.
        let lines: Vec<&str> = volatile.lines().collect();
        assert_eq!(lines.len(), 3, "{}: {volatile}", fixture.name);
        assert!(lines[0].starts_with("Proposed by ") && lines[0].ends_with("; decided by nobody yet"));
        assert!(lines[0].chars().count() < 170);
        let note = lines[1].strip_prefix("<<<memory:").unwrap();
        assert!(!note.chars().any(looks_like_angle), "{}: {note}", fixture.name);
        assert!(
            !volatile.chars().any(|character| is_hidden(character) && character != '\n'),
            "{}",
            fixture.name
        );
        assert_eq!(lines[2], "second>>>");
    }
}

#[test]
fn in_a_result_a_text_is_dropped_or_labelled() {
    let lock = world();
    let projector = Projector::new(lock.tools["records.search"].output.as_ref().unwrap(), &Engine).unwrap();
    let projectors = [&projector];
    let expected = Expected {
        audience: Audience::Others,
        projectors: &projectors,
        returns: Returns::Structured,
        room: None,
        run: "run-1",
        tool: "records.search",
    };
    for fixture in fixtures() {
        let text = fixture.text.as_str();
        let record = json!({"id": "R-1", "site": text, "title": text, "text": text, text: text});
        let other = json!({"id": text, "title": "x"});
        let value = json!({"records": [record, other, text], text: {text: text}, "tools": [text]});
        let result = json!({"_meta": {text: text}, "content": [{"type": "image", "data": text}], "structuredContent": value});
        let delivery = receive(&expected, result.to_string().as_bytes());
        let Handed::Structured(json) = &delivery.handed else {
            panic!("{}: {:?}", fixture.name, delivery.handed)
        };
        let records = json.value()["records"].as_array().unwrap();
        assert_eq!(records.len(), 1, "{}", fixture.name);
        assert_eq!(json.value().as_object().unwrap().len(), 1);
        let record = records[0].as_object().unwrap();
        for (key, value) in record {
            assert!(["id", "site", "title"].contains(&key.as_str()), "{}: {key}", fixture.name);
            let value = value.as_str().unwrap();
            assert!(key == "id" || value.starts_with(LABEL.trim_end()), "{}: {value}", fixture.name);
            assert!(
                value.chars().count() <= 120 && !value.chars().any(is_hidden),
                "{}: {value}",
                fixture.name
            );
        }
        assert!(!audit_holds(&delivery.event, text), "{}", fixture.name);

        // The same as the text of a structured tool, as an error, and as a whole answer.
        for (result, failure) in [
            (json!({"content": [{"type": "text", "text": format!("{text} ")}]}), Failure::NotStructured),
            (json!({"isError": true, "content": [{"type": "text", "text": text}]}), Failure::ToolFailed),
            (Value::from(text), Failure::Unreadable),
        ] {
            let handed = receive(&expected, result.to_string().as_bytes()).handed;
            let is_json = failure == Failure::NotStructured && serde_json::from_str::<Value>(text).is_ok();
            if is_json {
                assert!(
                    !handed.text().contains("approve") && !handed.text().contains("erase"),
                    "{}",
                    handed.text()
                );
            } else {
                assert_eq!(handed, Handed::Failed(failure), "{}", fixture.name);
            }
        }
    }
}

fn audit_holds(event: &harnessc_runtime::audit::Event, text: &str) -> bool {
    text.chars().count() > 3 && format!("{event:?}").contains(text)
}

#[test]
fn as_a_name_of_a_tool_case_role_harness_or_surface_a_text_opens_nothing() {
    let lock = world();
    let bundle = bundle(&lock);
    let all = bundle.persona("lead").unwrap();
    for fixture in fixtures() {
        let text = fixture.text.as_str();
        let row = RunRow {
            harness: Some("lead"),
            person: &all,
            plan: Plan::None,
            read_only: false,
            role: "console",
            scopes: &["desk:read"],
            surface: Some("desk"),
        };
        let code = |row: &RunRow<'_>, tool, case| match bundle.check_call(row, &Call { case, tool }) {
            Verdict::Deny(denial) => denial.code,
            _ => "open",
        };
        assert_eq!(code(&row, text, None), "unknown_tool", "{}", fixture.name);
        assert_ne!(code(&row, "labels.edit", Some(text)), "open", "{}", fixture.name);
        for row in [
            RunRow { role: text, ..row },
            RunRow { harness: Some(text), ..row },
            RunRow { scopes: &[text], ..row },
            RunRow { surface: Some(text), ..row },
        ] {
            assert_ne!(code(&row, "records.erase", None), "open", "{}", fixture.name);
            assert_ne!(code(&row, "labels.edit", Some("delete")), "open", "{}", fixture.name);
        }
        let new = NewRun {
            lock_digest: bundle.digest(),
            now_ms: 1,
            organization: "o",
            person: "p",
            personas: &["scientist"],
            program: "P-1",
            run: "r",
            workbench_role: Some(text),
        };
        assert_eq!(create(&lock, &new).unwrap_err().0, Refused::UnknownRole, "{}", fixture.name);
    }
}

#[test]
fn a_result_that_poses_as_a_reference_is_compacted_to_the_stores_own() {
    let policy = harnessc_runtime::lock::Compaction {
        above_bytes: Some(8),
        keep_last: None,
        resolve_with: Some("resolve_ref".to_owned()),
    };
    for fixture in fixtures().iter().filter(|fixture| fixture.text.len() > 8) {
        let kept = compact(&[ToolResult { reference: Some("result-7"), text: &fixture.text }], Some(&policy));
        let line: Value = serde_json::from_str(kept[0].text()).unwrap();
        assert_eq!((&line["reference"], &line["resolve_with"]), (&json!("result-7"), &json!("resolve_ref")));
    }
}
