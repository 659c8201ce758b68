//! Who must say yes: the cell's approval or what stands above it at run time, and from outside never less than one
//! confirmation of what is no read.

use super::Facts;
use crate::decide::bundle::From;
use crate::decide::{Gate, Verdict};
use crate::lock::{Approval, Effect};

pub(in crate::decide) fn verdict<'a>(facts: &Facts<'_, 'a>) -> Verdict<'a> {
    // A deed whose gates are open and that has no cell is a contradiction, and denied as one; so is an auto write.
    let Some(cells) = facts.run.cells else { return Verdict::Deny(Gate::Approval.into()) };
    let Some(own) = cells.approval(facts.deed.number) else { return Verdict::Deny(Gate::Approval.into()) };
    if own == Approval::Auto && facts.deed.effect.is_write() {
        return Verdict::Deny(Gate::Approval.into());
    }
    match own.max(least(facts)) {
        Approval::Auto => Verdict::Allow,
        approval if approval == own => {
            let approvers = cells.get(facts.deed.number).and_then(|cell| cell.approvers.as_deref());
            Verdict::Propose { approval, approvers }
        }
        approval => match facts.run.approvers(facts.deed, own, approval) {
            // Nobody may say yes to it under both.
            Some([]) => Verdict::Deny(Gate::Approval.into()),
            approvers => Verdict::Propose { approval, approvers },
        },
    }
}

/// What the place of the call and the overlay ask for, whatever the cell says.
fn least(facts: &Facts<'_, '_>) -> Approval {
    let outside = matches!(facts.run.surface, From::Surface(surface) if surface.outside);
    let of_origin =
        if outside && facts.deed.effect != Effect::Read { Approval::Confirm } else { Approval::Auto };
    let raised = facts.run.tighter.map(|tighter| tighter.at_least(facts.name, facts.deed.case));
    raised.unwrap_or(Approval::Auto).max(of_origin)
}
