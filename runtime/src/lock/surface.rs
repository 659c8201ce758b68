//! Where calls come from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Effect;

/// One surface (`surfaces.<key>`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// `after_approval`: the scopes of the turn that resumes after a yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_approval: Option<Vec<String>>,
    /// `origin`; calls from outside propose, and the kill switch's outside rule applies to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// `scopes`; absent: this surface knows none, and effects are not narrowed by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<BTreeMap<String, Scope>>,
}

/// Where a surface's callers stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Within the product.
    Inside,
    /// Beyond it.
    Outside,
}

/// One scope of a surface: what a run may do that was granted it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// `effects`, weakest first.
    pub effects: Vec<Effect>,
    /// `steps`; the largest of the granted scopes holds, within `limits.run.steps`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
}
