//! The create that runs without a yes (row D2; THREATS, a create that is more than a create).

use harnessc_runtime::actions::{
    ActionId, CreatePermit, Facts, Nonce, Refusal, State, create, execute, reconstruct,
};
use harnessc_runtime::lock::{Approval, Effect};

use super::{Desk, desk, id};

fn permit(
    desk: &Desk,
    change: impl Fn(&mut harnessc_runtime::actions::Proposal),
) -> Result<CreatePermit, Refusal> {
    let mut proposal = desk.proposal("records.draft", None);
    change(&mut proposal);
    CreatePermit::issue(&desk.bundle, proposal, false)
}

fn run(desk: &mut Desk, name: &str) -> Result<ActionId, Refusal> {
    let draft = desk.draft(name, "records.draft", None);
    if !desk.standing.contains_key(&draft.id) {
        desk.stands(&draft);
    }
    let permit = permit(desk, |_| ())?;
    let Desk { kill_switch, now_ms, people, standing, store, .. } = desk;
    let facts = Facts { kill_switch: *kill_switch, now_ms: *now_ms, people, standing };
    let token = create(store, permit, id(name), Nonce([3; 16]), &facts)?;
    Ok(execute(token, |deed| deed.receipt().action().clone()).result)
}

#[test]
fn d2_an_auto_create_runs_through_the_same_door_and_counts() {
    let mut desk = desk();
    let action = run(&mut desk, "c1").unwrap();
    assert_eq!(desk.state(&action), State::Executing);
    assert_eq!(run(&mut desk, "c1"), Err(Refusal::DuplicateAction));
    for name in ["c2", "c3", "c4", "c5", "c6", "c7", "c8"] {
        run(&mut desk, name).unwrap();
    }
    assert_eq!(run(&mut desk, "c9"), Err(Refusal::ActionCap));
    assert_eq!(desk.take(desk.draft("a1", "records.propose", None)), Err(Refusal::ActionCap));
    assert_eq!(reconstruct(desk.store.trail()).unwrap()["c1"].consumed, 1);
}

#[test]
fn d2_what_is_more_than_a_create_gets_no_permit() {
    let desk = desk();
    assert!(permit(&desk, |_| ()).is_ok());
    let refused = |change: fn(&mut harnessc_runtime::actions::Proposal)| {
        assert_eq!(permit(&desk, change).unwrap_err(), Refusal::CreateNotAuto);
    };
    refused(|proposal| proposal.approval = Approval::Confirm);
    refused(|proposal| proposal.effect = Effect::Write);
    refused(|proposal| proposal.execution.server = Some("desk".to_owned()));
    let write = |tool, case| CreatePermit::issue(&desk.bundle, desk.proposal(tool, case), false);
    assert_eq!(write("records.propose", None).unwrap_err(), Refusal::CreateNotAuto);
    assert_eq!(write("labels.edit", Some("update")).unwrap_err(), Refusal::CreateNotAuto);
    // A forged approval or effect does not make a write a create: the lock is asked.
    let mut forged = desk.proposal("records.propose", None);
    forged.approval = Approval::Auto;
    forged.effect = Effect::Create;
    assert_eq!(CreatePermit::issue(&desk.bundle, forged, false).unwrap_err(), Refusal::CreateNotAuto);
    let outside = CreatePermit::issue(&desk.bundle, desk.proposal("records.draft", None), true);
    assert_eq!(outside.unwrap_err(), Refusal::CreateNotAuto);
}

#[test]
fn d2_what_was_tightened_at_run_time_stops_an_auto_create() {
    let mut desk = desk();
    let draft = desk.draft("c1", "records.draft", None);
    desk.stands(&draft);
    desk.raise(&id("c1"), &draft.proposal.cell);
    assert_eq!(run(&mut desk, "c1"), Err(Refusal::CreateNotAuto));
    assert!(desk.ledger().action(&id("c1")).is_none());
    desk.kill_switch = harnessc_runtime::actions::Switch::On;
    assert_eq!(run(&mut desk, "c2"), Err(Refusal::AiDisabled));
    assert_eq!(desk.events("action.start_refused"), 2);
}
