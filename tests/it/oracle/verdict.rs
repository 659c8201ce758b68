//! The verdict that the language's page gives for one cell, asked gate by gate in the order the design states.

use super::policy::{Deed, Harness, Policy, Words, most};

/// One run, in words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) harness: Option<&'a str>,
    pub(crate) role: &'a str,
    /// What the person may do; `None`: the tree has no personas.
    pub(crate) person: Option<&'a Words>,
    pub(crate) plan: Planned<'a>,
    pub(crate) surface: Option<&'a str>,
    pub(crate) scopes: &'a [&'a str],
    pub(crate) read_only: bool,
}

/// Where the run's plan stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Planned<'a> {
    None,
    Proposed,
    Approved(&'a Words),
}

/// What should become of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected<'p> {
    Allow,
    Deny(&'static str),
    /// The approval, and who may give it; `None`: anyone.
    Propose(&'p str, Option<&'p Words>),
}

/// A gate that answers here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Gate {
    Enabled,
    Role,
    Harness,
    Person,
    SurfaceScope,
    ReadOnly,
    Plan,
}

/// Each gate with its code, in the order they are asked.
const GATES: [(Gate, &str); 7] = [
    (Gate::Enabled, "tool_disabled"),
    (Gate::Role, "policy_denied"),
    (Gate::Harness, "harness_denied"),
    (Gate::Person, "permission_denied"),
    (Gate::SurfaceScope, "scope_denied"),
    (Gate::ReadOnly, "read_only_run"),
    (Gate::Plan, "plan_violation"),
];

impl Policy {
    /// What should become of a call of this deed.
    pub(crate) fn call<'p>(&'p self, asked: &Asked<'_>, name: &str, deed: &'p Deed) -> Expected<'p> {
        match GATES.iter().find(|(gate, _)| !self.open(*gate, asked, name, deed)) {
            Some((_, code)) => Expected::Deny(code),
            None => self.ask(asked, name, deed),
        }
    }

    /// What should become of a call that names none of a tool's cases. Only a caller who could get past every gate
    /// with one of the cases hears that the input is wrong.
    pub(crate) fn call_no_case(&self, asked: &Asked<'_>, tool: &str) -> Expected<'_> {
        let cases = self.deeds.iter().filter(|(_, deed)| deed.tool == tool);
        let mut furthest = 0;
        for (name, deed) in cases {
            let closed = GATES.iter().position(|(gate, _)| !self.open(*gate, asked, name, deed));
            let Some(closed) = closed else { return Expected::Deny("input_invalid") };
            furthest = furthest.max(closed);
        }
        Expected::Deny(GATES[furthest].1)
    }

    /// Whether the deed is in the list: the plan gate does not hide anything.
    pub(crate) fn listed(&self, asked: &Asked<'_>, name: &str) -> bool {
        let deed = &self.deeds[name];
        GATES
            .iter()
            .filter(|(gate, _)| *gate != Gate::Plan)
            .all(|(gate, _)| self.open(*gate, asked, name, deed))
    }

    fn worn(&self, asked: &Asked<'_>) -> Option<&Harness> {
        asked.harness.map_or(Some(&self.bare), |key| self.harnesses.get(key))
    }

    fn open(&self, gate: Gate, asked: &Asked<'_>, name: &str, deed: &Deed) -> bool {
        match gate {
            Gate::Enabled => deed.enabled,
            Gate::Role => self.roles.get(asked.role).is_some_and(|role| {
                role.tools.as_ref().is_none_or(|tools| tools.contains(name))
                    && role.effects.as_ref().is_none_or(|effects| effects.contains(&deed.effect))
                    && (role.reads_untrusted || !deed.prose)
            }),
            Gate::Harness => self.worn(asked).is_some_and(|harness| harness.held.contains_key(name)),
            Gate::Person => asked.person.is_none_or(|person| person.contains(name)),
            Gate::SurfaceScope => self.served(asked, deed),
            Gate::ReadOnly => deed.effect == "read" || !(asked.read_only || asked.harness.is_none()),
            Gate::Plan => {
                let exempt = || self.worn(asked).is_some_and(|harness| harness.exempt.contains(name));
                match asked.plan {
                    Planned::None => true,
                    Planned::Proposed => exempt(),
                    Planned::Approved(steps) => steps.contains(name) || exempt(),
                }
            }
        }
    }

    fn served(&self, asked: &Asked<'_>, deed: &Deed) -> bool {
        let Some(key) = asked.surface else {
            let no_scopes = self.surfaces.values().all(|surface| surface.scopes.is_none());
            return deed.surfaces.is_none() && no_scopes;
        };
        let Some(surface) = self.surfaces.get(key) else { return false };
        let here = deed.surfaces.as_ref().is_none_or(|named| named.contains(key));
        let covered = surface.scopes.as_ref().is_none_or(|scopes| {
            asked.scopes.iter().any(|scope| scopes.get(*scope).is_some_and(|e| e.contains(&deed.effect)))
        });
        here && covered
    }

    fn ask<'p>(&'p self, asked: &Asked<'_>, name: &str, deed: &'p Deed) -> Expected<'p> {
        let held = asked.harness.map_or(&self.bare, |key| &self.harnesses[key]).held.get(name).unwrap();
        let mut approval = held.approval.as_deref().map_or(&*deed.approval, |own| most(&deed.approval, own));
        let outside = asked.surface.is_some_and(|key| self.surfaces[key].outside);
        if outside && deed.effect != "read" {
            approval = most(approval, "confirm");
        }
        if approval == "auto" {
            Expected::Allow
        } else {
            Expected::Propose(approval, self.who(name, approval))
        }
    }
}
