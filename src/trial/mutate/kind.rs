//! The ways in which a policy is weakened.

use std::fmt;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $name:ident = $word:literal,)*) => {
        /// One way.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Kind { $($(#[doc = $doc])* $name,)* }

        impl Kind {
            /// All of them, in the order in which they are shown.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Its word, as the command line takes it.
            pub fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// What is done, in a few words without a full stop.
            pub fn means(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),*),)* }.trim().trim_end_matches('.')
            }
        }
    };
}

kinds! {
    /// Words of approval, one step looser.
    Approval = "approval",
    /// Tools added to harnesses.
    Tool = "tool",
    /// Refusals and their verbs taken away.
    Refusal = "refusal",
    /// Bounds doubled.
    Limit = "limit",
    /// Schemas of inputs and types opened.
    Schema = "schema",
    /// Schemas of outputs opened, marks of untrusted text taken away.
    Output = "output",
    /// Roles given more.
    Role = "role",
    /// Personas given more.
    Bundle = "bundle",
    /// Narrowings taken away.
    Only = "only",
    /// Bindings taken away.
    Bind = "bind",
    /// Effects said to be weaker.
    Effect = "effect",
    /// Tools shown on more surfaces, surfaces and scopes opened.
    Surface = "surface",
    /// Tools exempted from the plan gate.
    AlwaysAllowed = "always-allowed",
    /// Personas added to those who may say yes.
    Approver = "approver",
    /// Tools switched on.
    Enabled = "enabled",
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
