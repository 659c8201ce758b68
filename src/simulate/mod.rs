//! An audit log, decided again under another lock: which calls that really came in would have ended otherwise.
//!
//! The log holds no payload, so that some of it cannot be told; that is said, and never guessed. Nothing here reads a
//! file or speaks to a person.

mod outcome;

use std::collections::BTreeMap;

use harnessc_runtime::Bundle;
use harnessc_runtime::audit::{Broken, Chain, Field, Head, Told as _, read_line, verify_lines};

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
    let head = verify_lines(Chain::Trail, &organization, lines, anchored)?;
    let mut decisions = 0;
    let mut groups: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    for record in lines.lines().filter_map(read_line).filter(|record| record.has(Field::Verdict)) {
        decisions += 1;
        let outcome = outcome::of(&record, lock, held);
        if outcome == Outcome::Same {
            continue;
        }
        let name = |field| record.key(field).map(str::to_owned);
        let key = (outcome, name(Field::Harness), name(Field::Role), outcome::deed(&record));
        groups.entry(key).or_default().push(record.seq);
    }
    let groups = groups.into_iter().map(|((outcome, harness, role, deed), seqs)| Group {
        deed,
        harness,
        outcome,
        role,
        seqs,
    });
    Ok(Simulation { decisions, groups: groups.collect(), head })
}
