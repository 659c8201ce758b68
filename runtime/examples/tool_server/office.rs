//! Where pending actions and the audit chain are kept. A change of an action and its records stand together or not at
//! all: the records are written first, and where that fails there is no change.
//!
//! Both are files that survive the process. A server that goes between the two leaves records of what did not happen, and
//! never the other way round: a write is started by a state that is on the disk.

use std::fs::{File, OpenOptions};
use std::io::Write as _;

use harnessc_runtime::actions::{self, Change, Ledger, StoreError};
use harnessc_runtime::audit::{self, Chain, Event, Head, Record, StoreFault, Unrecorded, verify_lines};

use crate::state::{Kept, State};
use crate::system::{Failed, now_ms};

#[derive(Debug)]
pub(crate) struct Office {
    file: File,
    head: Option<Head>,
    kept: Kept,
    organization: String,
    path: String,
}

impl Office {
    /// Opens both files. What they hold is recomputed first: nothing is appended to a broken chain, nor to one that ends
    /// before the state says it did.
    pub(crate) fn open(path: &str, state: &str, organization: &str) -> Result<Self, Failed> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let kept = Kept::open(state)?;
        let (hash, seq, at_ms) = kept.state.audit.clone();
        let anchor = Head { at_ms, chain: Chain::Trail, hash, organization: organization.to_owned(), seq };
        let head = Some(anchor).filter(|anchor| anchor.seq > 0);
        let office = Self { file, head, kept, organization: organization.to_owned(), path: path.to_owned() };
        let empty = std::fs::metadata(path)?.len() == 0 && office.head.is_none();
        let head = if empty { None } else { Some(office.verify()?) };
        Ok(Self { head, ..office })
    }

    /// Recomputes the whole chain from the file.
    pub(crate) fn verify(&self) -> Result<Head, Failed> {
        let lines = std::fs::read_to_string(&self.path)?;
        verify_lines(Chain::Trail, &self.organization, &lines, self.head.as_ref())
            .map_err(|broken| Failed::new(broken.to_string()))
    }

    /// Writes down what happened. Where it cannot be, whatever waits for it does not happen.
    pub(crate) fn tell(&mut self, events: &[Event]) -> Result<(), Unrecorded> {
        let unavailable = Unrecorded::Store(StoreFault::Unavailable);
        let now_ms = now_ms().ok_or(unavailable)?;
        let organization = self.organization.clone();
        audit::record(self, Chain::Trail, &organization, events, now_ms).map(drop)
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
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|_| StoreFault::Unavailable)?;
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
        self.tell(change.events).map_err(|_| StoreError::Failed)?;
        self.keep(|state| {
            state.actions = Some(change.ledger.clone());
            state.pre_images.extend(change.pre_image.cloned());
        })
        .map_err(|_| StoreError::Failed)
    }
}
