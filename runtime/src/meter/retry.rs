//! What may be tried again (row E3): a model's call, for the causes that the policy names, and nothing else.

use crate::lock::Limits;

/// How often a model is asked where `limits.retry` states nothing: once.
pub const UNSTATED_ATTEMPTS: u64 = 1;

/// Whose call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Caller {
    /// The agent that diagnoses; it is never tried again, since its second answer would stand on other observations.
    DiagnosingAgent,
    /// The judge of the semantic guard, which has a rule of its own (`evidence.semantic.attempts`).
    Judge,
    /// Any other call of a model.
    Model,
    /// A tool; it is never tried again, since nobody knows what the first call did.
    Tool,
}

impl Caller {
    /// Every caller.
    pub const ALL: [Self; 4] = [Self::DiagnosingAgent, Self::Judge, Self::Model, Self::Tool];
}

/// How it failed. What is on no list of retries is not tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Failure {
    /// The connection broke.
    Connection,
    /// The answer is none that was asked for.
    InvalidOutput,
    /// The provider asks to wait.
    RateLimit,
    /// The provider refuses: no key, no right, a request that it does not take.
    Refused,
    /// The provider's own fault.
    ServerError,
    /// No answer in time.
    Timeout,
}

impl Failure {
    /// Every failure.
    pub const ALL: [Self; 6] = [
        Self::Connection,
        Self::InvalidOutput,
        Self::RateLimit,
        Self::Refused,
        Self::ServerError,
        Self::Timeout,
    ];

    /// The word for it; those that a policy may list stand in `limits.retry.model.on`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::InvalidOutput => "invalid_output",
            Self::RateLimit => "rate_limit",
            Self::Refused => "refused",
            Self::ServerError => "server_error",
            Self::Timeout => "timeout",
        }
    }

    /// Whether a policy can ask for another try.
    #[must_use]
    pub fn is_passing(self) -> bool {
        !matches!(self, Self::InvalidOutput | Self::Refused)
    }
}

/// The rule of retries under a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    attempts: u64,
    on: Vec<Failure>,
}

impl Retry {
    /// The rule that `limits.retry` states; where it states none, nothing is tried again.
    #[must_use]
    pub fn of(limits: Option<&Limits>) -> Self {
        let model = limits.and_then(|limits| limits.retry.as_ref()).and_then(|retry| retry.model.as_ref());
        let on = |failure: &Failure| {
            failure.is_passing()
                && model.is_some_and(|model| model.on.iter().any(|word| word == failure.code()))
        };
        Self {
            attempts: model.map_or(UNSTATED_ATTEMPTS, |model| model.attempts),
            on: Failure::ALL.into_iter().filter(on).collect(),
        }
    }

    /// Whether another try follows, after `attempts` tries the last of which failed so.
    #[must_use]
    pub fn again(&self, caller: Caller, failure: Failure, attempts: u64) -> bool {
        match caller {
            Caller::DiagnosingAgent | Caller::Judge | Caller::Tool => false,
            Caller::Model => attempts < self.attempts && self.on.contains(&failure),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Caller, Failure, Retry};
    use crate::lock::closed_words::RETRY_CAUSES;
    use crate::lock::{Limits, RetryModel};

    // E3: typed policy; tools and the diagnosing agent are never retried.
    #[test]
    fn only_a_models_call_is_tried_again_and_only_for_named_causes() {
        let model = RetryModel {
            attempts: 2,
            on: ["timeout", "rate_limit", "refused"].into_iter().map(str::to_owned).collect(),
        };
        let limits = Limits { retry: Some(crate::lock::Retry { model: Some(model) }), ..Limits::default() };
        let retry = Retry::of(Some(&limits));
        for caller in Caller::ALL {
            for failure in Failure::ALL {
                for attempts in 1..4 {
                    let named = matches!(failure, Failure::Timeout | Failure::RateLimit);
                    let expected = caller == Caller::Model && named && attempts == 1;
                    assert_eq!(retry.again(caller, failure, attempts), expected, "{caller:?} {failure:?}");
                    assert!(!Retry::of(None).again(caller, failure, attempts));
                }
            }
        }
    }

    #[test]
    fn the_words_are_those_that_a_policy_may_list() {
        let passing = Failure::ALL.into_iter().filter(|failure| failure.is_passing());
        let mut words: Vec<&str> = passing.map(Failure::code).collect();
        words.sort_unstable();
        let mut causes = RETRY_CAUSES.to_vec();
        causes.sort_unstable();
        assert_eq!(words, causes);
    }
}
