//! The gates that the boundary asks itself, one file each; those about a deed and a run stand in [`decide`](crate::decide).
//!
//! Each is a pure function that answers with a code or with what it found. A gate never looks at another one's facts.

pub(super) mod binding;
pub(super) mod budget;
pub(super) mod claim;
pub(super) mod input;
pub(super) mod lifecycle;
pub(super) mod run_row;
pub(super) mod upstream;
