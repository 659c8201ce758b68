//! While the kill switch is on, what comes from outside does nothing but read.

use super::Facts;
use crate::decide::bundle::From;
use crate::lock::Effect;

pub(super) fn open(facts: &Facts<'_, '_>) -> bool {
    let outside = matches!(facts.run.surface, From::Surface(surface) if surface.outside);
    facts.run.kill_switch != Some(true) || !outside || facts.deed.effect == Effect::Read
}
