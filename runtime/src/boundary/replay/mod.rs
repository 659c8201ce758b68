//! A recorded decision, decided again under another lock: what would have become of the same call, had that lock been in
//! force and the run begun under it.
//!
//! The record holds no payload and no permission list. Whatever it leaves open is tried each way; where the ways part, the
//! answer names what the record lacks, and guesses nothing.

mod facts;
mod plan;
mod ways;

use crate::Bundle;
use crate::audit::{Field, Told};
use crate::boundary::record;
use crate::decide::{Code, Gate, PLAN_PROPOSE};
use crate::lock::{Approval, split_deed};

use facts::Facts;
use ways::{Agreed, Seen};

/// What would have become of a call under another lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redecided {
    /// How strictly a yes would be asked for; `None`: it would not be proposed, or nobody knows.
    pub approval: Option<Approval>,
    /// The denial code; `None`: it would have been allowed or proposed.
    pub code: Option<Code>,
    /// Whether all of this is known: nothing that the record does not hold could change it.
    pub is_certain: bool,
    /// Whether it is refused in any case, if not with this code.
    pub is_refused: bool,
    /// Why it is not certain.
    pub lacks: Option<Lack>,
    /// `allow`, `deny` or `propose`.
    pub verdict: &'static str,
}

/// What a record does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    /// What the run had spent.
    Budget,
    /// Which case the call was about, where the other lock tells cases apart by another input.
    Case,
    /// The input, and whether it meets the other lock's schemas and bindings.
    Input,
    /// What the lock that the run was created under had its part in.
    Lock,
    /// What stood over the lock at run time.
    Overlay,
    /// What the person was permitted.
    Permissions,
    /// The steps of a plan, beyond the deeds that it names, or which deeds of the other lock those would have been.
    Plan,
    /// Scopes that were granted and that the lock of that time did not know.
    Scopes,
    /// How long the run had been under way.
    Time,
    /// Whether an outside server lists the tool as the other lock pins it.
    Upstream,
}

impl Redecided {
    fn seen(seen: &Seen, lacks: Option<Lack>) -> Self {
        let (verdict, code, approval) = match seen {
            Seen::Allow => ("allow", None, None),
            Seen::Deny(code) => ("deny", Some(*code), None),
            Seen::Propose { approval, .. } => ("propose", None, Some(*approval)),
        };
        let is_certain = lacks.is_none();
        Self { approval, code, is_certain, is_refused: is_certain && code.is_some(), lacks, verdict }
    }

    fn denied(code: Code, lacks: Option<Lack>) -> Self {
        Self::seen(&Seen::Deny(code), lacks)
    }

    /// Refused whatever the record lacks, though perhaps with another code.
    fn refused(code: Code, lacks: Lack) -> Self {
        Self { is_refused: true, ..Self::denied(code, Some(lacks)) }
    }
}

/// Decides a record of the boundary again, an event of this moment or one that was read back. `None` where it is no decision,
/// or names what no lock knows.
#[must_use]
pub fn redecide(told: &impl Told, bundle: &Bundle) -> Option<Redecided> {
    let verdict = told.text(Field::Verdict)?;
    let recorded = told.text(Field::Code).and_then(Code::of);
    if verdict == "deny" && recorded.is_none() {
        return None;
    }
    let is_own = [Field::Lock, Field::CreatedUnder].iter().all(|at| told.text(*at) == Some(bundle.digest()));
    if let Some(code) = recorded.filter(|code| code.gate() <= Gate::Lifecycle) {
        return Some(Redecided::denied(code, entering(code, is_own)));
    }
    let deed = record::deed(told)?;
    let facts = Facts::of(told, bundle, recorded, is_own)?;
    if split_deed(&deed).0 == PLAN_PROPOSE {
        return Some(plan::again(told, &facts));
    }
    let again = facts.ways(&deed).agreed(is_own.then(|| recorded_as(told, recorded)).flatten());
    let again = call(&facts, again);
    // Of a plan that stopped at a step, the steps before it are not told.
    Some(if told.has(Field::PlanStep) && !is_own { plan::step(again) } else { again })
}

/// What a code that was said before any lock was asked lacks: some of them are a lock's own doing after all.
fn entering(code: Code, is_own: bool) -> Option<Lack> {
    match code {
        // The run would have begun under the other lock, and that one is held.
        Code::LockMissing => Some(Lack::Lock),
        Code::DeadlineExceeded if !is_own => Some(Lack::Time),
        _ => None,
    }
}

/// How the record says it ended, where the gates before the input decided.
fn recorded_as(told: &impl Told, recorded: Option<Code>) -> Option<Seen> {
    match (recorded, told.text(Field::Verdict)?) {
        (Some(code), _) => Some(Seen::Deny(code)),
        (None, "propose") => {
            let word = told.text(Field::Approval)?;
            let approval = Approval::named(word)?;
            Some(Seen::Propose { approval, approvers: None })
        }
        _ => Some(Seen::Allow),
    }
}

/// A call whose gates up to the plan's were asked again: what comes behind them.
fn call(facts: &Facts<'_>, agreed: Agreed) -> Redecided {
    if let Some(code) = facts.recorded.filter(|code| is_of_upstream(*code)) {
        return withheld(code, agreed);
    }
    let open = match agreed {
        Agreed::All(Seen::Deny(code)) if code.gate() < Gate::Input => return Redecided::denied(code, None),
        // The input is asked before who may say yes, and may stop it first.
        Agreed::All(Seen::Deny(code)) => return Redecided::refused(code, Lack::Input),
        Agreed::AsRecorded(seen) => return Redecided::seen(&seen, None),
        Agreed::Refused(code, lack) => return Redecided::refused(code, lack),
        Agreed::Parted(seen, lack) => return Redecided::seen(&seen, Some(lack)),
        Agreed::All(open) => open,
    };
    // Nobody looked at the server of a tool that was switched off.
    if facts.recorded == Some(Code::ToolDisabled) && facts.is_pinned {
        return Redecided::seen(&open, Some(Lack::Upstream));
    }
    // Its own lock stopped it at something that the other one was not asked.
    match facts.recorded.filter(|code| code.gate() >= Gate::Input && code.gate() != Gate::Approval) {
        // What cannot be read meets no schema.
        Some(code @ Code::InputInvalid) if !facts.has_input => Redecided::denied(code, None),
        Some(code @ Code::LockConflict) => Redecided::denied(code, Some(Lack::Lock)),
        Some(code) if code.gate() == Gate::Budget => Redecided::denied(code, Some(Lack::Budget)),
        Some(code) => Redecided::denied(code, Some(Lack::Input)),
        None => Redecided::seen(&open, Some(Lack::Input)),
    }
}

/// A call that stopped because its outside server was in doubt, which another lock may have pinned otherwise.
fn withheld(code: Code, agreed: Agreed) -> Redecided {
    match agreed {
        Agreed::AsRecorded(seen) => Redecided::seen(&seen, None),
        Agreed::All(Seen::Deny(own)) if own < code => Redecided::denied(own, None),
        Agreed::All(Seen::Deny(_)) | Agreed::Refused(..) => Redecided::refused(code, Lack::Upstream),
        Agreed::All(_) | Agreed::Parted(..) => Redecided::denied(code, Some(Lack::Upstream)),
    }
}

/// Whether an outside server was in doubt.
fn is_of_upstream(code: Code) -> bool {
    matches!(code, Code::UpstreamDrift | Code::UpstreamUnseen)
}
