//! Rows of the systems: pending actions, dependencies, replays, escalation, kill switch, resume turn, pre-images.

use std::collections::BTreeSet;

use harnessc_runtime::actions::{
    ActionId, Decided, Ended, PreImage, Refusal, ResumeTurn, State, Switch, restore, resume_turn,
};
use harnessc_runtime::decide::{Call, Gate, Plan, RunRow, Verdict};

use super::{Desk, desk, id, person};

fn leaning(desk: &mut Desk, name: &str, on: &ActionId) -> Result<ActionId, Refusal> {
    let mut draft = desk.draft(name, "records.propose", None);
    draft.depends_on = BTreeSet::from([on.clone()]);
    desk.take(draft)
}

/// S6: decide checks the dependency; a failure changes nothing and ends what leaned on it.
#[test]
fn s6_a_dependant_waits_for_what_it_leans_on_and_falls_with_it() {
    let mut desk = desk();
    let first = desk.confirm("a1");
    let second = leaning(&mut desk, "a2", &first).unwrap();
    let third = leaning(&mut desk, "a3", &second).unwrap();
    assert_eq!(desk.yes("sam", &second), Err(Refusal::DependencyPending));
    desk.yes("sam", &first).unwrap();
    assert_eq!(desk.yes("sam", &second), Err(Refusal::DependencyPending), "approved is not executed");
    desk.done(&first);
    assert_eq!(desk.yes("sam", &second), Ok(Decided::Approved));
    let (_, receipt) = desk.run(&second).unwrap();
    desk.settle(&receipt, Ended::Failed).unwrap();
    assert_eq!((desk.state(&second), desk.state(&third)), (State::Failed, State::Superseded));
    assert_eq!(desk.state(&first), State::Executed, "what was done stays done");
    assert_eq!(leaning(&mut desk, "a4", &second), Err(Refusal::DependencyFailed));
    assert_eq!(leaning(&mut desk, "a5", &id("ghost")), Err(Refusal::UnknownAction));
}

/// S6: what leans on an execution of which nobody knows how it ended waits for the person who finds out.
#[test]
fn s6_silence_is_neither_success_nor_failure() {
    for done in [true, false] {
        let mut desk = desk();
        let first = desk.confirm("a1");
        let second = leaning(&mut desk, "a2", &first).unwrap();
        desk.yes("sam", &first).unwrap();
        let (_, receipt) = desk.run(&first).unwrap();
        desk.settle(&receipt, Ended::Lost).unwrap();
        assert_eq!(desk.yes("sam", &second), Err(Refusal::DependencyPending));
        assert_eq!(desk.state(&second), State::Proposed);
        let (sam, now) = (desk.people[&person("sam")].clone(), desk.now_ms);
        desk.keep(|ledger| ledger.found(&first, done, &sam, now)).unwrap();
        let expected = if done { State::Proposed } else { State::Superseded };
        assert_eq!(desk.state(&second), expected);
    }
}

/// S6: at most so many actions in a run.
#[test]
fn s6_a_run_proposes_no_more_actions_than_it_may() {
    let mut desk = desk();
    for name in ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"] {
        desk.confirm(name);
    }
    assert_eq!(desk.take(desk.draft("a9", "records.propose", None)), Err(Refusal::ActionCap));
    assert_eq!(desk.events("action.proposal_refused"), 1);
    // One that takes another's place was put before people nevertheless, or a run could ask without end.
    let mut draft = desk.draft("a9", "records.propose", None);
    draft.supersedes = BTreeSet::from([id("a1")]);
    assert_eq!(desk.take(draft), Err(Refusal::ActionCap));
    assert_eq!(desk.state(&id("a1")), State::Proposed, "a refused one takes nobody's place");
    // A wish that nobody granted was one nevertheless.
    desk.no("ada", &id("a2")).unwrap();
    assert_eq!(desk.take(desk.draft("a10", "records.propose", None)), Err(Refusal::ActionCap));
}

/// S6: what was executed counts, also where a proposal says that it takes its place.
#[test]
fn s6_what_was_executed_or_replaced_still_counts() {
    let mut desk = desk();
    let done = desk.confirm("a1");
    desk.yes("sam", &done).unwrap();
    desk.done(&done);
    for (name, old) in [("a2", "a1"), ("a3", "a2"), ("a4", "a3"), ("a5", "a4"), ("a6", "a5"), ("a7", "a6")] {
        let mut draft = desk.draft(name, "records.propose", None);
        draft.supersedes = BTreeSet::from([id("a1"), id(old)]);
        desk.take(draft).unwrap();
    }
    assert_eq!((desk.state(&done), desk.state(&id("a6"))), (State::Executed, State::Superseded));
    desk.confirm("a8");
    let mut draft = desk.draft("a9", "records.propose", None);
    draft.supersedes = BTreeSet::from([id("a1"), id("a8")]);
    assert_eq!(desk.take(draft), Err(Refusal::ActionCap));
}

/// D9: a pre-image of something else is refused also where none is asked for, or the store would keep it.
#[test]
fn d9_a_pre_image_of_something_else_is_never_kept() {
    let target = "{\"program_id\":\"P-1\"}";
    let mut desk = desk();
    let mut draft = desk.draft("a1", "records.propose", None);
    draft.proposal.snapshot = false;
    let action = desk.take(draft).unwrap();
    desk.yes("sam", &action).unwrap();
    for (name, target) in [("a2", target), ("a1", "{}")] {
        let image = PreImage::new(id(name), target, b"of another".to_vec());
        assert_eq!(desk.run_with(&action, Some(&image)).unwrap_err(), Refusal::PreImageMissing);
        assert_eq!(desk.store.pre_image(&id(name)), None);
    }
    desk.run_with(&action, None).unwrap();
}

/// S6: enabled and target are asked again, at the answer and at the start.
#[test]
fn s6_a_tool_that_was_switched_off_and_a_target_that_is_closed_stop_it() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    let on = desk.standing[&action].clone();
    let mut off = on.clone();
    off.rules = off.rules.map(harnessc_runtime::actions::Rules::disabled);
    let mut closed = on.clone();
    closed.target_valid = false;
    let mut gone = on.clone();
    gone.rules = None;
    let doubts =
        [(off, Refusal::ToolDisabled), (closed, Refusal::TargetMismatch), (gone, Refusal::ToolDisabled)];
    for (standing, refusal) in &doubts {
        desk.standing.insert(action.clone(), standing.clone());
        assert_eq!(desk.yes("sam", &action), Err(*refusal));
    }
    desk.standing.insert(action.clone(), on.clone());
    desk.yes("sam", &action).unwrap();
    for (standing, refusal) in &doubts {
        desk.standing.insert(action.clone(), standing.clone());
        assert_eq!(desk.run(&action).unwrap_err(), *refusal);
    }
    desk.standing.insert(action.clone(), on);
    desk.run(&action).unwrap();
}

/// S7: replays can never be approved, and never run.
#[test]
fn s7_a_replay_is_there_to_be_read() {
    let mut desk = desk();
    let draft = desk.draft("a1", "records.propose", None);
    desk.stands(&draft);
    let action = desk.keep(|ledger| ledger.replay(draft, 1_000)).unwrap();
    assert_eq!(desk.state(&action), State::Replay);
    for who in ["ada", "lee", "sam", "root"] {
        assert_eq!(desk.yes(who, &action), Err(Refusal::ReplayNotApprovable));
        assert_eq!(desk.no(who, &action), Err(Refusal::ReplayNotApprovable));
    }
    assert_eq!(desk.run(&action).unwrap_err(), Refusal::ReplayNotApprovable);
}

/// S8: escalation is a tool like any other; a suspected injection leaves nothing else.
#[test]
fn s8_an_escalation_is_confirmed_like_any_other_action() {
    let mut desk = desk();
    let fix = desk.four_eyes("a1");
    desk.keep(|ledger| ledger.suspect("records.propose")).unwrap();
    assert_eq!(desk.state(&fix), State::Superseded, "a fix that waited is held back");
    let other = desk.draft("a2", "labels.edit", Some("update"));
    assert_eq!(desk.take(other), Err(Refusal::SuspectedInjection));
    let escalation = desk.confirm("a3");
    assert_eq!(desk.run(&escalation).unwrap_err(), Refusal::NotApproved);
    // An assignee outside the workspace is refused when it is approved, whatever the preview said before.
    desk.standing.get_mut(&escalation).unwrap().target_valid = false;
    assert_eq!(desk.yes("sam", &escalation), Err(Refusal::TargetMismatch));
    desk.standing.get_mut(&escalation).unwrap().target_valid = true;
    desk.yes("sam", &escalation).unwrap();
    desk.done(&escalation);
}

/// S8: a case that hands over is named as itself; the others of its tool are held back like anything else.
#[test]
fn s8_an_escalation_is_one_deed() {
    let mut desk = desk();
    let create = desk.draft("a1", "labels.edit", Some("create"));
    let create = desk.take(create).unwrap();
    let update = desk.draft("a2", "labels.edit", Some("update"));
    let update = desk.take(update).unwrap();
    desk.keep(|ledger| ledger.suspect("labels.edit/update")).unwrap();
    assert_eq!((desk.state(&create), desk.state(&update)), (State::Superseded, State::Proposed));
    let again = desk.draft("a3", "labels.edit", Some("create"));
    assert_eq!(desk.take(again), Err(Refusal::SuspectedInjection));
    let escalation = desk.draft("a4", "labels.edit", Some("update"));
    assert!(desk.take(escalation).is_ok());
}

/// S10: the kill switch freezes the consumption of approvals, in doubt too; what runs ends.
#[test]
fn s10_the_kill_switch_freezes_what_was_approved() {
    let mut desk = desk();
    let (running, waiting) = (desk.confirm("a1"), desk.confirm("a2"));
    desk.yes("sam", &running).unwrap();
    desk.yes("sam", &waiting).unwrap();
    let (_, receipt) = desk.run(&running).unwrap();
    for switch in [Switch::On, Switch::Unreadable] {
        desk.kill_switch = switch;
        assert_eq!(desk.run(&waiting).unwrap_err(), Refusal::AiDisabled);
        assert_eq!(desk.state(&waiting), State::Approved, "frozen, not lost");
    }
    desk.settle(&receipt, Ended::Done { result: None }).unwrap();
    assert_eq!(desk.state(&running), State::Executed);
    desk.kill_switch = Switch::Off;
    desk.run(&waiting).unwrap();
}

/// S13: a ledger of another tenant is not there.
#[test]
fn s13_another_tenants_action_is_not_there() {
    let mut desk = desk();
    desk.confirm("a1");
    let mut draft = desk.draft("a2", "records.propose", None);
    draft.proposal.organization = "org-2".to_owned();
    assert_eq!(desk.take(draft), Err(Refusal::UnknownAction));
}

/// D8: the turn that resumes after a yes reads and does nothing else.
#[test]
fn d8_the_resume_turn_only_reads() {
    let desk = desk();
    let lock = desk.bundle.lock();
    let ResumeTurn { read_only, scopes } = resume_turn(lock, "desk", &["desk:write", "desk:read", "ghost"]);
    assert!(read_only);
    assert_eq!(scopes, ["desk:read"]);
    assert!(resume_turn(lock, "mcp", &["desk:read"]).scopes.is_empty(), "no scopes there");
    let person = desk.bundle.persona("scientist").unwrap();
    let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
    let row = RunRow {
        harness: Some("chemist"),
        person: &person,
        plan: Plan::None,
        read_only,
        role: "console",
        scopes: &scopes,
        surface: Some("desk"),
    };
    let run = desk.bundle.run(&row);
    assert_eq!(run.check(&Call { case: None, tool: "records.search" }), Verdict::Allow);
    let Verdict::Deny(denial) = run.check(&Call { case: None, tool: "records.propose" }) else { panic!() };
    assert!(denial.gate >= Gate::SurfaceScope);
}

/// D9: no overwrite without a pre-image, kept in the change that starts it, and restorable.
#[test]
fn d9_a_pre_image_is_kept_before_the_overwrite_and_can_be_put_back() {
    let target = "{\"program_id\":\"P-1\"}";
    let mut desk = desk();
    let action = desk.confirm("a1");
    desk.yes("sam", &action).unwrap();
    let image = |action: &str, target: &str| PreImage::new(id(action), target, b"as it was".to_vec());
    assert_eq!(desk.run_with(&action, None).unwrap_err(), Refusal::PreImageMissing);
    let others = [image("a2", target), image("a1", "{}")];
    for other in &others {
        assert_eq!(desk.run_with(&action, Some(other)).unwrap_err(), Refusal::PreImageMissing);
    }
    assert_eq!(desk.store.pre_image(&action), None);
    desk.run_with(&action, Some(&image("a1", target))).unwrap();
    let kept = desk.store.pre_image(&action).unwrap();
    assert_eq!(restore(kept, target).unwrap(), b"as it was");
    assert_eq!(restore(kept, "{}"), Err(Refusal::TargetMismatch));
    assert!(format!("{:?}", desk.store.trail()).contains(kept.digest()), "the trail names its digest");
    // Bytes that were changed in the store are not put back.
    let mut json = serde_json::to_value(kept).unwrap();
    json["body"] = serde_json::json!([1, 2, 3]);
    let forged: PreImage = serde_json::from_str(&json.to_string()).unwrap();
    assert_eq!(restore(&forged, target), Err(Refusal::PreImageMissing));
}
