//! The scopes that are left to the turn after a yes grant reads and nothing else.

use super::{Broken, hold, in_force};
use crate::deeds::Deeds;
use crate::lock::{Effect, Lock};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    for (key, surface) in &lock.surfaces {
        let Some(scopes) = &surface.scopes else { continue };
        for name in surface.after_approval.iter().flatten() {
            let reads = scopes
                .get(name)
                .is_none_or(|scope| scope.effects.iter().all(|effect| *effect == Effect::Read));
            hold(
                reads || !in_force(lock, "after-approval-acts", || format!("surfaces/{key}")),
                || format!("{key}/{name}"),
                || "it is left to the turn after a yes, and grants more than reads".to_owned(),
            )?;
        }
    }
    Ok(())
}
