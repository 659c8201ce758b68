//! What comes of a call, in the words of a test.

use std::fmt;

use harnessc_runtime::decide::{Code, Gate};
use harnessc_runtime::lock::Approval;

/// The word that a test expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Word {
    /// It passes, and so many people must say yes.
    Granted(Approval),
    /// It is denied with this code.
    Denied(&'static str),
}

impl Word {
    /// The word as it is written: `auto`, `confirm`, `four_eyes` or a denial code; nothing where it is none of them.
    pub fn read(written: &str) -> Option<Self> {
        let granted = Approval::named(written).map(Self::Granted);
        let denied =
            || Code::ALL.iter().map(|code| code.code()).find(|code| *code == written).map(Self::Denied);
        granted.or_else(denied)
    }

    /// As an author writes it.
    pub fn written(self) -> &'static str {
        match self {
            Self::Granted(approval) => approval.word(),
            Self::Denied(code) => code,
        }
    }

    /// Whether nobody refused.
    pub fn is_granted(self) -> bool {
        matches!(self, Self::Granted(_))
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.written())
    }
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The word.
    pub word: Word,
    /// The first closed gate, where it is denied.
    pub gate: Option<Gate>,
    /// What exactly closed it, where the gate's own sentence does not say it; may be empty.
    pub detail: String,
    /// Who may say yes; `None`: nobody needs to, or any authenticated person may.
    pub approvers: Option<Vec<String>>,
}

impl Decision {
    /// Denied by a gate with its usual code.
    pub fn denied(gate: Gate) -> Self {
        Self::denied_as(gate, gate.code(), "")
    }

    /// Denied by a gate with one of its codes.
    pub fn denied_as(gate: Gate, code: &'static str, detail: impl Into<String>) -> Self {
        Self { word: Word::Denied(code), gate: Some(gate), detail: detail.into(), approvers: None }
    }
}
