//! No write and nothing destructive is auto: not by tier, tool, case, harness or cell.

use super::{Broken, hold};
use crate::deeds::{Deeds, Granted};
use crate::lock::{Approval, Effect, Lock};

pub(super) fn prove(lock: &Lock, deeds: &Deeds<'_>) -> Result<(), Broken> {
    for effect in Effect::ALL.into_iter().filter(|effect| effect.is_write()) {
        let tier = lock.approvals.at_least.of(effect);
        hold(
            tier > Approval::Auto,
            || format!("at_least/{}", effect.word()),
            || "the tier lets a write go through without a yes".to_owned(),
        )?;
    }
    let auto = "a write is never `auto`";
    for deed in deeds.iter().filter(|deed| deed.effect().is_write()) {
        hold(deed.stated() != Some(Approval::Auto), || deed.name(), || auto.to_owned())?;
    }
    for toolset in deeds.toolsets() {
        for (mention, number) in toolset.mentions() {
            let deed = number.and_then(|number| deeds.at(number)).filter(|deed| deed.effect().is_write());
            if let Some(deed) = deed {
                let place = || format!("{}/{}", toolset.key, deed.name());
                hold(mention.approval != Some(Approval::Auto), place, || auto.to_owned())?;
            }
        }
    }
    for &Granted { harness, role, cell, deed } in deeds.cells() {
        let write = deed.as_ref().is_some_and(|deed| deed.effect().is_write());
        let place = || format!("{harness}/{role}/{}", cell.deed);
        hold(!write || cell.approval > Approval::Auto, place, || auto.to_owned())?;
    }
    Ok(())
}
