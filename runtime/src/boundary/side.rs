//! A call under one lock. After a reload a call has two sides: the lock its run was created under, and the one in force.

use std::borrow::Cow;

use super::budget::Caps;
use super::locks::Held;
use super::run::{Mode, PlanState, RunState};
use super::validate::{Checked, InputFault};
use super::{Call, Claims, Conditions, Execution};
use crate::Bundle;
use crate::decide::{self, Code, Person, Plan, Run, RunRow, Standing, Verdict};
use crate::json::Json;
use crate::lock::Tool;

/// What the server looked up, in one lock's numbers.
pub(super) struct Looked<'a> {
    held: &'a Held,
    person: Cow<'a, Person>,
    granted: &'a [&'a str],
    /// Of the granted scopes, those that a turn which resumes is left.
    left: Option<Vec<&'a str>>,
    steps: Option<Cow<'a, Person>>,
}

impl<'a> Looked<'a> {
    pub(super) fn of(held: &'a Held, run: &RunState<'a>, claims: &Claims<'a>, call: &Call<'a>) -> Self {
        let bundle = &held.bundle;
        let person = match run.permissions {
            Ok(names) => names.under(bundle),
            Err(_) => Cow::Owned(bundle.person([])),
        };
        let steps = match run.plan {
            Ok(PlanState::Approved { steps }) => Some(steps.under(bundle)),
            _ => None,
        };
        let left = after_approval(bundle, run.mode == Mode::Resume, call.surface);
        let left = left.map(|left| granted(claims.scopes, left));
        Self { held, person, granted: claims.scopes, left, steps }
    }

    fn scopes(&self) -> &[&'a str] {
        self.left.as_deref().unwrap_or(self.granted)
    }
}

/// The scopes that the surface leaves a turn which resumes after a yes (D8).
pub(super) fn after_approval<'a>(
    bundle: &'a Bundle,
    resumes: bool,
    surface: Option<&str>,
) -> Option<&'a [String]> {
    let surface = bundle.index().surface(surface?)?;
    surface.after_approval.as_deref().filter(|_| resumes)
}

/// Of the granted scopes, those that are left.
pub(super) fn granted<'a>(scopes: &[&'a str], left: &[String]) -> Vec<&'a str> {
    scopes.iter().copied().filter(|scope| left.iter().any(|left| left == scope)).collect()
}

/// A call under one lock.
pub(super) struct Side<'a> {
    call: decide::Call<'a>,
    held: &'a Held,
    run: Run<'a>,
    scopes: &'a [&'a str],
    standing: Standing<'a>,
    tool: Option<&'a Tool>,
}

impl<'a> Side<'a> {
    pub(super) fn of(
        looked: &'a Looked<'a>,
        run: &RunState<'a>,
        call: &Call<'a>,
        conditions: &Conditions<'a>,
        input: Option<&'a Json>,
    ) -> Self {
        let bundle = &looked.held.bundle;
        let known = looked.run(run, call.surface, conditions);
        let tool = bundle.lock().tools.get(call.tool);
        let discriminator = tool.and_then(|tool| Some(tool.cases.as_ref()?.input.as_str()));
        let case = discriminator.and_then(|name| input?.value().get(name)?.as_str());
        let call = decide::Call { case, tool: call.tool };
        let standing = known.standing(&call);
        Self { call, held: looked.held, run: known, scopes: looked.scopes(), standing, tool }
    }

    /// The first closed gate, as a code.
    pub(super) fn closed(&self, run: &RunState<'_>) -> Option<Code> {
        self.standing.closed.map(|gate| match gate {
            decide::Gate::Person if run.permissions.is_err() => Code::PermissionsUnreadable,
            decide::Gate::Plan if run.plan.is_err() => Code::PlanUnreadable,
            gate => gate.usual(),
        })
    }

    pub(super) fn case(&self) -> Option<&'a str> {
        self.standing.deed.and_then(|deed| deed.case)
    }

    /// The case, with the input that told it apart.
    pub(super) fn told_apart(&self) -> Option<(&'a str, &'a str)> {
        Some((self.case()?, self.tool?.cases.as_ref()?.input.as_str()))
    }

    pub(super) fn tool(&self) -> Option<&'a Tool> {
        self.tool
    }

    pub(super) fn held(&self) -> &'a Held {
        self.held
    }

    pub(super) fn effect(&self) -> Option<crate::lock::Effect> {
        self.standing.deed.map(|deed| deed.effect)
    }

    pub(super) fn check_input(&self, input: &Json) -> Checked {
        let (Some(tool), Some(entry)) = (self.tool, self.standing.tool) else { return Checked::Unchecked };
        let cell =
            self.standing.deed.zip(self.run.place()).and_then(|(deed, (harness, role))| {
                Some(((harness, role, deed.number), self.run.cell(deed)?))
            });
        let first = entry.first;
        let Some(cell) = cell else {
            // No case of the tool: its schema says which there are.
            return match self.held.schemas.check_tool((first, &tool.input), input) {
                Checked::Fits => Checked::Invalid(InputFault::new("", "one of the tool's cases")),
                refused => refused,
            };
        };
        self.held.schemas.check((first, &tool.input), cell, input)
    }

    pub(super) fn approval(&self) -> Verdict<'a> {
        self.run.approval(&self.call, &self.standing)
    }

    pub(super) fn caps(&self) -> Caps {
        Caps::of_lock(self.held.bundle.lock(), self.call.tool).within_scopes(self.run.surface(), self.scopes)
    }

    pub(super) fn execution(&self) -> Execution {
        let pinned = self.tool.and_then(|tool| tool.server.as_ref());
        let servers = &self.held.bundle.lock().servers;
        Execution {
            address: pinned.and_then(|pinned| servers.get(&pinned.name)?.address()),
            pinned_digest: pinned.map(|pinned| pinned.pinned_digest.clone()),
            server: pinned.map(|pinned| pinned.name.clone()),
            upstream: pinned.map(|pinned| pinned.upstream.clone()),
        }
    }
}

impl<'a> Looked<'a> {
    /// The run under this lock and under what stands over it.
    pub(super) fn run(
        &'a self,
        run: &RunState<'a>,
        surface: Option<&'a str>,
        conditions: &Conditions<'a>,
    ) -> Run<'a> {
        let row = RunRow {
            harness: run.harness,
            person: &self.person,
            plan: match (run.plan, &self.steps) {
                (Ok(PlanState::None), _) => Plan::None,
                (Ok(PlanState::Approved { .. }), Some(steps)) => Plan::Approved { steps: &steps.0 },
                _ => Plan::Proposed,
            },
            read_only: run.mode != Mode::Work,
            role: run.role,
            scopes: self.scopes(),
            surface,
        };
        let known = self.held.bundle.run(&row).with_kill_switch(conditions.is_killed());
        match conditions.overlay {
            Ok(overlay) => known.under(overlay.tighter()),
            Err(_) => known,
        }
    }
}
