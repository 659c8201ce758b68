//! Where pending actions and the audit chain are kept. A change of an action and its records stand together or not at
//! all: the records are written first, and where that fails there is no change.
//!
//! Both are files that survive the process, and one server's at a time. A server that goes between the two leaves records of
//! what did not happen, and never the other way round: a write is started by a state that is on the disk. An approval that a
//! record says was consumed is not consumed again, whether or not the state came to know of it: a start that could not be kept
//! is not tried again either, and the next server records that nobody knows of it.

use harnessc_runtime::actions::{self, Change, Ledger, StoreError};
use harnessc_runtime::audit::{self, Chain, Event, Head, Record, StoreFault, Unrecorded, verify_lines};
use harnessc_runtime::boundary::NameKey;

use crate::appended::Appended;
use crate::state::{Kept, State};
use crate::system::{Failed, now_ms};
use crate::trail::Trail;

#[derive(Debug)]
pub(crate) struct Office {
    file: Appended,
    head: Option<Head>,
    kept: Kept,
    organization: String,
    path: String,
    trail: Trail,
}

impl Office {
    /// Opens both files for this server alone, and changes nothing. What they hold is recomputed first: nothing is appended to a
    /// broken chain, nor to one that ends before the state says it did, nor behind a state that is older than the chain.
    pub(crate) fn open(path: &str, state: &str, organization: &str) -> Result<Self, Failed> {
        let kept = Kept::open(state)?;
        let (file, lines) = Appended::open(path)?;
        let (hash, seq, at_ms) = kept.state.audit.clone();
        let anchor = Head { at_ms, chain: Chain::Trail, hash, organization: organization.to_owned(), seq };
        let anchor = Some(anchor).filter(|anchor| anchor.seq > 0);
        let head = if lines.is_empty() && anchor.is_none() {
            None
        } else {
            Some(verified(organization, &lines, anchor.as_ref())?)
        };
        let trail = Trail::read(&lines, &kept.state)?;
        Ok(Self { file, head, kept, organization: organization.to_owned(), path: path.to_owned(), trail })
    }

    /// Recomputes the whole chain from the file.
    pub(crate) fn verify(&self) -> Result<Head, Failed> {
        let lines = std::fs::read_to_string(&self.path)?;
        verified(&self.organization, &lines, self.head.as_ref())
    }

    /// Writes down what happened. Where it cannot be, whatever waits for it does not happen.
    pub(crate) fn tell(&mut self, events: &[Event]) -> Result<(), Unrecorded> {
        let unavailable = Unrecorded::Store(StoreFault::Unavailable);
        let now_ms = now_ms().ok_or(unavailable)?;
        let organization = self.organization.clone();
        audit::record(self, Chain::Trail, &organization, events, now_ms)?;
        events.iter().for_each(|event| self.trail.take(event));
        Ok(())
    }

    /// The key of keyed digests.
    pub(crate) fn key(&self) -> &NameKey {
        &self.kept.key
    }

    /// What the chain says is over.
    pub(crate) fn trail(&self) -> &Trail {
        &self.trail
    }

    /// What is kept beside the chain.
    pub(crate) fn state(&self) -> &State {
        &self.kept.state
    }

    /// Keeps a changed state, with where the chain stands now.
    pub(crate) fn keep(&mut self, change: impl FnOnce(&mut State)) -> Result<(), Failed> {
        let mut state = self.kept.state.clone();
        change(&mut state);
        state.audit =
            self.head.as_ref().map(|head| (head.hash.clone(), head.seq, head.at_ms)).unwrap_or_default();
        self.kept.keep(state)
    }

    /// The latest time that the chain has seen.
    pub(crate) fn high_water_ms(&self) -> u64 {
        self.head.as_ref().map_or(0, |head| head.at_ms)
    }
}

impl audit::Store for Office {
    fn head(&self, _: Chain, _: &str) -> Result<Option<Head>, StoreFault> {
        Ok(self.head.clone())
    }

    fn append(
        &mut self,
        expected: Option<&Head>,
        chain: Chain,
        records: &[Record],
    ) -> Result<(), StoreFault> {
        if self.head.as_ref() != expected || chain != Chain::Trail {
            return Err(StoreFault::Conflict);
        }
        let Some(last) = records.last() else { return Ok(()) };
        let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
        self.file.append(&lines).map_err(|_| StoreFault::Unavailable)?;
        self.head = Some(Head {
            at_ms: last.at_ms,
            chain,
            hash: last.hash.clone(),
            organization: last.organization.clone(),
            seq: last.seq,
        });
        Ok(())
    }
}

impl actions::Store for Office {
    fn read(&self, organization: &str, run: &str) -> Result<Option<Ledger>, StoreError> {
        let own = organization == self.organization;
        Ok(self.state().actions.as_ref().filter(|ledger| own && ledger.run() == run).cloned())
    }

    fn commit(&mut self, change: &Change<'_>) -> Result<(), StoreError> {
        if self.state().actions.as_ref().map_or(0, Ledger::version) != change.expected {
            return Err(StoreError::Conflict);
        }
        if change.events.iter().any(|event| self.trail.holds(event)) {
            return Err(StoreError::Failed);
        }
        self.tell(change.events).map_err(|_| StoreError::Failed)?;
        self.keep(|state| {
            state.actions = Some(change.ledger.clone());
            state.pre_images.extend(change.pre_image.cloned());
        })
        .map_err(|_| StoreError::Failed)
    }
}

fn verified(organization: &str, lines: &str, anchor: Option<&Head>) -> Result<Head, Failed> {
    verify_lines(Chain::Trail, organization, lines, anchor).map_err(|broken| Failed::new(broken.to_string()))
}
