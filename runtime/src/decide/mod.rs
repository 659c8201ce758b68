//! Decisions: what a run is shown and what becomes of its calls.
//!
//! A lock is numbered once ([`Bundle::load`]); a decision then looks a few names up and tests bits. Gates are asked in
//! the order of [`Gate`], each in a file of its own under `gates/`; any doubt denies. There is no I/O here and no
//! allocation on the way to a verdict.

mod approvers;
mod bits;
mod bundle;
mod cell;
mod code;
mod gate;
mod gates;
mod index;
mod names;
mod narrow;
mod run;
mod tighter;
mod verdict;

pub(crate) use bits::Bits;
pub(crate) use bundle::Standing;
pub use bundle::{Answer, Bundle, Listed, Run};
pub use cell::cell_digest;
pub use code::Code;
pub use gate::Gate;
pub(crate) use index::SurfaceEntry;
pub use run::{DeedSet, Person, Plan, RunRow};
pub use tighter::Tighter;
pub use verdict::{Call, Denial, Verdict};

/// The tool that takes a plan's steps. The server itself offers it in every run with a harness; no registry lists it.
pub const PLAN_PROPOSE: &str = crate::prove::tools::PLAN_PROPOSE;
