//! What model calls cost (rows S9, E2): reserved at an estimate before, settled at what was used after, for each run and
//! each day.
//!
//! Every amount is integer micro-USD and every sum is checked. A [`Ledger`] is a value with a version: the server keeps it in
//! its store and puts a changed one back only where the version is still the one it read, so that runs side by side see each
//! other. When a day begins is said by the policy's time zone ([`Day`]). Which calls may be tried again is said in `retry`.

mod day;
mod ledger;
mod outside;
mod price;
mod retry;
mod shared;

pub use day::Day;
#[cfg(feature = "zones")]
pub use day::UnknownZone;
pub use ledger::{Charge, Counts, Exceeded, Ledger, MAX_OPEN, Reservation, Settled};
pub use outside::Outside;
pub use price::{Estimate, Priced, UNPRICED, Usage, cost, price_of};
pub use retry::{Caller, Failure, Retry, UNSTATED_ATTEMPTS};
pub use shared::{LedgerFault, Ledgers, change};
