//! A create is auto only where an enabled tool takes it back, and never on an outside server.

use super::{Broken, hold};
use crate::deeds::{Deed, Deeds, Granted};
use crate::lock::{Approval, Effect, Lock, Undo, split_deed};

pub(super) fn prove(lock: &Lock, deeds: &Deeds<'_>) -> Result<(), Broken> {
    for &Granted { harness, role, cell, deed } in deeds.cells() {
        let create = deed.as_ref().filter(|deed| deed.effect() == Effect::Create);
        let (Some(deed), Approval::Auto) = (create, cell.approval) else { continue };
        let place = || format!("{harness}/{role}/{}", cell.deed);
        hold(deed.tool.server.is_none(), place, || {
            "a create on an outside server is never `auto`".to_owned()
        })?;
        hold(is_undone(lock, deed), place, || {
            "a create is `auto` only where `undo` names an enabled tool that takes it back".to_owned()
        })?;
    }
    Ok(())
}

fn is_undone(lock: &Lock, deed: &Deed<'_>) -> bool {
    deed.undo().iter().any(|undo| match undo {
        Undo::By(by) => lock.tools.get(split_deed(by).0).is_some_and(|tool| tool.enabled),
        Undo::None | Undo::Snapshot => false,
    })
}
