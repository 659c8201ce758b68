//! Why the rules took over from the model.

use crate::meter::Failure;

/// The seven reasons (row S3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fallback {
    /// There is no key for a model.
    NoKey,
    /// A call of the model took too long.
    Timeout,
    /// The answer is none that was asked for.
    InvalidOutput,
    /// A check refused the answer.
    Guardrail,
    /// The provider failed in another way.
    Error,
    /// A budget does not cover the next call.
    BudgetExceeded,
    /// The kill switch is on, or cannot be read.
    KillSwitch,
}

impl Fallback {
    /// Every reason.
    pub const ALL: [Self; 7] = [
        Self::NoKey,
        Self::Timeout,
        Self::InvalidOutput,
        Self::Guardrail,
        Self::Error,
        Self::BudgetExceeded,
        Self::KillSwitch,
    ];

    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::NoKey => "no_key",
            Self::Timeout => "timeout",
            Self::InvalidOutput => "invalid_output",
            Self::Guardrail => "guardrail",
            Self::Error => "error",
            Self::BudgetExceeded => "budget_exceeded",
            Self::KillSwitch => "kill_switch",
        }
    }

    /// Whether it is recorded as a blocked guardrail step in whatever phase it came.
    #[must_use]
    pub fn is_blocked_everywhere(self) -> bool {
        matches!(self, Self::BudgetExceeded | Self::KillSwitch)
    }
}

impl From<Failure> for Fallback {
    /// The reason that a failed call of a model gives, once it is not tried again.
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Timeout => Self::Timeout,
            Failure::InvalidOutput => Self::InvalidOutput,
            Failure::Connection | Failure::RateLimit | Failure::Refused | Failure::ServerError => Self::Error,
        }
    }
}
