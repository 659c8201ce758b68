//! Prose reaches roles that read untrusted text, and no other.

use super::{Broken, hold};
use crate::deeds::{Deed, Deeds, Granted};
use crate::lock::Lock;

pub(super) fn prove(lock: &Lock, deeds: &Deeds<'_>) -> Result<(), Broken> {
    for &Granted { harness, role, cell, deed } in deeds.cells() {
        let prose = deed.as_ref().is_some_and(Deed::is_prose);
        let reads = prose && lock.roles.get(role).is_some_and(|role| role.reads_untrusted);
        let place = || format!("{harness}/{role}/{}", cell.deed);
        hold(!prose || reads, place, || {
            format!("the tool returns prose, and the role `{role}` does not read untrusted text")
        })?;
    }
    Ok(())
}
