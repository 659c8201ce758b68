//! The lock, its proofs and the decisions taken from it.
//!
//! A compiled policy is one file, `harness.lock`. This crate holds its types ([`lock`]), reads it without trusting
//! whoever wrote it ([`load`]), proves its invariants again ([`prove`]) and answers what a run may list and call
//! ([`decide`]). It reads no YAML, opens no file and no socket: bytes come in, verdicts go out.

pub mod audit;
pub mod boundary;
pub mod decide;
mod deeds;
pub mod json;
pub mod load;
pub mod lock;
pub mod prove;
pub mod words;

pub use decide::Bundle;
