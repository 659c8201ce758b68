//! The turn after a yes (row D8): it reports what was done and does nothing itself.

use crate::lock::{Effect, Lock};

/// What the run row says in the turn that resumes after an approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumeTurn {
    /// Always true: whatever the scopes say, the read-only gate is shut to everything but reads.
    pub read_only: bool,
    /// The granted scopes that the surface leaves to this turn and that do nothing but read.
    pub scopes: Vec<String>,
}

/// The resume turn of a surface. One that the lock does not know, or that states no scopes, leaves none.
#[must_use]
pub fn resume_turn(lock: &Lock, surface: &str, granted: &[&str]) -> ResumeTurn {
    let surface = lock.surfaces.get(surface);
    let left = surface.and_then(|surface| surface.after_approval.as_ref());
    let reads = |scope: &str| {
        let scopes = surface.and_then(|surface| surface.scopes.as_ref());
        scopes
            .and_then(|scopes| scopes.get(scope))
            .is_some_and(|scope| scope.effects.iter().all(|effect| *effect == Effect::Read))
    };
    let mut scopes: Vec<String> = granted
        .iter()
        .filter(|scope| left.is_none_or(|left| left.iter().any(|one| one == *scope)) && reads(scope))
        .map(|scope| (*scope).to_owned())
        .collect();
    scopes.sort();
    scopes.dedup();
    ResumeTurn { read_only: true, scopes }
}
