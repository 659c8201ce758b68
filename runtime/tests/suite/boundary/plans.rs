//! Plans: every step asked with its exact input before anybody is asked about the whole (D7; THREATS, plans).

use harnessc_runtime::audit::{Datum, Field, Record};
use harnessc_runtime::boundary::budget::Meter;
use harnessc_runtime::boundary::{
    Call, DecidedPlan, MAX_PLAN_STEPS, Mode, PlanRuling, PlannedStep, Unreadable,
};
use harnessc_runtime::lock::{Approval, Lock};

use super::world::{Planned, World};

type Steps<'a> = &'a [(&'a str, &'a str)];

const SEARCH: (&str, &str) = ("records.search", r#"{ "program_id": "PRG-7" }"#);
const PROPOSE: (&str, &str) = ("records.propose", r#"{"program_id":"PRG-7"}"#);
const DRAFT: (&str, &str) = ("records.draft", "{}");

fn ask(world: &mut World, steps: Steps<'_>) -> DecidedPlan {
    let locks = world.locks();
    let surface = world.surface;
    let steps: Vec<Call<'_>> =
        steps.iter().map(|(tool, input)| Call { input: input.as_bytes(), surface, tool }).collect();
    world.around(&locks, |boundary, run, claims, conditions, ledger| {
        boundary.check_plan(run, claims, &steps, conditions, ledger)
    })
}

fn denied(world: &mut World, steps: Steps<'_>) -> (Option<usize>, &'static str) {
    let before = world.ledger.clone();
    let decided = ask(world, steps);
    assert_eq!(world.ledger, before, "a denied plan reserves nothing");
    assert!(Record::facts(&decided.event).is_ok());
    match decided.ruling {
        PlanRuling::Deny { at, refusal } => {
            assert_eq!(decided.event.name, refusal.denial.event);
            let number = at.map(|at| Datum::Number(at as u64 + 1));
            assert_eq!(decided.event.fields.get(&Field::PlanStep), number.as_ref());
            (at, refusal.denial.code)
        }
        PlanRuling::Propose(proposal) => panic!("{proposal:?}"),
    }
}

#[test]
fn a_plan_is_as_strict_as_its_strictest_step_and_binds_exact_inputs() {
    let mut world = World::open().but(|world| world.plan = Planned::Proposed);
    let decided = ask(&mut world, &[SEARCH, PROPOSE]);
    let PlanRuling::Propose(proposal) = decided.ruling else { panic!("a proposal: {decided:?}") };
    assert_eq!(proposal.approval, Approval::Confirm);
    assert_eq!(proposal.approvers, Some(vec!["lead".to_owned(), "scientist".to_owned()]));
    let read = PlannedStep::Read { input: r#"{"program_id":"PRG-7"}"#.to_owned(), tool: SEARCH.0.to_owned() };
    assert_eq!(proposal.steps[0], read);
    assert_eq!(proposal.steps[1].deed(), "records.propose");
    assert_eq!(decided.event.name, "agent_run.plan_proposed");
    let deeds = ["records.propose", "records.search"].map(str::to_owned).to_vec();
    assert_eq!(*decided.event.fields.get(&Field::PlanSteps).unwrap(), Datum::Keys(deeds));
    assert!(Record::facts(&decided.event).is_ok());
    // Proposing is one call and no action; the steps take their share when they run.
    let ledger = world.ledger.unwrap();
    assert_eq!((ledger.charged(Meter::ToolCalls), ledger.charged(Meter::Actions)), (1, 0));
}

#[test]
fn one_denied_step_denies_the_plan() {
    assert_eq!(denied(&mut World::open(), &[SEARCH, ("records.erase", "{}")]), (Some(1), "harness_denied"));
    let other = ("records.propose", r#"{"program_id":"PRG-8"}"#);
    assert_eq!(denied(&mut World::open(), &[other, SEARCH]), (Some(0), "target_mismatch"));
    let template = ("records.propose", r#"{"program_id":"{{steps.find.id}}"}"#);
    assert_eq!(denied(&mut World::open(), &[SEARCH, template]), (Some(1), "target_mismatch"));
    let mut few = World::open().but(|world| world.both(|lock| lock.approvals.max_actions_per_run = Some(1)));
    assert_eq!(denied(&mut few, &[PROPOSE, PROPOSE]), (Some(1), "budget_exceeded"));
}

#[test]
fn whoever_approves_may_approve_every_step() {
    let approvers = |lock: &mut Lock| {
        let tools = &mut lock.approvals.approvers.as_mut().unwrap().tools;
        tools.insert("records.propose".to_owned(), vec!["scientist".to_owned()]);
        tools.insert("records.draft".to_owned(), vec!["lead".to_owned()]);
    };
    let mut world = World::open().but(|world| world.both(approvers));
    assert_eq!(denied(&mut world, &[PROPOSE, DRAFT]), (Some(1), "approval_unavailable"));
}

/// THREATS, plans: `plan.propose` passes all gates, whatever its steps do.
#[test]
fn a_plan_as_a_whole_meets_surface_mode_and_kill_switch() {
    for mode in Mode::ALL.into_iter().filter(|mode| *mode != Mode::Work) {
        let mut reading = World::open().but(|world| world.mode = mode);
        for steps in [&[SEARCH][..], &[SEARCH, PROPOSE]] {
            assert_eq!(denied(&mut reading, steps), (None, "read_only_run"), "{mode:?}");
        }
    }
    for (surface, scopes) in
        [(Some("ghost"), &[][..]), (Some("desk"), &[]), (Some("desk"), &["odd"]), (None, &["desk:read"])]
    {
        let mut world = World::open().but(|world| (world.surface, world.scopes) = (surface, scopes));
        assert_eq!(denied(&mut world, &[SEARCH]), (None, "scope_denied"), "{surface:?} {scopes:?}");
    }
    let desk = || World::open().but(|world| (world.surface, world.scopes) = (Some("desk"), &["desk:read"]));
    for killed in [Ok(true), Err(Unreadable)] {
        let mut outside = World::open().but(|world| world.kill_switch = killed);
        assert_eq!(denied(&mut outside, &[SEARCH]), (None, "ai_disabled"));
        // From inside the switch stops nothing but what it says.
        let mut inside = desk().but(|world| world.kill_switch = killed);
        assert!(matches!(ask(&mut inside, &[SEARCH]).ruling, PlanRuling::Propose(_)));
    }
    // The lock that the run began under closes them too.
    let mut moved = desk().but(|world| {
        world.created.surfaces.get_mut("desk").unwrap().scopes.as_mut().unwrap().remove("desk:read");
        world.created.surfaces.get_mut("desk").unwrap().after_approval = None;
    });
    assert_eq!(denied(&mut moved, &[SEARCH]), (None, "scope_denied"));
}

#[test]
fn a_plan_passes_the_gates_of_its_run() {
    assert_eq!(denied(&mut World::open(), &[]), (None, "input_invalid"));
    assert_eq!(denied(&mut World::open(), &vec![SEARCH; MAX_PLAN_STEPS + 1]), (None, "input_invalid"));
    assert_eq!(
        denied(&mut World::open().but(|world| world.harness = None), &[SEARCH]),
        (None, "unknown_tool")
    );
    assert_eq!(
        denied(&mut World::open().but(|world| world.run = Ok(false)), &[SEARCH]),
        (None, "run_not_found")
    );
    let mut unread = World::open().but(|world| world.plan = Planned::Unreadable);
    assert_eq!(denied(&mut unread, &[SEARCH]), (Some(0), "plan_unreadable"));
    let mut unread = World::open().but(|world| world.ledger = Err(Unreadable));
    assert_eq!(denied(&mut unread, &[SEARCH]), (None, "budget_unreadable"));
}
