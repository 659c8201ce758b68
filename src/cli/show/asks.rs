//! A cell in a person's words: what it does and who is asked.

use harnessc_runtime::lock::{Approval, Approvers, Cell, Effect, Lock, split_deed};

/// What a deed does; one that is not in the registry counts as the worst.
pub(super) fn effect(lock: &Lock, deed: &str) -> Effect {
    let (tool, case) = split_deed(deed);
    let Some(tool) = lock.tools.get(tool) else { return Effect::Destructive };
    let case = case.and_then(|case| tool.cases.as_ref()?.by.get(case));
    case.map_or(tool.effect, |case| case.effect)
}

/// The approval, and who gives it where that is not the general list.
pub(super) fn asks(lock: &Lock, cell: &Cell) -> String {
    let word = word(cell.approval);
    let general = lock.approvals.approvers.as_ref().map(|stated| general(stated, cell.approval));
    match &cell.approvers {
        Some(own) if Some(own.as_slice()) != general => {
            format!("{word}: {}", if own.is_empty() { "nobody".to_owned() } else { own.join(", ") })
        }
        _ => word.to_owned(),
    }
}

/// The approval as it is shown.
pub(super) fn word(approval: Approval) -> &'static str {
    match approval {
        Approval::Auto => "auto",
        Approval::Confirm => "confirm",
        Approval::FourEyes => "four eyes",
    }
}

/// Who gives an approval where no tool says otherwise.
pub(super) fn general(stated: &Approvers, approval: Approval) -> &[String] {
    match approval {
        Approval::Auto => &[],
        Approval::Confirm => &stated.confirm,
        Approval::FourEyes => &stated.four_eyes,
    }
}
