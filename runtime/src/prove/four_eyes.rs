//! Who is trusted as second pair of eyes is also trusted with one yes, and what cannot be taken back needs both.

use super::{Broken, hold, in_force};
use crate::deeds::{Deeds, Granted};
use crate::lock::{Approval, Effect, Lock, Undo};

pub(super) fn prove(lock: &Lock, deeds: &Deeds<'_>) -> Result<(), Broken> {
    let asked = || in_force(lock, "approvers-unreachable", || "approvals/approvers".to_owned());
    if let Some(approvers) = lock.approvals.approvers.as_ref().filter(|_| asked()) {
        let outside = approvers.four_eyes.iter().find(|persona| !approvers.confirm.contains(persona));
        hold(
            outside.is_none(),
            || "approvers/four_eyes".to_owned(),
            || format!("`{}` is not among the approvers of `confirm`", outside.map_or("", String::as_str)),
        )?;
    }
    // Silence about a way back is none. Where the author waived or lowered the rule, the waiver stands in the lock instead.
    let asked = |tool: &str| in_force(lock, "destructive-without-undo", || format!("tools/{tool}"));
    let is_final = |undo: &[Undo]| undo.contains(&Undo::None) || undo.is_empty();
    for &Granted { harness, role, cell, deed } in deeds.cells() {
        let final_deed = deed
            .as_ref()
            .filter(|deed| deed.effect() == Effect::Destructive && is_final(deed.undo()))
            .is_some_and(|deed| asked(deed.tool_name));
        let place = || format!("{harness}/{role}/{}", cell.deed);
        hold(!final_deed || cell.approval == Approval::FourEyes, place, || {
            "it is destructive, and nothing takes it back: that needs `four_eyes`".to_owned()
        })?;
    }
    Ok(())
}
