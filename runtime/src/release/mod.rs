//! What leaves a run, and that nothing leaves it late (rows E1, E8).
//!
//! [`RunContext`] knows the deadline and the first ending, which no later one replaces. [`release`] ends the run and
//! hands out exactly one of four things: the supported report, a bounded safe fallback, a stable failure, or nothing.

mod context;
mod fallback;
mod policy;

pub use context::{Ended, Late, RunContext};
pub use fallback::{DEFAULT_MAX_BYTES, SafeFallback, Texts};
pub use policy::{Outcome, Released, Technical, release};
