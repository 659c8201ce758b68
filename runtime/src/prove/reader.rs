//! Prose reaches roles that read untrusted text, and no other.

use super::{Broken, cells, hold};
use crate::deeds::Deeds;
use crate::lock::Lock;

pub(super) fn prove(lock: &Lock, deeds: &Deeds<'_>) -> Result<(), Broken> {
    for (harness, role, cell) in cells(lock) {
        let prose = deeds.named(&cell.deed).is_some_and(crate::deeds::Deed::is_prose);
        let reads = lock.roles.get(role).is_some_and(|role| role.reads_untrusted);
        let place = || format!("{harness}/{role}/{}", cell.deed);
        hold(!prose || reads, place, || {
            format!("the tool returns prose, and the role `{role}` does not read untrusted text")
        })?;
    }
    Ok(())
}
