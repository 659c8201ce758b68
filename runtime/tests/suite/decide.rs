//! Decisions one by one: what they say, what they cost, what they are bound to.

use harnessc_runtime::decide::{Call, Gate, Plan, RunRow, Verdict};
use harnessc_runtime::lock::{Approval, Lock, RawJson, Undo};
use harnessc_runtime::prove;

use crate::common::{bundle, raw, small};

fn call(tool: &str) -> Call<'_> {
    Call { case: None, tool }
}

#[test]
fn a_decision_allocates_nothing() {
    let bundle = bundle(&small());
    let person = bundle.persona("lead").unwrap();
    let steps = bundle.deeds(["records.propose"]);
    let row = RunRow {
        harness: Some("chemist"),
        person: &person,
        plan: Plan::Approved { steps: &steps },
        read_only: false,
        role: "console",
        scopes: &["desk:read", "desk:write"],
        surface: Some("desk"),
    };
    let calls = [
        (call("memory.recall"), "allow"),
        (call("records.propose"), "propose"),
        (Call { case: Some("update"), tool: "labels.edit" }, "plan_violation"),
        (Call { case: Some("rename"), tool: "labels.edit" }, "plan_violation"),
        (call("records.erase"), "harness_denied"),
        (call("documents.fetch"), "policy_denied"),
        (call("nothing"), "unknown_tool"),
    ];
    for (call, expected) in calls {
        let mut answer = "";
        let cost = allocation_counter::measure(|| {
            answer = match bundle.check_call(&row, &call) {
                Verdict::Allow => "allow",
                Verdict::Deny(denial) => denial.code,
                Verdict::Propose { .. } => "propose",
            };
        });
        assert_eq!((answer, cost.count_total), (expected, 0), "{}", call.tool);
    }
    // The counter counts: a list does allocate.
    assert!(allocation_counter::measure(|| drop(bundle.tools_list(&row))).count_total > 0);
}

#[test]
fn a_denial_names_its_gate_and_nothing_of_the_tool() {
    let bundle = bundle(&small());
    let person = bundle.persona("scientist").unwrap();
    let row = RunRow {
        harness: Some("chemist"),
        person: &person,
        plan: Plan::None,
        read_only: false,
        role: "console",
        scopes: &[],
        surface: None,
    };
    let Verdict::Deny(denial) = bundle.check_call(&row, &call("tickets.list")) else { panic!("a denial") };
    assert_eq!((denial.gate, denial.code), (Gate::Harness, "harness_denied"));
    assert_eq!(denial.event, "agent_run.harness_denied");
    assert!(!denial.reason.contains("ticket"));
}

#[test]
fn the_list_shows_cases_held_and_their_narrowing() {
    let bundle = bundle(&small());
    let person = bundle.persona("scientist").unwrap();
    let row = RunRow {
        harness: Some("chemist"),
        person: &person,
        plan: Plan::None,
        read_only: false,
        role: "console",
        scopes: &["desk:read", "desk:write"],
        surface: Some("desk"),
    };
    let list = bundle.tools_list(&row);
    let names: Vec<&str> = list.iter().map(|tool| tool.name).collect();
    assert_eq!(
        names,
        [
            "evidence.lint",
            "labels.edit",
            "memory.recall",
            "records.draft",
            "records.propose",
            "records.search"
        ]
    );
    assert_eq!(list[1].cases, ["create", "update"]);
    assert_eq!(list[1].cells[1].approval, Approval::FourEyes);
    let reader = bundle.tools_list(&RunRow { role: "reader", ..row });
    assert_eq!(reader[0].cells[0].only["kind"], raw("{\"enum\":[\"report\"]}"));
    assert_eq!(bundle.discriminator("labels.edit"), Some("method"));
    assert_eq!(bundle.discriminator("memory.recall"), None);
}

#[test]
fn the_shown_schema_is_narrowed() {
    let mut lock = small();
    let toolset = &mut lock.harnesses.get_mut("chemist").unwrap().toolset;
    toolset[3].only.insert("color".to_owned(), raw("{\"const\": \"red\"}"));
    lock.effective = prove::table::effective(&lock);
    let bundle = bundle(&lock);
    let person = bundle.persona("scientist").unwrap();
    let row = RunRow {
        harness: Some("chemist"),
        person: &person,
        plan: Plan::None,
        read_only: false,
        role: "console",
        scopes: &["desk:read", "desk:write"],
        surface: Some("desk"),
    };
    let shown = |row: &RunRow<'_>, name: &str| {
        bundle.tools_list(row).iter().find(|tool| tool.name == name).unwrap().input().unwrap()
    };
    assert_eq!(
        shown(&row, "labels.edit"),
        r#"{"allOf":[{"if":{"properties":{"method":{"const":"update"}}},"then":{"properties":{"color":{"const":"red"}},"required":["color"]}}],"properties":{"color":{"type":"string"},"method":{"allOf":[{"enum":["update","create","delete"]},{"enum":["create","update"]}]}},"required":["method"],"type":"object","unevaluatedProperties":false}"#
    );
    assert_eq!(shown(&row, "memory.recall"), r#"{"type":"object","unevaluatedProperties":false}"#);
    assert_eq!(
        shown(&RunRow { role: "reader", ..row }, "documents.fetch"),
        r#"{"properties":{"kind":{"allOf":[{"enum":["report","letter"]},{"enum":["report"]}]},"program_id":{"type":"string"}},"required":["program_id","kind"],"type":"object","unevaluatedProperties":false}"#
    );
}

#[test]
fn where_scopes_are_stated_a_call_over_no_surface_has_none() {
    let mut lock = small();
    let ask = |lock: &Lock| {
        let bundle = bundle(lock);
        let person = bundle.persona("lead").unwrap();
        let row = RunRow {
            harness: Some("lead"),
            person: &person,
            plan: Plan::None,
            read_only: false,
            role: "console",
            scopes: &["desk:read"],
            surface: None,
        };
        let verdict = bundle.check_call(&row, &call("records.search"));
        assert_eq!(bundle.tools_list(&row).is_empty(), verdict != Verdict::Allow);
        matches!(verdict, Verdict::Deny(denial) if denial.gate == Gate::SurfaceScope)
    };
    assert!(ask(&lock));
    let desk = lock.surfaces.get_mut("desk").unwrap();
    (desk.scopes, desk.after_approval) = (None, None);
    assert!(!ask(&lock));
}

#[test]
fn a_person_of_another_lock_is_nobody() {
    let first = bundle(&small());
    let mut changed = small();
    changed.revision = 8;
    let second = bundle(&changed);
    let person = first.persona("lead").unwrap();
    let steps = first.deeds(["records.search"]);
    let row = RunRow {
        harness: Some("lead"),
        person: &person,
        plan: Plan::None,
        read_only: false,
        role: "console",
        scopes: &["desk:read"],
        surface: Some("desk"),
    };
    assert_eq!(first.check_call(&row, &call("records.search")), Verdict::Allow);
    assert_eq!(second.check_call(&row, &call("records.search")), Verdict::Deny(Gate::Person.into()));
    // So is its plan: only what is exempt passes.
    let own = second.persona("lead").unwrap();
    let row = RunRow { person: &own, plan: Plan::Approved { steps: &steps }, ..row };
    assert_eq!(second.check_call(&row, &call("records.search")), Verdict::Deny(Gate::Plan.into()));
    assert_eq!(second.check_call(&row, &call("memory.recall")), Verdict::Allow);
}

#[test]
fn anyone_may_only_where_no_personas_are_stated() {
    assert!(bundle(&small()).anyone().is_none());
    let mut lock = small();
    lock.personas.clear();
    lock.approvals.approvers = None;
    lock.harnesses.values_mut().for_each(|harness| harness.personas.clear());
    lock.effective = prove::table::effective(&lock);
    let bundle = bundle(&lock);
    let person = bundle.anyone().unwrap();
    let row = RunRow {
        harness: Some("lead"),
        person: &person,
        plan: Plan::None,
        read_only: false,
        role: "console",
        scopes: &[],
        surface: Some("mcp"),
    };
    assert_eq!(
        bundle.check_call(&row, &call("records.erase")),
        Verdict::Propose { approval: Approval::FourEyes, approvers: None }
    );
    // Without personas nobody runs without a harness.
    let bare = RunRow { harness: None, ..row };
    assert_eq!(bundle.check_call(&bare, &call("memory.recall")), Verdict::Deny(Gate::Harness.into()));
}

/// The digest of one cell after a change.
fn digest(deed: &str, change: impl Fn(&mut Lock)) -> String {
    let mut lock = small();
    change(&mut lock);
    lock.effective = prove::table::effective(&lock);
    let role = if deed == "documents.fetch" { "reader" } else { "console" };
    let harness = if deed == "tickets.list" { "lead" } else { "chemist" };
    bundle(&lock).cell_digest(Some(harness), role, deed).unwrap()
}

#[test]
fn a_cells_digest_moves_with_what_its_approval_depends_on() {
    let tool = |lock: &mut Lock, change: fn(&mut harnessc_runtime::lock::Tool)| {
        change(lock.tools.get_mut("records.propose").unwrap());
    };
    let propose = digest("records.propose", |_| ());
    let changes: [&dyn Fn(&mut Lock); 8] = [
        &|lock| tool(lock, |tool| tool.approval = Some(Approval::FourEyes)),
        &|lock| {
            lock.rules.insert("unbound-target".to_owned(), harnessc_runtime::lock::Level::Warn);
            tool(lock, |tool| tool.bind.clear());
        },
        &|lock| {
            tool(lock, |tool| {
                tool.input =
                    RawJson::new(tool.input.compact().replace("object\"", "object\",\"maxProperties\":9"))
                        .unwrap()
            })
        },
        &|lock| tool(lock, |tool| tool.undo = vec![Undo::None]),
        &|lock| tool(lock, |tool| tool.preview = harnessc_runtime::lock::Preview::Input),
        &|lock| tool(lock, |tool| tool.effect = harnessc_runtime::lock::Effect::Create),
        &|lock| lock.approvals.expires_after_ms = Some(1),
        &|lock| lock.approvals.approvers.as_mut().unwrap().confirm.retain(|persona| persona == "lead"),
    ];
    for (number, change) in changes.iter().enumerate() {
        assert_ne!(digest("records.propose", change), propose, "change {number}");
    }
    let narrowed = |lock: &mut Lock| {
        let toolset = &mut lock.harnesses.get_mut("chemist").unwrap().toolset;
        toolset[0].only.insert("kind".to_owned(), raw("{\"enum\":[\"letter\"]}"));
    };
    assert_ne!(digest("documents.fetch", narrowed), digest("documents.fetch", |_| ()));
    let renamed = |lock: &mut Lock| {
        let server = lock.tools.get_mut("tickets.list").unwrap().server.as_mut().unwrap();
        server.upstream = "dump".to_owned();
        server.pinned = raw("{\"name\":\"dump\",\"annotations\":{\"readOnlyHint\":true}}");
        server.pinned_digest = server.pinned.digest();
    };
    assert_ne!(digest("tickets.list", renamed), digest("tickets.list", |_| ()));
    // What is about another cell, or about no deed at all, leaves it.
    let other = |lock: &mut Lock| {
        lock.tools.get_mut("records.draft").unwrap().approval = Some(Approval::Confirm);
        lock.revision = 9;
    };
    assert_eq!(digest("records.propose", other), propose);
}

#[test]
fn what_grants_nothing_has_no_digest() {
    let bundle = bundle(&small());
    assert_eq!(bundle.cell_digest(Some("chemist"), "console", "tickets.list"), None);
    assert_eq!(bundle.cell_digest(Some("ghost"), "console", "memory.recall"), None);
    assert!(bundle.cell_digest(None, "console", "memory.recall").is_some());
}
