//! A read-only run, and one without a harness, does nothing but read.

use super::Facts;
use crate::lock::Effect;

pub(super) fn open(facts: &Facts<'_, '_>) -> bool {
    !facts.run.read_only || facts.deed.effect == Effect::Read
}
