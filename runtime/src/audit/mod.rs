//! What the audit trail is told: words, keys, digests and numbers, and nothing that a payload could hide in.

mod event;

pub use event::{Datum, Event, Field};
