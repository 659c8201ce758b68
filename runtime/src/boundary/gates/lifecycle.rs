//! The run is under way and within its deadline (E1). The time is the store's; a clock that went back says nothing.

use crate::boundary::{Ending, Fact, Lifecycle};
use crate::decide::Code;

/// `limits_ms` are the deadlines that locks and overlay set, counted from the run's beginning.
pub(in crate::boundary) fn ask(
    run: &Lifecycle,
    now_ms: Fact<u64>,
    high_water_ms: u64,
    limits_ms: impl IntoIterator<Item = u64>,
) -> Result<(), Code> {
    match run.ended {
        Some(Ending::Cancelled) => return Err(Code::Cancelled),
        Some(Ending::DeadlineExceeded) => return Err(Code::DeadlineExceeded),
        Some(Ending::Completed | Ending::Failed) => return Err(Code::RunEnded),
        None => {}
    }
    let now = now_ms.map_err(|_| Code::ClockUnsure)?;
    if now < high_water_ms || now < run.started_at_ms {
        return Err(Code::ClockUnsure);
    }
    let counted = limits_ms.into_iter().map(|limit| run.started_at_ms.saturating_add(limit));
    match counted.chain(run.deadline_at_ms).min() {
        Some(deadline) if now >= deadline => Err(Code::DeadlineExceeded),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::ask;
    use crate::boundary::{Lifecycle, Unreadable};
    use crate::decide::Code;

    /// THREATS, clock: expiry by the store's clock with a high-water mark; going back denies.
    #[test]
    fn time_only_goes_forward() {
        let run = Lifecycle::begun(1_000);
        assert_eq!(ask(&run, Ok(1_999), 1_999, [1_000]), Ok(()));
        assert_eq!(ask(&run, Ok(2_000), 1_999, [1_000]), Err(Code::DeadlineExceeded));
        assert_eq!(ask(&run, Ok(1_998), 1_999, [1_000]), Err(Code::ClockUnsure));
        assert_eq!(ask(&run, Ok(999), 0, []), Err(Code::ClockUnsure));
        assert_eq!(ask(&run, Err(Unreadable), 0, []), Err(Code::ClockUnsure));
        let own = Lifecycle { deadline_at_ms: Some(1_500), ..run };
        assert_eq!(ask(&own, Ok(1_500), 0, [1_000]), Err(Code::DeadlineExceeded));
        assert_eq!(ask(&own, Ok(u64::MAX), 0, [u64::MAX]), Err(Code::DeadlineExceeded));
    }
}
