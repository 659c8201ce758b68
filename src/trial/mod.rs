//! Decision tests: what a policy must yield, asked of the lock that the tree comes to.
//!
//! Pure: a test is read from the model and put to the runtime, a call to its whole boundary, a cell of a table to its
//! bundle. Nothing here reads a file, prints, or decides anything itself.

mod ask;
mod boundary;
mod coverage;
mod decision;
mod input;
mod judge;

pub mod mutate;
mod near_miss;
mod outside;
mod reach;
mod row;
mod scene;
mod sequence;
mod stand;

pub use ask::ask;
pub(crate) use ask::with_run;
pub use coverage::{Coverage, Reached, Share};
pub use decision::{Decision, Word};
pub use input::Schemas;
pub use judge::{About, Failure, Outcome, Passed, judge, run};
pub use reach::lacking;
pub use row::{Planned, Row, rows};
pub use stand::Stand;
