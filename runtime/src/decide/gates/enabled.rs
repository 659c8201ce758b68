//! The tool is enabled by the lock, and nothing at run time has switched it off.

use super::Facts;

pub(super) fn open(facts: &Facts<'_, '_>) -> bool {
    facts.tool.enabled && !facts.run.tighter.is_some_and(|tighter| tighter.is_off(facts.name))
}
