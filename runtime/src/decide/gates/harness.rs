//! The harness holds the deed; a run without one holds its persona's reads.

use super::Facts;

pub(super) fn open(facts: &Facts<'_, '_>) -> bool {
    facts.run.harness.is_some_and(|harness| harness.held.contains(facts.deed.number))
}
