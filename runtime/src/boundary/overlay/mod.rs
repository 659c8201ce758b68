//! The live overlay: what an authorized person tightened at run time, without a new lock.
//!
//! It has no word that loosens: a tool is off, an approval is at least so strict, a limit is at most so high, the kill
//! switch is on. Whatever it says is taken together with the lock, the tighter of both. One that cannot be read denies.

mod change;
mod run_limit;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use change::{Change, Changed, Changer, Limit, Refused};
pub use run_limit::RunLimit;

use super::Unreadable;
use super::budget::{Caps, ToolCaps};
use crate::decide::Tighter;
use crate::json::Json;
use crate::lock::{Approval, Limits, Lock};

/// What stands over the lock at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    json: Written,
    rows: Rows,
    tighter: Tighter,
}

/// Canonical bytes and their digest.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Written {
    canonical: String,
    digest: String,
}

/// The rows as they are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    /// The latest that a run may end, in milliseconds from its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deadline_ms: Option<u64>,
    /// Tools that are off.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    disabled: BTreeSet<String>,
    /// Why the kill switch is on; absent: it is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kill_switch: Option<String>,
    /// The least approval of deeds; a tool's name stands for all of its cases.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    raised: BTreeMap<String, Approval>,
    /// Limits of a run.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    run: BTreeMap<RunLimit, u64>,
    /// Budgets of a tool within a run.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    tools: BTreeMap<String, ToolRows>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolRows {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    calls: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result_bytes: Option<u64>,
}

impl Overlay {
    /// Nothing stands over the lock.
    pub fn none() -> Result<Self, Unreadable> {
        Self::of(Rows::default())
    }

    /// Reads what [`canonical`](Self::canonical) wrote, strictly: duplicate and unknown keys, and words that it does not
    /// know, make it unreadable as a whole.
    pub fn parse(bytes: &[u8]) -> Result<Self, Unreadable> {
        let json = Json::parse(bytes).map_err(|_| Unreadable)?;
        // A derived reader takes a list for a struct too.
        if !json.value().is_object() {
            return Err(Unreadable);
        }
        Self::of(serde_json::from_str(json.canonical()).map_err(|_| Unreadable)?)
    }

    fn of(rows: Rows) -> Result<Self, Unreadable> {
        let text = serde_json::to_string(&rows).map_err(|_| Unreadable)?;
        let json = Json::parse(text.as_bytes()).map_err(|_| Unreadable)?;
        let json = Written { digest: json.digest(), canonical: json.canonical().to_owned() };
        let raised = rows.raised.iter().map(|(deed, approval)| (deed.as_str(), *approval));
        let tighter = Tighter::new(rows.disabled.iter().map(String::as_str), raised);
        Ok(Self { json, rows, tighter })
    }

    /// Its RFC 8785 bytes, to be stored.
    #[must_use]
    pub fn canonical(&self) -> &str {
        &self.json.canonical
    }

    /// `sha256:<64 hex>` of these bytes; every decision names it.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.json.digest
    }

    /// Whether the kill switch is on.
    #[must_use]
    pub fn is_killed(&self) -> bool {
        self.rows.kill_switch.is_some()
    }

    /// Why the kill switch is on.
    #[must_use]
    pub fn kill_reason(&self) -> Option<&str> {
        self.rows.kill_switch.as_deref()
    }

    /// What it switches off and raises.
    #[must_use]
    pub fn tighter(&self) -> &Tighter {
        &self.tighter
    }

    /// The latest that a run may end, in milliseconds from its beginning.
    #[must_use]
    pub fn deadline_ms(&self) -> Option<u64> {
        self.rows.deadline_ms
    }

    /// Its caps on a run that calls this tool.
    #[must_use]
    pub fn caps(&self, tool: &str) -> Caps {
        let run = self.rows.run.iter().filter_map(|(limit, cap)| Some((limit.meter()?, *cap)));
        let mut caps = run.fold(Caps::default(), |all, (meter, cap)| all.within(meter, Some(cap)));
        let tool = self.rows.tools.get(tool).copied().unwrap_or_default();
        caps.tool = ToolCaps { calls: tool.calls, result_bytes: tool.result_bytes };
        caps
    }
}

impl Overlay {
    /// A lock's limits under the overlay: what [`meter`](crate::meter) is handed for a run's model calls.
    #[must_use]
    pub fn limits(&self, limits: Option<&Limits>) -> Limits {
        let mut limits = limits.cloned().unwrap_or_default();
        let own = |limit| self.rows.run.get(&limit).copied();
        let run = limits.run.get_or_insert_default();
        let least = |stated: Option<u64>, cap: Option<u64>| stated.into_iter().chain(cap).min();
        run.cost_micro_usd = least(run.cost_micro_usd, own(RunLimit::Cost));
        run.deadline_ms = least(run.deadline_ms, self.rows.deadline_ms);
        run.model_calls = least(run.model_calls, own(RunLimit::ModelCalls));
        run.result_bytes = least(run.result_bytes, own(RunLimit::ResultBytes));
        run.steps = least(run.steps, own(RunLimit::Steps));
        run.tokens = least(run.tokens, own(RunLimit::Tokens));
        run.tool_calls = least(run.tool_calls, own(RunLimit::ToolCalls));
        for (tool, rows) in &self.rows.tools {
            let limit = limits.per_tool.entry(tool.clone()).or_default();
            limit.calls = least(limit.calls, rows.calls);
            limit.result_bytes = least(limit.result_bytes, rows.result_bytes);
        }
        limits
    }
}

/// The deadline that a lock sets for every run, in milliseconds from its beginning.
pub(super) fn lock_deadline(lock: &Lock) -> Option<u64> {
    lock.limits.as_ref()?.run.as_ref()?.deadline_ms
}
