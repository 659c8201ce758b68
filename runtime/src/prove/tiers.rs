//! Nothing states or holds an approval looser than its tier.

use super::{Broken, hold};
use crate::deeds::{Deed, Deeds, Granted};
use crate::lock::{Approval, Lock};

pub(super) fn prove(lock: &Lock, deeds: &Deeds<'_>) -> Result<(), Broken> {
    for deed in deeds.iter() {
        if let Some(stated) = deed.stated() {
            at_least(lock, deed, stated, || deed.name())?;
        }
    }
    for toolset in deeds.toolsets() {
        for (mention, number) in toolset.mentions() {
            let deed = number.and_then(|number| deeds.at(number));
            if let (Some(deed), Some(stated)) = (deed, mention.approval) {
                at_least(lock, deed, stated, || format!("{}/{}", toolset.key, deed.name()))?;
            }
        }
    }
    for &Granted { harness, role, cell, deed } in deeds.cells() {
        if let Some(deed) = deed {
            at_least(lock, &deed, cell.approval, || format!("{harness}/{role}/{}", cell.deed))?;
        }
    }
    Ok(())
}

fn at_least(
    lock: &Lock,
    deed: &Deed<'_>,
    stated: Approval,
    place: impl FnOnce() -> String,
) -> Result<(), Broken> {
    let effect = deed.effect();
    let tier = lock.approvals.at_least.of(effect);
    // A write made auto has a proof of its own, which names it better.
    hold(stated >= tier || effect.is_write() && stated == Approval::Auto, place, || {
        format!("it says `{}`, and the tier of `{}` is `{}`", stated.word(), effect.word(), tier.word())
    })
}
