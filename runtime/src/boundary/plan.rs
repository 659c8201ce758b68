//! A plan that a run proposes: each step is asked every gate with its exact input, before anybody is asked about the whole
//! (THREATS, plans; D7).
//!
//! A new plan takes the place of the old one, so that the plan gate is asked as if there were none. The steps' budgets are
//! looked at together and not reserved: a step takes its share when it runs.

use super::budget::{Amounts, Caps, Ledger, Meter, Reservation};
use super::check::{Boundary, Stop};
use super::conditions::{Call, Claims, Conditions, Fact};
use super::locks::Held;
use super::record::{self, Trail};
use super::ruling::{Permit, Refusal, Ruling, Subject};
use super::run::{PlanState, RunState};
use super::side::Looked;
use super::validate::InputFault;
use crate::audit::{Datum, Event, Field};
use crate::decide::{Code, Gate, PLAN_PROPOSE};
use crate::lock::{Approval, deed_name};

/// The most steps that one plan has.
pub const MAX_PLAN_STEPS: usize = 64;

/// A ruling on a plan and its record.
#[derive(Debug)]
pub struct DecidedPlan {
    /// `agent_run.<code>` of the first denied step, or `agent_run.plan_proposed`.
    pub event: Event,
    /// What becomes of the plan.
    pub ruling: PlanRuling,
}

/// What becomes of a plan.
#[derive(Debug)]
pub enum PlanRuling {
    /// One step is denied, and so is the plan.
    Deny {
        /// The step, from 0; `None`: the plan as a whole.
        at: Option<usize>,
        /// Why.
        refusal: Refusal,
    },
    /// The plan can be proposed.
    Propose(PlanProposal),
}

/// What a pending plan is made of.
#[derive(Debug)]
pub struct PlanProposal {
    /// The strictest of the steps' approvals.
    pub approval: Approval,
    /// The persona keys that may say yes to every step, sorted; `None`: any authenticated person.
    pub approvers: Option<Vec<String>>,
    /// The proposal's own share of the budgets.
    pub reservation: Reservation,
    /// The steps, in their order.
    pub steps: Vec<PlannedStep>,
}

/// One step that passed.
#[derive(Clone, Debug, PartialEq)]
pub enum PlannedStep {
    /// It changes something and becomes an action of the batch.
    Act(Box<Subject>),
    /// It reads, and is called when its turn comes.
    Read {
        /// Its canonical input.
        input: String,
        /// Its tool.
        tool: String,
    },
}

impl PlannedStep {
    /// The deed's name.
    #[must_use]
    pub fn deed(&self) -> String {
        match self {
            Self::Act(subject) => deed_name(&subject.tool, subject.case.as_deref()),
            Self::Read { tool, .. } => tool.clone(),
        }
    }
}

impl Boundary<'_> {
    /// What becomes of a plan (`plan.propose`, which every run with a harness is offered). Each step is a call over the same
    /// surface, its arguments exact.
    #[must_use]
    pub fn check_plan(
        &self,
        run: Fact<Option<&RunState<'_>>>,
        claims: &Claims<'_>,
        steps: &[Call<'_>],
        conditions: &Conditions<'_>,
        ledger: Fact<&mut Ledger>,
    ) -> DecidedPlan {
        let surface = steps.first().and_then(|step| step.surface);
        let whole = Call { input: b"{}", surface, tool: PLAN_PROPOSE };
        let around = (run.ok().flatten(), claims, conditions);
        let unplanned =
            run.map(|run| run.map(|run| RunState { plan: run.plan.map(|_| PlanState::None), ..*run }));
        let unplanned = unplanned.as_ref().map(Option::as_ref).map_err(|doubt| *doubt);
        let proposed = self
            .open_to_plans(unplanned, claims, conditions, steps)
            .map_err(|stop| Box::new(Stopped { at: None, stop, trail: Trail::default() }))
            .and_then(|()| self.steps(unplanned, claims, steps, conditions, ledger));
        match proposed {
            Ok(proposal) => {
                let event = record::plan_event(self, around, &whole, &proposal);
                DecidedPlan { event, ruling: PlanRuling::Propose(proposal) }
            }
            Err(stopped) => {
                let Stopped { at, stop, trail } = *stopped;
                let call = at.and_then(|at| steps.get(at)).unwrap_or(&whole);
                let refusal = stop.refusal();
                let ruling = Ruling::Deny(refusal.clone());
                let event = record::event(self, (around.0, claims, call, conditions), trail, &ruling);
                let number = at.and_then(|at| u64::try_from(at).ok()).map(|at| Datum::Number(at + 1));
                let event = record::some(event, Field::PlanStep, number);
                DecidedPlan { event, ruling: PlanRuling::Deny { at, refusal } }
            }
        }
    }

    /// The gates about the plan as a whole.
    fn open_to_plans(
        &self,
        run: Fact<Option<&RunState<'_>>>,
        claims: &Claims<'_>,
        conditions: &Conditions<'_>,
        steps: &[Call<'_>],
    ) -> Result<(), Stop> {
        let (run, created) = self.enter(run, claims, conditions)?;
        if run.harness.is_none() {
            return Err(Code::UnknownTool.into());
        }
        // Without a step there is no surface to ask about.
        let first = steps.first().into_iter();
        let closed =
            first.flat_map(|step| self.closed_to_plans(run, created, claims, step, conditions)).min();
        if let Some(gate) = closed {
            return Err(gate.usual().into());
        }
        let one_surface =
            steps.iter().all(|step| Some(step.surface) == steps.first().map(|first| first.surface));
        if steps.is_empty() || steps.len() > MAX_PLAN_STEPS || !one_surface {
            let expected = format!("between 1 and {MAX_PLAN_STEPS} steps over one surface");
            return Err(Stop {
                fault: Some(InputFault::new("/steps", expected)),
                ..Code::InputInvalid.into()
            });
        }
        Ok(())
    }

    /// The gates that both locks close to a plan as a whole.
    fn closed_to_plans(
        &self,
        run: &RunState<'_>,
        created: &Held,
        claims: &Claims<'_>,
        step: &Call<'_>,
        conditions: &Conditions<'_>,
    ) -> Vec<Gate> {
        let locks = self.locks_of(created).into_iter().flatten();
        let closed = locks.filter_map(|held| {
            Looked::of(held, run, claims, step).run(run, step.surface, conditions).closed_to_plans()
        });
        closed.collect()
    }

    fn steps(
        &self,
        run: Fact<Option<&RunState<'_>>>,
        claims: &Claims<'_>,
        steps: &[Call<'_>],
        conditions: &Conditions<'_>,
        ledger: Fact<&mut Ledger>,
    ) -> Result<PlanProposal, Box<Stopped>> {
        let whole = |stop| Box::new(Stopped { at: None, stop, trail: Trail::default() });
        let ledger = ledger.map_err(|_| whole(Code::BudgetUnreadable.into()))?;
        // What all steps would take is taken of a copy.
        let mut spent = ledger.clone();
        let mut plan = Planned { approval: Approval::Auto, approvers: None, steps: Vec::new() };
        for (at, step) in steps.iter().enumerate() {
            let mut trail = Trail::default();
            match self.weigh(run, claims, step, conditions, Ok(&mut spent), &mut trail) {
                Ok(ruling) => plan.add(ruling),
                Err(stop) => return Err(Box::new(Stopped { at: Some(at), stop, trail })),
            }
            if plan.approvers.as_ref().is_some_and(Vec::is_empty) {
                let stop = Code::ApprovalUnavailable.into();
                return Err(Box::new(Stopped { at: Some(at), stop, trail }));
            }
        }
        // Every step fits; so does the one call that proposes them, which is no action of its own.
        let wanted = Amounts::default().with(Meter::ToolCalls, 1).with(Meter::Steps, 1);
        let surface = steps.first().and_then(|step| step.surface);
        let caps = self.plan_caps(run, surface, claims.scopes, conditions);
        let reservation = ledger.reserve(&caps, Some(PLAN_PROPOSE), wanted);
        let reservation = reservation.map_err(|exceeded| whole(Stop::exceeded(exceeded)))?;
        let Planned { approval, approvers, steps } = plan;
        Ok(PlanProposal { approval, approvers, reservation, steps })
    }

    /// The caps of the one call that proposes a plan.
    fn plan_caps(
        &self,
        run: Fact<Option<&RunState<'_>>>,
        surface: Option<&str>,
        scopes: &[&str],
        conditions: &Conditions<'_>,
    ) -> Caps {
        let created = run.ok().flatten().and_then(|run| self.locks.held(run.lock));
        let locks = created.map_or([None, None], |created| self.locks_of(created)).into_iter().flatten();
        let of_overlay = conditions.overlay.map(|overlay| overlay.caps(PLAN_PROPOSE)).unwrap_or_default();
        locks.fold(of_overlay, |caps, held| {
            let surface = surface.and_then(|key| held.bundle.index().surface(key));
            caps.and(Caps::of_lock(held.bundle.lock(), PLAN_PROPOSE).within_scopes(surface, scopes))
        })
    }
}

/// Where a plan stopped, and what was found out of that step.
struct Stopped {
    at: Option<usize>,
    stop: Stop,
    trail: Trail,
}

/// A plan as far as its steps were asked.
struct Planned {
    approval: Approval,
    approvers: Option<Vec<String>>,
    steps: Vec<PlannedStep>,
}

impl Planned {
    fn add(&mut self, ruling: Ruling) {
        match ruling {
            Ruling::Allow(Permit::Create(permit)) => {
                self.steps.push(PlannedStep::Act(Box::new(permit.subject().clone())));
            }
            Ruling::Allow(Permit::Read(permit)) => self.steps.push(PlannedStep::Read {
                input: permit.input().canonical().to_owned(),
                tool: permit.tool().to_owned(),
            }),
            Ruling::Propose(proposal) => {
                self.approval = self.approval.max(proposal.approval);
                self.approvers = super::check::both(self.approvers.take(), proposal.approvers.as_deref());
                self.steps.push(PlannedStep::Act(Box::new(proposal.subject)));
            }
            Ruling::Deny(_) => {}
        }
    }
}
