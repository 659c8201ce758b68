//! The caps of one call: what the lock, the surface's scopes and the overlay leave together.

use super::Meter;
use crate::decide::SurfaceEntry;
use crate::lock::Lock;

/// The caps of a run, and of one tool within it. What has no cap is not bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    run: [Option<u64>; Meter::COUNT],
    /// Of the tool that is called.
    pub tool: ToolCaps,
}

/// The caps of one tool within a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolCaps {
    /// Its calls.
    pub calls: Option<u64>,
    /// The bytes of its results.
    pub result_bytes: Option<u64>,
}

impl Caps {
    /// The cap of one meter over the run.
    #[must_use]
    pub fn of(&self, meter: Meter) -> Option<u64> {
        self.run.get(meter as usize).copied().flatten()
    }

    /// The caps with one that is at least as tight.
    #[must_use]
    pub fn within(mut self, meter: Meter, cap: Option<u64>) -> Self {
        if let Some(own) = self.run.get_mut(meter as usize) {
            *own = tighter(*own, cap);
        }
        self
    }

    /// The tighter of both, cap by cap.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let run = Meter::ALL.into_iter().fold(self, |all, meter| all.within(meter, other.of(meter)));
        Self { run: run.run, tool: self.tool.and(other.tool) }
    }

    /// The lock's caps on one tool.
    #[must_use]
    pub fn of_lock(lock: &Lock, tool: &str) -> Self {
        let none = Self::default().within(Meter::Actions, lock.approvals.max_actions_per_run);
        let Some(limits) = &lock.limits else { return none };
        let tool = limits.per_tool.get(tool).map_or_else(ToolCaps::default, |limit| ToolCaps {
            calls: limit.calls,
            result_bytes: limit.result_bytes,
        });
        let Some(run) = &limits.run else { return Self { tool, ..none } };
        let caps = [
            (Meter::ToolCalls, run.tool_calls),
            (Meter::ResultBytes, run.result_bytes),
            (Meter::Steps, run.steps),
        ];
        let caps = caps.into_iter().fold(none, |all, (meter, cap)| all.within(meter, cap));
        Self { tool, ..caps }
    }

    /// The caps within the steps of the granted scopes: the largest of those that state one (D5).
    pub(crate) fn within_scopes(self, surface: Option<&SurfaceEntry>, scopes: &[&str]) -> Self {
        let steps = surface.map(|surface| &surface.steps);
        let largest = steps.and_then(|steps| scopes.iter().filter_map(|scope| steps.get(*scope)).max());
        self.within(Meter::Steps, largest.copied())
    }
}

impl ToolCaps {
    /// The tighter of both, cap by cap.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            calls: tighter(self.calls, other.calls),
            result_bytes: tighter(self.result_bytes, other.result_bytes),
        }
    }
}

/// The smaller cap; no cap is larger than any.
fn tighter(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
