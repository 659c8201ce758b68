//! After a reload both locks apply (THREATS, "stale authority").

use harnessc_runtime::boundary::{Permit, Ruling};
use harnessc_runtime::lock::{Approval, Lock};
use harnessc_runtime::prove;

use super::world::World;
use crate::common::{bundle, raw};

fn code(world: &mut World) -> &'static str {
    match world.ask().ruling {
        Ruling::Allow(Permit::Read(_)) => "allow",
        Ruling::Allow(Permit::Create(_)) => "create",
        Ruling::Deny(refusal) => refusal.denial.code,
        Ruling::Propose(proposal) => proposal.approval.word(),
    }
}

/// One lock tightened, the other as it was: either way round the call meets the tighter one.
fn either(world: &World, tighten: impl Fn(&mut Lock)) -> [&'static str; 2] {
    let tighten = |lock: &mut Lock| {
        tighten(lock);
        lock.effective = prove::table::effective(lock);
    };
    [
        code(&mut world.clone().but(|world| tighten(&mut world.created))),
        code(&mut world.clone().but(|world| tighten(&mut world.in_force))),
    ]
}

#[test]
fn the_tighter_lock_holds_whichever_it_is() {
    let world = World::open();
    assert_eq!(code(&mut world.clone()), "confirm");
    let tool = |lock: &mut Lock| lock.tools.get_mut("records.propose").unwrap().clone();
    assert_eq!(
        either(&world, |lock| {
            let changed = harnessc_runtime::lock::Tool { approval: Some(Approval::FourEyes), ..tool(lock) };
            lock.tools.insert("records.propose".to_owned(), changed);
        }),
        ["four_eyes"; 2]
    );
    assert_eq!(
        either(&world, |lock| {
            let input = raw(
                r#"{"type":"object","properties":{"program_id":{"type":"string"},"why":{"type":"string"}},"required":["program_id","why"],"unevaluatedProperties":false}"#,
            );
            let changed = harnessc_runtime::lock::Tool { input, ..tool(lock) };
            lock.tools.insert("records.propose".to_owned(), changed);
        }),
        ["input_invalid"; 2]
    );
    assert_eq!(
        either(&world, |lock| {
            let harness = lock.harnesses.get_mut("chemist").unwrap();
            harness.toolset.retain(|mention| mention.tool != "records.propose");
            lock.plan_templates.clear();
            harness.plan_templates.clear();
        }),
        ["harness_denied"; 2]
    );
    assert_eq!(
        either(&world, |lock| lock.limits.as_mut().unwrap().run.as_mut().unwrap().tool_calls = Some(0)),
        ["budget_exceeded"; 2]
    );
    assert_eq!(
        either(&world, |lock| lock.limits.as_mut().unwrap().run.as_mut().unwrap().deadline_ms = Some(1_000)),
        ["deadline_exceeded"; 2]
    );
}

#[test]
fn whoever_says_yes_may_under_both() {
    let mut world = World::open().but(|world| {
        World::approvers(&mut world.created, &["lead", "viewer"]);
        World::approvers(&mut world.in_force, &["lead", "scientist"]);
    });
    let Ruling::Propose(proposal) = world.ask().ruling else { panic!("a proposal") };
    assert_eq!(proposal.approvers, Some(vec!["lead".to_owned()]));
    assert_eq!(proposal.subject.lock, bundle(&world.in_force).digest());
}

#[test]
fn a_run_of_the_lock_in_force_meets_it_once() {
    let mut world = World::open().but(|world| world.created = world.in_force.clone());
    assert_eq!(code(&mut world), "confirm");
    let locks = world.locks();
    assert!(locks.get(locks.in_force().digest()).is_some());
    assert!(locks.get("sha256:none").is_none());
}
