//! The kill switch (row S10): one row, a reason required, every flip audited; what cannot be read is on.

use std::fmt;

use crate::actions::Switch;
use crate::audit::{Datum, Event, Field};
use crate::boundary::Unreadable;
use crate::json;

/// The row as the store holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchRow {
    /// When it was flipped, in milliseconds since the epoch.
    pub at_ms: u64,
    /// The canonical person who flipped it.
    pub by: String,
    /// The row's id, issued by the store, never used twice.
    pub id: String,
    /// Whether models are switched off.
    pub on: bool,
    /// Why, for people to read. The trail holds its digest.
    pub reason: String,
}

/// What a look at the store comes to, read once for an entry and handed to whoever asks: the router, the boundary
/// ([`observed`]) and the room of actions. A row that is not there is as unreadable as one that cannot be read: a
/// default in code would turn the switch off in silence.
#[must_use]
pub fn read<E>(row: &Result<Option<SwitchRow>, E>) -> Switch {
    match row {
        Ok(Some(row)) if row.on => Switch::On,
        Ok(Some(_)) => Switch::Off,
        Ok(None) | Err(_) => Switch::Unreadable,
    }
}

/// The reading as the boundary's conditions take it.
pub fn observed(switch: Switch) -> Result<bool, Unreadable> {
    match switch {
        Switch::Off => Ok(false),
        Switch::On => Ok(true),
        Switch::Unreadable => Err(Unreadable),
    }
}

/// The word for a reading in a record.
fn word(switch: Switch) -> &'static str {
    match switch {
        Switch::Off => "off",
        Switch::On => "on",
        Switch::Unreadable => "unreadable",
    }
}

/// What someone wants of the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flip<'a> {
    /// When, by the store's clock.
    pub at_ms: u64,
    /// The canonical person, authenticated.
    pub by: &'a str,
    /// The new row's id, issued by the store.
    pub id: &'a str,
    /// Whether the person may, looked up for this flip.
    pub may: bool,
    /// On or off.
    pub on: bool,
    /// Why.
    pub reason: &'a str,
}

/// Why the switch stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlipRefused {
    /// The person may not.
    Permission,
    /// No reason is given.
    Reason,
    /// It stands so already.
    Unchanged,
}

impl FlipRefused {
    /// Every reason.
    pub const ALL: [Self; 3] = [Self::Permission, Self::Reason, Self::Unchanged];

    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Permission => "permission_denied",
            Self::Reason => "reason_required",
            Self::Unchanged => "unchanged",
        }
    }
}

impl fmt::Display for FlipRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Permission => "only a person who may flip the switch can",
            Self::Reason => "the switch is flipped for a reason: say which",
            Self::Unchanged => "the switch stands so already",
        })
    }
}

impl std::error::Error for FlipRefused {}

/// The row that takes the place of the one that is there, and the event that is recorded in the same transaction
/// (`ai.disabled`, `ai.enabled`).
///
/// # Errors
/// Where the person may not, no reason is given, or nothing would change.
pub fn flip(now: Switch, flip: &Flip<'_>) -> Result<(SwitchRow, Event), FlipRefused> {
    if !flip.may {
        return Err(FlipRefused::Permission);
    }
    let reason = flip.reason.trim();
    if reason.is_empty() {
        return Err(FlipRefused::Reason);
    }
    // An unreadable switch can be set to either.
    if now != Switch::Unreadable && now.freezes() == flip.on {
        return Err(FlipRefused::Unchanged);
    }
    let row = SwitchRow {
        at_ms: flip.at_ms,
        by: flip.by.to_owned(),
        id: flip.id.to_owned(),
        on: flip.on,
        reason: reason.to_owned(),
    };
    let salted = serde_json::json!({"id": row.id, "reason": row.reason});
    let digest = json::canonical(&salted).map(|bytes| crate::lock::digest_of(bytes.as_bytes()));
    let mut event = Event::new(if flip.on { "ai.disabled" } else { "ai.enabled" })
        .with(Field::ActingUser, Datum::Id(row.by.clone()))
        .with(Field::From, Datum::Word(word(now)))
        .with(Field::Switch, Datum::Id(row.id.clone()));
    if let Ok(digest) = digest {
        event = event.with(Field::Reason, Datum::Digest(digest));
    }
    Ok((row, event))
}

/// A proposal that an outside model wrote while models are off: no engine of ours can stand in for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AiDisabled(pub Event);

impl AiDisabled {
    /// The stable code.
    pub const CODE: &'static str = "ai_disabled";
}

/// Whether a proposal from outside may be made now.
///
/// # Errors
/// [`AiDisabled`] with what the trail is told, where the switch is on or unreadable.
pub fn propose(switch: Switch, run: &str) -> Result<(), AiDisabled> {
    if !switch.freezes() {
        return Ok(());
    }
    Err(AiDisabled(
        Event::new("agent_run.ai_disabled")
            .with(Field::Code, Datum::Word(AiDisabled::CODE))
            .with(Field::Run, Datum::Id(run.to_owned()))
            .with(Field::State, Datum::Word(word(switch))),
    ))
}
