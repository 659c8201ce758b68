//! A diagnostic with the level that is in force for it.

use super::{Diagnostic, Level};

/// A diagnostic as it is reported: the manifest's `[rules]` and the waivers are applied, so `level` is never [`Level::Allow`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was found.
    pub diagnostic: Diagnostic,
    /// How grave it is in this run.
    pub level: Level,
}

impl Level {
    /// The level's word, as the manifest and every output format write it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Deny => "deny",
            Self::Forbid => "forbid",
        }
    }
}
