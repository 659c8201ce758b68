//! How a run begins: which harness it wears, under whose authority, and that it never changes afterwards.
//!
//! The row is the authority (SYSTEMS C4): what a token claims is compared with it elsewhere and never put in its place.
//! A row has no setter; a role that changes applies to the next run.

mod choice;
mod duty;
mod row;
mod state;

pub use choice::{Refused, create};
pub use duty::{Dutiful, applies, duties};
pub use row::{Bootstrap, NewRun, Row, Twin};
pub use state::{Live, Misfit};
