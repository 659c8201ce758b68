//! A run's beginning and end: the first terminal state wins, and nothing follows it.

use crate::audit::{Datum, Event, Field};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// It was cancelled.
    Cancelled,
    /// It did what it was there for.
    Completed,
    /// Its deadline passed.
    DeadlineExceeded,
    /// It failed.
    Failed,
}

impl Ending {
    /// Every ending.
    pub const ALL: [Self; 4] = [Self::Cancelled, Self::Completed, Self::DeadlineExceeded, Self::Failed];

    /// Its word in a record.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Completed => "completed",
            Self::DeadlineExceeded => "deadline_exceeded",
            Self::Failed => "failed",
        }
    }
}

/// When a run began, whether it has ended, and by when it must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifecycle {
    /// A deadline of the run's own, in milliseconds since the epoch; the lock's `limits.run.deadline` holds besides.
    pub deadline_at_ms: Option<u64>,
    /// How it ended.
    pub ended: Option<Ending>,
    /// When it began, by the store's clock, in milliseconds since the epoch.
    pub started_at_ms: u64,
}

impl Lifecycle {
    /// A run that begins now.
    #[must_use]
    pub fn begun(started_at_ms: u64) -> Self {
        Self { deadline_at_ms: None, ended: None, started_at_ms }
    }

    /// The run after an ending was reported. The first one wins: a later one changes nothing, and its event says so.
    #[must_use]
    pub fn end(self, run: &str, ending: Ending) -> (Self, Event) {
        let (name, word) = match self.ended {
            None => ("agent_run.ended", ending),
            Some(first) => ("agent_run.end_ignored", first),
        };
        let event = Event::new(name)
            .with(Field::Run, Datum::Id(run.to_owned()))
            .with(Field::Ending, Datum::Word(word.word()));
        (Self { ended: Some(word), ..self }, event)
    }
}

#[cfg(test)]
mod tests {
    use super::{Ending, Lifecycle};

    /// E1: the first terminal state wins, whatever comes after it.
    #[test]
    fn the_first_ending_wins() {
        for first in Ending::ALL {
            for second in Ending::ALL {
                let (once, event) = Lifecycle::begun(7).end("run-1", first);
                assert_eq!(event.name, "agent_run.ended");
                let (twice, event) = once.end("run-1", second);
                assert_eq!((twice, event.name), (once, "agent_run.end_ignored"));
                assert_eq!(twice.ended, Some(first));
            }
        }
    }
}
