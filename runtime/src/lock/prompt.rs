//! Prompts and the refusals that every one of them carries.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Effect, is_false};

/// `prompt`, and the text of each part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    /// `compaction`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compaction: Option<Compaction>,
    /// `memory_wrap`: what is put around a memory brief.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_wrap: Option<String>,
    /// `order`: the kinds of part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// Each part once, by name: its path below the prompt version's folder without `.txt` (`harness/toxicologist`),
    /// `refusals` for all refusal lines, `refusals/<harness>` for a harness that leaves some out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, Part>,
    /// `planning`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planning: Option<Planning>,
    /// `volatile`: the kinds of part that change from turn to turn; where it is unsaid, `status`, `memory` and `window` as far
    /// as `order` names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub volatile: Vec<String>,
    /// `window`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
}

/// One prompt part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// `sha256:<64 hex>` of the text's bytes.
    pub digest: String,
    /// The text, its line ends LF.
    pub text: String,
}

/// `prompt.window`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// `messages`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<u64>,
    /// `tokens`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
}

/// `prompt.compaction`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compaction {
    /// `above`, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above_bytes: Option<u64>,
    /// `keep_last`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_last: Option<u64>,
    /// `resolve_with`: the tool that brings a compacted result back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolve_with: Option<String>,
}

/// `prompt.planning`: guidance in the prompt, never the gate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planning {
    /// `when`.
    pub when: PlanningWhen,
}

/// `prompt.planning.when`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanningWhen {
    /// `effects`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
    /// `intent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<Effect>,
}

/// `refusals.<key>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// `forbidden_verbs`, base forms, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbidden_verbs: Vec<String>,
    /// `forms`: base form → irregular forms.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub forms: BTreeMap<String, Vec<String>>,
    /// `line`.
    pub line: String,
    /// `optional`: a harness may leave it out.
    #[serde(default, skip_serializing_if = "is_false")]
    pub optional: bool,
}
