//! What is counted here: tools, their results, steps and actions. What models cost is counted by
//! [`meter`](crate::meter) alone, so that no call counts twice.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// How many amounts a ledger listed that was stored while models were counted here too, behind the meters of today.
const BEFORE: usize = 7;

/// Something that a run spends. New meters are added at the end: a stored ledger lists amounts in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meter {
    /// Calls of tools (`limits.run.tool_calls`, `limits.per_tool.*.calls`).
    ToolCalls,
    /// Bytes of results (`limits.run.result_bytes`, `limits.per_tool.*.result_bytes`).
    ResultBytes,
    /// Steps (`limits.run.steps`, `surfaces.*.scopes.*.steps`). Every call is one.
    Steps,
    /// Pending actions and auto creates (`approvals.max_actions_per_run`).
    Actions,
}

impl Meter {
    /// How many there are.
    pub const COUNT: usize = 4;

    /// Every meter.
    pub const ALL: [Self; Self::COUNT] = [Self::ToolCalls, Self::ResultBytes, Self::Steps, Self::Actions];

    /// Its word in a record.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::ToolCalls => "tool_calls",
            Self::ResultBytes => "result_bytes",
            Self::Steps => "steps",
            Self::Actions => "actions",
        }
    }
}

/// An amount for each meter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Amounts([u64; Meter::COUNT]);

impl<'de> Deserialize<'de> for Amounts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let listed = Vec::<u64>::deserialize(from)?;
        let amounts = listed.first_chunk().filter(|_| [Meter::COUNT, BEFORE].contains(&listed.len()));
        amounts
            .copied()
            .map(Self)
            .ok_or_else(|| D::Error::invalid_length(listed.len(), &"an amount for each meter"))
    }
}

impl Amounts {
    /// The amount of one meter.
    #[must_use]
    pub fn of(&self, meter: Meter) -> u64 {
        self.0.get(meter as usize).copied().unwrap_or(u64::MAX)
    }

    /// The amounts with another one of one meter.
    #[must_use]
    pub fn with(mut self, meter: Meter, amount: u64) -> Self {
        if let Some(own) = self.0.get_mut(meter as usize) {
            *own = amount;
        }
        self
    }

    /// Meter by meter, what the function makes of both amounts.
    #[must_use]
    pub(super) fn zip(self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        Meter::ALL.into_iter().fold(self, |all, meter| all.with(meter, of(self.of(meter), other.of(meter))))
    }
}
