//! What a model says of its reasoning (row E10): apart from the trail, on a chain of its own, read by its own rule.
//!
//! The chain holds that something was kept, its size and its keyed digest. The text itself lies in a store of the
//! server's, sealed where the lock says so; nothing here holds it longer than a call. Where a provider gives no reasoning,
//! `unavailable` is recorded, and nothing is put in its place.

use std::fmt;

use super::{Datum, Event, Field};
use crate::lock::{Audit, Lock};

/// What the lock declares of the store (`audit.reasoning`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The personas that may read; empty: nobody.
    pub access: Vec<String>,
    /// Whether it is sealed at rest.
    pub encrypted: bool,
    /// How long it is kept, in milliseconds; absent: no longer than the run.
    pub retention_ms: Option<u64>,
}

impl Declared {
    /// What a lock declares; nothing where it keeps no reasoning.
    #[must_use]
    pub fn of(lock: &Lock) -> Option<Self> {
        let Audit { reasoning, reasoning_store, .. } = lock.audit.as_ref()?;
        reasoning.as_deref().filter(|word| *word == "separate")?;
        let store = reasoning_store.clone().unwrap_or_default();
        Some(Self { access: store.access, encrypted: store.encrypted, retention_ms: store.retention_ms })
    }
}

/// What a provider gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given<'a> {
    /// Its text, in the clear.
    Clear(&'a str),
    /// Its text, sealed by the server.
    Sealed(&'a [u8]),
    /// None.
    Unavailable,
}

/// What is to be put into the reasoning store. It prints its size and nothing else.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Keep<'a> {
    bytes: &'a [u8],
    /// When it is to be gone, in milliseconds since the epoch; absent: when its run ends.
    pub until_ms: Option<u64>,
}

impl<'a> Keep<'a> {
    /// The bytes for the store.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

impl fmt::Debug for Keep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keep({} bytes, until {:?})", self.bytes.len(), self.until_ms)
    }
}

/// Why reasoning is not kept or not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refused {
    /// The reader wears no persona that may read it.
    Access,
    /// Its time is over, or the clock went back.
    Expired,
    /// The lock declares no store for it.
    Undeclared,
    /// The lock declares that it is sealed, and it is not.
    Unsealed,
}

impl Refused {
    /// Every reason.
    pub const ALL: [Self; 4] = [Self::Access, Self::Expired, Self::Undeclared, Self::Unsealed];

    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Access => "reasoning_access",
            Self::Expired => "reasoning_expired",
            Self::Undeclared => "reasoning_undeclared",
            Self::Unsealed => "reasoning_unsealed",
        }
    }
}

/// One step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The run's id.
    pub run: &'a str,
    /// The step, from 1.
    pub step: u64,
}

impl Step<'_> {
    fn event(self, name: &'static str) -> Event {
        Event::new(name)
            .with(Field::Run, Datum::Id(self.run.to_owned()))
            .with(Field::Step, Datum::Number(self.step))
    }
}

/// What is kept of a step's reasoning, and the event for [`Chain::Reasoning`](super::Chain::Reasoning).
///
/// `keyed` is the keyed digest of what was given (`sha256:<64 hex>`); a plain one could be guessed.
///
/// # Errors
/// [`Refused::Undeclared`] and [`Refused::Unsealed`]; then nothing is kept.
pub fn keep<'a>(
    declared: Option<&Declared>,
    step: Step<'_>,
    given: Given<'a>,
    keyed: &str,
    now_ms: u64,
) -> Result<(Event, Option<Keep<'a>>), Refused> {
    let declared = declared.ok_or(Refused::Undeclared)?;
    let bytes = match given {
        Given::Unavailable => return Ok((step.event("reasoning.unavailable"), None)),
        Given::Clear("") | Given::Sealed([]) => return Ok((step.event("reasoning.unavailable"), None)),
        Given::Clear(_) if declared.encrypted => return Err(Refused::Unsealed),
        Given::Clear(text) => text.as_bytes(),
        Given::Sealed(bytes) => bytes,
    };
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let event = step
        .event("reasoning.recorded")
        .with(Field::Bytes, Datum::Number(size))
        .with(Field::Content, Datum::Digest(keyed.to_owned()));
    let until_ms = declared.retention_ms.map(|retention| now_ms.saturating_add(retention));
    Ok((event, Some(Keep { bytes, until_ms })))
}

/// Who asks to read a step's reasoning, and what was kept of it.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// When it was kept, in milliseconds since the epoch.
    pub kept_ms: u64,
    /// The personas that the person holds, looked up for this reading and independent of the run.
    pub personas: &'a [&'a str],
    /// The canonical person.
    pub reader: &'a str,
    /// Whether the run that it belongs to still runs.
    pub running: bool,
}

/// Whether someone may read a step's reasoning, and the event for the reasoning chain, which is recorded either way and
/// before anything is shown.
pub fn read(
    declared: Option<&Declared>,
    step: Step<'_>,
    reading: Reading<'_>,
    now_ms: u64,
) -> (Event, Result<(), Refused>) {
    let verdict = may_read(declared, reading, now_ms);
    let name = if verdict.is_ok() { "reasoning.read" } else { "reasoning.refused" };
    let mut event = step.event(name).with(Field::ActingUser, Datum::Id(reading.reader.to_owned()));
    if let Err(refused) = verdict {
        event = event.with(Field::Code, Datum::Word(refused.code()));
    }
    (event, verdict)
}

fn may_read(declared: Option<&Declared>, reading: Reading<'_>, now_ms: u64) -> Result<(), Refused> {
    let declared = declared.ok_or(Refused::Undeclared)?;
    if !declared.access.iter().any(|persona| reading.personas.contains(&persona.as_str())) {
        return Err(Refused::Access);
    }
    let age = now_ms.checked_sub(reading.kept_ms).ok_or(Refused::Expired)?;
    match declared.retention_ms {
        Some(retention) if age < retention => Ok(()),
        None if reading.running => Ok(()),
        _ => Err(Refused::Expired),
    }
}
