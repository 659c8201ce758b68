//! The router: one function from what was asked for and what stands to the engine, with its reason.

use super::Fallback;
use crate::actions::Switch;
use crate::audit::{Datum, Event, Field};
use crate::lock;

/// What was asked for. A run never asks for the model alone: where it does not answer, the rules do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Requested {
    /// The first engine of the policy's order that can answer.
    Auto,
    /// The rules.
    Rules,
}

impl Requested {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Auto, Self::Rules];

    /// The word for it on a run.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Rules => "rules",
        }
    }
}

/// What produces an answer (`engines.order`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// A model.
    Ai,
    /// The rules: deterministic, complete, without a model.
    Rules,
}

impl Engine {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Ai, Self::Rules];

    /// The word for it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Ai => "ai",
            Self::Rules => "rules",
        }
    }
}

/// Where a run comes in. Every entry asks the router, none reads the switch by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entry {
    /// A command of a person.
    Command,
    /// A case of an evaluation.
    EvalCase,
    /// The same input again on today's data.
    Replay,
    /// A ticket.
    Ticket,
}

impl Entry {
    /// Every entry.
    pub const ALL: [Self; 4] = [Self::Command, Self::EvalCase, Self::Replay, Self::Ticket];

    /// The word for it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::EvalCase => "eval_case",
            Self::Replay => "replay",
            Self::Ticket => "ticket",
        }
    }
}

/// What stands when a run begins. There is no default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Whether the budgets cover a first call of the model.
    pub budget: bool,
    /// Whether there is a key for some provider that is not cooling down.
    pub key: bool,
    /// The kill switch, read for this run.
    pub switch: Switch,
}

/// The engine that a run begins on, and ends on unless it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The engine.
    pub engine: Engine,
    /// What the trail and the timeline are told: `agent_run.routed`, and `guardrail.blocked` where a blocked step is recorded.
    pub events: Vec<Event>,
    /// Why it is not the model, where the model was to be.
    pub fallback: Option<Fallback>,
    /// What was asked for.
    pub requested: Requested,
    /// Whether the rules stand behind it, should it fail.
    pub rules_behind: bool,
}

/// No engine of the policy's order can answer: the run ends as a technical failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoEngine {
    /// Why not the model, where the policy has it.
    pub fallback: Option<Fallback>,
}

impl NoEngine {
    /// The stable code.
    pub const CODE: &'static str = "no_engine";
}

/// Chooses a run's engine, before any call of a model and before anything is reserved. Asked once for each run.
///
/// A policy without `engines` has the model alone.
///
/// # Errors
/// [`NoEngine`] where neither the model nor the rules can answer.
pub fn route(
    engines: Option<&lock::Engines>,
    entry: Entry,
    requested: Requested,
    conditions: &Conditions,
) -> Result<Route, NoEngine> {
    let order = engines.map_or(&[][..], |engines| &engines.order);
    let has = |engine: Engine| order.iter().any(|word| word == engine.code());
    let rules = has(Engine::Rules);
    let ai = has(Engine::Ai) || order.is_empty();
    let rules_first = order.first().is_some_and(|word| word == Engine::Rules.code());
    if requested == Requested::Rules || rules_first || !ai {
        return match rules {
            true => Ok(routed(entry, requested, Engine::Rules, None, true)),
            false => Err(NoEngine { fallback: None }),
        };
    }
    match obstacle(conditions) {
        None => Ok(routed(entry, requested, Engine::Ai, None, rules)),
        Some(fallback) if rules => Ok(routed(entry, requested, Engine::Rules, Some(fallback), true)),
        Some(fallback) => Err(NoEngine { fallback: Some(fallback) }),
    }
}

/// What keeps the model from being called. The switch comes first: while it is on, nothing else is worth asking.
fn obstacle(conditions: &Conditions) -> Option<Fallback> {
    if conditions.switch.freezes() {
        return Some(Fallback::KillSwitch);
    }
    if !conditions.key {
        return Some(Fallback::NoKey);
    }
    (!conditions.budget).then_some(Fallback::BudgetExceeded)
}

fn routed(
    entry: Entry,
    requested: Requested,
    engine: Engine,
    fallback: Option<Fallback>,
    rules_behind: bool,
) -> Route {
    let mut routed = Event::new("agent_run.routed")
        .with(Field::Engine, Datum::Word(engine.code()))
        .with(Field::From, Datum::Word(entry.code()))
        .with(Field::Requested, Datum::Word(requested.code()));
    let mut events = Vec::new();
    if let Some(fallback) = fallback {
        routed = routed.with(Field::Fallback, Datum::Word(fallback.code()));
        if fallback.is_blocked_everywhere() {
            events.push(blocked(fallback));
        }
    }
    events.insert(0, routed);
    Route { engine, events, fallback, requested, rules_behind }
}

/// A guardrail step that blocked.
pub(super) fn blocked(fallback: Fallback) -> Event {
    Event::new("guardrail.blocked").with(Field::Fallback, Datum::Word(fallback.code()))
}
