//! `only`: tighter values for named inputs of a tool.

use std::collections::BTreeMap;

use serde_json::Value;

/// What is wrong with one narrowed input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NarrowFault {
    /// The input's name.
    pub input: String,
    /// What it is.
    pub kind: NarrowFaultKind,
    /// In one sentence: lower case, no full stop.
    pub detail: String,
    /// The edit that mends it, where there is a plain one.
    pub help: Option<String>,
}

/// The kinds of [`NarrowFault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NarrowFaultKind {
    /// The tool has no such input: unknown-reference.
    Unknown,
    /// The input is not a root property, so a call can avoid it: skippable-narrowing.
    Skippable,
    /// No value satisfies both the tool and the narrowing: bad-schema.
    Empty,
}

/// Checks `only` against a tool's closed input. Each named input becomes required (see [`super::with_required`]).
pub fn narrow(_tool: &Value, _only: &BTreeMap<String, Value>) -> Vec<NarrowFault> {
    Vec::new()
}
