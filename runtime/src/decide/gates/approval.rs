//! Who must say yes: the cell's approval, and from outside never less than one confirmation of what is no read.

use super::Facts;
use crate::decide::bundle::From;
use crate::decide::{Gate, Verdict};
use crate::lock::{Approval, Effect};

pub(in crate::decide) fn verdict<'a>(facts: &Facts<'_, 'a>) -> Verdict<'a> {
    // A deed whose gates are open and that has no cell is a contradiction, and denied as one.
    let Some(cell) = facts.run.cells.and_then(|cells| cells.get(facts.deed.number)) else {
        return Verdict::Deny(Gate::Approval.into());
    };
    let outside = matches!(facts.run.surface, From::Surface(surface) if surface.outside);
    match cell.approval {
        Approval::Auto if facts.deed.effect.is_write() => Verdict::Deny(Gate::Approval.into()),
        Approval::Auto if outside && facts.deed.effect != Effect::Read => {
            Verdict::Propose { approval: Approval::Confirm, approvers: facts.deed.confirmers.as_deref() }
        }
        Approval::Auto => Verdict::Allow,
        approval => Verdict::Propose { approval, approvers: cell.approvers.as_deref() },
    }
}
