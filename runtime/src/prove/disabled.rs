//! A disabled tool is in no cell.

use super::{Broken, cells, hold};
use crate::deeds::Deeds;
use crate::lock::Lock;

pub(super) fn prove(lock: &Lock, deeds: &Deeds<'_>) -> Result<(), Broken> {
    for (harness, role, cell) in cells(lock) {
        let enabled = deeds.named(&cell.deed).is_none_or(|deed| deed.tool.enabled);
        let place = || format!("{harness}/{role}/{}", cell.deed);
        hold(enabled, place, || "the tool is disabled, and the table grants it".to_owned())?;
    }
    Ok(())
}
