//! The call boundary: every gate in its order, from the run's row to the person who must say yes.
//!
//! A call comes in as bytes with what the server knows around it ([`RunState`], [`Claims`], [`Call`], [`Conditions`], the
//! run's [`Ledger`]); a [`Ruling`] goes out with the event that the audit is told. What the server could not look up is
//! handed over as [`Unreadable`], and denies. Nothing here reads a clock, a store or a socket, and nothing executes: a read
//! leaves with a permit, a create with one that only the door of actions takes, everything else as a proposal.

pub mod budget;
mod check;
mod conditions;
mod foresee;
mod gates;
mod hand_over;
mod keyed;
mod lifecycle;
mod list;
mod locks;
pub mod overlay;
mod plan;
mod record;
mod replay;
mod ruling;
mod run;
mod side;
pub mod validate;

pub use budget::Ledger;
pub use check::{Boundary, Bounds};
pub use conditions::{Call, Claims, Conditions, Fact, Unreadable};
pub use foresee::Foreseen;
pub use keyed::NameKey;
pub use lifecycle::{Ending, Lifecycle};
pub use list::Shown;
pub use locks::Locks;
pub use overlay::Overlay;
pub use plan::{DecidedPlan, MAX_PLAN_STEPS, PlanProposal, PlanRuling, PlannedStep};
pub use replay::{Lack, Redecided, redecide};
pub use ruling::{CreatePermit, Decided, Execution, Permit, Proposal, ReadPermit, Refusal, Ruling, Subject};
pub use run::{DeedNames, Mode, PlanState, RunState};
pub use validate::{Compile, Compiled, InputFault};
