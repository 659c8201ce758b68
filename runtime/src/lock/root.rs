//! The lock as a whole.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    Approvals, Audit, Baseline, Cause, ContextSource, DutyTemplate, Effective, Engines, Evidence, Harness,
    LensReview, Level, Limits, MemoryLens, Persona, PlanTemplate, Policy, Primitive, Prompt, RawJson,
    RecordType, Refusal, Release, Role, Rubric, Server, Skill, Surface, Tool, Waiver,
};

/// The format that this crate reads and writes.
pub const FORMAT: &str = "harness-lock/1";

/// Everything that `harness.lock` holds after its first line. Each section is what the section of that name in the
/// tree comes to, references resolved; a section that the tree leaves out is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// `approvals`, defaults filled in.
    pub approvals: Approvals,
    /// `audit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit>,
    /// The baseline, where the lock was built under one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// `context_sources`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub context_sources: BTreeMap<String, ContextSource>,
    /// `diagnoses`: category → root cause → what it requires.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub diagnoses: BTreeMap<String, BTreeMap<String, Cause>>,
    /// `duty_templates`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub duty_templates: BTreeMap<String, DutyTemplate>,
    /// The effective table.
    pub effective: Effective,
    /// `engines`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engines: Option<Engines>,
    /// `evidence`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// [`FORMAT`].
    pub format: String,
    /// `harnesses`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub harnesses: BTreeMap<String, Harness>,
    /// `lens_reviews`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lens_reviews: BTreeMap<String, LensReview>,
    /// `limits`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// `memory_lenses`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub memory_lenses: BTreeMap<String, MemoryLens>,
    /// `persona_fallback`, first choice first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub persona_fallback: Vec<String>,
    /// `personas`; empty: none are stated, and nothing is checked against them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub personas: BTreeMap<String, Persona>,
    /// `plan_templates`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub plan_templates: BTreeMap<String, PlanTemplate>,
    /// The manifest's `[policy]`.
    pub policy: Policy,
    /// The manifest's `predecessor`, `sha256:<64 hex>`; absent: this is the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predecessor: Option<String>,
    /// `primitives`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub primitives: BTreeMap<String, Primitive>,
    /// `prompt` and every part's text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Prompt>,
    /// `record_types`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub record_types: BTreeMap<String, RecordType>,
    /// `refusals`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub refusals: BTreeMap<String, Refusal>,
    /// `release`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<Release>,
    /// The manifest's `revision`.
    pub revision: u64,
    /// `roles`; never empty, since a tree without them has the role `run`.
    pub roles: BTreeMap<String, Role>,
    /// `rubrics`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rubrics: BTreeMap<String, Rubric>,
    /// The manifest's `[rules]`: the levels that differ from the edition's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, Level>,
    /// `run`: what a run's own row carries, each field with its closed schema.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub run: BTreeMap<String, RawJson>,
    /// `servers`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub servers: BTreeMap<String, Server>,
    /// `skills`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub skills: BTreeMap<String, Skill>,
    /// Every source, relative to the manifest → `sha256:<64 hex>` of its bytes with LF line ends.
    pub sources: BTreeMap<String, String>,
    /// `status_templates`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub status_templates: BTreeMap<String, String>,
    /// `surfaces`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub surfaces: BTreeMap<String, Surface>,
    /// `tools`.
    pub tools: BTreeMap<String, Tool>,
    /// Every waiver in force, sorted by file, rule and what it excuses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waivers: Vec<Waiver>,
}
