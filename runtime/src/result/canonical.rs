//! The canonical invocation (SYSTEMS E5): full request, raw answer and projection, kept for a while, for the harness alone.
//!
//! Two doors lead here. [`Canonical::invocation`] wants the [`HarnessAccess`] that was made when the run was created and
//! gives everything; [`Canonical::resolve`] brings a compacted result back to the model (D11) and gives the projection
//! only. Nothing here is durable: what audit keeps of a call is in its event.

use std::collections::VecDeque;
use std::fmt;

use crate::json::Json;
use crate::lock::digest_of;

/// The right to read whole invocations of one run. It cannot be copied, printed or written down.
pub struct HarnessAccess {
    run: String,
    secret: [u8; 16],
}

impl HarnessAccess {
    /// Made once, when the run is created; `secret` is fresh randomness of the server's.
    #[must_use]
    pub fn new(run: &str, secret: [u8; 16]) -> Self {
        Self { run: run.to_owned(), secret }
    }

    /// What the store compares.
    fn seal(&self) -> String {
        let mut bytes = self.run.clone().into_bytes();
        bytes.push(0);
        bytes.extend(self.secret);
        digest_of(&bytes)
    }
}

impl fmt::Debug for HarnessAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HarnessAccess").finish_non_exhaustive()
    }
}

/// How much is kept, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// The most bytes over all entries.
    pub bytes: usize,
    /// The most entries.
    pub entries: usize,
    /// How long an entry is kept, in milliseconds.
    pub ttl_ms: u64,
}

/// One call and its answer. It has no `Debug` that shows it.
#[derive(Clone, PartialEq)]
pub struct Invocation {
    /// What the model was handed.
    pub handed: String,
    /// The raw answer.
    pub raw: Vec<u8>,
    /// The full request, as it was forwarded.
    pub request: Json,
    /// The tool.
    pub tool: String,
}

impl fmt::Debug for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invocation").field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}

impl Invocation {
    fn bytes(&self) -> usize {
        [self.raw.len(), self.request.canonical().len(), self.tool.len()]
            .iter()
            .fold(self.handed.len(), |sum, part| sum.saturating_add(*part))
    }
}

/// An entry as a store holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When it was put there.
    pub at_ms: u64,
    /// The call.
    pub invocation: Invocation,
    /// What the run's model calls it by.
    pub reference: String,
    /// The run.
    pub run: String,
    seal: String,
}

/// Why a look-up brought nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Absent {
    /// The access is another run's, or forged.
    NotYours,
    /// Never there, expired or pushed out: the three are told apart for nobody.
    Gone,
}

impl Absent {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::NotYours, Self::Gone];

    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::NotYours => "invocation_not_yours",
            Self::Gone => "invocation_gone",
        }
    }
}

/// Where entries lie, oldest first. A server implements it over whatever keeps bytes for a while; [`Memory`] is one.
pub trait Shelf {
    /// Puts an entry behind all others.
    fn push(&mut self, entry: Entry);
    /// Takes the oldest one away.
    fn pop_oldest(&mut self) -> Option<Entry>;
    /// The oldest one.
    fn oldest(&self) -> Option<&Entry>;
    /// The entry of a run by its reference.
    fn find(&self, run: &str, reference: &str) -> Option<&Entry>;
    /// How many there are.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Entries in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory(VecDeque<Entry>);

impl Shelf for Memory {
    fn push(&mut self, entry: Entry) {
        self.0.push_back(entry);
    }

    fn pop_oldest(&mut self) -> Option<Entry> {
        self.0.pop_front()
    }

    fn oldest(&self) -> Option<&Entry> {
        self.0.front()
    }

    fn find(&self, run: &str, reference: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.run == run && entry.reference == reference)
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

/// The store: a shelf with bounds.
#[derive(Clone, Debug)]
pub struct Canonical<S = Memory> {
    bytes: usize,
    capacity: Capacity,
    issued: u64,
    shelf: S,
}

impl<S: Shelf> Canonical<S> {
    /// Over an empty shelf.
    #[must_use]
    pub fn new(capacity: Capacity, shelf: S) -> Self {
        Self { bytes: 0, capacity, issued: 0, shelf }
    }

    /// Keeps a call; the oldest go to make room. `None`: the call alone is larger than everything may be, and is not
    /// kept. The reference is the server's word, so that it may stand in a prompt.
    pub fn keep(&mut self, access: &HarnessAccess, invocation: Invocation, now_ms: u64) -> Option<String> {
        let bytes = invocation.bytes();
        if bytes > self.capacity.bytes || self.capacity.entries == 0 {
            return None;
        }
        self.expire(now_ms);
        while self.shelf.len() >= self.capacity.entries
            || self.bytes.saturating_add(bytes) > self.capacity.bytes
        {
            self.drop_oldest()?;
        }
        self.issued = self.issued.saturating_add(1);
        let reference = format!("result-{}", self.issued);
        self.bytes = self.bytes.saturating_add(bytes);
        self.shelf.push(Entry {
            at_ms: now_ms,
            invocation,
            reference: reference.clone(),
            run: access.run.clone(),
            seal: access.seal(),
        });
        Some(reference)
    }

    /// The whole invocation, for the run's harness.
    pub fn invocation(
        &self,
        access: &HarnessAccess,
        reference: &str,
        now_ms: u64,
    ) -> Result<&Invocation, Absent> {
        let entry = self.live(&access.run, reference, now_ms)?;
        if entry.seal != access.seal() {
            return Err(Absent::NotYours);
        }
        Ok(&entry.invocation)
    }

    /// What the model was handed before, for the model of the same run; `run` comes from the run's row.
    pub fn resolve(&self, run: &str, reference: &str, now_ms: u64) -> Result<&str, Absent> {
        self.live(run, reference, now_ms).map(|entry| entry.invocation.handed.as_str())
    }

    /// Forgets what is older than its time. A clock that goes back forgets nothing and shows nothing that is newer.
    pub fn expire(&mut self, now_ms: u64) {
        while self.shelf.oldest().is_some_and(|entry| self.is_over(entry, now_ms)) {
            if self.drop_oldest().is_none() {
                return;
            }
        }
    }

    /// How many calls are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shelf.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shelf.is_empty()
    }

    /// The bytes that are kept.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn live(&self, run: &str, reference: &str, now_ms: u64) -> Result<&Entry, Absent> {
        let entry = self.shelf.find(run, reference).ok_or(Absent::Gone)?;
        let readable = now_ms >= entry.at_ms && !self.is_over(entry, now_ms);
        if readable { Ok(entry) } else { Err(Absent::Gone) }
    }

    fn is_over(&self, entry: &Entry, now_ms: u64) -> bool {
        now_ms >= entry.at_ms.saturating_add(self.capacity.ttl_ms)
    }

    fn drop_oldest(&mut self) -> Option<()> {
        let entry = self.shelf.pop_oldest()?;
        self.bytes = self.bytes.saturating_sub(entry.invocation.bytes());
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Absent, Canonical, Capacity, HarnessAccess, Invocation, Memory};
    use crate::json::Json;

    fn call(size: usize) -> Invocation {
        Invocation {
            handed: "{}".to_owned(),
            raw: vec![b'x'; size],
            request: Json::parse(b"{}").unwrap(),
            tool: "t".to_owned(),
        }
    }

    fn store() -> Canonical {
        Canonical::new(Capacity { bytes: 100, entries: 3, ttl_ms: 10 }, Memory::default())
    }

    #[test]
    fn the_harness_alone_reads_the_whole_call() {
        // SYSTEMS E5, D11.
        let (mine, theirs) = (HarnessAccess::new("r1", [1; 16]), HarnessAccess::new("r2", [2; 16]));
        let mut store = store();
        let reference = store.keep(&mine, call(7), 5).unwrap();
        assert_eq!(store.invocation(&mine, &reference, 6).unwrap().raw.len(), 7);
        assert_eq!(store.invocation(&theirs, &reference, 6).unwrap_err(), Absent::Gone);
        let forged = HarnessAccess::new("r1", [0; 16]);
        assert_eq!(store.invocation(&forged, &reference, 6).unwrap_err(), Absent::NotYours);
        assert_eq!(store.resolve("r1", &reference, 6), Ok("{}"));
        assert_eq!(store.resolve("r2", &reference, 6), Err(Absent::Gone));
        assert_eq!(
            format!("{mine:?} {:?}", store.invocation(&mine, &reference, 6).unwrap()).matches("xx").count(),
            0
        );
    }

    #[test]
    fn time_count_and_bytes_bound_it_and_the_oldest_goes() {
        let access = HarnessAccess::new("r", [0; 16]);
        let mut store = store();
        let names: Vec<String> = (0..4).map(|at| store.keep(&access, call(20), at).unwrap()).collect();
        assert_eq!((store.len(), store.bytes()), (3, 75));
        assert_eq!(store.resolve("r", &names[0], 4), Err(Absent::Gone));
        // The clock stands before the entry was made: not shown.
        assert_eq!(store.resolve("r", &names[3], 2), Err(Absent::Gone));
        assert_eq!(store.resolve("r", &names[3], 12), Ok("{}"));
        assert_eq!(store.resolve("r", &names[3], 13), Err(Absent::Gone));
        assert!(store.keep(&access, call(90), 5).is_some());
        assert_eq!(store.len(), 1);
        assert!(store.keep(&access, call(100), 5).is_none());
        store.expire(1_000);
        assert_eq!((store.len(), store.bytes()), (0, 0));
    }
}
