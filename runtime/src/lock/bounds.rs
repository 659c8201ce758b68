//! Limits, engines, evidence, release and audit: what bounds a run beside its tools.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// `limits`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// `day`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<DayLimits>,
    /// `per_tool`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub per_tool: BTreeMap<String, ToolLimit>,
    /// `prices` by model; `unknown` is the price of a model that is not named.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prices: BTreeMap<String, Price>,
    /// `retry`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// `run`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunLimits>,
}

impl Limits {
    /// The least `limits.per_tool.<tool>.timeout` of one call that any of these limits states, in milliseconds: a call after a
    /// reload is under two locks. Nothing where none states one.
    #[must_use]
    pub fn timeout_ms<'l>(limits: impl IntoIterator<Item = &'l Self>, tool: &str) -> Option<u64> {
        limits.into_iter().filter_map(|limits| limits.per_tool.get(tool)?.timeout_ms).min()
    }
}

/// `limits.day`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DayLimits {
    /// `cost`, in micro-USD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micro_usd: Option<u64>,
    /// `timezone`, an IANA name: where the day begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// `tokens`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
}

/// `limits.per_tool.<tool>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolLimit {
    /// `calls` in one run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// `result_bytes` in one run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_bytes: Option<u64>,
    /// `timeout` of one call, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// `limits.prices.<model>`, each in micro-USD per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// `cached`: input that the provider had already; absent: as `input`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_micro_usd: Option<u64>,
    /// `input`.
    pub input_micro_usd: u64,
    /// `output`.
    pub output_micro_usd: u64,
}

/// `limits.retry`. Tools are never retried, so nothing about them is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retry {
    /// `model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<RetryModel>,
}

/// `limits.retry.model`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetryModel {
    /// `attempts`, the first one counted.
    pub attempts: u64,
    /// `on`, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<String>,
}

/// `limits.run`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunLimits {
    /// `cost`, in micro-USD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micro_usd: Option<u64>,
    /// `deadline`, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<u64>,
    /// `model_call`, the time-out of one call, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_call_ms: Option<u64>,
    /// `model_calls`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_calls: Option<u64>,
    /// `result_bytes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_bytes: Option<u64>,
    /// `steps`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// `tokens`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// `tool_calls`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<u64>,
}

/// `engines`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Engines {
    /// `model`: the one that the host calls; metering takes the name from each call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// `order`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// `phases`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub phases: BTreeMap<String, Phase>,
    /// `providers`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub providers: Option<Providers>,
    /// `unsure_below`, in millionths (0.5 is 500000).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsure_below_millionths: Option<u64>,
}

/// `engines.phases.<phase>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// `corrections`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrections: Option<u64>,
    /// `fallback`: `run` or `phase`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

/// `engines.providers`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Providers {
    /// `cooldown`, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooldown_ms: Option<u64>,
    /// `order`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
}

/// `evidence`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// `quotes`: `verbatim`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quotes: Option<String>,
    /// `ready_states`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ready_states: Vec<String>,
    /// `repairs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repairs: Option<u64>,
    /// `semantic`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semantic: Option<Semantic>,
}

/// `evidence.semantic`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Semantic {
    /// `attempts`.
    pub attempts: u64,
}

/// `release`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// `unsupported`: what may leave when the evidence does not carry the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsupported: Option<Unsupported>,
}

/// `release.unsupported`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unsupported {
    /// `fields`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// `max_bytes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
}

/// `audit`: the fields of each kind of row, from closed lists that have no word for a payload.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Audit {
    /// `action`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub action: Vec<String>,
    /// `reasoning`: `separate` where it is kept at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// What `reasoning` declares of the store, where it says more than `separate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_store: Option<ReasoningStore>,
    /// `tool_call`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_call: Vec<String>,
    /// `trace`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<String>,
}

/// `audit.reasoning`, where it describes the store of the model's reasoning.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReasoningStore {
    /// `access`: the personas that may read it, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub access: Vec<String>,
    /// `encrypted`, at rest.
    pub encrypted: bool,
    /// `retention`, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retention_ms: Option<u64>,
}
