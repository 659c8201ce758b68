//! What a server's store must be able to do: read a run's ledger, and set it where its version still stands, together
//! with the records of the audit chain. Nothing else.

use super::{Ledger, PreImage, Refusal, Step};
use crate::audit::Event;

/// One change, taken whole or not at all.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// What the audit chain takes in the same transaction: no record, no change.
    pub events: &'a [Event],
    /// The version that must still stand; 0: there is no ledger of this run, or an empty one.
    pub expected: u64,
    /// The next ledger, its version one higher; the same one where there are only events to be kept, so that nobody
    /// can hold others up by being refused.
    pub ledger: &'a Ledger,
    /// What an execution is about to overwrite.
    pub pre_image: Option<&'a PreImage>,
}

/// Why a store took nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoreError {
    /// Another version stands.
    Conflict,
    /// It failed: the database, the disk, the audit chain.
    Failed,
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict => Self::StoreConflict,
            StoreError::Failed => Self::StoreFailed,
        }
    }
}

/// A store of ledgers.
pub trait Store {
    /// A run's ledger; `None`: it has proposed nothing.
    fn read(&self, organization: &str, run: &str) -> Result<Option<Ledger>, StoreError>;

    /// Compares and sets.
    fn commit(&mut self, change: &Change<'_>) -> Result<(), StoreError>;
}

/// Reads a run's ledger, does one step on it and stores it with its events. The answer is what was stored: where the
/// store took nothing, nothing happened. A conflict is for the caller, who looks the facts up again and asks again.
pub fn keep<S: Store, T>(
    store: &mut S,
    organization: &str,
    run: &str,
    step: impl FnOnce(&Ledger) -> Step<T>,
) -> Result<T, Refusal> {
    persist(store, organization, run, None, step)
}

pub(super) fn persist<S: Store, T>(
    store: &mut S,
    organization: &str,
    run: &str,
    pre_image: Option<&PreImage>,
    step: impl FnOnce(&Ledger) -> Step<T>,
) -> Result<T, Refusal> {
    let before = store.read(organization, run)?.unwrap_or_else(|| Ledger::new(organization, run));
    if before.organization != organization || before.run != run {
        return Err(Refusal::UnknownAction);
    }
    let Step { events, mut ledger, outcome } = step(&before);
    if ledger != before {
        ledger.version = before.version.checked_add(1).ok_or(Refusal::StoreFailed)?;
    } else if events.is_empty() {
        return outcome;
    }
    let pre_image = pre_image.filter(|_| outcome.is_ok());
    store.commit(&Change { events: &events, expected: before.version, ledger: &ledger, pre_image })?;
    outcome
}
