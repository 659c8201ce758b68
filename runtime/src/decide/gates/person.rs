//! The person the run acts for has the deed among their permissions, looked up under this very lock.

use super::Facts;

pub(super) fn open(facts: &Facts<'_, '_>) -> bool {
    facts.run.person.is_some_and(|person| person.bits.contains(facts.deed.number))
}
