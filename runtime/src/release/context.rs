//! A run's life (row E1): its deadline, and the first ending, which wins.

use crate::audit::{Datum, Event, Field};
use crate::boundary::{Ending, Lifecycle};
use crate::decide::Code;
use crate::lock::Limits;

/// One run in flight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunContext {
    high_ms: u64,
    lifecycle: Lifecycle,
    model_call_ms: Option<u64>,
    run: String,
}

/// What came of ending a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It had ended so before; nothing changes, and the event says so.
    Already(Ending, Event),
    /// It ended now, with what the trail and the timeline are told.
    Now(Ending, Event),
    /// It is another run: nothing changes.
    OtherRun,
}

/// Content that came after the end, with the code it is dropped with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late(pub Code);

impl RunContext {
    /// A run that begins now, with the deadline of `limits.run.deadline`.
    #[must_use]
    pub fn begin(run: &str, limits: Option<&Limits>, now_ms: u64) -> Self {
        let stated = limits.and_then(|limits| limits.run).unwrap_or_default();
        let deadline_at_ms = stated.deadline_ms.map(|span| now_ms.saturating_add(span));
        let lifecycle = Lifecycle { deadline_at_ms, ..Lifecycle::begun(now_ms) };
        Self { high_ms: now_ms, lifecycle, model_call_ms: stated.model_call_ms, run: run.to_owned() }
    }

    /// The run's id.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// The run's life as the boundary asks for it at each call.
    #[must_use]
    pub fn lifecycle(&self) -> &Lifecycle {
        &self.lifecycle
    }

    /// What is left until the deadline, in milliseconds; nothing where there is none.
    #[must_use]
    pub fn left_ms(&self, now_ms: u64) -> Option<u64> {
        self.lifecycle.deadline_at_ms.map(|deadline| deadline.saturating_sub(now_ms.max(self.high_ms)))
    }

    /// How long a call of a model may take that begins now: `limits.run.model_call`, and no longer than the run has left.
    /// Nothing where neither is stated.
    #[must_use]
    pub fn call_timeout_ms(&self, now_ms: u64) -> Option<u64> {
        self.model_call_ms.into_iter().chain(self.left_ms(now_ms)).min()
    }

    /// How long a call of a tool may take that begins now: the least `limits.per_tool.*.timeout` of the tool under the lock in
    /// force and the run's own, and no longer than the run has left. Nothing where none is stated.
    #[must_use]
    pub fn tool_timeout_ms<'l>(
        &self,
        limits: impl IntoIterator<Item = &'l Limits>,
        tool: &str,
        now_ms: u64,
    ) -> Option<u64> {
        Limits::timeout_ms(limits, tool).into_iter().chain(self.left_ms(now_ms)).min()
    }

    /// Ends the run, unless it has ended. What would end it after its time is over ends it as that. The clock's
    /// high-water mark is kept here; a clock that went back ends the run too, since nobody can say how late it is.
    pub fn end(&mut self, ending: Ending, now_ms: u64) -> Ended {
        let over = self.is_over(now_ms);
        let first = self.lifecycle.ended;
        let ending = if over { Ending::DeadlineExceeded } else { ending };
        let (lifecycle, event) = self.lifecycle.end(&self.run, ending);
        self.lifecycle = lifecycle;
        if let Some(first) = first {
            return Ended::Already(first, event);
        }
        self.high_ms = self.high_ms.max(now_ms);
        let lasted = self.high_ms.saturating_sub(self.lifecycle.started_at_ms);
        Ended::Now(ending, event.with(Field::DurationMs, Datum::Number(lasted)))
    }

    fn is_over(&self, now_ms: u64) -> bool {
        now_ms < self.high_ms || self.lifecycle.deadline_at_ms.is_some_and(|deadline| now_ms >= deadline)
    }

    /// Cancels exactly the run of this id.
    pub fn cancel(&mut self, run: &str, now_ms: u64) -> Ended {
        if run != self.run {
            return Ended::OtherRun;
        }
        self.end(Ending::Cancelled, now_ms)
    }

    /// Whether content of this run may still be passed on: asked for every piece, whoever made it. It ends a run whose time
    /// is over; the event then goes to the trail.
    ///
    /// # Errors
    /// [`Late`], with the event where the run ended by this very question.
    pub fn admit(&mut self, now_ms: u64) -> Result<(), (Late, Option<Event>)> {
        if let Some(ending) = self.lifecycle.ended {
            return Err((Late(code(ending)), None));
        }
        if !self.is_over(now_ms) {
            self.high_ms = now_ms;
            return Ok(());
        }
        let event = match self.end(Ending::DeadlineExceeded, now_ms) {
            Ended::Now(_, event) => Some(event),
            Ended::Already(..) | Ended::OtherRun => None,
        };
        Err((Late(Code::DeadlineExceeded), event))
    }
}

/// The code with which a call of a run that ended so is denied.
fn code(ending: Ending) -> Code {
    match ending {
        Ending::Cancelled => Code::Cancelled,
        Ending::Completed | Ending::Failed => Code::RunEnded,
        Ending::DeadlineExceeded => Code::DeadlineExceeded,
    }
}
