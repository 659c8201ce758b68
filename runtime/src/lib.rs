//! The lock, its proofs, the decisions taken from it and the boundary that holds a run to them.
//!
//! A compiled policy is one file, `harness.lock`. This crate holds its types ([`lock`]), reads it without trusting
//! whoever wrote it ([`load`]), proves its invariants again ([`prove`]) and answers what a run may list and call
//! ([`decide`]). Around that stands what a tool server needs: every gate of a call ([`boundary`]), what a person must say
//! yes to ([`actions`]), what reaches whom of a result ([`result`]), whether an outside
//! server is still what was pinned ([`upstream`]), what is written down ([`audit`], [`timeline`]). It
//! reads no YAML, opens no file and no socket, has no clock and no dice: values come in, verdicts go out.

pub mod actions;
pub mod audit;
pub mod boundary;
pub mod decide;
mod deeds;
pub mod engines;
pub mod evidence;
pub mod foreign;
pub mod json;
pub mod lens;
pub mod load;
pub mod lock;
pub mod meter;
pub mod prompt;
pub mod prove;
pub mod release;
pub mod result;
pub mod runs;
pub mod timeline;
pub mod upstream;
pub mod words;

pub use decide::Bundle;
