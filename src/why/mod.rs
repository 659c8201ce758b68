//! Why a run may or may not: the gates one by one, each with the lines of the policy that decided it, and for a no the
//! smallest edits that would make it a yes.
//!
//! Pure. The bundle decides; what is said here about places is read from the policy, and an edit is offered only after it
//! was applied in memory and the call was decided again. Nothing here writes a file.

mod edits;
mod lines;
mod places;
mod wearing;

pub use edits::{Change, Mending, guest, harnesses, mendings, roles, scopes};
pub use lines::{Line, lines};
pub use places::{Accepts, accepts};
pub use wearing::{GUEST, wearing};
