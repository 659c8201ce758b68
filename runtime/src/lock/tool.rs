//! The registry, resolved: what each tool takes, does and returns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Approval, Effect, Preview, RawJson, Returns, Undo};

/// One tool (`tools.<name>`), overlay and pinned text put together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The tool's own `approval`, where it states one; absent: its tier's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
    /// Root input → run field that it must equal, from the tool's `bind` and the tree's (`program_id: program_id`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bind: BTreeMap<String, String>,
    /// The deeds that one input tells apart (`cases`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases: Option<Cases>,
    /// `description`, or the pinned one.
    pub description: String,
    /// `effect`; with cases, the strongest of theirs.
    pub effect: Effect,
    /// `enabled`; a disabled tool is in no cell.
    pub enabled: bool,
    /// The closed input schema, before any narrowing.
    pub input: RawJson,
    /// The closed output schema; stands where `returns` is structured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<RawJson>,
    /// `preview`; with cases, each case has its own.
    pub preview: Preview,
    /// `returns`.
    pub returns: Returns,
    /// The outside server behind it (`from`); absent: a tool of our own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<Pinned>,
    /// `surfaces`, resolved and sorted; absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surfaces: Option<Vec<String>>,
    /// `title`, or the pinned one.
    pub title: String,
    /// `unbound`: why this tool has no target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unbound: Option<String>,
    /// `undo`; empty (and left out): nothing was said. With cases, each case has its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undo: Vec<Undo>,
}

/// How one input splits a tool into deeds (`cases: {INPUT: {VALUE: …}}`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cases {
    /// Each value of the input and its deed; the input's enum is exactly these.
    pub by: BTreeMap<String, Case>,
    /// The root string input that tells them apart; it is required.
    pub input: String,
}

/// One deed of a tool with cases; what a case leaves unsaid is the tool's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The stricter of the case's own `approval` and the tool's; absent: neither states one, and its tier's stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
    /// `effect`.
    pub effect: Effect,
    /// `preview`.
    pub preview: Preview,
    /// `undo`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undo: Vec<Undo>,
}

/// The outside server's tool as it was published (`from: SERVER/NAME` and the file of `servers`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pinned {
    /// What the server says of the tool itself (`annotations`).
    pub hints: Hints,
    /// The server's key in `servers`.
    pub name: String,
    /// The tool's entry in the pinned list, as published.
    pub pinned: RawJson,
    /// [`RawJson::digest`] of `pinned`.
    pub pinned_digest: String,
    /// The tool's name there.
    pub upstream: String,
}

/// A server's own hints about a tool (MCP `annotations`); they raise an effect, never lower one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hints {
    /// `destructiveHint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// `idempotentHint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// `openWorldHint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
    /// `readOnlyHint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
}

impl Hints {
    /// The least effect that they leave. Where two contradict each other, the one that says more counts.
    #[must_use]
    pub fn least(self) -> Effect {
        match (self.destructive, self.read_only) {
            (Some(true), _) => Effect::Destructive,
            (_, Some(false)) => Effect::Create,
            _ => Effect::Read,
        }
    }
}
