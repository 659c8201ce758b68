//! Two gates of the boundary, asked of a deed before there is a call: for whoever foresees what would become of one.
//!
//! They are the very gates that a call is asked, so that a forecast and a ruling cannot drift apart.

use super::budget::{Caps, Exceeded, Ledger};
use super::gates;
use super::gates::budget::Takes;
use super::overlay::lock_deadline;
use super::{Bounds, Lifecycle};
use crate::Bundle;
use crate::decide::Code;
use crate::lock::{Approval, Effect, Lock};

/// Where a deed is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Foreseen<'a> {
    /// How strictly a yes would be asked for.
    pub approval: Approval,
    /// What it does to the world.
    pub effect: Effect,
    /// The scopes that were granted on the surface.
    pub scopes: &'a [&'a str],
    /// The surface.
    pub surface: Option<&'a str>,
    /// The tool.
    pub tool: &'a str,
}

impl Lifecycle {
    /// Whether the run is under way at this time and within the lock's deadline (E1).
    ///
    /// # Errors
    /// The code with which a call would be denied.
    pub fn is_under_way(&self, lock: &Lock, now_ms: u64) -> Result<(), Code> {
        gates::lifecycle::ask(self, Ok(now_ms), self.started_at_ms, lock_deadline(lock))
    }
}

impl Ledger {
    /// Whether the run's budgets have room for a deed (E2, D5). Nothing is reserved.
    ///
    /// # Errors
    /// The code with which a call would be denied, and the budget that has no room.
    pub fn has_room(&self, bundle: &Bundle, deed: &Foreseen<'_>) -> Result<(), (Code, Exceeded)> {
        let surface = deed.surface.and_then(|key| bundle.index().surface(key));
        let caps = Caps::of_lock(bundle.lock(), deed.tool).within_scopes(surface, deed.scopes);
        let takes = Takes::of(deed.approval, deed.effect);
        let max_result_bytes = Bounds::default().max_result_bytes;
        gates::budget::room(self, &caps, deed.tool, takes, max_result_bytes).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use crate::boundary::{Ending, Lifecycle};
    use crate::decide::Code;
    use crate::lock::{Limits, Lock, RunLimits};

    #[test]
    fn a_forecast_says_what_the_gate_says() {
        let run = RunLimits { deadline_ms: Some(10), ..RunLimits::default() };
        let lock = Lock { limits: Some(Limits { run: Some(run), ..Limits::default() }), ..Lock::default() };
        let begun = Lifecycle::begun(100);
        assert_eq!(begun.is_under_way(&lock, 109), Ok(()));
        assert_eq!(begun.is_under_way(&lock, 110), Err(Code::DeadlineExceeded));
        assert_eq!(begun.is_under_way(&Lock::default(), u64::MAX), Ok(()));
        assert_eq!(begun.is_under_way(&lock, 99), Err(Code::ClockUnsure));
        let ended = Lifecycle { ended: Some(Ending::Cancelled), ..begun };
        assert_eq!(ended.is_under_way(&lock, 100), Err(Code::Cancelled));
    }
}
