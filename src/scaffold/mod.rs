//! First texts: a tree to begin with, and single definitions with the comments that a first author wants.
//!
//! Pure: it makes texts and says where they belong; the command line writes them. What it makes grants as little as can be
//! granted, and leaves out what only the author can know, so that a check asks for it.

mod attributes;
mod definition;
mod insert;
mod modeline;
mod names;
mod plan;
mod start;

pub use attributes::{GIT_ATTRIBUTES, git_attributes, missing};
pub use modeline::{astray, modeline};
pub use names::{KEYS, is_key, policy_name};
pub use plan::{Kind, Refusal, Scaffold, plan};
pub use start::{HARNESS_SCHEMA, MANIFEST_SCHEMA, start};
