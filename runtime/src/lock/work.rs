//! The work that harnesses do: skills, plans, rubrics, duties, records, lenses, diagnoses, primitives.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{RawJson, is_false};

/// `skills.<key>`: an allow-list of tools with instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skill {
    /// The name of the prompt part that holds its instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// `title`.
    pub title: String,
    /// `tool`, as a deed name: the one that is itself callable, and exempt from the plan gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// `tools`, as deed names, sorted.
    pub tools: Vec<String>,
    /// `version`.
    pub version: u64,
}

/// `plan_templates.<key>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanTemplate {
    /// `steps`, in the author's order.
    pub steps: Vec<PlanStep>,
    /// `title`.
    pub title: String,
}

/// One step of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanStep {
    /// `after`: keys of the steps that come before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// `input`, where the step carries its exact input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<RawJson>,
    /// The step's key.
    pub key: String,
    /// `tool`, as a deed name, or the name of a tool with cases for any of them.
    pub tool: String,
}

/// `rubrics.<key>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rubric {
    /// `criteria`.
    pub criteria: BTreeMap<String, Criterion>,
    /// `version`.
    pub version: u64,
}

/// One criterion of a rubric.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// `asks`: the question, put into the lens's prompt by the host.
    pub asks: String,
    /// `evidence_required`: what a score must cite. A review refuses a rubric that leaves it blank; whether a citation is of this kind is
    /// for the reader of the card.
    pub evidence_required: String,
}

/// `duty_templates.<key>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DutyTemplate {
    /// `persona`, whose authority the duty runs under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// `plan`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// `title`, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `when_wearing`: it applies only to people who wear this harness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when_wearing: Option<String>,
}

/// `record_types.<key>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordType {
    /// `attachment`: it is attached to approvals.
    #[serde(default, skip_serializing_if = "is_false")]
    pub attachment: bool,
    /// `check_input`: checks read it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub check_input: bool,
    /// `gate`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub gate: bool,
    /// `title`.
    pub title: String,
}

/// `memory_lenses.<key>`: a part of memory. The host looks in these parts alone for a harness that names them; nothing here does. Whichever
/// notes come of it are wrapped as data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryLens {
    /// `kinds`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// `title`.
    pub title: String,
}

/// `context_sources.<key>`: where texts come from. Whoever fetches them heeds it: the host. What a tool brings is labelled by its schema and
/// its reader's role, whatever stands here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextSource {
    /// `origin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// `pii`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pii: Option<String>,
    /// `title`.
    pub title: String,
    /// `untrusted`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub untrusted: bool,
}

/// `lens_reviews.<key>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LensReview {
    /// `lenses`: harnesses, at most four.
    pub lenses: Vec<String>,
    /// `phrase`.
    pub phrase: String,
    /// `records`: record types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<String>,
    /// `tools`, as deed names, sorted; absent: what each lens's harness reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// `view`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<LensView>,
}

/// `lens_reviews.<key>.view`. There is one scorecard; a review with another view is refused (`lens_view`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LensView {
    /// `columns`.
    pub columns: String,
    /// `first`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// `rows`.
    pub rows: String,
}

/// `diagnoses.<category>.<root cause>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// `requires`: the deeds that a plan for this cause contains.
    pub requires: Vec<String>,
}

/// `primitives.<key>`: a part of the software and who owns it, for `harnessc report`. Nothing is decided by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Primitive {
    /// `owner`.
    pub owner: String,
    /// `state`: `load_bearing` or `stub`.
    pub state: String,
}
