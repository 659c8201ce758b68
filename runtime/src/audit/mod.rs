//! The audit trail: closed facts, chained by hash, gap-free for each organization.
//!
//! What the trail is told is an [`Event`]: words, keys, digests and numbers, and nothing that a payload could hide in. It
//! becomes a [`Record`] of a [`Chain`]; [`verify`] names the first broken sequence number. The model's reasoning has a chain
//! and a rule of access of its own ([`reasoning`]).
//!
//! The trail fails closed: what cannot be recorded does not happen ([`recorded`]). Nothing here opens a file or knows the
//! time; storage is the trait [`Store`].

mod chain;
mod checkpoint;
mod columns;
mod event;
mod lines;
mod memory;
pub mod reasoning;
mod record;
mod store;
mod told;
mod verify;

pub use chain::{Chain, FORMAT, Head, Unfit, append, open};
pub use checkpoint::{Checkpoint, CheckpointError};
#[cfg(feature = "sign")]
pub use checkpoint::{NAMESPACE, verify_checkpoint};
pub use columns::{Columns, Kind, MissingColumn};
pub use event::{Datum, Event, Facts, Field};
pub use lines::{read_line, verify_lines};
pub use memory::Memory;
pub use record::{Fact, MAX_TEXT, Record};
pub use store::{SKEW_MS, Store, StoreFault, Unrecorded, record, recorded};
pub use told::Told;
pub use verify::{Broken, Why, verify};
