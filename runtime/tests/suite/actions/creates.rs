//! The create that runs without a yes (row D2; THREATS, a create that is more than a create).

use harnessc_runtime::actions::{ActionId, Facts, Nonce, Refusal, State, create, execute, reconstruct};
use harnessc_runtime::boundary::{Locks, Permit, Ruling};

use super::{Desk, desk, id};
use crate::boundary::world::World;

/// A scientist's create from inside, up to the gates.
fn world() -> World {
    World::open().but(|world| {
        (world.tool, world.input) = ("records.draft", "{}".to_owned());
        (world.surface, world.scopes) = (Some("desk"), &["desk:write"]);
    })
}

/// A desk under the locks of the boundary that rules.
fn ruled() -> (Desk, Locks) {
    let locks = world().locks();
    let desk = Desk { bundle: locks.in_force().clone(), ..desk() };
    (desk, locks)
}

fn run(desk: &mut Desk, locks: &Locks, name: &str) -> Result<ActionId, Refusal> {
    let Ruling::Allow(Permit::Create(permit)) = world().ask_of(locks).ruling else { panic!("a create") };
    let mut draft = desk.draft(name, "records.draft", None);
    draft.proposal.target = "{}".to_owned();
    if !desk.standing.contains_key(&draft.id) {
        desk.stands(&draft);
    }
    let (permit, _reservation) = permit.hand_over(locks.in_force(), desk.origins.clone(), None)?;
    let Desk { kill_switch, now_ms, people, standing, store, .. } = desk;
    let facts = Facts { kill_switch: *kill_switch, now_ms: *now_ms, people, standing };
    let token = create(store, permit, id(name), Nonce([3; 16]), &facts)?;
    Ok(execute(token, |deed| deed.receipt().action().clone()).result)
}

#[test]
fn d2_an_auto_create_runs_through_the_same_door_and_counts() {
    let (mut desk, locks) = ruled();
    let action = run(&mut desk, &locks, "c1").unwrap();
    assert_eq!(desk.state(&action), State::Executing);
    assert_eq!(run(&mut desk, &locks, "c1"), Err(Refusal::DuplicateAction));
    for name in ["c2", "c3", "c4", "c5", "c6", "c7", "c8"] {
        run(&mut desk, &locks, name).unwrap();
    }
    assert_eq!(run(&mut desk, &locks, "c9"), Err(Refusal::ActionCap));
    assert_eq!(desk.take(desk.draft("a1", "records.propose", None)), Err(Refusal::ActionCap));
    assert_eq!(reconstruct(desk.store.trail()).unwrap()["c1"].consumed, 1);
}

#[test]
fn d2_what_was_tightened_at_run_time_stops_an_auto_create() {
    let (mut desk, locks) = ruled();
    let mut draft = desk.draft("c1", "records.draft", None);
    draft.proposal.target = "{}".to_owned();
    desk.stands(&draft);
    desk.raise(&id("c1"), &draft.proposal.cell);
    assert_eq!(run(&mut desk, &locks, "c1"), Err(Refusal::CreateNotAuto));
    assert!(desk.ledger().action(&id("c1")).is_none());
    desk.kill_switch = harnessc_runtime::actions::Switch::On;
    assert_eq!(run(&mut desk, &locks, "c2"), Err(Refusal::AiDisabled));
    assert_eq!(desk.events("action.start_refused"), 2);
}
