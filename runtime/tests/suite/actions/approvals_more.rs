//! What an approval must withstand, points 9 to 15. Point 13 is the server's.

use std::collections::BTreeSet;

use harnessc_runtime::actions::{
    Answer, Decided, Directory, Draft, Ended, Nonce, Origins, Refusal, Requester, Rules, Says, State,
    reconstruct,
};
use harnessc_runtime::lock::Approval;

use super::{Desk, desk, id, person, voter};

#[test]
fn approvals_09_the_trail_alone_tells_what_happened() {
    let mut desk = desk();
    let done = desk.confirm("a1");
    desk.yes("sam", &done).unwrap();
    desk.done(&done);
    let never = desk.confirm("a2");
    desk.no("lee", &never).unwrap();
    let late = desk.confirm("a3");
    desk.now_ms += 259_200_000;
    let now = desk.now_ms;
    desk.keep(|ledger| ledger.sweep(now)).unwrap();

    let stories = reconstruct(desk.store.trail()).unwrap();
    for action in [&done, &never, &late] {
        let story = &stories[action.as_str()];
        assert_eq!(story.state, desk.state(action), "{action}");
        assert_eq!(story.digest, desk.ledger().action(action).unwrap().digest());
    }
    assert_eq!(stories["a1"].yeses, BTreeSet::from(["sam".to_owned()]));
    let consumed = |name: &str| stories[name].consumed;
    assert_eq!((consumed("a1"), consumed("a2"), consumed("a3")), (1, 0, 0));
    // Taking any record of the executed action away leaves a trail that does not follow, or tells of no execution.
    for at in 0..desk.store.trail().len() {
        let mut trail = desk.store.trail().to_vec();
        let gone = trail.remove(at);
        let told = reconstruct(&trail);
        assert_ne!(told.as_ref(), Ok(&stories), "without {} at {at}", gone.name);
    }
}

#[test]
fn approvals_10_a_recommendation_of_a_model_is_no_vote() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    let mut model = voter("model-1", &["lead", "scientist"]);
    model.human = false;
    for says in [Says::Yes, Says::No] {
        let answer = desk.answer(&action, says);
        assert_eq!(desk.decide(&answer, &model), Err(Refusal::NotAPerson));
    }
    assert_eq!(desk.state(&action), State::Proposed);
    assert!(desk.ledger().action(&action).unwrap().votes().is_empty());
}

#[test]
fn approvals_11_four_eyes_has_no_exception() {
    type Change = fn(&mut Origins);
    let origins: [(&str, Change); 5] = [
        ("requester", |origins| origins.requester = Requester::Person(person("lee"))),
        ("acted for", |origins| origins.acting_for = Some(person("lee"))),
        ("creator", |origins| origins.created_by = Some(person("lee"))),
        ("trigger", |origins| origins.triggered_by = Some(person("lee"))),
        ("schedule's author", |origins| origins.scheduled_by = Some(person("lee"))),
    ];
    for (what, change) in origins {
        let mut desk = desk();
        change(&mut desk.origins);
        let action = desk.four_eyes("a1");
        assert_eq!(desk.yes("lee", &action), Err(Refusal::FourEyes), "{what}");
        assert_eq!(desk.yes("kim", &action), Ok(Decided::Approved), "{what}");
    }
    let mut desk = desk();
    let action = desk.four_eyes("a1");
    // An administrator holds no persona by being one, and there is nothing else to be let in by.
    assert_eq!(desk.yes("root", &action), Err(Refusal::ApproverNotEligible));
    // A right that exists through this run alone.
    let mut guest = voter("gil", &["lead"]);
    guest.independent = false;
    let answer = desk.answer(&action, Says::Yes);
    assert_eq!(desk.decide(&answer, &guest), Err(Refusal::RightThroughRun));
    // Confirmation is not four eyes: whoever asked may confirm.
    let action = desk.confirm("a2");
    assert_eq!(desk.yes("ada", &action), Ok(Decided::Approved));
}

#[test]
fn approvals_11_one_person_behind_two_issuers_is_one() {
    let directory = Directory::default().with("https://id.example", "ada@example", person("ada")).with(
        "https://corp.example",
        "u-77",
        person("ada"),
    );
    let mut desk = desk();
    let asked = directory.person("https://id.example", "ada@example").unwrap();
    desk.origins = Origins::person(asked.clone());
    let action = desk.four_eyes("a1");
    let other = directory.person("https://corp.example", "u-77").unwrap();
    let second = voter(other.as_str(), &["lead"]);
    assert_eq!(desk.decide(&desk.answer(&action, Says::Yes), &second), Err(Refusal::FourEyes));
    assert_eq!(directory.person("https://corp.example", "ada@example"), None);
}

#[test]
fn approvals_11_an_approval_raised_at_run_time_holds_at_once() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    desk.yes("ada", &action).unwrap();
    desk.raise(&action, &Desk::cell("records.propose", None));
    assert_eq!(desk.run(&action).unwrap_err(), Refusal::NotApproved, "ada asked");
    assert_eq!(desk.state(&action), State::Proposed);
    assert_eq!(
        desk.yes("sam", &action),
        Err(Refusal::ApproverNotEligible),
        "sam confirms and is no second pair"
    );
    assert_eq!(desk.yes("lee", &action), Ok(Decided::Approved));
    desk.run(&action).unwrap();
}

#[test]
fn approvals_11_a_raised_approval_keeps_to_both_lists() {
    let mut desk = desk();
    desk.relock(|lock| {
        lock.rules.insert("approvers-unreachable".to_owned(), harnessc_runtime::lock::Level::Warn);
        let approvers = lock.approvals.approvers.as_mut().unwrap();
        approvers.confirm = vec!["scientist".to_owned()];
        approvers.four_eyes = vec!["lead".to_owned(), "scientist".to_owned()];
    });
    let cell = Desk::cell("records.propose", None);
    let rules = Rules::of(&desk.bundle, &cell).unwrap();
    let raised = rules.clone().raised(&desk.bundle, &cell, Approval::FourEyes);
    assert_eq!(raised.approvers, Some(["scientist".to_owned()].into()));
    assert_eq!(raised.approval, Approval::FourEyes);
    // What is no stricter changes nothing.
    assert_eq!(rules.clone().raised(&desk.bundle, &cell, Approval::Confirm), rules);
}

#[test]
fn approvals_12_answers_in_any_order_never_cross() {
    for swap in [false, true] {
        let mut desk = desk();
        let (one, two) = (desk.confirm("a1"), desk.four_eyes("a2"));
        let mut answers = vec![("sam", desk.answer(&one, Says::Yes)), ("lee", desk.answer(&two, Says::Yes))];
        if swap {
            answers.reverse();
        }
        for (who, answer) in &answers {
            let voter = desk.people[&person(who)].clone();
            assert_eq!(desk.decide(answer, &voter), Ok(Decided::Approved));
        }
        // Each answer counts for its own action alone.
        for (action, who) in [(&one, "sam"), (&two, "lee")] {
            let ledger = desk.ledger();
            let votes = ledger.action(action).unwrap().votes();
            assert_eq!(votes.iter().map(|vote| vote.person.as_str()).collect::<Vec<_>>(), [who]);
        }
    }
}

/// A draft's digest after a change of it.
fn digest(change: impl Fn(&mut Draft)) -> String {
    let mut desk = desk();
    let mut draft = desk.draft("a1", "labels.edit", Some("update"));
    change(&mut draft);
    let (organization, run) = (draft.proposal.organization.clone(), draft.proposal.run.clone());
    let ledger = harnessc_runtime::actions::Ledger::new(organization, run);
    let step = ledger.propose(draft, 1);
    let action = step.outcome.unwrap();
    desk.now_ms = 1;
    step.ledger.action(&action).unwrap().digest().to_owned()
}

#[test]
fn approvals_14_the_digest_covers_everything_that_was_shown_and_would_be_done() {
    let plain = digest(|_| ());
    type Change = fn(&mut Draft);
    let changes: [(&str, Change); 19] = [
        ("action", |draft| draft.id = id("a2")),
        ("nonce", |draft| draft.nonce = Nonce([8; 16])),
        ("organization", |draft| draft.proposal.organization = "org-2".to_owned()),
        ("requester", |draft| draft.proposal.origins.requester = Requester::Person(person("sam"))),
        ("requester's kind", |draft| {
            draft.proposal.origins.requester = Requester::Machine("ada".to_owned());
        }),
        ("acted for", |draft| draft.proposal.origins.acting_for = None),
        ("creator", |draft| draft.proposal.origins.created_by = None),
        ("trigger", |draft| draft.proposal.origins.triggered_by = Some(person("sam"))),
        ("schedule", |draft| draft.proposal.origins.scheduled_by = Some(person("sam"))),
        ("run", |draft| draft.proposal.run = "run-2".to_owned()),
        ("tool", |draft| draft.proposal.cell.tool = "labels.edits".to_owned()),
        ("case", |draft| draft.proposal.cell.case = Some("delete".to_owned())),
        ("cell", |draft| draft.proposal.cell_digest = "sha256:0".to_owned()),
        ("server", |draft| draft.proposal.execution.server = Some("desk".to_owned())),
        ("upstream", |draft| draft.proposal.execution.upstream = "dump".to_owned()),
        ("address", |draft| draft.proposal.execution.address = Some("stdio:other".to_owned())),
        ("input", |draft| draft.proposal.input = "{\"program_id\":\"P-2\"}".to_owned()),
        ("target", |draft| draft.proposal.target = "{\"program_id\":\"P-2\"}".to_owned()),
        ("preview", |draft| draft.preview = "before: one".to_owned()),
    ];
    let mut seen = BTreeSet::from([plain.clone()]);
    for (what, change) in changes {
        assert!(seen.insert(digest(change)), "{what} is not covered");
    }
    assert_eq!(digest(|_| ()), plain, "and nothing else moves it");
    assert!(plain.starts_with("sha256:") && plain.len() == 71);
}

#[test]
fn approvals_14_a_record_that_was_changed_in_the_store_is_not_executed() {
    let mut desk = desk();
    let action = desk.confirm("a1");
    desk.yes("sam", &action).unwrap();
    let mut json = serde_json::to_value(desk.ledger()).unwrap();
    json["actions"]["a1"]["proposal"]["input"] = "{\"program_id\":\"P-9\"}".into();
    let forged: harnessc_runtime::actions::Ledger = serde_json::from_str(&json.to_string()).unwrap();
    desk.keep(|_| harnessc_runtime::actions::Step { events: Vec::new(), ledger: forged, outcome: Ok(()) })
        .unwrap();
    assert_eq!(desk.run(&action).unwrap_err(), Refusal::StalePreview);
    assert_eq!(desk.state(&action), State::Superseded);
}

#[test]
fn approvals_15_where_no_human_asked_two_different_people_approve() {
    let machine = || {
        let mut desk = desk();
        desk.origins = Origins {
            acting_for: None,
            created_by: None,
            requester: Requester::Machine("schedule-7".to_owned()),
            scheduled_by: Some(person("ada")),
            triggered_by: None,
        };
        desk
    };
    for action in [Desk::confirm, Desk::four_eyes] {
        let mut desk = machine();
        let action = action(&mut desk, "a1");
        assert_eq!(desk.ledger().action(&action).unwrap().needed(), 2);
        assert_eq!(desk.yes("lee", &action), Ok(Decided::Counted(1)));
        assert_eq!(desk.yes("lee", &action), Ok(Decided::Counted(1)), "the same one again");
        assert_eq!(desk.yes("kim", &action), Ok(Decided::Approved));
        desk.done(&action);
    }
    // The schedule's author is neither of them.
    let mut desk = machine();
    let action = desk.four_eyes("a1");
    assert_eq!(desk.yes("ada", &action), Err(Refusal::FourEyes));
    // And a human's own wish needs one.
    let mut desk = super::desk();
    let action = desk.confirm("a1");
    assert_eq!(desk.ledger().action(&action).unwrap().needed(), 1);
}

#[test]
fn an_answer_to_what_is_not_there_is_refused_and_its_name_not_repeated() {
    let mut desk = desk();
    desk.confirm("a1");
    let answer = Answer { digest: String::new(), ..desk.answer(&id("<script>"), Says::Yes) };
    assert_eq!(desk.decide(&answer, &voter("sam", &["scientist"])), Err(Refusal::UnknownAction));
    assert!(!format!("{:?}", desk.store.trail()).contains("script"));
    let _ = (Approval::Confirm, Ended::Failed);
}
