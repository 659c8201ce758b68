//! Budgets: what a run may spend, what it has spent, and what is reserved for calls under way.
//!
//! A call's share is reserved before it runs and settled after it. What is charged (settled and reserved together) never
//! exceeds a cap, in any order of any number of calls; a crash between the two leaves the reservation charged.

mod amounts;
mod caps;
mod ledger;

pub use amounts::{Amounts, Meter};
pub use caps::{Caps, ToolCaps};
pub use ledger::{Exceeded, Ledger, Reservation, Settled};
