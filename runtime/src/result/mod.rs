//! The result side: what of a tool's answer reaches the model, and what is kept of it for the harness alone.
//!
//! An upstream may answer anything. A [`Projector`] keeps of an answer what the tool's closed output schema names, cut
//! and labelled, and counts the rest; [`receive`] reads a whole MCP result and hands over the projection, prose to a
//! reading role, or a fixed failure code; the [`canonical`] store keeps request, raw answer and projection for a while.
//! Nothing that was not projected leaves this room towards a role that does not read untrusted text.

pub mod canonical;
mod check;
mod decimal;
mod hand_off;
mod project;
mod receive;
mod schema;
mod side_door;
mod texts;
mod violation;
mod words;

pub use hand_off::{HAND_OFF, hand_off, hand_off_projector};
pub use project::{Audience, Projected, Projector};
pub use receive::{Delivery, Expected, Failure, Handed, MAX_RAW_BYTES, receive};
pub use schema::Unsupported;
pub use side_door::{Message, Treatment, treat};
pub use violation::{Violation, Violations};
