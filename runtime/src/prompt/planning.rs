//! The planning nudge (SYSTEMS D6): guidance in the prompt. No gate asks here; a write waits for its approval either way.

use crate::lock::{Effect, Planning};

/// What a model is told where a plan is wanted.
pub const NUDGE: &str = "Before you change anything, propose one plan that holds every step with its exact input, and wait for a \
person's decision. Nothing you propose runs before that, with or without a plan.";

/// Whether the model is to be asked for a plan first: it was granted an effect that the policy plans for, and the request
/// means at least what the policy states. A policy that leaves a condition unsaid does not ask for it.
#[must_use]
pub fn should_require_plan(planning: Option<&Planning>, granted: &[Effect], intent: Option<Effect>) -> bool {
    let Some(when) = planning.map(|planning| &planning.when) else { return false };
    let effects = when.effects.is_empty() || granted.iter().any(|effect| when.effects.contains(effect));
    effects && when.intent.is_none_or(|least| intent.is_some_and(|intent| intent >= least))
}

#[cfg(test)]
mod tests {
    use super::should_require_plan;
    use crate::lock::{Effect, Planning, PlanningWhen};

    #[test]
    fn a_plan_is_asked_for_where_scope_and_intent_both_call_for_it() {
        // SYSTEMS D6: should_require_plan(mutating scope, destructive intent), over every combination.
        let planning = Planning {
            when: PlanningWhen {
                effects: vec![Effect::Write, Effect::Destructive],
                intent: Some(Effect::Destructive),
            },
        };
        for granted in Effect::ALL {
            for intent in [None].into_iter().chain(Effect::ALL.map(Some)) {
                let expected = granted.is_write() && intent == Some(Effect::Destructive);
                assert_eq!(should_require_plan(Some(&planning), &[granted], intent), expected);
                assert!(!should_require_plan(None, &[granted], intent));
            }
        }
        assert!(!should_require_plan(Some(&planning), &[], Some(Effect::Destructive)));
    }
}
