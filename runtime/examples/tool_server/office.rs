//! Where pending actions and the audit chain are kept. A change of an action and its records stand together or not at
//! all: the records are written first, and where that fails there is no change.
//!
//! The chain is a file of JSON lines that survives the process; the actions are in memory and do not.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;

use harnessc_runtime::actions::{self, Change, Ledger, PreImage, StoreError};
use harnessc_runtime::audit::{self, Chain, Event, Head, Record, StoreFault, Unrecorded, verify_lines};

use crate::system::{Failed, now_ms};

#[derive(Debug)]
pub(crate) struct Office {
    file: File,
    head: Option<Head>,
    ledgers: BTreeMap<String, Ledger>,
    organization: String,
    path: String,
    pre_images: Vec<PreImage>,
}

impl Office {
    /// Opens the chain's file. One that holds records is recomputed first: nothing is appended to a broken chain.
    pub(crate) fn open(path: &str, organization: &str) -> Result<Self, Failed> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let office = Self {
            file,
            head: None,
            ledgers: BTreeMap::new(),
            organization: organization.to_owned(),
            path: path.to_owned(),
            pre_images: Vec::new(),
        };
        let empty = std::fs::metadata(path)?.len() == 0;
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
        Ok(self.ledgers.get(run).filter(|_| own).cloned())
    }

    fn commit(&mut self, change: &Change<'_>) -> Result<(), StoreError> {
        let run = change.ledger.run().to_owned();
        if self.ledgers.get(&run).map_or(0, Ledger::version) != change.expected {
            return Err(StoreError::Conflict);
        }
        self.tell(change.events).map_err(|_| StoreError::Failed)?;
        self.ledgers.insert(run, change.ledger.clone());
        self.pre_images.extend(change.pre_image.cloned());
        Ok(())
    }
}
