//! The record of a decision: enough to decide it again under another lock, and nothing that a payload could hide in.
//!
//! Names that the lock in force does not know, and inputs, enter as keyed digests.

use super::budget::Exceeded;
use super::check::Boundary;
use super::conditions::{Call, Claims, Conditions};
use super::plan::{PlanProposal, PlannedStep};
use super::ruling::{Permit, Ruling};
use super::run::{PlanState, RunState};
use crate::audit::{Datum, Event, Field, Told};
use crate::decide::{Gate, PLAN_PROPOSE};
use crate::lock::{Lock, Origin, deed_name};

/// How many facts the record of a call has at most.
const FACTS: usize = 31;

/// What was found out on the way.
#[derive(Default)]
pub(super) struct Trail {
    pub(super) bound: Option<bool>,
    pub(super) case: Option<String>,
    /// The input that told the case apart.
    pub(super) case_input: Option<String>,
    pub(super) exceeded: Option<Exceeded>,
    /// The keyed digest of the canonical input.
    pub(super) input: Option<String>,
    pub(super) input_valid: Option<bool>,
}

type Around<'b, 'a> = (Option<&'b RunState<'a>>, &'b Claims<'a>, &'b Call<'a>, &'b Conditions<'a>);

pub(super) fn event(
    boundary: &Boundary<'_>,
    (run, claims, call, conditions): Around<'_, '_>,
    trail: Trail,
    ruling: &Ruling,
) -> Event {
    let names = Names { boundary, lock: boundary.locks.in_force().lock() };
    let event = decision(ruling, &trail);
    let event = place(event, &names, claims, call);
    let event = match run {
        None => event.with(Field::Run, names.keyed("run", claims.run)),
        Some(run) => of_run(event, &names, run),
    };
    let overlay = conditions.overlay.ok().map(|overlay| Datum::Digest(overlay.digest().to_owned()));
    let event = event
        .with(Field::KillSwitch, Datum::Flag(conditions.is_killed()))
        .with(Field::Lock, Datum::Digest(boundary.locks.in_force().digest().to_owned()))
        .with(Field::Tool, names.tool(call.tool));
    let event = some(event, Field::Overlay, overlay);
    let event = some(event, Field::Case, trail.case.map(Datum::Key));
    let event = some(event, Field::CaseInput, trail.case_input.map(Datum::Key));
    let event = some(event, Field::Input, trail.input.map(Datum::Digest));
    let event = some(event, Field::InputValid, trail.input_valid.map(Datum::Flag));
    some(event, Field::Bound, trail.bound.map(Datum::Flag))
}

/// The record of a plan that can be proposed.
pub(super) fn plan_event(
    boundary: &Boundary<'_>,
    (run, claims, conditions): (Option<&RunState<'_>>, &Claims<'_>, &Conditions<'_>),
    call: &Call<'_>,
    proposal: &PlanProposal,
) -> Event {
    let names = Names { boundary, lock: boundary.locks.in_force().lock() };
    let event = Event::new("agent_run.plan_proposed")
        .with(Field::Approval, Datum::Word(proposal.approval.word()))
        .with(Field::Gate, Datum::Word(Gate::Approval.word()))
        .with(Field::KillSwitch, Datum::Flag(conditions.is_killed()))
        .with(Field::Lock, Datum::Digest(boundary.locks.in_force().digest().to_owned()))
        .with(Field::Tool, names.tool(call.tool))
        .with(Field::Verdict, Datum::Word("propose"));
    let overlay = conditions.overlay.ok().map(|overlay| Datum::Digest(overlay.digest().to_owned()));
    let event = some(place(event, &names, claims, call), Field::Overlay, overlay);
    let event = match run {
        Some(run) => of_run(event, &names, run),
        None => event,
    };
    let deeds: Vec<String> = proposal.steps.iter().map(PlannedStep::deed).collect();
    event.with(Field::PlanSteps, keys(deeds.iter().map(String::as_str)))
}

fn decision(ruling: &Ruling, trail: &Trail) -> Event {
    let (name, gate, verdict) = match ruling {
        Ruling::Allow(Permit::Create(_)) => ("agent_run.tool_allowed", Gate::Approval, "allow_create"),
        Ruling::Allow(Permit::Read(_)) => ("agent_run.tool_allowed", Gate::Approval, "allow"),
        Ruling::Deny(refusal) => (refusal.denial.event, refusal.denial.gate, "deny"),
        Ruling::Propose(_) => ("agent_run.tool_proposed", Gate::Approval, "propose"),
    };
    let event = Event::roomy(name, FACTS)
        .with(Field::Gate, Datum::Word(gate.word()))
        .with(Field::Verdict, Datum::Word(verdict));
    match ruling {
        Ruling::Allow(_) => event,
        Ruling::Deny(refusal) => {
            let event = event.with(Field::Code, Datum::Word(refusal.denial.code));
            let meter = trail.exceeded.map(|exceeded| Datum::Word(exceeded.meter.word()));
            some(event, Field::Meter, meter)
        }
        Ruling::Propose(proposal) => event.with(Field::Approval, Datum::Word(proposal.approval.word())),
    }
}

/// Where the call came from.
fn place(event: Event, names: &Names<'_>, claims: &Claims<'_>, call: &Call<'_>) -> Event {
    let Some(key) = call.surface else { return event };
    let event = match names.lock.surfaces.contains_key(key) {
        true => event.with(Field::Surface, Datum::Key(key.to_owned())),
        false => event.with(Field::Surface, names.keyed("surface", key)),
    };
    let Some(surface) = names.lock.surfaces.get(key) else { return event };
    let is_known = |scope: &str| surface.scopes.as_ref().is_some_and(|scopes| scopes.contains_key(scope));
    let more = claims.scopes.iter().any(|scope| !is_known(scope));
    let event = event.with(Field::MoreScopes, Datum::Flag(more));
    let origin = if surface.origin == Some(Origin::Outside) { "outside" } else { "inside" };
    let event = event.with(Field::Origin, Datum::Word(origin));
    let Some(scopes) = &surface.scopes else { return event };
    event.with(Field::Scopes, keys(claims.scopes.iter().copied().filter(|scope| scopes.contains_key(*scope))))
}

fn of_run(event: Event, names: &Names<'_>, run: &RunState<'_>) -> Event {
    let lock = names.lock;
    let key = |known: bool, kind, name: &str| match known {
        true => Datum::Key(name.to_owned()),
        false => names.keyed(kind, name),
    };
    let harness = run.harness.map(|name| key(lock.harnesses.contains_key(name), "harness", name));
    let personas = run.personas.iter().copied().filter(|name| lock.personas.contains_key(*name));
    let in_force = names.boundary.locks.in_force();
    let as_personas = run
        .permissions
        .ok()
        .map(|permissions| Datum::Flag(in_force.is_as_personas(&permissions.under(in_force), run.personas)));
    let event = event
        .with(Field::ActingUser, Datum::Id(run.acting_user.to_owned()))
        .with(Field::CreatedUnder, Datum::Digest(run.lock.to_owned()))
        .with(Field::Mode, Datum::Word(run.mode.word()))
        .with(Field::Organization, Datum::Id(run.organization.to_owned()))
        .with(Field::Personas, keys(personas))
        .with(Field::Requester, Datum::Id(run.requester.to_owned()))
        .with(Field::Role, key(lock.roles.contains_key(run.role), "role", run.role))
        .with(Field::Run, Datum::Id(run.id.to_owned()));
    let event = some(event, Field::Harness, harness);
    let permissions = run.permissions.ok();
    let permissions =
        permissions.map(|permissions| Datum::Digest(permissions.as_permissions(names.boundary.key)));
    let event = some(some(event, Field::Permissions, permissions), Field::AsPersonas, as_personas);
    let Ok(plan) = run.plan else { return event };
    let event = event.with(Field::Plan, Datum::Word(plan.word()));
    let PlanState::Approved { steps } = plan else { return event };
    let known = steps.names().iter().map(String::as_str).filter(|name| names.knows(name));
    event.with(Field::PlanSteps, keys(known))
}

pub(super) fn some(event: Event, field: Field, datum: Option<Datum>) -> Event {
    match datum {
        Some(datum) => event.with(field, datum),
        None => event,
    }
}

fn keys<'k>(keys: impl Iterator<Item = &'k str>) -> Datum {
    let mut keys: Vec<String> = keys.map(str::to_owned).collect();
    keys.sort_unstable();
    keys.dedup();
    Datum::Keys(keys)
}

/// Which names the lock in force knows.
struct Names<'b> {
    boundary: &'b Boundary<'b>,
    lock: &'b Lock,
}

impl Names<'_> {
    fn keyed(&self, kind: &str, name: &str) -> Datum {
        Datum::Digest(self.boundary.key.digest(kind, name.as_bytes()))
    }

    fn tool(&self, name: &str) -> Datum {
        // What the server itself offers is no name from outside.
        let known = name == PLAN_PROPOSE || self.boundary.locks.in_force().index().tool(name).is_some();
        match known {
            true => Datum::Key(name.to_owned()),
            false => self.keyed("tool", name),
        }
    }

    /// Whether the lock knows the deed, or the tool whose cases the name stands for.
    fn knows(&self, name: &str) -> bool {
        let (tool, case) = crate::lock::split_deed(name);
        let Some(tool) = self.lock.tools.get(tool) else { return false };
        case.is_none_or(|case| tool.cases.as_ref().is_some_and(|cases| cases.by.contains_key(case)))
    }
}

/// The deed that a record names; `None` where it names none that its lock knew.
pub(super) fn deed(event: &impl Told) -> Option<String> {
    let tool = event.key(Field::Tool)?;
    Some(deed_name(tool, event.key(Field::Case)))
}
