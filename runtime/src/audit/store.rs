//! Where records go, and what happens when they do not: nothing.

use std::fmt;

use super::Record;
use super::{Chain, Event, Head, Unfit, append, open};

/// How far a writer's reading of the clock may lie behind the last record: another writer read it later and was first. Such
/// a record bears the last one's time. What lies further back is a clock that went back, and denies.
pub const SKEW_MS: u64 = 1_000;

/// How often a conflict is met with the newer head before the caller is told.
const ATTEMPTS: usize = 3;

/// An append-only store of chains. It has no way to change or take out a record, and an implementation offers none either
/// (row S12: update, delete and truncate are refused by the store).
///
/// A server implements it over the transaction that also holds what the records are about, so that both stand or neither.
pub trait Store {
    /// Where a chain of an organization ends; nothing where it was never opened.
    ///
    /// # Errors
    /// Where the store cannot say.
    fn head(&self, chain: Chain, organization: &str) -> Result<Option<Head>, StoreFault>;

    /// Appends all of these or none. `expected` is the head that they follow; `None`: they open the chain.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] where the head is another one by now, [`StoreFault::Unavailable`] where it cannot be done
    /// or nobody knows whether it was.
    fn append(&mut self, expected: Option<&Head>, chain: Chain, records: &[Record])
    -> Result<(), StoreFault>;
}

/// Why a store did not append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreFault {
    /// Another writer was first.
    Conflict,
    /// It cannot be reached, refused, or did not answer.
    Unavailable,
}

/// What was not recorded, and therefore does not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unrecorded {
    /// The store did not append.
    Store(StoreFault),
    /// The event becomes no record.
    Unfit(Unfit),
}

impl Unrecorded {
    /// The stable code, with which whatever waited for the record is denied.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Store(StoreFault::Conflict) => "audit_conflict",
            Self::Store(StoreFault::Unavailable) => "audit_unavailable",
            Self::Unfit(unfit) => unfit.code(),
        }
    }
}

impl fmt::Display for Unrecorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(StoreFault::Conflict) => {
                f.write_str("other records came first each time, so nothing was recorded and nothing done")
            }
            Self::Store(StoreFault::Unavailable) => {
                f.write_str("the audit trail takes no records, so nothing is done")
            }
            Self::Unfit(unfit) => write!(f, "nothing was recorded and nothing done: {unfit}"),
        }
    }
}

impl std::error::Error for Unrecorded {}

/// Appends events to an organization's chain, which is opened where it is not yet. All stand or none. `at_ms` is the store's
/// clock; it may lie behind the last record by [`SKEW_MS`].
///
/// # Errors
/// Where they are not recorded. The caller denies.
pub fn record(
    store: &mut dyn Store,
    chain: Chain,
    organization: &str,
    events: &[Event],
    at_ms: u64,
) -> Result<Head, Unrecorded> {
    let mut fault = StoreFault::Conflict;
    for _ in 0..ATTEMPTS {
        let expected = store.head(chain, organization).map_err(Unrecorded::Store)?;
        let high_ms = expected.as_ref().map_or(0, |head| head.at_ms);
        let at_ms = if high_ms.saturating_sub(at_ms) <= SKEW_MS { at_ms.max(high_ms) } else { at_ms };
        let (records, head) =
            follow(expected.as_ref(), chain, organization, events, at_ms).map_err(Unrecorded::Unfit)?;
        match store.append(expected.as_ref(), chain, &records) {
            Ok(()) => return Ok(head),
            Err(StoreFault::Conflict) => fault = StoreFault::Conflict,
            Err(StoreFault::Unavailable) => return Err(Unrecorded::Store(StoreFault::Unavailable)),
        }
    }
    Err(Unrecorded::Store(fault))
}

/// Does what `deed` does once the events that announce it are recorded; where they are not, it is not done.
///
/// # Errors
/// Where the events are not recorded; `deed` was not called then.
pub fn recorded<T>(
    store: &mut dyn Store,
    organization: &str,
    events: &[Event],
    at_ms: u64,
    deed: impl FnOnce() -> T,
) -> Result<T, Unrecorded> {
    record(store, Chain::Trail, organization, events, at_ms)?;
    Ok(deed())
}

fn follow(
    expected: Option<&Head>,
    chain: Chain,
    organization: &str,
    events: &[Event],
    at_ms: u64,
) -> Result<(Vec<Record>, Head), Unfit> {
    let mut records = Vec::with_capacity(events.len().saturating_add(1));
    let mut head = match expected {
        Some(head) => head.clone(),
        None => {
            let (record, head) = open(chain, organization, at_ms)?;
            records.push(record);
            head
        }
    };
    for event in events {
        let (record, next) = append(&head, event, at_ms)?;
        records.push(record);
        head = next;
    }
    Ok((records, head))
}
