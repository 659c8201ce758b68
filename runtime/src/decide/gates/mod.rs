//! The gates that this crate answers, one file each: small pure functions over a run, a tool and one of its deeds.
//!
//! A gate never looks at another one's facts. Whatever it does not know closes it.

pub(super) mod approval;
mod enabled;
mod harness;
mod kill_switch;
mod person;
mod plan;
mod read_only;
mod role;
mod surface_scope;

use super::bundle::{From, Run};
use super::gate::Gate;
use super::index::{DeedEntry, Effects, ToolEntry};

/// What a gate may look at.
#[derive(Clone, Copy)]
pub(super) struct Facts<'f, 'a> {
    pub(super) deed: DeedEntry<'a>,
    /// The tool's name, as the caller wrote it.
    pub(super) name: &'f str,
    pub(super) run: &'f Run<'a>,
    pub(super) tool: ToolEntry,
}

type Open = fn(&Facts<'_, '_>) -> bool;

/// The gates that decide on what is listed: those about a deed and a run, before any call.
const LISTED: [(Gate, Open); 6] = [
    (Gate::Enabled, enabled::open),
    (Gate::Role, role::open),
    (Gate::Harness, harness::open),
    (Gate::Person, person::open),
    (Gate::SurfaceScope, surface_scope::open),
    (Gate::ReadOnly, read_only::open),
];

/// Those that a call meets besides.
const CALLED: [(Gate, Open); 2] = [(Gate::KillSwitch, kill_switch::open), (Gate::Plan, plan::open)];

/// The first gate that is closed to a listing.
pub(super) fn closed_to_list(facts: &Facts<'_, '_>) -> Option<Gate> {
    LISTED.iter().find(|(_, open)| !open(facts)).map(|(gate, _)| *gate)
}

/// The first gate that is closed to a call.
pub(super) fn closed_to_call(facts: &Facts<'_, '_>) -> Option<Gate> {
    closed_to_list(facts).or_else(|| CALLED.iter().find(|(_, open)| !open(facts)).map(|(gate, _)| *gate))
}

/// The first gate that is closed to a plan as a whole, which is no deed of the lock, and a proposal: over a surface that the
/// policy knows, with some scope granted, by a run that works, and from outside never while the kill switch is on.
pub(super) fn closed_to_plans(run: &Run<'_>) -> Option<Gate> {
    let outside = matches!(run.surface, From::Surface(surface) if surface.outside);
    let reachable = !matches!(run.surface, From::Unknown) && run.effects != Effects::default();
    let asked = [
        (Gate::SurfaceScope, reachable),
        (Gate::ReadOnly, !run.read_only),
        (Gate::KillSwitch, run.kill_switch != Some(true) || !outside),
    ];
    asked.into_iter().find(|(_, open)| !open).map(|(gate, _)| gate)
}

/// Whether each of these gates is open, whatever the others say.
pub(super) fn answers(facts: &Facts<'_, '_>) -> impl Iterator<Item = (Gate, bool)> {
    LISTED.iter().chain(&CALLED).map(|(gate, open)| (*gate, open(facts)))
}
