//! Batches (row D7, APPROVALS 12): one yes to all of it, replayed exactly, in order, until something fails.

use harnessc_runtime::actions::{
    ActionId, BatchDraft, BatchId, Decided, Ended, Nonce, Refusal, Says, State, reconstruct,
};

use super::{Desk, desk, id, person, voter};

fn draft(desk: &Desk, name: &str, steps: &[(&str, &str, Option<&str>)]) -> BatchDraft {
    BatchDraft {
        id: BatchId::new(name),
        nonce: Nonce([9; 16]),
        steps: steps.iter().map(|(id, tool, case)| desk.draft(id, tool, *case)).collect(),
    }
}

fn propose(desk: &mut Desk, name: &str, steps: &[(&str, &str, Option<&str>)]) -> Result<BatchId, Refusal> {
    let batch = draft(desk, name, steps);
    batch.steps.iter().for_each(|step| desk.stands(step));
    let now = desk.now_ms;
    desk.keep(|ledger| ledger.propose_batch(batch, now))
}

fn three(desk: &mut Desk) -> (BatchId, [ActionId; 3]) {
    let write = "records.propose";
    let batch = propose(
        desk,
        "b1",
        &[("s1", write, None), ("s2", "labels.edit", Some("update")), ("s3", write, None)],
    );
    (batch.unwrap(), [id("s1"), id("s2"), id("s3")])
}

fn yes(desk: &mut Desk, who: &str, batch: &BatchId) -> Result<Decided, Refusal> {
    let (answer, voter) = (desk.answer_batch(batch, Says::Yes), desk.people[&person(who)].clone());
    desk.decide(&answer, &voter)
}

#[test]
fn approvals_12_a_batch_is_seen_and_bound_at_once_by_its_strictest_step() {
    let mut desk = desk();
    let (batch, [s1, s2, s3]) = three(&mut desk);
    // Nothing runs before it, not even the step that a scientist could confirm alone.
    assert_eq!(desk.run(&s1).unwrap_err(), Refusal::NotApproved);
    assert_eq!(desk.yes("lee", &s1), Err(Refusal::PartOfBatch), "no step is answered alone");
    assert_eq!(yes(&mut desk, "sam", &batch), Err(Refusal::ApproverNotEligible), "not for the second step");
    assert_eq!(yes(&mut desk, "ada", &batch), Err(Refusal::FourEyes), "the second step's eyes");
    assert_eq!(yes(&mut desk, "lee", &batch), Ok(Decided::Approved));
    for step in [&s1, &s2, &s3] {
        assert_eq!(desk.state(step), State::Approved);
    }
}

#[test]
fn a_batch_is_replayed_in_order_each_step_once() {
    let mut desk = desk();
    let (batch, steps) = three(&mut desk);
    yes(&mut desk, "lee", &batch).unwrap();
    assert_eq!(desk.run(&steps[1]).unwrap_err(), Refusal::DependencyPending);
    for (at, step) in steps.iter().enumerate() {
        let (input, receipt) = desk.run(step).unwrap();
        assert_eq!(input, "{\"program_id\":\"P-1\"}", "the exact input");
        assert_eq!(desk.run(step).unwrap_err(), Refusal::ActionClosed, "consumed once");
        if let Some(next) = steps.get(at + 1) {
            assert_eq!(
                desk.run(next).unwrap_err(),
                Refusal::DependencyPending,
                "not before the end of this one"
            );
        }
        desk.settle(&receipt, Ended::Done { result: Some(format!("sha256:{at}")) }).unwrap();
    }
    let results = desk.ledger().batch_result(&batch).unwrap();
    assert!(results.iter().all(|step| step.state == State::Executed));
    let stories = reconstruct(desk.store.trail()).unwrap();
    assert!(steps.iter().all(|step| stories[step.as_str()].consumed == 1));
}

#[test]
fn a_batch_stops_at_the_first_failure_and_keeps_what_was_done() {
    let mut desk = desk();
    let (batch, steps) = three(&mut desk);
    yes(&mut desk, "lee", &batch).unwrap();
    let (_, receipt) = desk.run(&steps[0]).unwrap();
    desk.settle(&receipt, Ended::Done { result: Some("sha256:1".to_owned()) }).unwrap();
    let (_, receipt) = desk.run(&steps[1]).unwrap();
    desk.settle(&receipt, Ended::Failed).unwrap();
    assert_eq!(desk.run(&steps[2]).unwrap_err(), Refusal::ActionClosed);
    let ledger = desk.ledger();
    let result = ledger.batch_result(&batch).unwrap();
    let states: Vec<State> = result.iter().map(|step| step.state).collect();
    assert_eq!(states, [State::Executed, State::Failed, State::Superseded]);
    assert_eq!(result[0].result.as_deref(), Some("sha256:1"));
}

#[test]
fn a_batch_is_rejected_whole_and_a_yes_is_for_the_steps_that_were_shown() {
    let mut desk = desk();
    let (batch, steps) = three(&mut desk);
    let old = desk.answer_batch(&batch, Says::Yes);
    let no = desk.answer_batch(&batch, Says::No);
    // One step's preview moved: what was shown is void, for all of it.
    desk.standing.get_mut(&steps[2]).unwrap().preview = "before: two".to_owned();
    let lee = voter("lee", &["lead"]);
    assert_eq!(desk.decide(&old, &lee), Err(Refusal::StalePreview));
    assert_eq!(desk.decide(&old, &lee), Err(Refusal::StalePreview), "the old digest stays void");
    assert_eq!(yes(&mut desk, "lee", &batch), Ok(Decided::Approved));
    assert_eq!(desk.decide(&no, &voter("kim", &["lead"])), Err(Refusal::StalePreview));
    let no = desk.answer_batch(&batch, Says::No);
    assert_eq!(desk.decide(&no, &voter("kim", &["lead"])), Ok(Decided::Rejected));
    assert!(steps.iter().all(|step| desk.state(step) == State::Rejected));
}

#[test]
fn a_new_batch_voids_the_old_and_a_batch_comes_in_whole_or_not_at_all() {
    let mut desk = desk();
    let (old, steps) = three(&mut desk);
    yes(&mut desk, "lee", &old).unwrap();
    let new = propose(&mut desk, "b2", &[("n1", "records.propose", None)]).unwrap();
    assert!(steps.iter().all(|step| desk.state(step) == State::Superseded));
    assert_eq!(desk.run(&steps[0]).unwrap_err(), Refusal::ActionClosed);
    assert_eq!(yes(&mut desk, "sam", &new), Ok(Decided::Approved));

    assert_eq!(propose(&mut desk, "b3", &[]), Err(Refusal::EmptyBatch));
    let long = [("x1", "records.propose", None); harnessc_runtime::boundary::MAX_PLAN_STEPS + 1];
    assert_eq!(propose(&mut desk, "b3", &long), Err(Refusal::BatchTooLong));
    let twice = [("x1", "records.propose", None), ("x1", "records.propose", None)];
    assert_eq!(propose(&mut desk, "b3", &twice), Err(Refusal::DuplicateAction));
    assert_eq!(desk.state(&id("n1")), State::Approved, "a refused batch voids nothing");
    assert!(desk.ledger().action(&id("x1")).is_none());
    let many: Vec<String> = (0..9).map(|at| format!("m{at}")).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), "records.propose", None)).collect();
    assert_eq!(propose(&mut desk, "b3", &many), Err(Refusal::ActionCap));
}

#[test]
fn a_machines_batch_needs_two_people_for_all_of_it() {
    let mut desk = desk();
    desk.origins.requester = harnessc_runtime::actions::Requester::Machine("schedule-7".to_owned());
    let (batch, steps) = three(&mut desk);
    assert_eq!(yes(&mut desk, "lee", &batch), Ok(Decided::Counted(1)));
    assert_eq!(yes(&mut desk, "kim", &batch), Ok(Decided::Approved));
    // The strictest step stands for the first one, too: it is not started once that second yes is void.
    desk.people.get_mut(&person("kim")).unwrap().personas = ["scientist".to_owned()].into();
    assert_eq!(desk.run(&steps[0]).unwrap_err(), Refusal::NotApproved);
}
