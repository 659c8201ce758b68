//! A recorded decision, decided again under another lock: what would have become of the same call.
//!
//! The record holds no payload and no permission list. The person is taken as the personas recorded, under the other lock's
//! bundles; whether the input meets the other lock's schemas cannot be known, and the answer says so.

use super::record;
use super::run::Mode;
use crate::Bundle;
use crate::audit::{Field, Told};
use crate::decide::{Call, Code, Gate, Plan, RunRow, Verdict};
use crate::lock::split_deed;

/// What would have become of a call under another lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redecided {
    /// The denial code; `None`: it would have been allowed or proposed.
    pub code: Option<Code>,
    /// Whether that is known: nothing that the record does not hold (the input, the budgets) could change it.
    pub is_certain: bool,
    /// `allow`, `deny` or `propose`.
    pub verdict: &'static str,
}

/// Decides a record of the boundary again, as it was told or as the stored chain gives it back. `None` where the event is none, or names what no lock knows.
#[must_use]
pub fn redecide(event: &impl Told, bundle: &Bundle) -> Option<Redecided> {
    let recorded = event.text(Field::Code).and_then(Code::of);
    event.text(Field::Verdict)?;
    // What was asked before the lock was is the same under any.
    if let Some(code) = recorded.filter(|code| code.gate() <= Gate::Lifecycle) {
        return Some(Redecided { code: Some(code), is_certain: true, verdict: "deny" });
    }
    let deed = record::deed(event)?;
    let (tool, case) = split_deed(&deed);
    let permissions = event.keys(Field::Personas).iter().filter_map(|key| bundle.lock().personas.get(key));
    let permissions = permissions.flat_map(|persona| persona.bundle.iter().map(String::as_str));
    let person = bundle.anyone().unwrap_or_else(|| bundle.person(permissions));
    let steps = bundle.deeds(event.keys(Field::PlanSteps).iter().map(String::as_str));
    let scopes: Vec<&str> = event.keys(Field::Scopes).iter().map(String::as_str).collect();
    let row = RunRow {
        harness: key(event, Field::Harness)?,
        person: &person,
        plan: match event.text(Field::Plan) {
            Some("none") => Plan::None,
            Some("approved") => Plan::Approved { steps: &steps },
            _ => Plan::Proposed,
        },
        read_only: event.text(Field::Mode) != Some(Mode::Work.word()),
        role: key(event, Field::Role)??,
        scopes: &scopes,
        surface: key(event, Field::Surface)?,
    };
    let killed = event.flag(Field::KillSwitch) != Some(false);
    let verdict = bundle.run(&row).with_kill_switch(killed).check(&Call { case, tool });
    Some(answer(verdict, recorded))
}

fn answer(verdict: Verdict<'_>, recorded: Option<Code>) -> Redecided {
    let open = |verdict| match recorded.filter(|code| code.gate() >= Gate::Input) {
        // Its own lock stopped it at something that the other one was not asked.
        Some(code) if code.gate() != Gate::Approval => {
            Redecided { code: Some(code), is_certain: false, verdict: "deny" }
        }
        _ => Redecided { code: None, is_certain: false, verdict },
    };
    match verdict {
        Verdict::Allow => open("allow"),
        Verdict::Propose { .. } => open("propose"),
        Verdict::Deny(denial) => Redecided { code: Code::of(denial.code), is_certain: true, verdict: "deny" },
    }
}

/// A key of the lock, where the record states one. `None`: it states a name that no lock knew, as a digest.
fn key(event: &impl Told, field: Field) -> Option<Option<&str>> {
    match event.has(field) {
        true => event.key(field).map(Some),
        false => Some(None),
    }
}
