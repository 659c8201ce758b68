//! Appending: each record binds the one before, the first one its chain and organization.

use std::fmt;

use super::record::{is_exact, is_name};
use super::{Datum, Event, Field, Record};
use crate::lock::digest_of;

/// The format of records that this crate writes.
pub const FORMAT: &str = "harness-audit/1";

/// The event of every chain's first record.
pub(super) const OPENED: &str = "audit.opened";

/// The chains that an organization has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chain {
    /// What a model said of its reasoning (row E10): apart from the trail, read by its own rule.
    Reasoning,
    /// Every decision, proposal, vote, execution and change of policy (row S12).
    Trail,
}

impl Chain {
    /// Every chain.
    pub const ALL: [Self; 2] = [Self::Reasoning, Self::Trail];

    /// Its name in a chain's first record.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Reasoning => "reasoning",
            Self::Trail => "trail",
        }
    }

    /// What the first record of this chain has before it, so that no record fits another chain or organization.
    #[must_use]
    pub fn genesis(self, organization: &str) -> String {
        let organization = serde_json::Value::from(organization);
        let chain = self.code();
        digest_of(
            format!("{{\"audit\":\"{FORMAT}\",\"chain\":\"{chain}\",\"organization\":{organization}}}")
                .as_bytes(),
        )
    }
}

/// Where a chain ends. A head that is kept elsewhere (see [`Checkpoint`](super::Checkpoint)) shows a tail that was cut.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Head {
    /// When the last record was appended: the clock's high-water mark.
    pub at_ms: u64,
    /// The chain.
    pub chain: Chain,
    /// The last record's hash.
    pub hash: String,
    /// The organization.
    pub organization: String,
    /// The last record's number.
    pub seq: u64,
}

/// Why an event becomes no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The clock stands before the last record.
    ClockBack {
        /// When the last record was appended.
        held_ms: u64,
        /// What the clock says.
        now_ms: u64,
    },
    /// A fact is longer than a name, holds control characters, is no digest or is beyond ±(2^53 − 1).
    Fact(Field),
    /// The event's name, the organization's, or a number of the record is none that a record holds.
    Name,
}

impl Unfit {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::ClockBack { .. } => "audit_clock_back",
            Self::Fact(_) | Self::Name => "audit_unfit",
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClockBack { held_ms, now_ms } => {
                write!(f, "the clock says {now_ms} ms, and the last record was appended at {held_ms} ms")
            }
            Self::Fact(field) => write!(
                f,
                "`{}` is no fact that a record holds: a name has at most {} bytes and no control characters",
                field.name(),
                super::MAX_TEXT
            ),
            Self::Name => f.write_str("the event, the organization or the time is none that a record holds"),
        }
    }
}

impl std::error::Error for Unfit {}

/// The first record of a chain, which binds the organization.
///
/// # Errors
/// Where the organization's name or the time is none that a record holds.
pub fn open(chain: Chain, organization: &str, at_ms: u64) -> Result<(Record, Head), Unfit> {
    let hash = chain.genesis(organization);
    let before = Head { at_ms: 0, chain, hash, organization: organization.to_owned(), seq: 0 };
    append(&before, &opened(chain), at_ms)
}

/// What the first record of a chain says.
pub(super) fn opened(chain: Chain) -> Event {
    Event::new(OPENED).with(Field::Chain, Datum::Word(chain.code())).with(Field::Format, Datum::Word(FORMAT))
}

/// The record that follows `head`, and the head that it makes. `at_ms` is the store's clock.
///
/// # Errors
/// Where the event is none that a record holds, or the clock went back. The caller denies: what is not recorded does not
/// happen.
pub fn append(head: &Head, event: &Event, at_ms: u64) -> Result<(Record, Head), Unfit> {
    if at_ms < head.at_ms {
        return Err(Unfit::ClockBack { held_ms: head.at_ms, now_ms: at_ms });
    }
    let seq = head.seq.checked_add(1).filter(|seq| is_exact(*seq)).ok_or(Unfit::Name)?;
    if !is_event(event.name) || !is_name(&head.organization) || !is_exact(at_ms) {
        return Err(Unfit::Name);
    }
    let mut record = Record {
        at_ms,
        event: event.name.to_owned(),
        fields: Record::facts(event)?,
        hash: String::new(),
        organization: head.organization.clone(),
        prev: head.hash.clone(),
        seq,
    };
    record.hash = record.computed_hash();
    let hash = record.hash.clone();
    let head = Head { at_ms, chain: head.chain, hash, organization: head.organization.clone(), seq };
    Ok((record, head))
}

/// Whether a text can be an event's name: small letters, digits, `_` and `.`.
pub(super) fn is_event(name: &str) -> bool {
    is_name(name)
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::{Chain, Unfit, append, open};
    use crate::audit::{Datum, Event, Field};

    #[test]
    fn the_first_record_binds_chain_and_organization() {
        let (trail, head) = open(Chain::Trail, "org-1", 5).unwrap();
        assert_eq!((trail.seq, head.seq, trail.event.as_str()), (1, 1, "audit.opened"));
        let (reasoning, _) = open(Chain::Reasoning, "org-1", 5).unwrap();
        let (other, _) = open(Chain::Trail, "org-2", 5).unwrap();
        assert_ne!(trail.prev, reasoning.prev);
        assert_ne!(trail.prev, other.prev);
    }

    // THREATS: the clock going back denies.
    #[test]
    fn a_clock_that_went_back_appends_nothing() {
        let (_, head) = open(Chain::Trail, "org-1", 5).unwrap();
        assert!(append(&head, &Event::new("run.started"), 5).is_ok());
        let refused = append(&head, &Event::new("run.started"), 4).unwrap_err();
        assert_eq!(
            (refused.code(), refused),
            ("audit_clock_back", Unfit::ClockBack { held_ms: 5, now_ms: 4 })
        );
    }

    // E10: there is no fact by which a text of any length could enter.
    #[test]
    fn what_is_no_name_is_recorded_nowhere() {
        let (_, head) = open(Chain::Trail, "org-1", 5).unwrap();
        let prose = Event::new("run.started").with(Field::Tool, Datum::Key("Dear all,\nplease".to_owned()));
        assert_eq!(append(&head, &prose, 6).unwrap_err(), Unfit::Fact(Field::Tool));
        assert_eq!(append(&head, &Event::new("Run Started"), 6).unwrap_err(), Unfit::Name);
        assert_eq!(open(Chain::Trail, "", 5).unwrap_err().code(), "audit_unfit");
        assert_eq!(append(&head, &Event::new("run.started"), u64::MAX).unwrap_err(), Unfit::Name);
    }
}
