//! The ways in which a policy is weakened.

use std::fmt;

/// One way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A word of approval, one step looser.
    Approval,
    /// A tool that a harness does not hold, added to its toolset.
    Tool,
    /// A refusal, or one of its verbs, taken away.
    Refusal,
    /// A number that bounds, doubled.
    Limit,
    /// A keyword of an input's schema, opened.
    Schema,
    /// A role given an effect, a tool, or untrusted text.
    Role,
    /// A tool that a persona does not hold, added to its bundle.
    Bundle,
    /// A narrowing taken away.
    Only,
    /// A binding taken away.
    Bind,
    /// An effect said to be weaker.
    Effect,
    /// A tool shown on a further surface, a surface said to be inside, a scope given an effect.
    Surface,
    /// A tool exempted from the plan gate.
    AlwaysAllowed,
    /// A persona added to those who may say yes.
    Approver,
    /// A tool switched on.
    Enabled,
}

impl Kind {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 14] = [
        Self::Approval,
        Self::Tool,
        Self::Refusal,
        Self::Limit,
        Self::Schema,
        Self::Role,
        Self::Bundle,
        Self::Only,
        Self::Bind,
        Self::Effect,
        Self::Surface,
        Self::AlwaysAllowed,
        Self::Approver,
        Self::Enabled,
    ];

    /// Its word, as the command line takes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Approval => "approval",
            Self::Tool => "tool",
            Self::Refusal => "refusal",
            Self::Limit => "limit",
            Self::Schema => "schema",
            Self::Role => "role",
            Self::Bundle => "bundle",
            Self::Only => "only",
            Self::Bind => "bind",
            Self::Effect => "effect",
            Self::Surface => "surface",
            Self::AlwaysAllowed => "always-allowed",
            Self::Approver => "approver",
            Self::Enabled => "enabled",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
