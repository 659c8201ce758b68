//! The surface serves the tool, and one of the granted scopes covers the deed's effect.

use super::Facts;
use crate::decide::bundle::From;

pub(super) fn open(facts: &Facts<'_, '_>) -> bool {
    let served = match facts.run.surface {
        From::Nowhere => !facts.tool.on_surfaces,
        From::Surface(surface) => !facts.tool.on_surfaces || surface.named.contains(facts.deed.number),
        From::Unknown => false,
    };
    served && facts.run.effects.contains(facts.deed.effect)
}
