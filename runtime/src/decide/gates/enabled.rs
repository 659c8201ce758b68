//! The tool is enabled.

use super::Facts;

pub(super) fn open(facts: &Facts<'_, '_>) -> bool {
    facts.tool.enabled
}
