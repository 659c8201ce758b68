//! YAML and TOML text to nodes with spans.
//!
//! Never fails and never panics: whatever the bytes, there is a list of findings and as much of a document as can be
//! trusted. Knows nothing of sections or rules' meaning. An alias is a reference to its anchor's node, never a copy.

mod node;
pub mod yaml;

pub use node::{Comment, Document, Entry, Kind, Node, Style};
