//! A recorded decision, decided again under another lock: what would have become of the same call.
//!
//! The record holds no payload and no permission list. The person is taken as the personas recorded, under the other lock's
//! bundles; whether the input meets the other lock's schemas cannot be known, and the answer says so.

use super::record;
use super::run::Mode;
use super::side;
use crate::Bundle;
use crate::audit::{Field, Told};
use crate::decide::{Call, Code, Gate, Plan, RunRow, Verdict};
use crate::lock::{Approval, split_deed};

/// What would have become of a call under another lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redecided {
    /// How strictly a yes would be asked for; `None`: it would not be proposed, or nobody knows.
    pub approval: Option<Approval>,
    /// The denial code; `None`: it would have been allowed or proposed.
    pub code: Option<Code>,
    /// Whether that is known: nothing that the record does not hold (the input, the budgets, the time) could change it.
    pub is_certain: bool,
    /// `allow`, `deny` or `propose`.
    pub verdict: &'static str,
}

impl Redecided {
    fn denied(code: Option<Code>, is_certain: bool) -> Self {
        Self { approval: None, code, is_certain, verdict: "deny" }
    }
}

/// Decides a record of the boundary again, an event of this moment or one that was read back. `None` where it is no decision,
/// or names what no lock knows.
#[must_use]
pub fn redecide(told: &impl Told, bundle: &Bundle) -> Option<Redecided> {
    let recorded = told.text(Field::Code).and_then(Code::of);
    told.text(Field::Verdict)?;
    // What was asked before the lock was is the same under any; but a deadline is also the lock's own.
    if let Some(code) = recorded.filter(|code| code.gate() <= Gate::Lifecycle) {
        let is_certain = code != Code::DeadlineExceeded || told.text(Field::Lock) == Some(bundle.digest());
        return Some(Redecided::denied(Some(code), is_certain));
    }
    let deed = record::deed(told)?;
    let (tool, case) = split_deed(&deed);
    let permissions = told.keys(Field::Personas).iter().filter_map(|key| bundle.lock().personas.get(key));
    let permissions = permissions.flat_map(|persona| persona.bundle.iter().map(String::as_str));
    let person = bundle.anyone().unwrap_or_else(|| bundle.person(permissions));
    let steps = bundle.deeds(told.keys(Field::PlanSteps).iter().map(String::as_str));
    let surface = key(told, Field::Surface)?;
    let mode = told.text(Field::Mode);
    let scopes: Vec<&str> = told.keys(Field::Scopes).iter().map(String::as_str).collect();
    let scopes = match side::after_approval(bundle, mode == Some(Mode::Resume.word()), surface) {
        Some(left) => side::granted(&scopes, left),
        None => scopes,
    };
    let row = RunRow {
        harness: key(told, Field::Harness)?,
        person: &person,
        plan: match told.text(Field::Plan) {
            Some("none") => Plan::None,
            Some("approved") => Plan::Approved { steps: &steps },
            _ => Plan::Proposed,
        },
        read_only: mode != Some(Mode::Work.word()),
        role: key(told, Field::Role)??,
        scopes: &scopes,
        surface,
    };
    let killed = told.flag(Field::KillSwitch) != Some(false);
    let verdict = bundle.run(&row).with_kill_switch(killed).check(&Call { case, tool });
    Some(answer(verdict, recorded))
}

fn answer(verdict: Verdict<'_>, recorded: Option<Code>) -> Redecided {
    // What could not be looked up is in doubt under any lock.
    let doubted = recorded.filter(|code| {
        let unread =
            matches!(code, Code::OverlayUnreadable | Code::PermissionsUnreadable | Code::PlanUnreadable);
        unread || is_of_upstream(*code)
    });
    let open = |verdict, approval| match recorded.filter(|code| code.gate() >= Gate::Input) {
        // Its own lock stopped it at something that the other one was not asked.
        Some(code) if code.gate() != Gate::Approval => Redecided::denied(Some(code), false),
        _ => Redecided { approval, code: None, is_certain: false, verdict },
    };
    match (verdict, doubted) {
        // The first closed gate speaks; at the doubt's own, the doubt does.
        (Verdict::Deny(denial), doubted) if doubted.is_none_or(|code| denial.gate < code.gate()) => {
            Redecided::denied(Code::of(denial.code), true)
        }
        (_, Some(code)) => Redecided::denied(Some(code), !is_of_upstream(code)),
        (Verdict::Deny(denial), None) => Redecided::denied(Code::of(denial.code), true),
        (Verdict::Allow, None) => open("allow", None),
        (Verdict::Propose { approval, .. }, None) => open("propose", Some(approval)),
    }
}

/// Whether an outside server was in doubt, which another lock may have pinned otherwise.
fn is_of_upstream(code: Code) -> bool {
    matches!(code, Code::UpstreamDrift | Code::UpstreamUnseen)
}

/// A key of the lock, where the record states one. `None`: it states a name that no lock knew, as a digest.
fn key(told: &impl Told, field: Field) -> Option<Option<&str>> {
    if told.has(field) { told.key(field).map(Some) } else { Some(None) }
}
