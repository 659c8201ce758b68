//! Whether another lock would judge a call's input, budgets and time as the one of that time did.

use harnessc_runtime::Bundle;
use harnessc_runtime::audit::{Field, Record, Told as _};
use harnessc_runtime::boundary::budget::{Caps, Meter};
use harnessc_runtime::lock::Lock;

use super::outcome::{self, Doubt};

/// Whether what the log does not hold would be judged alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alike {
    /// By all that is asked.
    Yes,
    /// The deed is another one, or the lock of that time is not at hand.
    OtherDeed,
    /// The deed is the same, and a limit is tighter.
    OtherLimits,
    /// The deed is the same, and the deadline is sooner.
    OtherDeadline,
}

impl Alike {
    /// What is in doubt then.
    pub(super) fn doubt(self) -> Option<Doubt> {
        match self {
            Self::Yes => None,
            Self::OtherDeed => Some(Doubt::Input),
            Self::OtherLimits => Some(Doubt::Budget),
            Self::OtherDeadline => Some(Doubt::Deadline),
        }
    }
}

/// What was let through then: whether it would be let through again, as far as input, limits and time decide.
pub(super) fn judged(record: &Record, lock: &Bundle, held: &[Bundle]) -> Alike {
    let Some(then) = of_that_time(record, held) else { return Alike::OtherDeed };
    if !deed(record, lock, held) {
        return Alike::OtherDeed;
    }
    let (then, now) = (then.lock(), lock.lock());
    let deadline = |lock: &Lock| lock.limits.as_ref()?.run.as_ref()?.deadline_ms;
    if !holds(deadline(then), deadline(now)) {
        return Alike::OtherDeadline;
    }
    let tool = record.key(Field::Tool).unwrap_or_default();
    let steps =
        |lock: &Lock| record.key(Field::Surface).and_then(|key| lock.surfaces.get(key)?.scopes.clone());
    let fits = caps_hold(&Caps::of_lock(then, tool), &Caps::of_lock(now, tool)) && steps(then) == steps(now);
    if fits { Alike::Yes } else { Alike::OtherLimits }
}

/// Whether the deed is the same under the lock of that time and this one, so that its input would be judged alike.
pub(super) fn deed(record: &Record, lock: &Bundle, held: &[Bundle]) -> bool {
    let (Some(then), Some(deed), Some(role)) =
        (of_that_time(record, held), outcome::deed(record), record.key(Field::Role))
    else {
        return false;
    };
    let digest = |bundle: &Bundle| bundle.deed_digest(record.key(Field::Harness), role, &deed);
    digest(then).is_some_and(|own| digest(lock) == Some(own))
}

fn of_that_time<'h>(record: &Record, held: &'h [Bundle]) -> Option<&'h Bundle> {
    held.iter().find(|held| record.text(Field::Lock) == Some(held.digest()))
}

fn caps_hold(then: &Caps, now: &Caps) -> bool {
    Meter::ALL.into_iter().all(|meter| holds(then.of(meter), now.of(meter)))
        && holds(then.tool.calls, now.tool.calls)
        && holds(then.tool.result_bytes, now.tool.result_bytes)
}

/// Whether what was within one cap is within the other.
fn holds(then: Option<u64>, now: Option<u64>) -> bool {
    now.is_none_or(|now| then.is_some_and(|then| then <= now))
}
