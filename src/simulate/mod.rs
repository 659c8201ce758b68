//! An audit log, decided again under another lock: which calls that really came in would have ended otherwise.
//!
//! The log holds no payload, so that some of it cannot be told; that is said, and never guessed. Nothing here reads a
//! file or speaks to a person.

mod alike;
mod outcome;

use std::collections::BTreeMap;

use harnessc_runtime::Bundle;
use harnessc_runtime::audit::{Broken, Chain, Field, Head, Record, Told as _, Why, read_line, verify};
use harnessc_runtime::decide::PLAN_PROPOSE;

pub use outcome::{Doubt, Outcome, Said, Turn};

/// What a log comes to under a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// The decisions in it.
    pub decisions: usize,
    /// What does not stay as it was or cannot be told: widened first, then narrowed, then what cannot be told.
    pub groups: Vec<Group>,
    /// Where the log ends.
    pub head: Head,
    /// The locks that were in force, by digest.
    pub locks: BTreeMap<String, InForce>,
    /// Whether the lock has any of the tools that the decisions name; none, where they name none.
    pub knows_a_tool: Option<bool>,
}

/// A lock that was in force while a part of the log was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InForce {
    /// How many decisions were made under it.
    pub decisions: usize,
    /// Whether it is at hand: the lock that is asked, or one of the held.
    pub at_hand: bool,
}

/// Decisions that turn out the same way about the same deed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The deed; `None`: a name that the lock of that time did not know.
    pub deed: Option<String>,
    /// The harness; `None`: none, or a name that the lock of that time did not know.
    pub harness: Option<String>,
    /// How it turns out.
    pub outcome: Outcome,
    /// The run role; `None`: a name that the lock of that time did not know.
    pub role: Option<String>,
    /// The records' sequence numbers, in order.
    pub seqs: Vec<u64>,
}

impl Simulation {
    /// The decisions that would have ended otherwise.
    #[must_use]
    pub fn flips(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Flip { .. }))
    }

    /// The decisions of which nobody can tell.
    #[must_use]
    pub fn untold(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::CannotTell { .. }))
    }

    /// The decisions that stay as they were.
    #[must_use]
    pub fn same(&self) -> usize {
        self.decisions.saturating_sub(self.flips()).saturating_sub(self.untold())
    }

    fn count(&self, is: impl Fn(&Outcome) -> bool) -> usize {
        self.groups.iter().filter(|group| is(&group.outcome)).map(|group| group.seqs.len()).sum()
    }
}

/// Verifies a log, a line for each record, and decides each of its decisions again under `lock`. `held` are the locks that they were
/// made under, as far as they are at hand: where the deed is the same in both, its input would be judged alike.
///
/// # Errors
/// The first record that does not hold, also against the anchored head.
pub fn simulate(
    lines: &str,
    anchored: Option<&Head>,
    lock: &Bundle,
    held: &[Bundle],
) -> Result<Simulation, Broken> {
    // The first record names the organization that all of them must name.
    let first = lines.lines().next().and_then(read_line);
    let organization = anchored.map(|head| head.organization.clone());
    let organization = organization.or(first.map(|record| record.organization)).unwrap_or_default();
    let mut again = Again { lock, held, simulation: Tally::default() };
    let (mut read, mut unreadable) = (0, None);
    // Each line is read once: it is decided again as soon as it is read, and counts where the whole chain holds.
    let records = lines.split_inclusive('\n').map_while(|line| {
        let record = line.strip_suffix('\n').and_then(read_line);
        read += 1;
        match &record {
            Some(record) => again.take(record),
            None => unreadable = Some(Broken { seq: read, why: Why::Unreadable }),
        }
        record
    });
    let verified = verify(Chain::Trail, &organization, records, anchored);
    let head = match (verified, unreadable) {
        // What breaks before the line that cannot be read comes first; a chain that ends there does not.
        (Err(broken), Some(cut)) if broken.seq >= cut.seq => return Err(cut),
        (Ok(_), Some(cut)) => return Err(cut),
        (verified, _) => verified?,
    };
    Ok(again.simulation.done(head))
}

/// Decisions, made again one by one.
struct Again<'b> {
    held: &'b [Bundle],
    lock: &'b Bundle,
    simulation: Tally,
}

type Key = (Outcome, Option<String>, Option<String>, Option<String>);

#[derive(Default)]
struct Tally {
    decisions: usize,
    groups: BTreeMap<Key, Vec<u64>>,
    knows_a_tool: Option<bool>,
    locks: BTreeMap<String, InForce>,
}

impl Again<'_> {
    fn take(&mut self, record: &Record) {
        if !record.has(Field::Verdict) {
            return;
        }
        let tally = &mut self.simulation;
        tally.decisions += 1;
        if let Some(digest) = record.text(Field::Lock) {
            let at_hand = self.held.iter().chain([self.lock]).any(|bundle| bundle.digest() == digest);
            let in_force = tally.locks.entry(digest.to_owned()).or_default();
            *in_force = InForce { decisions: in_force.decisions + 1, at_hand };
        }
        if let Some(tool) = record.key(Field::Tool).filter(|tool| *tool != PLAN_PROPOSE) {
            let knows = self.lock.lock().tools.contains_key(tool);
            tally.knows_a_tool = Some(tally.knows_a_tool.unwrap_or(false) || knows);
        }
        let outcome = outcome::of(record, self.lock, self.held);
        if outcome == Outcome::Same {
            return;
        }
        let name = |field| record.key(field).map(str::to_owned);
        let key = (outcome, name(Field::Harness), name(Field::Role), outcome::deed(record));
        tally.groups.entry(key).or_default().push(record.seq);
    }
}

impl Tally {
    fn done(self, head: Head) -> Simulation {
        let Self { decisions, groups, knows_a_tool, locks } = self;
        let groups = groups.into_iter().map(|((outcome, harness, role, deed), seqs)| Group {
            deed,
            harness,
            outcome,
            role,
            seqs,
        });
        Simulation { decisions, groups: groups.collect(), head, knows_a_tool, locks }
    }
}
