//! What an approval must withstand, points 1 to 8, one test each.

use harnessc_runtime::actions::{
    Answer, Assurance, Change, Decided, Ended, Facts, Ledger, Memory, Refusal, Says, State, Store,
    StoreError, Switch, keep, start,
};
use harnessc_runtime::lock::{Approval, RawJson, Undo};

use super::{Desk, ORG, RUN, desk, id, person, voter};

#[test]
fn approvals_01_a_write_without_a_yes_does_not_execute_and_is_no_denial_either() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    assert_eq!(desk.state(&action), State::Proposed);
    assert_eq!(desk.run(&action).unwrap_err(), Refusal::NotApproved);
    assert_eq!(desk.state(&action), State::Proposed, "still waiting");
    assert_eq!(desk.yes("sam", &action), Ok(Decided::Approved));
    assert_eq!(desk.state(&action), State::Approved, "a yes executes nothing by itself");
    let (input, receipt) = desk.run(&action).unwrap();
    assert_eq!(input, "{\"program_id\":\"P-1\"}");
    desk.settle(&receipt, Ended::Done { result: None }).unwrap();
    assert_eq!(desk.state(&action), State::Executed);
}

#[test]
fn approvals_02_a_yes_for_one_digest_executes_no_other() {
    // What the digest covers beside the lock.
    type Move = fn(&mut Desk);
    let moves: [(&str, Move); 3] = [
        ("target", |desk| desk.standing.get_mut(&id("a1")).unwrap().target = "{}".to_owned()),
        ("execution", |desk| {
            desk.standing.get_mut(&id("a1")).unwrap().execution.address =
                Some("https://elsewhere".to_owned());
        }),
        ("preview", |desk| desk.standing.get_mut(&id("a1")).unwrap().preview = "before: two".to_owned()),
    ];
    for (what, change) in moves {
        let mut desk = desk();
        let action = desk.confirm("a1");
        desk.yes("sam", &action).unwrap();
        change(&mut desk);
        assert_eq!(desk.run(&action).unwrap_err(), Refusal::StalePreview, "{what}");
        let after = if what == "preview" { State::Proposed } else { State::Superseded };
        assert_eq!(desk.state(&action), after, "{what}");
        assert_eq!(desk.events("action.consumed"), 0, "{what}");
    }
    // An answer about another digest is no answer to this one.
    let mut desk = desk();
    let (one, two) = (desk.confirm("a1"), desk.confirm("a2"));
    let crossed = Answer { digest: desk.answer(&one, Says::Yes).digest, ..desk.answer(&two, Says::Yes) };
    assert_eq!(desk.decide(&crossed, &voter("sam", &["scientist"])), Err(Refusal::StalePreview));
}

#[test]
fn approvals_02_a_changed_cell_voids_the_old_yes() {
    type Change = fn(&mut harnessc_runtime::lock::Tool);
    let changes: [(&str, Change); 3] = [
        ("schema", |tool| {
            let wider = tool.input.compact().replace("object\"", "object\",\"maxProperties\":9");
            tool.input = RawJson::new(wider).unwrap();
        }),
        ("undo", |tool| tool.undo = vec![Undo::None]),
        ("preview", |tool| tool.preview = harnessc_runtime::lock::Preview::Input),
    ];
    for (what, change) in changes {
        let mut desk = desk();
        let action = desk.confirm("a1");
        desk.yes("sam", &action).unwrap();
        desk.relock(|lock| change(lock.tools.get_mut("records.propose").unwrap()));
        assert_eq!(desk.run(&action).unwrap_err(), Refusal::StalePreview, "{what}");
        assert_eq!(desk.state(&action), State::Superseded, "{what}");
    }
}

#[test]
fn approvals_02_a_new_lock_that_leaves_the_cell_as_it_was_voids_nothing() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    desk.yes("sam", &action).unwrap();
    let before = desk.bundle.digest().to_owned();
    desk.relock(|lock| {
        lock.tools.get_mut("records.draft").unwrap().approval = Some(Approval::Confirm);
        lock.revision = 9;
    });
    assert_ne!(desk.bundle.digest(), before);
    desk.run(&action).unwrap();
}

#[test]
fn approvals_02_where_a_new_lock_tightened_the_approval_the_stricter_one_holds_and_both_lists() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    desk.yes("sam", &action).unwrap();
    desk.relock(|lock| {
        lock.tools.get_mut("records.propose").unwrap().approval = Some(Approval::FourEyes);
    });
    assert_eq!(desk.run(&action).unwrap_err(), Refusal::StalePreview);
    assert_eq!(desk.state(&action), State::Proposed, "open, and bound anew");
    assert_eq!(desk.ledger().action(&action).unwrap().approval(), Approval::FourEyes);
    assert_eq!(desk.yes("sam", &action), Err(Refusal::ApproverNotEligible), "no lead");
    assert_eq!(desk.yes("ada", &action), Err(Refusal::FourEyes), "whoever asked");
    assert_eq!(desk.yes("lee", &action), Ok(Decided::Approved));
    desk.run(&action).unwrap();
}

#[test]
fn approvals_02_a_loosened_approval_does_not_loosen_what_waits() {
    let mut desk = desk();
    let action = desk.four_eyes("a1");
    desk.relock(|lock| {
        let toolset = &mut lock.harnesses.get_mut("chemist").unwrap().toolset;
        toolset.iter_mut().find(|m| m.is("labels.edit/update")).unwrap().approval = None;
    });
    assert_eq!(desk.yes("lee", &action), Err(Refusal::StalePreview), "shown anew first");
    assert_eq!(desk.yes("sam", &action), Err(Refusal::ApproverNotEligible));
    assert_eq!(desk.yes("lee", &action), Ok(Decided::Approved));
}

#[test]
fn approvals_02_a_void_yes_does_not_come_back_with_what_it_was_given_to() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    let answer = desk.answer(&action, Says::Yes);
    let sam = desk.people[&person("sam")].clone();
    desk.decide(&answer, &sam).unwrap();
    for preview in ["before: two", "before: none"] {
        desk.standing.get_mut(&action).unwrap().preview = preview.to_owned();
        assert_eq!(desk.yes("lee", &action), Err(Refusal::StalePreview), "{preview}");
    }
    assert_eq!(desk.run(&action).unwrap_err(), Refusal::NotApproved);
    assert_eq!(desk.decide(&answer, &sam), Err(Refusal::StalePreview), "nor when it is delivered again");
}

/// A store that fails when it is told to.
struct Failing {
    fails: bool,
    inner: Memory,
}

impl Store for Failing {
    fn read(&self, organization: &str, run: &str) -> Result<Option<Ledger>, StoreError> {
        self.inner.read(organization, run)
    }

    fn commit(&mut self, change: &Change<'_>) -> Result<(), StoreError> {
        if self.fails { Err(StoreError::Failed) } else { self.inner.commit(change) }
    }
}

#[test]
fn approvals_03_time_doubt_and_failure_are_never_a_yes() {
    // Time running out, before the answer and after it.
    let mut desk = desk();
    let (one, two) = (desk.confirm("a1"), desk.confirm("a2"));
    desk.yes("sam", &two).unwrap();
    desk.now_ms += 259_200_000;
    assert_eq!(desk.yes("sam", &one), Err(Refusal::Expired));
    assert_eq!(desk.run(&two).unwrap_err(), Refusal::Expired, "and so did the approved one");
    assert_eq!((desk.state(&one), desk.state(&two)), (State::Expired, State::Expired));
    // A clock that goes back outlives no expiry.
    desk.now_ms = 1_000;
    assert_eq!(desk.take(desk.draft("a3", "records.propose", None)), Err(Refusal::ClockWentBack));

    // A missing or malformed answer.
    let whole = r#"{"digest":"sha256:0","says":"yes","subject":{"action":"a1"}}"#;
    assert_eq!(Answer::parse(whole.as_bytes()).unwrap().says, Says::Yes);
    for text in [
        "",
        "yes",
        "{}",
        r#"{"digest":"sha256:0","says":"Yes","subject":{"action":"a1"}}"#,
        r#"{"digest":"sha256:0","says":true,"subject":{"action":"a1"}}"#,
        r#"{"digest":"sha256:0","says":"no","says":"yes","subject":{"action":"a1"}}"#,
        r#"{"digest":"sha256:0","says":"yes","subject":{"action":"a1"},"person":"lee"}"#,
        r#"{"says":"yes","subject":{"action":"a1"}}"#,
        r#"{"digest":"sha256:0","says":"yes","subject":{"action":"a1","batch":"b1"}}"#,
    ] {
        assert_eq!(Answer::parse(text.as_bytes()), Err(Refusal::MalformedAnswer), "{text}");
    }
}

#[test]
fn approvals_03_what_the_store_did_not_take_was_not_said() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    let answer = desk.answer(&action, Says::Yes);
    let mut store = Failing { fails: true, inner: desk.store.clone() };
    let facts = Facts {
        kill_switch: Switch::Off,
        now_ms: desk.now_ms,
        people: &desk.people,
        standing: &desk.standing,
    };
    let sam = desk.people[&person("sam")].clone();
    let said = keep(&mut store, ORG, RUN, |ledger| ledger.decide(&answer, &sam, &facts));
    assert_eq!(said, Err(Refusal::StoreFailed));
    assert_eq!(start(&mut store, ORG, RUN, &action, &facts, None).unwrap_err(), Refusal::StoreFailed);
    // After the restart nothing of it is there.
    store.fails = false;
    assert_eq!(start(&mut store, ORG, RUN, &action, &facts, None).unwrap_err(), Refusal::NotApproved);
    // Facts that were not looked up refuse.
    let nothing = std::collections::BTreeMap::new();
    let blind = Facts { standing: &nothing, ..facts };
    let said = keep(&mut store, ORG, RUN, |ledger| ledger.decide(&answer, &sam, &blind));
    assert_eq!(said, Err(Refusal::FactsMissing));
}

#[test]
fn approvals_04_whoever_is_not_authenticated_is_nobody() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    let mut lee = desk.people[&person("lee")].clone();
    for assurance in Assurance::ALL {
        lee.authenticated = assurance;
        let said = desk.decide(&desk.answer(&action, Says::Yes), &lee);
        if assurance == Assurance::None {
            assert_eq!(said, Err(Refusal::NotAuthenticated));
            let refused = desk.store.trail().last().unwrap();
            assert!(!format!("{refused:?}").contains("lee"), "an unproven name is not recorded");
        } else {
            assert!(said.is_ok(), "{assurance:?}");
        }
    }
    // Nor does anybody of another organization learn that there is anything to answer.
    let mut stranger = voter("eve", &["lead"]);
    stranger.organization = "org-2".to_owned();
    assert_eq!(desk.decide(&desk.answer(&action, Says::Yes), &stranger), Err(Refusal::UnknownAction));
}

#[test]
fn approvals_05_one_no_ends_it() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    desk.yes("sam", &action).unwrap();
    assert_eq!(desk.no("lee", &action), Ok(Decided::Rejected), "also after the yes that sufficed");
    assert_eq!(desk.run(&action).unwrap_err(), Refusal::ActionClosed);
    assert_eq!(desk.yes("kim", &action), Err(Refusal::ActionClosed));
    assert_eq!(desk.no("lee", &action), Ok(Decided::AlreadyCounted));
    // A no of somebody who has no say ends nothing; whose wish it was may take it back.
    let action = desk.four_eyes("a2");
    assert_eq!(desk.no("root", &action), Err(Refusal::ApproverNotEligible));
    assert_eq!(desk.state(&action), State::Proposed);
    assert_eq!(desk.no("ada", &action), Ok(Decided::Rejected));
}

#[test]
fn approvals_06_a_yes_exists_only_after_everybody_said_it() {
    let mut desk = desk();
    desk.origins.requester = harnessc_runtime::actions::Requester::Machine("schedule-7".to_owned());
    let action = desk.four_eyes("a1");
    assert_eq!(desk.yes("lee", &action), Ok(Decided::Counted(1)));
    assert_eq!(desk.run(&action).unwrap_err(), Refusal::NotApproved, "one vote is no token");
    assert_eq!(desk.yes("kim", &action), Ok(Decided::Approved));
    // Who said yes is looked up again when it is consumed: a persona that was taken away no longer counts.
    desk.people.get_mut(&person("kim")).unwrap().personas.clear();
    assert_eq!(desk.run(&action).unwrap_err(), Refusal::NotApproved);
    assert_eq!(desk.state(&action), State::Proposed, "waiting for another");
}

#[test]
fn approvals_07_the_same_answer_twice_counts_once() {
    let mut desk = desk();
    desk.origins.requester = harnessc_runtime::actions::Requester::Machine("schedule-7".to_owned());
    let action = desk.four_eyes("a1");
    assert_eq!(desk.yes("lee", &action), Ok(Decided::Counted(1)));
    assert_eq!(desk.yes("lee", &action), Ok(Decided::Counted(1)), "still one more");
    assert_eq!(desk.ledger().action(&action).unwrap().votes().len(), 1);
    assert_eq!(desk.yes("kim", &action), Ok(Decided::Approved));
    let before = desk.ledger();
    assert_eq!(desk.yes("kim", &action), Ok(Decided::AlreadyCounted));
    assert_eq!(desk.ledger(), before);
    desk.done(&action);
    assert_eq!(desk.yes("kim", &action), Ok(Decided::AlreadyCounted), "also when all is over");
}

#[test]
fn approvals_07_two_contradicting_answers_are_refused_and_recorded() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    desk.yes("sam", &action).unwrap();
    // The yes no longer counts, and the no ends it as any other does.
    assert_eq!(desk.no("sam", &action), Ok(Decided::Rejected));
    assert_eq!(desk.state(&action), State::Rejected);
    assert_eq!((desk.events("action.vote_withdrawn"), desk.events("action.vote")), (1, 2));
    assert_eq!(desk.no("sam", &action), Ok(Decided::AlreadyCounted), "delivered twice");
    assert_eq!(desk.yes("sam", &action), Err(Refusal::ContradictingAnswer), "and no third one does");
    assert_eq!(desk.events("action.vote_refused"), 1);
    assert_eq!(desk.run(&action).unwrap_err(), Refusal::ActionClosed);
    assert_eq!(desk.yes("lee", &action), Err(Refusal::ActionClosed), "nor somebody else's");
    // A no of somebody who may no longer end it takes their own yes away.
    let action = desk.confirm("a3");
    desk.yes("sam", &action).unwrap();
    let stranger = voter("sam", &[]);
    assert_eq!(desk.decide(&desk.answer(&action, Says::No), &stranger), Err(Refusal::ApproverNotEligible));
    assert_eq!(desk.state(&action), State::Proposed);
    assert_eq!(desk.yes("sam", &action), Err(Refusal::ContradictingAnswer));
    assert_eq!(desk.yes("lee", &action), Ok(Decided::Approved), "somebody else's counts");
    // A no has ended it, whatever the same person says afterwards.
    let action = desk.confirm("a2");
    desk.no("sam", &action).unwrap();
    assert_eq!(desk.yes("sam", &action), Err(Refusal::ContradictingAnswer));
    assert_eq!(desk.state(&action), State::Rejected);
}

/// A worker's view: it read before the other one wrote.
struct Behind {
    inner: Memory,
    seen: Option<Ledger>,
}

impl Store for Behind {
    fn read(&self, _: &str, _: &str) -> Result<Option<Ledger>, StoreError> {
        Ok(self.seen.clone())
    }

    fn commit(&mut self, change: &Change<'_>) -> Result<(), StoreError> {
        self.inner.commit(change)
    }
}

#[test]
fn approvals_08_one_yes_one_execution_also_when_two_workers_race() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    desk.yes("sam", &action).unwrap();
    let seen = Some(desk.ledger());
    let image = harnessc_runtime::actions::PreImage::new(
        action.clone(),
        "{\"program_id\":\"P-1\"}",
        b"as it was".to_vec(),
    );
    let facts = Facts {
        kill_switch: Switch::Off,
        now_ms: desk.now_ms,
        people: &desk.people,
        standing: &desk.standing,
    };
    let mut store = Behind { inner: desk.store.clone(), seen };
    let first = start(&mut store, ORG, RUN, &action, &facts, Some(&image));
    let second = start(&mut store, ORG, RUN, &action, &facts, Some(&image));
    assert!(first.is_ok());
    assert_eq!(second.unwrap_err(), Refusal::StoreConflict);
    // Whoever reads again finds that it was consumed.
    store.seen = store.inner.read(ORG, RUN).unwrap();
    assert_eq!(
        start(&mut store, ORG, RUN, &action, &facts, Some(&image)).unwrap_err(),
        Refusal::ActionClosed
    );
}

#[test]
fn approvals_08_a_worker_that_died_between_start_and_end_leaves_it_unknown_and_untried() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    desk.yes("sam", &action).unwrap();
    let (_, receipt) = desk.run(&action).unwrap();
    let now = desk.now_ms;
    assert_eq!(desk.keep(|ledger| ledger.recover(now)).unwrap(), std::slice::from_ref(&action));
    assert_eq!(desk.state(&action), State::Unknown);
    assert_eq!(desk.run(&action).unwrap_err(), Refusal::ActionClosed, "nothing is tried again");
    assert_eq!(
        desk.settle(&receipt, Ended::Failed),
        Err(Refusal::NotExecuting),
        "a late end decides nothing"
    );
    // A person finds out.
    let (root, lee) = (desk.people[&person("root")].clone(), desk.people[&person("lee")].clone());
    let found = |desk: &mut Desk, who| desk.keep(|ledger| ledger.found(&action, true, who, now));
    assert_eq!(found(&mut desk, &root), Err(Refusal::ApproverNotEligible));
    assert_eq!(found(&mut desk, &lee), Ok(()));
    assert_eq!(desk.state(&action), State::Executed);
    assert_eq!(found(&mut desk, &lee), Err(Refusal::NotUnknown));
}
