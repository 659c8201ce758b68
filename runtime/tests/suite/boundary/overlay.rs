//! The live overlay tightens and cannot loosen; each change is one person's and is told (S5, S10, issue point 6).

use harnessc_runtime::audit::{Datum, Field};
use harnessc_runtime::boundary::overlay::{Change, Changer, Limit, RunLimit};
use harnessc_runtime::boundary::{Overlay, Permit, Ruling};
use harnessc_runtime::lock::{Approval, Level, Limits, RunLimits, ToolLimit};

use super::world::World;
use crate::common::{bundle, small};

const MAY: Changer<'_> = Changer { is_human: true, may_change_policy: true, person: "person-9" };

fn lock() -> harnessc_runtime::lock::Lock {
    let mut lock = small();
    lock.limits = Some(Limits {
        per_tool: [("records.search".to_owned(), ToolLimit { calls: Some(5), ..Default::default() })].into(),
        run: Some(RunLimits { deadline_ms: Some(60_000), tool_calls: Some(10), ..Default::default() }),
        ..Default::default()
    });
    lock
}

fn changed(overlay: &Overlay, change: Change<'_>) -> Result<Overlay, &'static str> {
    match overlay.change(&lock(), "sha256:lock", &MAY, &change) {
        Ok(changed) => {
            assert_eq!(changed.event.name, "policy.updated");
            assert_eq!(
                *changed.event.fields.get(&Field::Overlay).unwrap(),
                Datum::Digest(changed.overlay.digest().to_owned())
            );
            assert_eq!(
                *changed.event.fields.get(&Field::OverlayBefore).unwrap(),
                Datum::Digest(overlay.digest().to_owned())
            );
            assert_eq!(Overlay::parse(changed.overlay.canonical().as_bytes()).as_ref(), Ok(&changed.overlay));
            Ok(changed.overlay)
        }
        Err(refused) => {
            assert_eq!(refused.event.name, "policy.update_refused");
            Err(refused.code)
        }
    }
}

fn said(overlay: Overlay, tool: &'static str) -> &'static str {
    let mut world = World::open().but(|world| {
        (world.tool, world.overlay) = (tool, Ok(overlay));
        (world.created, world.in_force) = (lock(), lock());
    });
    match world.ask().ruling {
        Ruling::Allow(Permit::Read(_)) => "allow",
        Ruling::Deny(refusal) => refusal.denial.code,
        Ruling::Propose(proposal) => proposal.approval.word(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_row_tightens_the_next_call() {
    let none = Overlay::none().unwrap();
    for (tool, change, before, after) in [
        ("records.search", Change::Disable("records.search"), "allow", "tool_disabled"),
        ("records.search", Change::Raise("records.search", Approval::Confirm), "allow", "confirm"),
        ("records.propose", Change::Raise("records.propose", Approval::FourEyes), "confirm", "four_eyes"),
        ("records.search", Change::Lower(Limit::Run(RunLimit::ToolCalls), 0), "allow", "budget_exceeded"),
        ("records.search", Change::Lower(Limit::Run(RunLimit::Steps), 0), "allow", "step_cap"),
        ("records.search", Change::Lower(Limit::ToolCalls("records.search"), 0), "allow", "budget_exceeded"),
        ("records.search", Change::Lower(Limit::Deadline, 500), "allow", "deadline_exceeded"),
        ("records.propose", Change::Kill("an incident"), "confirm", "ai_disabled"),
    ] {
        let overlay = changed(&none, change).unwrap();
        assert_eq!((said(none.clone(), tool), said(overlay, tool)), (before, after), "{change:?}");
    }
}

#[test]
fn a_raised_approval_takes_the_approvers_of_its_own() {
    let overlay =
        changed(&Overlay::none().unwrap(), Change::Raise("records.propose", Approval::FourEyes)).unwrap();
    let Ruling::Propose(proposal) = World::open().but(|world| world.overlay = Ok(overlay)).ask().ruling
    else {
        panic!("a proposal")
    };
    assert_eq!(proposal.approvers, Some(vec!["lead".to_owned()]));
}

/// Whoever says yes to what was raised may also say yes to what the cell itself asks for.
#[test]
fn a_raised_approval_keeps_the_cells_own_approvers() {
    let said = |confirm: &[&str], four_eyes: &[&str]| {
        let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
        let overlay =
            changed(&Overlay::none().unwrap(), Change::Raise("records.propose", Approval::FourEyes)).unwrap();
        let mut world = World::open().but(|world| {
            world.overlay = Ok(overlay);
            world.both(|lock| {
                lock.rules.insert("approvers-unreachable".to_owned(), Level::Warn);
                let approvers = lock.approvals.approvers.as_mut().unwrap();
                (approvers.confirm, approvers.four_eyes) = (keys(confirm), keys(four_eyes));
            });
        });
        match world.ask().ruling {
            Ruling::Propose(proposal) => Ok((proposal.approval, proposal.approvers.unwrap())),
            Ruling::Deny(refusal) => Err(refusal.denial.code),
            other => panic!("{other:?}"),
        }
    };
    let scientist = vec!["scientist".to_owned()];
    assert_eq!(said(&["scientist"], &["lead", "scientist"]), Ok((Approval::FourEyes, scientist)));
    assert_eq!(said(&["scientist"], &["lead"]), Err("approval_unavailable"));
}

#[test]
fn nothing_loosens_and_nobody_else_changes_anything() {
    let none = Overlay::none().unwrap();
    for (change, code) in [
        (Change::Raise("records.propose", Approval::Auto), "loosens"),
        (Change::Raise("records.propose", Approval::Confirm), "changes_nothing"),
        (Change::Lower(Limit::Run(RunLimit::ToolCalls), 11), "loosens"),
        (Change::Lower(Limit::Run(RunLimit::ToolCalls), 10), "changes_nothing"),
        (Change::Lower(Limit::ToolCalls("records.search"), 6), "loosens"),
        (Change::Lower(Limit::Deadline, 60_001), "loosens"),
        (Change::Lower(Limit::ToolCalls("records.invented"), 1), "unknown_name"),
        (Change::Disable("records.invented"), "unknown_name"),
        (Change::Disable("records.old"), "changes_nothing"),
        (Change::Enable("records.old"), "changes_nothing"),
        (Change::Raise("labels.edit/invented", Approval::FourEyes), "unknown_name"),
        (Change::Kill("  "), "reason_missing"),
        (Change::Unkill("over"), "changes_nothing"),
    ] {
        assert_eq!(changed(&none, change), Err(code), "{change:?}");
    }
    for by in [Changer { is_human: false, ..MAY }, Changer { may_change_policy: false, ..MAY }] {
        let refused = none.change(&lock(), "sha256:lock", &by, &Change::Kill("an incident")).unwrap_err();
        assert_eq!(refused.code, "not_authorized");
    }
    let lowered = changed(&none, Change::Lower(Limit::Run(RunLimit::Tokens), 7)).unwrap();
    assert_eq!(changed(&lowered, Change::Lower(Limit::Run(RunLimit::Tokens), 8)), Err("loosens"));
}

/// E10: a name that somebody made up is not told to the audit, in no part of it.
#[test]
fn a_name_that_the_lock_does_not_know_is_not_recorded() {
    let none = Overlay::none().unwrap();
    let event = |change| match none.change(&lock(), "sha256:lock", &MAY, &change) {
        Ok(changed) => changed.event,
        Err(refused) => refused.event,
    };
    for name in
        ["Mrs Smith", "labels.edit/Mrs Smith", "records.propose/Mrs Smith", "labels.edit/update/Mrs Smith"]
    {
        for change in [
            Change::Raise(name, Approval::FourEyes),
            Change::Unraise(name),
            Change::Disable(name),
            Change::Enable(name),
            Change::Lower(Limit::ToolCalls(name), 1),
            Change::Unlower(Limit::ToolResultBytes(name)),
        ] {
            let event = event(change);
            assert!(!format!("{event:?}").contains("Smith"), "{event:?}");
        }
    }
    for name in ["labels.edit", "labels.edit/update", "records.propose"] {
        let event = event(Change::Raise(name, Approval::FourEyes));
        assert_eq!(*event.fields.get(&Field::Tool).unwrap(), Datum::Key(name.to_owned()));
    }
}

#[test]
fn a_row_is_lifted_back_to_the_lock_and_no_further() {
    let none = Overlay::none().unwrap();
    for (tighten, lift) in [
        (Change::Disable("records.search"), Change::Enable("records.search")),
        (Change::Raise("labels.edit/update", Approval::FourEyes), Change::Unraise("labels.edit/update")),
        (Change::Lower(Limit::Run(RunLimit::Cost), 1), Change::Unlower(Limit::Run(RunLimit::Cost))),
        (Change::Lower(Limit::Deadline, 1), Change::Unlower(Limit::Deadline)),
        (
            Change::Lower(Limit::ToolResultBytes("records.search"), 1),
            Change::Unlower(Limit::ToolResultBytes("records.search")),
        ),
        (Change::Kill("an incident"), Change::Unkill("it is over")),
    ] {
        let Ok(tight) = changed(&none, tighten) else { continue };
        assert_ne!(tight.digest(), none.digest());
        assert_eq!(changed(&tight, lift), Ok(none.clone()), "{lift:?}");
    }
    // The reason of a kill stays with the row and out of the audit.
    let killed = none.change(&lock(), "sha256:lock", &MAY, &Change::Kill("an incident")).unwrap();
    assert_eq!(killed.overlay.kill_reason(), Some("an incident"));
    assert!(!format!("{:?}", killed.event).contains("incident"));
}

#[test]
fn what_cannot_be_read_strictly_is_no_overlay() {
    for text in [
        "",
        "[]",
        r#"{"disabled":["a"],"disabled":[]}"#,
        r#"{"enabled":["a"]}"#,
        r#"{"raised":{"a":"never"}}"#,
        r#"{"run":{"wishes":3}}"#,
        r#"{"run":{"tokens":-1}}"#,
    ] {
        assert!(Overlay::parse(text.as_bytes()).is_err(), "{text}");
    }
    let overlay = Overlay::parse(br#"{"raised":{"a":"four_eyes"},"disabled":["b"]}"#).unwrap();
    assert_eq!(overlay.canonical(), r#"{"disabled":["b"],"raised":{"a":"four_eyes"}}"#);
}

#[test]
fn a_decision_names_the_lock_and_the_overlay() {
    let overlay = changed(&Overlay::none().unwrap(), Change::Disable("records.search")).unwrap();
    let digest = overlay.digest().to_owned();
    let mut world = World::open().but(|world| world.overlay = Ok(overlay));
    let fields = world.ask().event.fields;
    assert_eq!(*fields.get(&Field::Overlay).unwrap(), Datum::Digest(digest));
    assert_eq!(
        *fields.get(&Field::Lock).unwrap(),
        Datum::Digest(bundle(&world.in_force).digest().to_owned())
    );
    assert_eq!(
        *fields.get(&Field::CreatedUnder).unwrap(),
        Datum::Digest(bundle(&world.created).digest().to_owned())
    );
}

/// S9, E2: calls of models, tokens and cost are counted by the meter alone; what the overlay lowers reaches it through the
/// limits, and the boundary's own ledger has no word for any of them.
#[test]
fn model_calls_have_one_owner() {
    use harnessc_runtime::boundary::budget::{Caps, Meter};
    use harnessc_runtime::meter::{Day, Estimate, Exceeded, Ledger};

    for meter in Meter::ALL {
        assert!(!["model_calls", "tokens", "cost"].contains(&meter.word()), "{}", meter.word());
    }
    for (limit, exceeded) in [
        (RunLimit::ModelCalls, Exceeded::RunCalls),
        (RunLimit::Tokens, Exceeded::RunTokens),
        (RunLimit::Cost, Exceeded::RunCost),
    ] {
        let none = Overlay::none().unwrap();
        let lowered = changed(&none, Change::Lower(Limit::Run(limit), 0)).unwrap();
        assert_eq!(lowered.caps("records.search"), none.caps("records.search"), "{}", limit.word());
        assert_eq!(Caps::of_lock(&lock(), "records.search").of(Meter::ToolCalls), Some(10));
        let call = Estimate { input: 500, max_output: 500 };
        let reserve = |overlay: &Overlay| {
            let limits = overlay.limits(lock().limits.as_ref());
            Ledger::default().reserve(Some(&limits), "run-1", Day(1), "luna", call).map(drop)
        };
        assert_eq!((reserve(&none), reserve(&lowered)), (Ok(()), Err(exceeded)));
    }
}
