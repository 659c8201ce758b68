//! YAML, JSON and TOML text to nodes with spans.
//!
//! Never fails and never panics: whatever the bytes, there is a list of findings and as much of a document as can be
//! trusted. Knows nothing of sections or rules' meaning. An alias is a reference to its anchor's node, never a copy.

pub mod decode;
pub mod hidden;
pub mod json;
mod keys;
mod node;
pub mod toml;
pub mod yaml;

use crate::diagnostic::{Diagnostic, RuleId};
use crate::source::Span;
use keys::{BAD_KEY, duplicate_key, hidden_in_key};
pub use node::{Comment, Document, Entry, Kind, Node, Style};

/// A file, its nesting or its aliases are beyond the limits.
pub const INPUT_TOO_LARGE: RuleId = RuleId("input-too-large");

/// The text is no YAML, or no text at all.
pub const YAML_SYNTAX: RuleId = RuleId("yaml-syntax");

/// No document nests deeper, aliases followed: whoever walks one may recurse.
pub const MAX_DEPTH: usize = 128;

/// No document has more nodes, aliases followed: whoever walks one comes to an end.
pub const MAX_NODES: u64 = 1_000_000;

/// So many findings of one file are told; a file with more is not read on.
pub const MAX_FINDINGS: usize = 500;

/// The last finding of a file that has too many.
fn too_many_findings(span: Span) -> Diagnostic {
    Diagnostic::new(
        INPUT_TOO_LARGE,
        span,
        format!("this file has more than {MAX_FINDINGS} faults"),
        "from here on it was not read",
    )
    .note("the faults before this place are told one by one")
    .help("mend those first; where the same one stands everywhere, something wrote the file that should not have")
}
