//! What is asked of a call, and what comes back.

use super::{Code, Gate};
use crate::lock::Approval;

/// One call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// The value of the input that tells the tool's cases apart, where the tool has cases and the call carries it as a
    /// string. [`Bundle::discriminator`](super::Bundle::discriminator) names that input.
    pub case: Option<&'a str>,
    /// The tool's name, compared exactly.
    pub tool: &'a str,
}

/// The answer to a call. There is no fourth one, and no default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'a> {
    /// The gates that this room asks are open, and nobody needs to say yes. The [boundary](crate::boundary) asks the
    /// others, the input's schema among them, before anything runs. Never said of a write.
    Allow,
    /// A gate is closed.
    Deny(Denial),
    /// The same gates are open and a person must say yes first: nothing runs from this call.
    Propose {
        /// How strictly.
        approval: Approval,
        /// The personas that may; `None`: any authenticated person.
        approvers: Option<&'a [String]>,
    },
}

/// Why a call was denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Denial {
    /// The stable code for the caller and the audit trail.
    pub code: &'static str,
    /// The audit event.
    pub event: &'static str,
    /// The first closed gate.
    pub gate: Gate,
    /// What is said to the caller; it names neither the tool nor its schema.
    pub reason: &'static str,
}

impl From<Gate> for Denial {
    fn from(gate: Gate) -> Self {
        gate.usual().into()
    }
}

impl From<Code> for Denial {
    fn from(code: Code) -> Self {
        Self { code: code.code(), event: code.event(), gate: code.gate(), reason: code.reason() }
    }
}
