//! `harness.toml`: name, versions, what the tree must add up to, rule levels, the release line.

use super::keyed::Keyed;
use super::read::{fields, words};
use crate::source::Spanned;

/// The edition of a tree that states none, and the only one there is.
pub const EDITION: u64 = 1;

fields! {
    /// The manifest.
    Manifest = "the manifest" {
        /// What this policy is.
        req policy: PolicyTable,
        /// The release line; `harnessc release` writes it.
        opt release: ReleaseTable,
        /// Section to how many definitions it holds: these numbers change only on purpose.
        opt expect: Keyed<Spanned<u64>>,
        /// Lists outside the policy that repeat a section's keys.
        opt mirror: Vec<Mirror>,
        /// Rule to the level it has here.
        opt rules: Keyed<Spanned<RuleLevel>>,
    }
}

fields! {
    /// What this policy is.
    PolicyTable = "`[policy]`" {
        /// Its name; a runtime that trusts another refuses the lock.
        req name: Spanned<String>,
        /// Stands on every run's row.
        opt harness_version: Spanned<String>,
        /// The folder of prompts below `prompts/`.
        opt prompt_version: Spanned<String>,
        /// Servers that may serve tools; unsaid: none (seed 003).
        opt external_servers: Names,
        /// A runtime that trusts another environment refuses the lock.
        opt environment: Spanned<String>,
        /// The rule set; a newer harnessc keeps to it.
        opt edition: Spanned<u64>,
    }
}

/// Names; may be empty, and then means none.
#[derive(Clone, Debug, Default, schemars::JsonSchema)]
#[schemars(transparent)]
pub struct Names(pub Vec<Spanned<String>>);

impl super::read::Read for Names {
    fn read(node: &std::sync::Arc<crate::syntax::Node>, sink: &mut crate::diagnostic::Sink) -> Option<Self> {
        match &node.kind {
            crate::syntax::Kind::List(items) if items.is_empty() => Some(Self::default()),
            _ => Vec::read(node, sink).map(Self),
        }
    }
}

fields! {
    /// The release line.
    ReleaseTable = "`[release]`" {
        /// Never goes down.
        req revision: Spanned<u64>,
        /// The digest of the revision before; empty for the first.
        req predecessor: Spanned<String>,
    }
}

fields! {
    /// A list outside the policy that repeats a section's keys.
    Mirror = "`[[mirror]]`" {
        /// The section.
        req of: Spanned<String>,
        /// A file inside the tree.
        req file: Spanned<String>,
        /// A pattern with a group named `keys`, which matches exactly once.
        req pattern: Spanned<String>,
    }
}

words! {
    /// The level of a rule in this tree.
    RuleLevel = "a level" {
        /// Reported; exit 1.
        Deny = "deny",
        /// Reported; exit 0.
        Warn = "warn",
        /// Not reported.
        Allow = "allow",
    }
}
