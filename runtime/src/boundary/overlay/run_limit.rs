//! The limits of a run that the overlay can lower: what the boundary counts itself, and what models cost, which
//! [`meter`](crate::meter) alone counts.

use serde::{Deserialize, Serialize};

use crate::boundary::budget::{Caps, Meter};
use crate::lock::Lock;

/// A limit of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunLimit {
    /// Calls of tools.
    ToolCalls,
    /// Bytes of results.
    ResultBytes,
    /// Steps.
    Steps,
    /// Pending actions and auto creates.
    Actions,
    /// Calls of models (`limits.run.model_calls`).
    ModelCalls,
    /// Tokens, input and output together (`limits.run.tokens`).
    Tokens,
    /// Micro-USD (`limits.run.cost`).
    Cost,
}

impl RunLimit {
    /// Every limit.
    pub const ALL: [Self; 7] = [
        Self::ToolCalls,
        Self::ResultBytes,
        Self::Steps,
        Self::Actions,
        Self::ModelCalls,
        Self::Tokens,
        Self::Cost,
    ];

    /// Its word in a record.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::ToolCalls => Meter::ToolCalls.word(),
            Self::ResultBytes => Meter::ResultBytes.word(),
            Self::Steps => Meter::Steps.word(),
            Self::Actions => Meter::Actions.word(),
            Self::ModelCalls => "model_calls",
            Self::Tokens => "tokens",
            Self::Cost => "cost",
        }
    }

    /// The meter of the boundary's own ledger; `None`: models are metered elsewhere.
    #[must_use]
    pub fn meter(self) -> Option<Meter> {
        match self {
            Self::ToolCalls => Some(Meter::ToolCalls),
            Self::ResultBytes => Some(Meter::ResultBytes),
            Self::Steps => Some(Meter::Steps),
            Self::Actions => Some(Meter::Actions),
            Self::ModelCalls | Self::Tokens | Self::Cost => None,
        }
    }

    /// What the lock states.
    pub(super) fn stated(self, lock: &Lock) -> Option<u64> {
        let of_run = lock.limits.as_ref().and_then(|limits| limits.run);
        match self.meter() {
            Some(meter) => Caps::of_lock(lock, "").of(meter),
            None => of_run.and_then(|run| match self {
                Self::ModelCalls => run.model_calls,
                Self::Tokens => run.tokens,
                _ => run.cost_micro_usd,
            }),
        }
    }
}
