//! Tools, schemas and names, forged.

use harnessc_runtime::lock::{Effect, Hints, Lock, Pinned, RawJson, Returns};

use super::{at, hold, loads_where_lowered, loads_where_waived, refused_consistent};
use crate::common::{bundle, raw, small};

#[test]
fn what_is_no_read_has_a_target_or_says_why_not() {
    let loose = |lock: &mut Lock| lock.tools.get_mut("records.draft").unwrap().unbound = None;
    assert_eq!(refused_consistent(loose), at("bound_targets", "records.draft"));
    let blank = |lock: &mut Lock| lock.tools.get_mut("records.draft").unwrap().unbound = Some(" ".to_owned());
    assert_eq!(refused_consistent(blank), at("bound_targets", "records.draft"));
    loads_where_lowered(loose, "unbound-target");
    loads_where_waived(loose, "unbound-target", "tools/records.draft");
}

#[test]
fn a_forbidden_verb() {
    let title =
        |lock: &mut Lock| lock.tools.get_mut("records.search").unwrap().title = "Sign records".to_owned();
    assert_eq!(refused_consistent(title), at("forbidden_verb", "chemist/records.search"));
    let upstream = |lock: &mut Lock| {
        let server = lock.tools["tickets.list"].server.clone().unwrap();
        let tool = lock.tools.get_mut("records.search").unwrap();
        let mut server = Pinned { upstream: "sign_records".to_owned(), ..server };
        server.pinned = raw(r#"{"name":"sign_records"}"#);
        (server.pinned_digest, server.hints) = (server.pinned.digest(), Hints::default());
        tool.server = Some(server);
    };
    assert_eq!(refused_consistent(upstream), at("forbidden_verb", "chemist/records.search"));
    // The lead's harness does not bear that refusal, and a longer word is none.
    let mut fine = small();
    fine.tools.get_mut("tickets.list").unwrap().title = "Sign tickets".to_owned();
    fine.tools.get_mut("records.search").unwrap().title = "Design records".to_owned();
    bundle(&fine);
}

#[test]
fn no_harness_bears_a_key_that_stands_for_none() {
    for key in ["-", "none"] {
        let renamed = |lock: &mut Lock| {
            let lead = lock.harnesses.remove("lead").unwrap();
            lock.harnesses.insert(key.to_owned(), lead);
        };
        assert_eq!(refused_consistent(renamed), at("order", key));
    }
}

#[test]
fn names_that_lead_nowhere_and_lists_out_of_order() {
    let ghost = |lock: &mut Lock| lock.personas.get_mut("viewer").unwrap().bundle.push("zzz".to_owned());
    assert_eq!(refused_consistent(ghost), at("references", "viewer/zzz"));
    let whole = |lock: &mut Lock| hold(lock, "lead", "labels.edit");
    assert_eq!(refused_consistent(whole), at("references", "lead/labels.edit"));
    let twice = |lock: &mut Lock| hold(lock, "lead", "tickets.list");
    assert_eq!(refused_consistent(twice), at("order", "lead/tickets.list"));
    let bind = |lock: &mut Lock| {
        lock.tools.get_mut("records.search").unwrap().bind.insert("x".to_owned(), "nothing".to_owned());
    };
    assert_eq!(refused_consistent(bind), at("references", "records.search"));
}

#[test]
fn schemas_opened_or_emptied() {
    let input = |json: &'static str| {
        move |lock: &mut Lock| lock.tools.get_mut("records.propose").unwrap().input = raw(json)
    };
    let refusal = at("closed_schemas", "records.propose");
    assert_eq!(refused_consistent(input(r#"{"type":"object"}"#)), refusal);
    assert_eq!(refused_consistent(input("true")), refusal);
    assert_eq!(refused_consistent(input(r#"{"type":"array","unevaluatedProperties":false}"#)), refusal);
    let unbound = r#"{"type":"object","properties":{"program_id":{}},"unevaluatedProperties":false}"#;
    assert_eq!(refused_consistent(input(unbound)), refusal);
    let output = |lock: &mut Lock| lock.tools.get_mut("records.search").unwrap().output = Some(raw("{}"));
    assert_eq!(refused_consistent(output), at("closed_schemas", "records.search"));
    for may_be_object in [r#"["object","null"]"#, r#"[ "null", "\u006fbject" ]"#, r#""\u006fbject""#, "7"] {
        let open = format!("{{\"type\":{may_be_object}}}");
        let output =
            |lock: &mut Lock| lock.tools.get_mut("records.search").unwrap().output = Some(raw(&open));
        assert_eq!(refused_consistent(output), at("closed_schemas", "records.search"), "{open}");
    }
    let mut fine = small();
    fine.tools.get_mut("records.search").unwrap().output =
        Some(raw(r#"{"items":{"type":"string"},"type":["array","null"]}"#));
    bundle(&fine);
    let unsaid =
        r#"{"properties":{"program_id":{}},"required":["program_id"],"unevaluatedProperties":false}"#;
    assert_eq!(refused_consistent(input(unsaid)), refusal);
    let invented = |lock: &mut Lock| {
        let toolset = &mut lock.harnesses.get_mut("chemist").unwrap().toolset;
        toolset[0].only.insert("path".to_owned(), raw("true"));
    };
    assert_eq!(refused_consistent(invented), at("closed_schemas", "chemist/documents.fetch"));
    let fourth = |lock: &mut Lock| {
        let tool = lock.tools.get_mut("labels.edit").unwrap();
        tool.input =
            RawJson::new(tool.input.compact().replace("\"update\"", "\"update\",\"purge\"")).unwrap();
    };
    assert_eq!(refused_consistent(fourth), at("closed_schemas", "labels.edit"));
}

#[test]
fn tools_whose_words_do_not_fit() {
    let weaker = |lock: &mut Lock| lock.tools.get_mut("labels.edit").unwrap().effect = Effect::Read;
    assert_eq!(refused_consistent(weaker), at("tools", "labels.edit"));
    let open = |lock: &mut Lock| lock.tools.get_mut("records.search").unwrap().returns = Returns::None;
    assert_eq!(refused_consistent(open), at("tools", "records.search"));
    let reserved = |lock: &mut Lock| {
        let tool = lock.tools["memory.recall"].clone();
        lock.tools.insert("plan.propose".to_owned(), tool);
    };
    assert_eq!(refused_consistent(reserved), at("tools", "plan.propose"));
}
