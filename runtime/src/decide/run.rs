//! Who asks: the run's row as the boundary hands it over.

use std::sync::Arc;

use super::bits::Bits;

/// What a decision needs to know of a run. Every name is compared exactly; one that the policy does not know grants
/// nothing.
#[derive(Clone, Copy, Debug)]
pub struct RunRow<'a> {
    /// The harness on the row; `None`: the run wears none and reads only.
    pub harness: Option<&'a str>,
    /// The permissions of the person the run acts for, looked up for this call.
    pub person: &'a Person,
    /// Where the run's plan stands.
    pub plan: Plan<'a>,
    /// Whether the run may only read: viewers, resume turns, lens reviews, read-only plans.
    pub read_only: bool,
    /// The role from the authenticated token.
    pub role: &'a str,
    /// The scopes that were granted on the surface.
    pub scopes: &'a [&'a str],
    /// The surface, from the listener that took the call. `None`: the call came over none, so that tools which
    /// name their surfaces are out of reach, and all tools are where some surface states scopes.
    pub surface: Option<&'a str>,
}

/// Where a run's plan stands.
#[derive(Clone, Copy, Debug)]
pub enum Plan<'a> {
    /// A plan was approved: its steps, and what is exempt.
    Approved {
        /// The deeds of its steps.
        steps: &'a DeedSet,
    },
    /// No plan: the gate is open.
    None,
    /// A plan was proposed and is not approved: only what is exempt.
    Proposed,
}

/// Deeds of one lock, by number. It means nothing to another lock, and a decision under one denies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeedSet {
    pub(super) bits: Bits,
    pub(crate) lock: Arc<str>,
}

/// The permissions of one person under one lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person(pub(crate) DeedSet);
