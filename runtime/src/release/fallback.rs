//! The safe fallback: what may be said where the evidence does not carry the answer. Its fields are the lock's, its size is
//! bounded, and its parts are codes, verified quotes and fixed sentences: no prompt, draft, payload or inner error has a way
//! into it.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::evidence::{Issue, Observed};
use crate::json::Json;
use crate::lock::Release;
use crate::timeline::Kind;

/// The size of a fallback where the policy states none, in bytes.
pub const DEFAULT_MAX_BYTES: u64 = 8 * 1024;

/// What is let go first where a fallback is too large, after the facts one by one.
const LET_GO: [&str; 6] =
    ["observed_facts", "next_steps", "limitations", "validation_issues", "failure_stage", "failure_code"];

/// The fixed sentences of a product. They are `'static`, so that nothing of a run can stand in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texts {
    /// What the answer is not.
    pub limitations: &'static [&'static str],
    /// What a person can do now.
    pub next_steps: &'static [&'static str],
}

impl Texts {
    /// Plain English ones.
    pub const ENGLISH: Self = Self {
        limitations: &["The evidence does not carry an answer. Only what was observed is stated here."],
        next_steps: &[
            "Look at the observed facts and decide by hand.",
            "Ask again once the missing data is ready.",
        ],
    };
}

/// A fallback that fits.
#[derive(Clone, Debug, PartialEq)]
pub struct SafeFallback(Json);

impl SafeFallback {
    /// The fallback in the lock's fields; nothing where the policy lets none out, or not even an empty one fits.
    pub(super) fn build(
        release: Option<&Release>,
        code: &'static str,
        stage: Kind,
        issues: &[Issue],
        observed: &BTreeSet<Observed>,
        texts: &Texts,
    ) -> Option<Self> {
        let unsupported = release.and_then(|release| release.unsupported.as_ref())?;
        let max = unsupported.max_bytes.unwrap_or(DEFAULT_MAX_BYTES);
        let mut members = Map::new();
        for field in &unsupported.fields {
            let value = match field.as_str() {
                "failure_code" => json!(code),
                "failure_stage" => json!(stage.code()),
                "limitations" => json!(texts.limitations),
                "next_steps" => json!(texts.next_steps),
                "observed_facts" => observed.iter().map(fact).collect(),
                "validation_issues" => issues.iter().map(issue).collect(),
                // The closed list has no other word; one that slipped in says nothing.
                _ => continue,
            };
            members.insert(field.clone(), value);
        }
        fit(members, max).filter(|_| !unsupported.fields.is_empty()).map(Self)
    }

    /// The fallback, for whoever asked.
    #[must_use]
    pub fn json(&self) -> &Json {
        &self.0
    }
}

fn fact(observed: &Observed) -> Value {
    json!({"invocation": observed.invocation, "quote": observed.quote})
}

fn issue(issue: &Issue) -> Value {
    json!({"at": issue.at, "code": issue.code.code()})
}

/// The largest part that fits: facts go from the end, then whole fields.
fn fit(mut members: Map<String, Value>, max: u64) -> Option<Json> {
    let fits = |json: &Json| u64::try_from(json.canonical().len()).is_ok_and(|size| size <= max);
    let whole = |members: &Map<String, Value>| Json::of(&Value::Object(members.clone())).ok().filter(fits);
    if let Some(json) = whole(&members) {
        return Some(json);
    }
    let facts = members.get("observed_facts").and_then(Value::as_array).cloned().unwrap_or_default();
    for kept in (1..facts.len()).rev() {
        members.insert("observed_facts".to_owned(), facts.iter().take(kept).cloned().collect());
        if let Some(json) = whole(&members) {
            return Some(json);
        }
    }
    LET_GO.into_iter().find_map(|field| {
        members.remove(field);
        whole(&members)
    })
}
