//! What a run does without a tool that is switched off (row S1).

use super::Engine;
use crate::lock::Effect;

/// What follows where a tool that a run needs is disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    /// The run ends in an escalation to a person.
    Escalate,
    /// The run fails, with the code `tool_disabled`: an answer of the rules without their facts would be invented.
    Fail,
    /// The model does without: it is shown no such tool, and what it cannot cite it cannot claim.
    Without,
}

/// What follows where a tool of this effect is disabled.
#[must_use]
pub fn lacking(engine: Engine, effect: Effect) -> Lack {
    match (effect, engine) {
        (Effect::Read, Engine::Rules) => Lack::Fail,
        (Effect::Read, Engine::Ai) => Lack::Without,
        (Effect::Create | Effect::Write | Effect::Destructive, _) => Lack::Escalate,
    }
}
