//! What a model is told before it is asked: the lock's parts in their order, what changes last, memory as data.
//!
//! Text from outside enters in two places only: a note inside the memory wrap, escaped so that it cannot leave it, and
//! a person's name in the status line, cut to one line. It decides nothing: tools, refusals and rubrics come from the
//! lock, whatever a prompt says.

mod assemble;
mod compact;
mod memory;
mod planning;
mod status;
mod window;

pub use assemble::{Inserts, Prompt, PromptError, assemble};
pub use compact::{Kept, ToolResult, compact};
pub use memory::{DEFAULT_WRAP, closes, escape, wrap};
pub use planning::{NUDGE, should_require_plan};
pub use status::{Attribution, STATUS_PLACES, places, status};
pub use window::{Message, Speaker, window};
