//! The timeline of a run (row E9): append-only, its `sequence_no` gap-free, seven kinds of entry.
//!
//! It fails open and visibly: a write that fails is a [`Warning`] and changes no result. There is no `Result` to be passed
//! on by mistake. What it is told are the closed facts of an audit [`Event`], so that no prompt, thought, draft or payload
//! has a place in it.

use std::collections::BTreeMap;

use crate::audit::{Event, Fact, Field, Record};
use crate::lock::Lock;

/// The most facts that one entry holds.
pub const MAX_FACTS: usize = 24;

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A step of the model, with bounded facts about it.
    Agent,
    /// First check, repair and second check of the evidence.
    Evidence,
    /// What was released.
    Release,
    /// Which engine was tried and which one it became.
    Routing,
    /// The run's beginning and its end.
    Run,
    /// A judge's attempt and its verdict.
    Semantic,
    /// A tool call's status and duration.
    Tool,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 7] =
        [Self::Agent, Self::Evidence, Self::Release, Self::Routing, Self::Run, Self::Semantic, Self::Tool];

    /// The word for it (`audit.trace`).
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Agent => "AGENT",
            Self::Evidence => "EVIDENCE",
            Self::Release => "RELEASE",
            Self::Routing => "ROUTING",
            Self::Run => "RUN",
            Self::Semantic => "SEMANTIC",
            Self::Tool => "TOOL",
        }
    }

    /// Whether it is kept whatever the policy says: a run whose beginning, end or release left no entry could not be told
    /// from one that never was.
    #[must_use]
    pub fn is_floor(self) -> bool {
        matches!(self, Self::Run | Self::Release)
    }

    /// Whether entries of this kind are written where `audit.trace` states these; none stated is all of them.
    #[must_use]
    pub fn is_kept(self, stated: &[String]) -> bool {
        stated.is_empty() || self.is_floor() || stated.iter().any(|word| word == self.code())
    }
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When, in milliseconds since the epoch.
    pub at_ms: u64,
    /// What happened.
    pub event: &'static str,
    /// Its facts.
    pub fields: BTreeMap<Field, Fact>,
    /// What it is about.
    pub kind: Kind,
    /// The run.
    pub run: String,
    /// From 1, without gaps within the run.
    pub sequence_no: u64,
}

/// Where entries go.
pub trait Sink {
    /// Appends one entry. An implementation refuses a number that the run has already.
    ///
    /// # Errors
    /// What kept it from being written.
    fn append(&mut self, entry: &Entry) -> Result<(), SinkFault>;
}

/// Why a sink wrote nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinkFault {
    /// The run's timeline goes on at this number: an earlier write arrived after all, or another process wrote.
    Next(u64),
    /// It cannot be reached, refused or did not answer.
    Unavailable,
}

/// What became of an entry. None of these stops anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// The policy's `audit.trace` does not name the kind.
    NotKept,
    /// It was not written, and a person who operates the server should know.
    Warned(Warning),
    /// It stands under this number.
    Written(u64),
}

/// What a person who operates the server is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warning {
    /// `timeline_unavailable`, or `timeline_unfit` where a fact is none that a record holds.
    pub code: &'static str,
    /// The kind of entry that is missing.
    pub kind: Kind,
    /// The number it would have had; the next entry takes it, so that no gap stays.
    pub sequence_no: u64,
}

/// Writes one run's timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorder {
    kinds: Vec<Kind>,
    next: u64,
    run: String,
    warnings: u64,
}

impl Recorder {
    /// The recorder of a run that begins under this lock. Where the lock names no stages, all are kept.
    #[must_use]
    pub fn new(lock: &Lock, run: &str) -> Self {
        let stated = lock.audit.as_ref().map_or(&[][..], |audit| &audit.trace);
        let kinds = Kind::ALL.into_iter().filter(|kind| kind.is_kept(stated)).collect();
        Self { kinds, next: 1, run: run.to_owned(), warnings: 0 }
    }

    /// How many entries were not written.
    #[must_use]
    pub fn warnings(&self) -> u64 {
        self.warnings
    }

    /// Writes one entry. Whatever comes of it, the run goes on as it would have.
    pub fn note(&mut self, sink: &mut dyn Sink, kind: Kind, event: &Event, at_ms: u64) -> Noted {
        if !self.kinds.contains(&kind) {
            return Noted::NotKept;
        }
        let Some(fields) = facts(event) else { return self.warn("timeline_unfit", kind) };
        let (event, run) = (event.name, self.run.clone());
        let mut entry = Entry { at_ms, event, fields, kind, run, sequence_no: self.next };
        let mut wrote = sink.append(&entry);
        if let Err(SinkFault::Next(next)) = wrote {
            self.next = next.max(self.next);
            entry.sequence_no = self.next;
            wrote = sink.append(&entry);
        }
        if wrote.is_err() {
            return self.warn("timeline_unavailable", kind);
        }
        self.next = entry.sequence_no.saturating_add(1);
        Noted::Written(entry.sequence_no)
    }

    fn warn(&mut self, code: &'static str, kind: Kind) -> Noted {
        self.warnings = self.warnings.saturating_add(1);
        Noted::Warned(Warning { code, kind, sequence_no: self.next })
    }
}

/// An event's facts, as far as a record may hold them.
fn facts(event: &Event) -> Option<BTreeMap<Field, Fact>> {
    if event.fields.len() > MAX_FACTS {
        return None;
    }
    Record::facts(event).ok()
}

/// The first number that a run's timeline lacks; nothing where it is whole. The entries in any order.
#[must_use]
pub fn gap(entries: &[Entry]) -> Option<u64> {
    let mut numbers: Vec<u64> = entries.iter().map(|entry| entry.sequence_no).collect();
    numbers.sort_unstable();
    (1..).zip(numbers).find(|(expected, found)| expected != found).map(|(expected, _)| expected)
}
