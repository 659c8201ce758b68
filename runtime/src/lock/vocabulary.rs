//! The closed words of the lock: effects, approvals, what a tool returns, how a deed is taken back.

use serde::{Deserialize, Serialize};

/// What a deed does to the world, weakest first (`effect` of a tool or a case).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Adds something that can be taken back.
    Create,
    /// Changes what exists.
    Write,
    /// Removes or overwrites what exists. What an author leaves unsaid counts as this.
    Destructive,
}

impl Effect {
    /// Every effect, weakest first.
    pub const ALL: [Self; 4] = [Self::Read, Self::Create, Self::Write, Self::Destructive];

    /// The word as authors write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Create => "create",
            Self::Write => "write",
            Self::Destructive => "destructive",
        }
    }

    /// Whether this is a *write* in the language's sense: an effect of write or destructive, which is never auto.
    #[must_use]
    pub fn is_write(self) -> bool {
        self >= Self::Write
    }
}

/// Who must say yes before a deed is done, loosest first (`approval` of a tool, a case, a tier or a mention).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Approval {
    /// Nobody.
    Auto,
    /// One person who may.
    Confirm,
    /// One person who may and is neither the requester nor the person the run acts for.
    FourEyes,
}

impl Approval {
    /// Every approval, loosest first.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Confirm, Self::FourEyes];

    /// The approval of this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|approval| approval.word() == word)
    }

    /// The word as authors write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Confirm => "confirm",
            Self::FourEyes => "four_eyes",
        }
    }
}

/// What a tool hands back (`returns`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Returns {
    /// Nothing but that it was done.
    None,
    /// Free text, which is untrusted by that word: it reaches reading roles alone.
    Prose,
    /// A value that its closed output schema describes.
    Structured,
}

impl Returns {
    /// The word as authors write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Prose => "prose",
            Self::Structured => "structured",
        }
    }
}

/// One way in which a deed is taken back (an item of `undo`). `undo: none` is written as the item `none`, so that
/// "cannot be taken back" never looks like "nothing was said".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undo {
    /// The named deed takes it back.
    By(String),
    /// It cannot be taken back.
    None,
    /// A pre-image is kept.
    Snapshot,
}

/// What an approver is shown (`preview`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preview {
    /// The state before and after.
    BeforeAfter,
    /// The exact input and its target.
    #[default]
    Input,
}
