//! An outside server, looked at before anything is executed there (THREATS, the upstream server).
//!
//! What it lists now is compared with what was pinned, part by part ([`Look`]); a tool that drifted is withheld, and so is
//! one that nobody looked at in time. Only a look that found a tool as it was pinned yields a [`Matched`], without which no
//! write is started there. How large, deep, slow and frequent its answers may be is decided here too ([`Bounds`]).
//!
//! Nothing here opens a connection or reads a clock, and nothing of what an upstream wrote is told to anyone.

mod bounds;
mod drift;
mod listing;
mod look;
mod rate;

pub use bounds::{Bounds, Unfit, depth};
pub use drift::{Drift, HEADER_KEY, Part, asks_for_headers};
pub use listing::Listing;
pub(crate) use look::About;
pub use look::{Look, MAX_AGE_MS, Matched, Upstreams, Withheld};
pub use rate::Rate;
