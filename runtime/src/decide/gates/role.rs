//! The role may hold the deed: its list, its effects, and prose only where it reads untrusted text.

use super::Facts;

pub(super) fn open(facts: &Facts<'_, '_>) -> bool {
    facts.run.role.is_some_and(|role| role.grants.contains(facts.deed.number))
}
