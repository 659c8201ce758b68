//! One forgery each, and the check that catches it.

use harnessc_runtime::Bundle;
use harnessc_runtime::decide::{Call, Plan, RunRow, Verdict};
use harnessc_runtime::load::{Held, NAMESPACE, Signers, Trust, signer};
use harnessc_runtime::lock::text::pretty;
use harnessc_runtime::lock::{Lock, digest, digest_of};
use harnessc_runtime::prove::table;
use serde_json::{Value, json};

use super::forge::{at, body, cell, console, grant, hold, list, load, refused, rows, seal, told, trust};
use crate::keys::Key;
use crate::oracle::compile;

const WRITE: &str = "records.propose_change";

#[test]
fn the_untouched_lock_loads() {
    assert_eq!(seal(&console()).len(), compile::console_lock().len());
    load(&console(), None).unwrap();
}

#[test]
fn a_write_is_made_auto_in_its_cell() {
    let told = refused(|lock| {
        let cell = cell(lock, "toxicologist", "console", WRITE);
        cell["approval"] = json!("auto");
        cell.as_object_mut().unwrap().remove("approvers");
    });
    assert_eq!(told, "write_never_auto at toxicologist/console/records.propose_change");
}

#[test]
fn a_write_is_made_auto_everywhere() {
    let told = refused(|lock| {
        *at(lock, "/approvals/at_least/write") = json!("auto");
        at(lock, &format!("/tools/{WRITE}"))["approval"] = json!("auto");
        for (_, _, cells) in rows(lock) {
            for cell in cells.iter_mut().filter(|cell| cell["deed"] == WRITE) {
                *cell = json!({"approval": "auto", "deed": WRITE});
            }
        }
    });
    assert_eq!(told, "write_never_auto at at_least/write");
}

#[test]
fn a_write_is_made_auto_by_calling_it_a_read() {
    let told = refused(|lock| {
        at(lock, &format!("/tools/{WRITE}"))["effect"] = json!("read");
        for (_, role, cells) in rows(lock) {
            for cell in cells.iter_mut().filter(|cell| cell["deed"] == WRITE && role == "console") {
                *cell = json!({"approval": "auto", "deed": WRITE});
            }
        }
    });
    // The table alone betrays it: roles that only read would hold it now.
    assert_eq!(told.split(' ').next(), Some("effective_table"), "{told}");
}

#[test]
fn a_tool_beyond_the_bundle() {
    let told = refused(|lock| {
        hold(lock, "toxicologist", "records.retire");
        let approvers = at(lock, "/approvals/approvers/tools/records.retire").clone();
        let cells = list(lock, "/effective/toxicologist/console");
        grant(cells, json!({"approval": "four_eyes", "approvers": approvers, "deed": "records.retire"}));
    });
    assert_eq!(told, "persona_bundle at toxicologist/records.retire");
}

#[test]
fn prose_for_the_console_role() {
    let told = refused(|lock| {
        let prose = cell(lock, "toxicologist", "reader", "documents.fetch").clone();
        grant(list(lock, "/effective/toxicologist/console"), prose);
    });
    assert_eq!(told, "untrusted_reader at toxicologist/console/documents.fetch");
    let told = refused(|lock| at(lock, "/roles/console")["reads_untrusted"] = json!(true));
    assert_eq!(told.split(' ').next(), Some("effective_table"), "{told}");
}

#[test]
fn four_eyes_become_two() {
    let lead = "batches.propose_disposition/discard";
    let told = refused(|lock| {
        cell(lock, "quality_reviewer", "console", lead)["approval"] = json!("confirm");
    });
    assert_eq!(told, "approval_below_tier at quality_reviewer/console/batches.propose_disposition/discard");
    let told = refused(|lock| {
        *at(lock, "/approvals/at_least/destructive") = json!("confirm");
        at(lock, "/tools/batches.propose_disposition/cases/by/discard")
            .as_object_mut()
            .unwrap()
            .remove("approval");
        for (_, _, cells) in rows(lock) {
            for cell in cells.iter_mut().filter(|cell| cell["deed"] == lead) {
                cell["approval"] = json!("confirm");
            }
        }
    });
    assert_eq!(told, "four_eyes at quality_reviewer/console/batches.propose_disposition/discard");
}

/// The same, with the word that it cannot be taken back left out: silence counts as that word.
#[test]
fn four_eyes_become_two_and_undo_is_forgotten() {
    let mut lock = console();
    *at(&mut lock, "/approvals/at_least/destructive") = json!("confirm");
    let discard = at(&mut lock, "/tools/batches.propose_disposition/cases/by/discard");
    discard.as_object_mut().unwrap().retain(|field, _| field != "approval" && field != "undo");
    let mut forged: Lock = serde_json::from_str(&lock.to_string()).unwrap();
    forged.effective = table::effective(&forged);
    let error = Bundle::load(&digest::write(&forged).unwrap(), &trust(), None).map(drop);
    let told = error.map_err(|error| told(&error));
    assert_eq!(
        told,
        Err("four_eyes at quality_reviewer/console/batches.propose_disposition/discard".to_owned())
    );
}

/// A pinned tool says which one it is; the name that is called upstream is another.
#[test]
fn another_tool_is_called_than_was_pinned() {
    let root = compile::own("whole");
    let mut lock = body(&compile::compile(&root));
    *at(&mut lock, "/tools/letters.draft/server/upstream") = json!("send_letter");
    let error =
        Bundle::load(&seal(&lock), &compile::trust(&root), None).map(drop).map_err(|error| told(&error));
    assert_eq!(error, Err("external_servers at letters.draft".to_owned()));
}

#[test]
fn approvers_are_slipped_in() {
    let told = refused(|lock| {
        let cell = cell(lock, "toxicologist", "console", WRITE);
        cell["approvers"].as_array_mut().unwrap().push(json!("viewer"));
    });
    assert_eq!(told, "effective_table at toxicologist/console/records.propose_change");
    let told = refused(|lock| {
        cell(lock, "toxicologist", "console", WRITE).as_object_mut().unwrap().remove("approvers");
    });
    assert_eq!(told, "effective_table at toxicologist/console/records.propose_change");
    let told = refused(|lock| list(lock, "/approvals/approvers/four_eyes").push(json!("viewer")));
    assert_eq!(told, "four_eyes at approvers/four_eyes");
}

#[test]
fn a_forbidden_verb_in_a_name_or_a_title() {
    let text = console().to_string().replace("tasks.propose", "tasks.approve");
    let told = load(&serde_json::from_str(&text).unwrap(), None).unwrap_err();
    // Sorted lists name the tool first: a forger sorts them too.
    assert_eq!(told.split(' ').next(), Some("order"), "{told}");
    let text = console().to_string().replace("tasks.propose", "tasks.notify");
    let told = load(&sorted(serde_json::from_str(&text).unwrap()), None).unwrap_err();
    assert_eq!(told, "forbidden_verb at assay_biologist/tasks.notify");
    let told = refused(|lock| at(lock, "/tools/tasks.propose")["title"] = json!("Task sent to a person"));
    assert_eq!(told, "forbidden_verb at assay_biologist/tasks.propose");
}

/// Every list of names in its order, as a careful forger leaves them.
fn sorted(mut lock: Value) -> Value {
    for persona in lock["personas"].as_object_mut().unwrap().values_mut() {
        persona["bundle"].as_array_mut().unwrap().sort_by(|a, b| a.as_str().cmp(&b.as_str()));
    }
    for harness in lock["harnesses"].as_object_mut().unwrap().values_mut() {
        harness["toolset"]
            .as_array_mut()
            .unwrap()
            .sort_by(|a, b| a["tool"].as_str().cmp(&b["tool"].as_str()));
    }
    for (_, _, cells) in rows(&mut lock) {
        cells.sort_by(|a, b| a["deed"].as_str().cmp(&b["deed"].as_str()));
    }
    lock
}

#[test]
fn a_cell_is_added_or_taken_away() {
    let told = refused(|lock| {
        let cells = list(lock, "/effective/toxicologist/review");
        grant(cells, json!({"approval": "auto", "deed": "patents.search"}));
    });
    assert_eq!(told, "effective_table at toxicologist/review/patents.search");
    let told = refused(|lock| {
        list(lock, "/effective/toxicologist/review").retain(|cell| cell["deed"] != "safety.margins");
    });
    assert_eq!(told.split(' ').next(), Some("effective_table"), "{told}");
    let told = refused(|lock| {
        at(lock, "/effective").as_object_mut().unwrap().remove("toxicologist");
    });
    assert_eq!(told, "effective_table at toxicologist");
    let told = refused(|lock| {
        let row = at(lock, "/effective/toxicologist").clone();
        at(lock, "/effective")["visitor"] = row;
    });
    assert_eq!(told, "effective_table at visitor");
}

#[test]
fn a_narrowing_is_lifted() {
    let told = refused(|lock| {
        cell(lock, "toxicologist", "reader", "documents.fetch").as_object_mut().unwrap().remove("only");
    });
    assert_eq!(told, "effective_table at toxicologist/reader/documents.fetch");
}

#[test]
fn a_schema_is_opened() {
    let told = refused(|lock| {
        at(lock, &format!("/tools/{WRITE}/input")).as_object_mut().unwrap().remove("unevaluatedProperties");
    });
    assert_eq!(told, "closed_schemas at records.propose_change");
    let told = refused(|lock| {
        let required = list(lock, &format!("/tools/{WRITE}/input/required"));
        required.retain(|input| input != "program_id");
    });
    assert_eq!(told, "closed_schemas at records.propose_change");
}

#[test]
fn a_refusal_is_dropped() {
    let line = body(compile::console_lock())["refusals"]["no_approval"]["line"].as_str().unwrap().to_owned();
    let told = refused(|lock| {
        let part = at(lock, "/prompt/parts/refusals");
        let text = part["text"].as_str().unwrap().replace(&line, "You may approve what is small.");
        *part = json!({"digest": digest_of(text.as_bytes()), "text": text});
    });
    assert_eq!(told, "refusal_lines at assay_biologist");
    let told = refused(|lock| {
        let text = at(lock, "/prompt/parts/refusals")["text"].as_str().unwrap().replace(&line, "");
        at(lock, "/prompt/parts/refusals")["text"] = json!(text);
    });
    assert_eq!(told, "refusal_lines at prompt/refusals");
    let told = refused(|lock| list(lock, "/harnesses/toxicologist/prompt").retain(|part| part != "refusals"));
    assert_eq!(told, "refusal_lines at toxicologist");
    let told = refused(|lock| {
        list(lock, "/harnesses/toxicologist/refusal_rules").retain(|key| key != "no_approval")
    });
    assert_eq!(told, "refusal_lines at toxicologist");
}

#[test]
fn the_plan_gate_is_passed_by() {
    let told = refused(|lock| {
        list(lock, "/approvals/always_allowed").insert(3, json!(WRITE));
    });
    assert_eq!(told, "always_allowed at records.propose_change");
    let told = refused(|lock| at(lock, "/skills/safety.exposure_margins")["tool"] = json!(WRITE));
    assert_eq!(told, "always_allowed at records.propose_change");
    let told =
        refused(|lock| at(lock, "/plan_templates/margin_update/steps/3")["tool"] = json!("records.retire"));
    assert_eq!(told.split(' ').next(), Some("plans_and_skills"), "{told}");
}

#[test]
fn a_disabled_tool_is_granted() {
    let told = refused(|lock| at(lock, "/tools/tasks.propose")["enabled"] = json!(false));
    assert_eq!(told, "disabled_tool at assay_biologist/console/tasks.propose");
}

#[test]
fn another_servers_tool() {
    let told = refused(|lock| {
        let pinned = json!({"name": "propose"});
        let digest = digest_of(pinned.to_string().as_bytes());
        at(lock, "/tools/tasks.propose")["server"] = json!({
            "hints": {}, "name": "elsewhere", "pinned": pinned, "pinned_digest": digest, "upstream": "propose",
        });
    });
    assert_eq!(told, "external_servers at tasks.propose");
}

#[test]
fn a_name_leads_nowhere() {
    let told = refused(|lock| list(lock, "/harnesses/toxicologist/skills").push(json!("poison")));
    assert_eq!(told, "references at toxicologist");
}

#[test]
fn a_payload_is_kept() {
    let told = refused(|lock| list(lock, "/audit/tool_call").push(json!("arguments")));
    assert_eq!(told, "closed_words at audit/tool_call");
}

#[test]
fn a_place_that_nothing_fills_in() {
    let told =
        refused(|lock| at(lock, "/status_templates")["working_as"] = json!("By {person} for {reason}"));
    assert_eq!(told, "placeholders at status_templates/working_as");
    let told = refused(|lock| at(lock, "/prompt")["memory_wrap"] = json!("<<<memory>>>"));
    assert_eq!(told, "placeholders at prompt/memory_wrap");
}

#[test]
fn a_fallback_and_a_retry_that_no_run_has() {
    let told = refused(|lock| at(lock, "/engines")["phases"] = json!({"diagnose": {"fallback": "phase"}}));
    assert_eq!(told, "engine_phases at engines/phases");
    let told = refused(|lock| {
        at(lock, "/engines")["order"] = json!(["ai", "rules"]);
        at(lock, "/engines")["phases"] = json!({"plan": {"corrections": 3, "fallback": "phase"}});
    });
    assert_eq!(told, "engine_phases at engines/phases/plan");
    let told = refused(|lock| at(lock, "/limits")["retry"] = json!({"model": {"attempts": 9}}));
    assert_eq!(told, "engine_phases at limits/retry");
}

#[test]
fn a_plan_that_nobody_can_make_is_asked_for() {
    let told = refused(|lock| {
        at(lock, "")["diagnoses"] =
            json!({"drift": {"stale": {"requires": ["documents.fetch", "records.retire"]}}})
    });
    assert_eq!(told, "diagnoses at diagnoses/drift/stale");
}

#[test]
fn what_waits_is_shown_to_nobody() {
    let told = refused(|lock| at(lock, "/approvals/treatments")["write"] = json!("silent"));
    assert_eq!(told, "silent_approval at approvals/treatments");
    let told = refused(|lock| at(lock, "/approvals/batch")["treatment"] = json!("notify"));
    assert_eq!(told, "silent_approval at approvals/batch");
}

#[test]
fn the_turn_after_a_yes_is_left_a_write() {
    let told = refused(|lock| {
        at(lock, "/surfaces")["desk"] = json!({
            "after_approval": ["desk:write"], "scopes": {"desk:write": {"effects": ["read", "write"]}},
        });
    });
    assert_eq!(told, "after_approval at desk/desk:write");
}

#[test]
fn a_plan_names_a_run() {
    let told = refused(|lock| {
        let input = json!({"program_id": "P-1"});
        at(lock, "/plan_templates/margin_update/steps/0")["input"] = input;
    });
    assert_eq!(told.split(' ').next(), Some("step_inputs"), "{told}");
}

#[test]
fn a_target_is_let_go() {
    let told =
        refused(|lock| drop(at(lock, &format!("/tools/{WRITE}")).as_object_mut().unwrap().remove("bind")));
    assert_eq!(told, "bound_targets at records.propose_change");
}

#[test]
fn what_changes_is_put_before_what_is_stable() {
    let told = refused(|lock| list(lock, "/harnesses/toxicologist/prompt").insert(0, json!("memory")));
    assert_eq!(told, "prompt_order at toxicologist");
}

#[test]
fn memory_is_let_out_of_its_wrap() {
    for open in ["<<<memory:{text}", "{text}", "memory: {text} end of memory"] {
        assert_eq!(
            refused(|lock| *at(lock, "/prompt/memory_wrap") = json!(open)),
            "memory_wrap at prompt/memory_wrap",
            "{open}"
        );
    }
}

#[test]
fn a_plan_waits_for_itself() {
    let told = refused(|lock| {
        let step = at(lock, "/plan_templates/margin_update/steps/0");
        step["after"] = json!([step["key"]]);
    });
    assert_eq!(told.split(' ').next(), Some("plans_and_skills"), "{told}");
}

#[test]
fn another_policy_environment_or_format() {
    assert_eq!(refused(|lock| lock["policy"]["name"] = json!("other")), "policy_mismatch");
    assert_eq!(refused(|lock| lock["policy"]["environment"] = json!("test")), "environment_mismatch");
    let drop = |lock: &mut Value| drop(lock["policy"].as_object_mut().unwrap().remove("environment"));
    assert_eq!(refused(drop), "environment_mismatch");
    assert_eq!(refused(|lock| lock["format"] = json!("harness-lock/2")), "format_newer");
    assert_eq!(refused(|lock| lock["format"] = json!("harness-lock/0")), "format_unknown");
}

#[test]
fn an_older_or_another_revision() {
    let mut lock = console();
    lock["revision"] = json!(7);
    lock["predecessor"] = json!(digest_of(b"six"));
    let seven = load(&lock, None).unwrap().held();
    load(&lock, Some(&seven)).unwrap();
    let told = |revision: u64, predecessor: &str, held: &Held| {
        let mut lock = lock.clone();
        lock["revision"] = json!(revision);
        lock["predecessor"] = json!(predecessor);
        load(&lock, Some(held)).map(|bundle| bundle.lock().revision)
    };
    assert_eq!(told(8, &seven.digest, &seven), Ok(8));
    assert_eq!(told(6, &seven.digest, &seven), Err("revision_lower".to_owned()));
    assert_eq!(told(7, &seven.digest, &seven), Err("revision_fork".to_owned()));
    assert_eq!(told(9, &seven.digest, &seven), Err("revision_gap".to_owned()));
    assert_eq!(told(8, &digest_of(b"other"), &seven), Err("predecessor_mismatch".to_owned()));
}

#[test]
fn a_gap_is_an_operators_word_and_no_ones_else() {
    let held = Held { digest: digest_of(b"one"), revision: 1 };
    let mut lock = console();
    lock["revision"] = json!(3);
    lock["predecessor"] = json!(digest_of(b"two"));
    assert_eq!(load(&lock, Some(&held)).unwrap_err(), "revision_gap");
    let trust = Trust { allow_gap: true, ..trust() };
    assert_eq!(Bundle::load(&seal(&lock), &trust, Some(&held)).unwrap().lock().revision, 3);
}

/// Changes that only text can make: they are made on the bytes, the digest recomputed.
#[test]
fn keys_twice_out_of_order_or_unknown() {
    let opened = digest::open(compile::console_lock()).unwrap().body;
    let text = String::from_utf8(opened).unwrap();
    let told_of = |from: &str, to: &str| {
        let (before, after) = text.split_once(from).unwrap();
        let rest = format!("{before}{to}{after}").split_off("{\n".len());
        let bytes = format!("{{\"digest\":\"{}\",\n{rest}", digest_of(rest.as_bytes()));
        told(&Bundle::load(bytes.as_bytes(), &trust(), None).unwrap_err())
    };
    let revision = "\n  \"revision\": 1,";
    assert_eq!(told_of(revision, "\n  \"revision\": 1,\n  \"revision\": 1,"), "duplicate_key");
    assert_eq!(told_of(revision, "\n  \"revision\": 1,\n  \"digest\": 1,"), "unsorted_key");
    assert_eq!(told_of(revision, "\n  \"revision\": 1,\n  \"revision_by\": 1,"), "unknown_key");
    assert_eq!(told_of(revision, "\n  \"revision\": 1.0,"), "odd_number");
    assert_eq!(told_of(revision, "\n  \"revision\": null,"), "null_value");
    assert_eq!(told_of(revision, "\n  \"revision\":  1,"), "syntax");
    assert_eq!(told_of(revision, "\n  \"revision\": 1 ,"), "layout");
    assert_eq!(told_of(revision, "\n  \"revision\": \"1\","), "wrong_type");
    assert_eq!(told_of(revision, ""), "missing_key");
    assert_eq!(told_of("\n}\n", "\n}\n\n"), "trailing_bytes");
    assert_eq!(told_of("\n}\n", "\n}"), "layout");
}

/// A duplicate key inside a schema, whose order is the author's own, is found as well.
#[test]
fn a_key_twice_inside_a_schema() {
    let text = String::from_utf8(digest::open(compile::console_lock()).unwrap().body).unwrap();
    let closed = "\"unevaluatedProperties\": false\n";
    let at = text.find(closed).unwrap();
    let forged = format!("{}\"unevaluatedProperties\": false,\n{}", &text[..at], &text[at..]);
    let told = told(&Bundle::load(&digest::seal(&pretty(&forged)), &trust(), None).unwrap_err());
    assert_eq!(told, "duplicate_key");
}

/// The one that nothing here can see: a harness and its persona are both given one more read, the table with them.
/// Every declared set fits and no invariant is broken, so the lock loads. Only a signature tells that nobody whose
/// word counts wrote it; `docs/trust.md` says so.
#[test]
fn what_is_consistent_needs_a_signature() {
    let mut lock = console();
    let read = "batches.search";
    let bundle = list(&mut lock, "/personas/viewer/bundle");
    bundle.push(json!(read));
    bundle.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
    hold(&mut lock, "toxicologist", read);
    for (harness, role, cells) in rows(&mut lock) {
        if role != "reader" && (harness == "toxicologist" || harness == "-") {
            grant(cells, json!({"approval": "auto", "deed": read}));
        }
    }
    let bundle = load(&lock, None).unwrap();
    assert_ne!(bundle.held().digest, load(&console(), None).unwrap().held().digest);
    assert!(bundle.cell_digest(Some("toxicologist"), "console", read).is_some());
    assert!(bundle.cell_digest(None, "console", read).is_some());
    // Where another lock of that revision was in force already, even this one is refused.
    let held = load(&console(), None).unwrap().held();
    assert_eq!(load(&lock, Some(&held)).unwrap_err(), "revision_fork");
}

/// An effect is what the author says it is. Called a read everywhere, with the table that follows from it, a write
/// looks like one: the same holds.
#[test]
fn a_deed_that_is_called_a_read_needs_a_signature() {
    let mut lock = console();
    at(&mut lock, &format!("/tools/{WRITE}"))["effect"] = json!("read");
    let mut forged: Lock = serde_json::from_str(&lock.to_string()).unwrap();
    forged.effective = table::effective(&forged);
    let bundle = Bundle::load(&digest::write(&forged).unwrap(), &trust(), None).unwrap();
    let person = bundle.persona("scientist").unwrap();
    let row = RunRow {
        harness: Some("toxicologist"),
        person: &person,
        plan: Plan::None,
        read_only: true,
        role: "review",
        scopes: &[],
        surface: Some("console"),
    };
    assert_eq!(bundle.check_call(&row, &Call { case: None, tool: WRITE }), Verdict::Allow);
}

/// Only the signature tells these two from an honest lock, and it does.
#[test]
fn what_is_consistent_is_refused_where_a_signature_is_demanded() {
    let honest = compile::console_lock();
    let mut lock = console();
    at(&mut lock, "/limits")["run"]["steps"] = json!(200);
    let forged = seal(&lock);
    assert!(Bundle::load(&forged, &trust(), None).is_ok(), "it breaks no invariant");
    let lead = Key::of(1);
    let signature = lead.sign(honest, NAMESPACE);
    let code = |bytes: &[u8], allowed: &str, signature: &str| {
        let signers =
            Signers::Listed { allowed: allowed.to_owned(), signature: Some(signature.as_bytes().to_vec()) };
        let trust = Trust { signers, ..trust() };
        Bundle::load(bytes, &trust, None).map_or_else(|error| error.code(), |_| "loads")
    };
    assert_eq!(code(honest, &lead.listed(""), &signature), "loads");
    assert_eq!(code(&forged, &lead.listed(""), &signature), "signature_invalid");
    let forger = Key::of(2);
    assert_eq!(code(&forged, &lead.listed(""), &forger.sign(&forged, NAMESPACE)), "signer_unknown");
    assert_eq!(code(honest, "# nobody yet\n", &signature), "signer_unknown");
    assert_eq!(code(honest, &lead.listed(""), &lead.sign(honest, "git")), "namespace_mismatch");
    assert_eq!(code(honest, &lead.listed("namespaces=\"git\" "), &signature), "namespace_mismatch");
    assert_eq!(code(honest, &lead.listed("namespaces=\"git,harness-*\" "), &signature), "loads");
    assert_eq!(code(honest, &lead.listed("valid-before=\"20990101Z\" "), &signature), "signer_unknown");
    assert_eq!(code(honest, "lead\n", &signature), "bad_signers");
}

#[test]
fn no_change_of_a_signature_holds() {
    let bytes = compile::console_lock();
    let lead = Key::of(1);
    let good = lead.sign(bytes, NAMESPACE).trim_end().to_owned();
    assert!(signer(bytes, &lead.listed(""), Some(good.as_bytes())).is_ok());
    for at in 0..good.len() {
        let mut bad = good.clone().into_bytes();
        bad[at] = if bad[at] == b'A' { b'B' } else { b'A' };
        let read = signer(bytes, &lead.listed(""), Some(&bad));
        assert!(read.is_err(), "byte {at}");
        assert!(signer(bytes, &lead.listed(""), Some(&good.as_bytes()[..at])).is_err(), "cut at {at}");
    }
}

#[test]
fn a_demanded_signature_is_never_taken_for_granted() {
    let signers = Signers::Listed { allowed: String::new(), signature: None };
    let trust = Trust { signers, ..trust() };
    assert_eq!(told(&Bundle::load(compile::console_lock(), &trust, None).unwrap_err()), "unsigned");
}
