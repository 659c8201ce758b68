//! The compiler and policy checker for AI-agent harnesses.
//!
//! The way of the data is the way through the rooms, and a room uses what stands above it, never below; see ARCHITECTURE.md.

pub mod baseline;
pub mod check;
pub mod cli;
pub mod diagnostic;
pub mod diff;
pub mod fix;
pub mod generate;
pub mod import;
pub mod lock;
pub mod lower;
pub mod model;
pub mod names;
pub mod policy;
pub mod report;
pub mod rules;
pub mod scaffold;
pub mod simulate;
pub mod source;
pub mod syntax;
pub mod tree;
pub mod trial;
pub mod variant;
pub mod why;
