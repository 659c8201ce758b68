//! A disabled tool is in no cell.

use super::{Broken, hold};
use crate::deeds::{Deeds, Granted};
use crate::lock::Lock;

pub(super) fn prove(_: &Lock, deeds: &Deeds<'_>) -> Result<(), Broken> {
    for &Granted { harness, role, cell, deed } in deeds.cells() {
        let enabled = deed.as_ref().is_none_or(|deed| deed.tool.enabled);
        let place = || format!("{harness}/{role}/{}", cell.deed);
        hold(enabled, place, || "the tool is disabled, and the table grants it".to_owned())?;
    }
    Ok(())
}
