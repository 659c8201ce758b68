//! The lock, its proofs and the decisions taken from it.
//!
//! A compiled policy is one file, `harness.lock`. This crate holds its types ([`lock`]), reads it without trusting
//! whoever wrote it, and answers what a run may list and call. It reads no YAML, opens no file and no socket: bytes
//! come in, verdicts go out.

pub mod lock;
