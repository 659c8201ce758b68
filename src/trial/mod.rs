//! Decision tests: what a policy must yield, asked of the lock that the tree comes to.
//!
//! Pure: a test is read from the model and asked of a [`Bundle`](harnessc_runtime::decide::Bundle); nothing here reads a
//! file, prints, or decides anything itself. What the bundle does not answer yet (the input's schema, the binding, budgets,
//! the run's end, the kill switch) stands behind `boundary`, to be handed to the runtime when it answers it.

mod ask;
mod boundary;
mod coverage;
mod decision;
mod input;
mod judge;

mod near_miss;
pub mod mutate;
mod row;

pub use ask::ask;
pub(crate) use ask::with_run;
pub use coverage::{Coverage, Reached, Share};
pub use decision::{Decision, Word};
pub use input::Schemas;
pub use judge::{Failure, Outcome, judge, run};
pub use row::{Row, rows};
