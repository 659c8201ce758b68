//! Duties (SYSTEMS C17): a persona keeps the authority; a duty of a role applies only while the person wears it.

use crate::lock::{DutyTemplate, Lock};

/// The person a duty may apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dutiful<'a> {
    /// The personas that the person holds.
    pub personas: &'a [&'a str],
    /// The workbench role that the person wears in this program.
    pub wearing: Option<&'a str>,
}

/// Whether a duty applies. Its persona must be held, its role worn, and the role one that the persona may wear; a duty
/// whose plan is a lens review applies to nobody, since no duty schedules one (SYSTEMS C16).
#[must_use]
pub fn applies(lock: &Lock, duty: &DutyTemplate, who: Dutiful<'_>) -> bool {
    let held = duty.persona.as_deref().is_none_or(|persona| who.personas.contains(&persona));
    let wears = duty.when_wearing.as_deref().is_none_or(|role| {
        let may = |harness: &crate::lock::Harness| {
            lock.personas.is_empty()
                || harness.personas.iter().any(|persona| who.personas.contains(&persona.as_str()))
        };
        who.wearing == Some(role) && lock.harnesses.get(role).is_some_and(may)
    });
    let is_plan = duty.plan.as_ref().is_none_or(|plan| lock.plan_templates.contains_key(plan));
    held && wears && is_plan
}

/// The duties that apply, by key.
#[must_use]
pub fn duties<'l>(lock: &'l Lock, who: Dutiful<'_>) -> Vec<&'l str> {
    let duties = lock.duty_templates.iter().filter(|(_, duty)| applies(lock, duty, who));
    duties.map(|(key, _)| key.as_str()).collect()
}
