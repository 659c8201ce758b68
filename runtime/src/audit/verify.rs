//! Recomputing a chain: the first sequence number at which it is not what was appended, and why.

use std::borrow::Borrow;
use std::fmt;

use super::chain::{is_event, opened};
use super::record::{is_exact, is_name};
use super::{Chain, Fact, Head, Record};

/// Where a chain is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The first sequence number that does not hold.
    pub seq: u64,
    /// What does not hold there.
    pub why: Why,
}

/// What does not hold at a sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The anchored head has another hash, or another time, at this number.
    Anchor,
    /// It was appended before the record before it.
    Clock,
    /// The first record does not open this chain.
    Genesis,
    /// Its fields do not come to its hash.
    Hash,
    /// It does not name the hash of the record before it.
    Link,
    /// The chain ends before it, and the anchored head, or an opened chain, has it.
    Missing,
    /// It belongs to another organization.
    Organization,
    /// Another number stands in its place.
    Sequence,
    /// It is no record in the one form that records have.
    Unreadable,
}

impl Why {
    /// Every reason.
    pub const ALL: [Self; 9] = [
        Self::Anchor,
        Self::Clock,
        Self::Genesis,
        Self::Hash,
        Self::Link,
        Self::Missing,
        Self::Organization,
        Self::Sequence,
        Self::Unreadable,
    ];

    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Anchor => "anchor_mismatch",
            Self::Clock => "clock_back",
            Self::Genesis => "genesis_mismatch",
            Self::Hash => "hash_mismatch",
            Self::Link => "link_mismatch",
            Self::Missing => "missing",
            Self::Organization => "organization_mismatch",
            Self::Sequence => "sequence_mismatch",
            Self::Unreadable => "unreadable",
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Anchor => "the anchored head says otherwise: the chain was written anew up to there",
            Self::Clock => "it was appended before the record before it",
            Self::Genesis => "the first record does not open this chain for this organization",
            Self::Hash => "its fields do not come to its hash: it was changed after it was appended",
            Self::Link => "it does not name the hash of the record before it",
            Self::Missing => "the chain ends before it: its tail was cut",
            Self::Organization => "it belongs to another organization",
            Self::Sequence => "another number stands in its place: a record was taken out, put in or moved",
            Self::Unreadable => "it is not written as records are",
        }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the chain breaks at seq {}: {}", self.seq, self.why.sentence())
    }
}

impl std::error::Error for Broken {}

/// Recomputes a whole chain, its records in order from the first. Hands back its head.
///
/// `anchored` is a head that was kept where whoever writes the store cannot reach it. The chain may have grown since; it
/// must hold that head. Without one, a tail that was cut and a chain that was written anew throughout go unseen.
///
/// # Errors
/// The first broken sequence number.
pub fn verify<R: Borrow<Record>>(
    chain: Chain,
    organization: &str,
    records: impl IntoIterator<Item = R>,
    anchored: Option<&Head>,
) -> Result<Head, Broken> {
    let mut walk = Walk::new(chain, organization, anchored);
    for record in records {
        walk.step(record.borrow())?;
    }
    walk.end()
}

/// A chain half read.
pub(super) struct Walk<'a> {
    anchored: Option<&'a Head>,
    head: Head,
}

impl<'a> Walk<'a> {
    pub(super) fn new(chain: Chain, organization: &str, anchored: Option<&'a Head>) -> Self {
        let hash = chain.genesis(organization);
        let head = Head { at_ms: 0, chain, hash, organization: organization.to_owned(), seq: 0 };
        Self { anchored, head }
    }

    /// The number that comes next.
    pub(super) fn next(&self) -> u64 {
        self.head.seq.saturating_add(1)
    }

    pub(super) fn step(&mut self, record: &Record) -> Result<(), Broken> {
        let seq = self.next();
        self.fault(record).map_or(Ok(()), |why| Err(Broken { seq, why }))?;
        self.head.at_ms = record.at_ms;
        self.head.hash.clone_from(&record.hash);
        self.head.seq = seq;
        match self.anchored.filter(|anchored| anchored.seq == seq) {
            Some(anchored) if *anchored != self.head => Err(Broken { seq, why: Why::Anchor }),
            _ => Ok(()),
        }
    }

    fn fault(&self, record: &Record) -> Option<Why> {
        if record.seq != self.next() {
            return Some(Why::Sequence);
        }
        if record.organization != self.head.organization {
            return Some(Why::Organization);
        }
        if record.prev != self.head.hash {
            return Some(if record.seq == 1 { Why::Genesis } else { Why::Link });
        }
        if record.computed_hash() != record.hash {
            return Some(Why::Hash);
        }
        if record.at_ms < self.head.at_ms {
            return Some(Why::Clock);
        }
        if record.seq == 1 && !opens(record, self.head.chain) {
            return Some(Why::Genesis);
        }
        (!is_readable(record)).then_some(Why::Unreadable)
    }

    pub(super) fn end(self) -> Result<Head, Broken> {
        let first = Broken { seq: self.next(), why: Why::Missing };
        if self.head.seq == 0 {
            return Err(first);
        }
        match self.anchored {
            Some(anchored) if anchored.seq > self.head.seq => Err(first),
            // Before the first record there is nothing that it could vouch for.
            Some(anchored) if anchored.seq == 0 => Err(Broken { seq: 0, why: Why::Anchor }),
            _ => Ok(self.head),
        }
    }
}

/// Whether a first record says what opening this chain says.
fn opens(record: &Record, chain: Chain) -> bool {
    let event = opened(chain);
    record.event == event.name
        && record.fields.len() == event.fields.len()
        && event.fields.iter().all(|(field, datum)| Fact::of(datum).as_ref() == record.fields.get(&field))
}

/// Whether it is a record that could have been appended.
pub(super) fn is_readable(record: &Record) -> bool {
    is_event(&record.event)
        && is_name(&record.organization)
        && [record.at_ms, record.seq].into_iter().all(is_exact)
        && record.fields.values().all(Fact::fits)
}
