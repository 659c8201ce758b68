//! A run's life (row E1): its deadline, and the first terminal state, which wins.

use crate::audit::{Datum, Event, Field};
use crate::lock::Limits;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Terminal {
    /// The client, or a person, stopped it.
    Cancelled,
    /// It released a report or a safe fallback.
    Completed,
    /// Its time was over, or the clock went back.
    DeadlineExceeded,
    /// It ended in a technical failure.
    Failed,
}

impl Terminal {
    /// Every terminal state.
    pub const ALL: [Self; 4] = [Self::Cancelled, Self::Completed, Self::DeadlineExceeded, Self::Failed];

    /// The word for it on the run.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Completed => "completed",
            Self::DeadlineExceeded => "deadline_exceeded",
            Self::Failed => "failed",
        }
    }

    /// The code with which a call of such a run is denied.
    #[must_use]
    pub fn denial(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Completed | Self::Failed => "run_ended",
            Self::DeadlineExceeded => "deadline_exceeded",
        }
    }
}

/// One run in flight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunContext {
    begun_ms: u64,
    deadline_ms: Option<u64>,
    high_ms: u64,
    model_call_ms: Option<u64>,
    run: String,
    terminal: Option<Terminal>,
}

/// What came of ending a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It had ended so before; nothing changes.
    Already(Terminal),
    /// It ended now, with what the trail and the timeline are told.
    Now(Terminal, Event),
    /// It is another run: nothing changes.
    OtherRun,
}

/// Content that came after the end, with the code it is dropped with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late(pub &'static str);

impl RunContext {
    /// A run that begins now, with the deadline of `limits.run.deadline`.
    #[must_use]
    pub fn begin(run: &str, limits: Option<&Limits>, now_ms: u64) -> Self {
        let stated = limits.and_then(|limits| limits.run).unwrap_or_default();
        let span = stated.deadline_ms;
        Self {
            begun_ms: now_ms,
            deadline_ms: span.map(|span| now_ms.saturating_add(span)),
            high_ms: now_ms,
            model_call_ms: stated.model_call_ms,
            run: run.to_owned(),
            terminal: None,
        }
    }

    /// The run's id.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// How it ended; nothing while it runs.
    #[must_use]
    pub fn terminal(&self) -> Option<Terminal> {
        self.terminal
    }

    /// What is left until the deadline, in milliseconds; nothing where there is none.
    #[must_use]
    pub fn left_ms(&self, now_ms: u64) -> Option<u64> {
        self.deadline_ms.map(|deadline| deadline.saturating_sub(now_ms.max(self.high_ms)))
    }

    /// How long a call of a model may take that begins now: `limits.run.model_call`, and no longer than the run has left.
    /// Nothing where neither is stated.
    #[must_use]
    pub fn call_timeout_ms(&self, now_ms: u64) -> Option<u64> {
        self.model_call_ms.into_iter().chain(self.left_ms(now_ms)).min()
    }

    /// Ends the run, unless it has ended. What would end it after its time is over ends it as that. The clock's
    /// high-water mark is kept here; a clock that went back ends the run too, since nobody can say how late it is.
    pub fn end(&mut self, terminal: Terminal, now_ms: u64) -> Ended {
        if let Some(first) = self.terminal {
            return Ended::Already(first);
        }
        let back = now_ms < self.high_ms;
        self.high_ms = self.high_ms.max(now_ms);
        let over = back || self.deadline_ms.is_some_and(|deadline| now_ms >= deadline);
        let terminal = if over { Terminal::DeadlineExceeded } else { terminal };
        self.terminal = Some(terminal);
        let event = Event::new("run.ended")
            .with(Field::DurationMs, Datum::Number(self.high_ms.saturating_sub(self.begun_ms)))
            .with(Field::Run, Datum::Id(self.run.clone()))
            .with(Field::Status, Datum::Word(terminal.code()));
        Ended::Now(terminal, event)
    }

    /// Cancels exactly the run of this id.
    pub fn cancel(&mut self, run: &str, now_ms: u64) -> Ended {
        if run != self.run {
            return Ended::OtherRun;
        }
        self.end(Terminal::Cancelled, now_ms)
    }

    /// Whether content of this run may still be passed on: asked for every piece, whoever made it. It ends a run whose time
    /// is over; the event then goes to the trail.
    ///
    /// # Errors
    /// [`Late`], with the event where the run ended by this very question.
    pub fn admit(&mut self, now_ms: u64) -> Result<(), (Late, Option<Event>)> {
        if let Some(terminal) = self.terminal {
            return Err((Late(terminal.denial()), None));
        }
        let over = now_ms < self.high_ms || self.deadline_ms.is_some_and(|deadline| now_ms >= deadline);
        if !over {
            self.high_ms = now_ms;
            return Ok(());
        }
        let event = match self.end(Terminal::DeadlineExceeded, now_ms) {
            Ended::Now(_, event) => Some(event),
            Ended::Already(_) | Ended::OtherRun => None,
        };
        Err((Late(Terminal::DeadlineExceeded.denial()), event))
    }
}
