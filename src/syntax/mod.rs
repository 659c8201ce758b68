//! YAML and TOML text to nodes with spans.
//!
//! Never fails and never panics: whatever the bytes, there is a list of findings and as much of a document as can be
//! trusted. Knows nothing of sections or rules' meaning. An alias is a reference to its anchor's node, never a copy.

pub mod hidden;
mod node;
pub mod yaml;

pub use node::{Comment, Document, Entry, Kind, Node, Style};

/// No document nests deeper, aliases followed: whoever walks one may recurse.
pub const MAX_DEPTH: usize = 128;

/// No document has more nodes, aliases followed: whoever walks one comes to an end.
pub const MAX_NODES: u64 = 1_000_000;
