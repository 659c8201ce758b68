//! A run's phases and the engine of each: what is done again when an answer of the model fails.

use std::collections::BTreeMap;

use super::router::blocked;
use super::{Engine, Fallback, Requested, Route};
use crate::audit::{Datum, Event, Field};
use crate::lock;

/// How often a refused answer is corrected where a phase states nothing: not at all.
pub const UNSTATED_CORRECTIONS: u64 = 0;

/// The phases of a run (`engines.phases`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// What it is about.
    Triage,
    /// Why it is so.
    Diagnose,
    /// What to do.
    Plan,
    /// A person's command, in place of the other three.
    Command,
}

impl Phase {
    /// Every phase.
    pub const ALL: [Self; 4] = [Self::Triage, Self::Diagnose, Self::Plan, Self::Command];

    /// The word for it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Triage => "triage",
            Self::Diagnose => "diagnose",
            Self::Plan => "plan",
            Self::Command => "command",
        }
    }

    /// The phase of that word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.code() == word)
    }

    /// Whether it can fall back alone. What follows from a triage or a command would stand on an answer that was refused.
    #[must_use]
    pub fn can_stand_alone(self) -> bool {
        matches!(self, Self::Diagnose | Self::Plan)
    }

    /// How often a refused answer of the model is corrected at most, whatever a policy states: once, and only where a phase
    /// can stand alone (row S2).
    #[must_use]
    pub fn most_corrections(self) -> u64 {
        u64::from(self.can_stand_alone())
    }

    /// How often a refused answer of the model is corrected before the rules take over: as the policy states, within
    /// [`most_corrections`](Self::most_corrections).
    #[must_use]
    pub fn corrections(self, engines: Option<&lock::Engines>) -> u64 {
        let stated = self.of(engines).and_then(|phase| phase.corrections).unwrap_or(UNSTATED_CORRECTIONS);
        stated.min(self.most_corrections())
    }

    fn of(self, engines: Option<&lock::Engines>) -> Option<&lock::Phase> {
        engines.and_then(|engines| engines.phases.get(self.code()))
    }
}

/// The engines of a run in flight. It never reads the switch again: a run ends on the engine it began with, unless an answer
/// of the model fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engines {
    first: Option<Fallback>,
    phases: BTreeMap<Phase, Engine>,
    requested: Requested,
    rules_behind: bool,
    run: Engine,
}

/// What follows from an answer that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fell {
    /// The phase is done again by the rules; what came before stands.
    Phase(Vec<Event>),
    /// The whole run is done again by the rules.
    Run(Vec<Event>),
    /// There is nothing to fall back to: the run ends as a technical failure with this code.
    Failed(&'static str),
}

impl Engines {
    /// The engines of a run that begins so.
    #[must_use]
    pub fn begin(route: &Route) -> Self {
        Self {
            first: route.fallback,
            phases: BTreeMap::new(),
            requested: route.requested,
            rules_behind: route.rules_behind,
            run: route.engine,
        }
    }

    /// The engine that a phase is done by, recorded as its own.
    pub fn enter(&mut self, phase: Phase) -> Engine {
        *self.phases.entry(phase).or_insert(self.run)
    }

    /// The engine of each phase that was entered.
    #[must_use]
    pub fn phases(&self) -> &BTreeMap<Phase, Engine> {
        &self.phases
    }

    /// What was asked for.
    #[must_use]
    pub fn requested(&self) -> Requested {
        self.requested
    }

    /// The first reason for which the rules took over. Later ones are in the events.
    #[must_use]
    pub fn first_fallback(&self) -> Option<Fallback> {
        self.first
    }

    /// The engine that produced the run's answer: the rules where the whole run is theirs or all its phases are, else the
    /// model. The phases say the rest.
    #[must_use]
    pub fn produced(&self) -> Engine {
        if !self.phases.is_empty() && self.phases.values().all(|engine| *engine == Engine::Rules) {
            return Engine::Rules;
        }
        self.run
    }

    /// What follows where the model's answer in a phase failed for this reason and no correction is left.
    ///
    /// A phase falls back alone only where it can and the policy says so (`fallback: phase`); the rest falls back the run.
    /// Falls in `diagnose`, `plan` and `command`, and those for budget and kill switch, are recorded as a blocked
    /// guardrail step besides (row S3).
    pub fn fall_back(&mut self, engines: Option<&lock::Engines>, phase: Phase, fallback: Fallback) -> Fell {
        if self.enter(phase) == Engine::Rules {
            return Fell::Failed("rules_failed");
        }
        self.first.get_or_insert(fallback);
        if !self.rules_behind {
            return Fell::Failed(super::NoEngine::CODE);
        }
        let mut events = vec![
            Event::new("agent_run.fell_back")
                .with(Field::Engine, Datum::Word(Engine::Rules.code()))
                .with(Field::Fallback, Datum::Word(fallback.code()))
                .with(Field::Phase, Datum::Word(phase.code())),
        ];
        if phase != Phase::Triage || fallback.is_blocked_everywhere() {
            events.push(blocked(fallback).with(Field::Phase, Datum::Word(phase.code())));
        }
        let stated = phase.of(engines).and_then(|phase| phase.fallback.as_deref());
        if phase.can_stand_alone() && stated == Some("phase") {
            self.phases.insert(phase, Engine::Rules);
            return Fell::Phase(events);
        }
        self.run = Engine::Rules;
        self.phases.values_mut().for_each(|engine| *engine = Engine::Rules);
        Fell::Run(events)
    }
}
