//! A plan, decided again: as a whole and each deed that its record names. What it does not name is never guessed.

use super::facts::Facts;
use super::ways::{Agreed, Seen};
use super::{Lack, Redecided};
use crate::audit::{Field, Told};
use crate::boundary::check::both;
use crate::decide::{Code, Gate};
use crate::lock::Approval;

/// A plan that was proposed, or refused as a whole.
pub(super) fn again(told: &impl Told, facts: &Facts<'_>) -> Redecided {
    let closed = closed(facts);
    match facts.recorded {
        // Its name stands for no tool of any lock; a plan needs a harness, and the run has none.
        Some(code) if code.gate() == Gate::Known => Redecided::denied(code, None),
        Some(code) if facts.is_own => Redecided::denied(code, None),
        Some(code) => match closed {
            Closed::Yes(closed) if code != Code::InputInvalid => Redecided::denied(closed, None),
            // Its shape does not fit, whatever the lock.
            _ if code == Code::InputInvalid => Redecided::refused(code, Lack::Plan),
            Closed::No if code.gate() == Gate::Budget => Redecided::denied(code, Some(Lack::Budget)),
            _ => Redecided::denied(code, Some(Lack::Plan)),
        },
        None => match closed {
            Closed::Yes(code) if !facts.is_own => Redecided::denied(code, None),
            Closed::Perhaps if !facts.is_own => proposed(Approval::Auto, Some(Lack::Scopes)),
            _ => steps(told, facts),
        },
    }
}

/// A plan that stopped at this step: what is open here may still stop at another, or at an earlier one.
pub(super) fn step(again: Redecided) -> Redecided {
    Redecided { is_certain: false, lacks: Some(Lack::Plan), ..again }
}

/// Whether the gates about a plan as a whole are closed.
enum Closed {
    No,
    Perhaps,
    Yes(Code),
}

fn closed(facts: &Facts<'_>) -> Closed {
    let mut found = facts.scopes.iter().map(|scopes| facts.closed_to_plans(scopes).map(Gate::usual));
    let Some(first) = found.next() else { return Closed::Perhaps };
    let alike = found.all(|other| other == first);
    match (first, alike) {
        (_, false) => Closed::Perhaps,
        (None, true) => Closed::No,
        (Some(code), true) => Closed::Yes(code),
    }
}

/// Each deed of a plan that was proposed, asked as if there were no plan.
fn steps(told: &impl Told, facts: &Facts<'_>) -> Redecided {
    let (mut approval, mut approvers) = (Approval::Auto, None);
    let (mut refused, mut lacks): (Option<Code>, Option<Lack>) = (None, None);
    for deed in told.keys(Field::PlanSteps) {
        match facts.ways(deed).agreed(None) {
            Agreed::All(Seen::Deny(code)) | Agreed::Refused(code, _) => refused = refused.or(Some(code)),
            Agreed::Parted(_, lack) => lacks = lacks.or(Some(lack)),
            Agreed::All(seen) | Agreed::AsRecorded(seen) => {
                if let Seen::Propose { approval: own, approvers: who } = seen {
                    approval = approval.max(own);
                    approvers = both(approvers, who.as_deref());
                }
            }
        }
    }
    if facts.is_own {
        let own = facts.proposed.unwrap_or(approval);
        return proposed(own, None);
    }
    if approvers.is_some_and(|approvers: Vec<String>| approvers.is_empty()) {
        refused = refused.or(Some(Code::ApprovalUnavailable));
    }
    match refused {
        // The record does not say in which order they stand.
        Some(code) => Redecided::refused(code, lacks.unwrap_or(Lack::Plan)),
        None => proposed(approval, Some(lacks.unwrap_or(Lack::Input))),
    }
}

fn proposed(approval: Approval, lacks: Option<Lack>) -> Redecided {
    Redecided::seen(&Seen::Propose { approval, approvers: None }, lacks)
}
