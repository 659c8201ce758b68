//! The run's budgets have room for the call (E2, D5).

use crate::boundary::budget::{Amounts, Caps, Exceeded, Ledger, Meter};
use crate::boundary::{Fact, Unreadable};
use crate::decide::Code;
use crate::lock::{Approval, Effect};

/// What is to become of the call, as far as budgets care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::boundary) enum Takes {
    /// It runs and reads.
    Read,
    /// It runs and changes something.
    Create,
    /// It becomes a pending action: nothing runs, so that there is no result.
    Proposal,
}

impl Takes {
    /// As the approval and the effect say.
    pub(in crate::boundary) fn of(approval: Approval, effect: Effect) -> Self {
        match (approval, effect) {
            (Approval::Auto, Effect::Read) => Self::Read,
            (Approval::Auto, _) => Self::Create,
            _ => Self::Proposal,
        }
    }
}

/// What a call takes: itself, a step, the room for its result, and an action where it changes something.
fn wanted(ledger: &Ledger, caps: &Caps, tool: &str, takes: Takes, max_result_bytes: u64) -> Amounts {
    let left = ledger.result_bytes_left(caps, tool).unwrap_or(u64::MAX);
    // Where nothing is left, one byte is asked for, and refused.
    let bytes = if takes == Takes::Proposal { 0 } else { left.min(max_result_bytes).max(1) };
    Amounts::default()
        .with(Meter::ToolCalls, 1)
        .with(Meter::Steps, 1)
        .with(Meter::ResultBytes, bytes)
        .with(Meter::Actions, u64::from(takes != Takes::Read))
}

/// Hands back what is to be reserved.
pub(in crate::boundary) fn ask(
    ledger: &Fact<&mut Ledger>,
    caps: &Caps,
    tool: &str,
    takes: Takes,
    max_result_bytes: u64,
) -> Result<Amounts, (Code, Option<Exceeded>)> {
    let ledger = ledger.as_ref().map_err(|Unreadable| (Code::BudgetUnreadable, None))?;
    room(ledger, caps, tool, takes, max_result_bytes).map_err(|(code, exceeded)| (code, Some(exceeded)))
}

pub(in crate::boundary) fn room(
    ledger: &Ledger,
    caps: &Caps,
    tool: &str,
    takes: Takes,
    max_result_bytes: u64,
) -> Result<Amounts, (Code, Exceeded)> {
    let wanted = wanted(ledger, caps, tool, takes, max_result_bytes);
    ledger.room(caps, Some(tool), wanted).map_err(|exceeded| (code(exceeded), exceeded))?;
    Ok(wanted)
}

pub(in crate::boundary) fn code(exceeded: Exceeded) -> Code {
    if exceeded.meter == Meter::Steps { Code::StepCap } else { Code::BudgetExceeded }
}
