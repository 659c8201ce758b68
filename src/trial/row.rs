//! The runs that a test speaks of: one for each persona that may wear its harness.

use std::collections::BTreeMap;

use harnessc_runtime::decide::{Bundle, Person};
use harnessc_runtime::lock::{Lock, NO_HARNESS};
use serde_json::Value;

use crate::lower::json::plain;
use crate::model::tests::{Spent, Stopped, TestPlan, TestRun};
use crate::source::Spanned;

/// Who asks, from where, and how far the run has come.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// The harness; `None`: the run wears none.
    pub harness: Option<&'a str>,
    /// The role.
    pub role: &'a str,
    /// The persona whose bundle the person has; `None`: the policy states no personas.
    pub persona: Option<&'a str>,
    /// The surface.
    pub surface: Option<&'a str>,
    /// The scopes granted there.
    pub scopes: Vec<&'a str>,
    /// Whether the run may read alone.
    pub read_only: bool,
    /// Where its plan stands.
    pub plan: Planned<'a>,
    /// What was used.
    pub spent: Option<&'a Spent>,
    /// How it stopped.
    pub stopped: Option<Stopped>,
    /// Whether the switch is thrown.
    pub kill_switch: bool,
    /// The fields of the run's row.
    pub fields: BTreeMap<&'a str, Value>,
}

/// Where a run's plan stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Planned<'a> {
    /// There is none.
    None,
    /// Nobody approved it yet.
    Proposed,
    /// These steps were approved.
    Approved(Vec<&'a str>),
}

impl Row<'_> {
    /// The person that the run acts for.
    pub fn person(&self, bundle: &Bundle) -> Person {
        let own = match self.persona {
            Some(persona) => bundle.persona(persona),
            None => bundle.anyone(),
        };
        own.unwrap_or_else(|| bundle.person([]))
    }

    /// Who asks, for a message: "the role `console` of `toxicologist`, for a `scientist`".
    pub fn said(&self) -> String {
        let harness =
            self.harness.map_or_else(|| "a run without a harness".to_owned(), |key| format!("`{key}`"));
        let person = self.persona.map_or_else(String::new, |key| format!(", for the persona `{key}`"));
        let place = self.surface.map_or_else(String::new, |key| format!(", over the surface `{key}`"));
        format!("the role `{}` of {harness}{person}{place}", self.role)
    }
}

/// The runs of a test with this harness (`None`: as the test says): one for each persona that may wear it, or the one
/// persona that the test names.
pub fn rows<'a>(lock: &'a Lock, run: &'a TestRun, harness: Option<&'a str>) -> Vec<Row<'a>> {
    let stated = run.harness.as_ref().map(|key| key.value.as_str());
    let harness = harness.or(stated).filter(|key| *key != "none" && *key != NO_HARNESS);
    let personas: Vec<Option<&str>> = match &run.persona {
        Some(persona) => vec![Some(persona.value.as_str())],
        None if lock.personas.is_empty() => vec![None],
        None => match harness {
            Some(key) => lock
                .harnesses
                .get(key)
                .into_iter()
                .flat_map(|own| &own.personas)
                .map(|key| Some(key.as_str()))
                .collect(),
            None => lock
                .personas
                .iter()
                .filter(|(_, own)| !own.harness)
                .map(|(key, _)| Some(key.as_str()))
                .collect(),
        },
    };
    personas.into_iter().map(|persona| row(lock, run, harness, persona)).collect()
}

fn row<'a>(lock: &'a Lock, run: &'a TestRun, harness: Option<&'a str>, persona: Option<&'a str>) -> Row<'a> {
    let only = || lock.roles.keys().next().filter(|_| lock.roles.len() == 1).map(String::as_str);
    let role = run.role.as_ref().map(|key| key.value.as_str()).or_else(only).unwrap_or_default();
    let names = |list: &'a [Spanned<String>]| list.iter().map(|name| name.value.as_str()).collect();
    Row {
        harness,
        role,
        persona,
        surface: run.surface.as_ref().map(|key| key.value.as_str()),
        scopes: run.scopes.as_deref().map_or_else(Vec::new, names),
        read_only: run.read_only.as_ref().is_some_and(|flag| flag.value),
        plan: match &run.plan {
            None => Planned::None,
            Some(TestPlan::Proposed(_)) => Planned::Proposed,
            Some(TestPlan::Approved(plan)) => {
                Planned::Approved(plan.approved.as_deref().map_or_else(Vec::new, names))
            }
        },
        spent: run.spent.as_ref(),
        stopped: run.stopped.as_ref().map(|word| word.value),
        kill_switch: run.kill_switch.as_ref().is_some_and(|flag| flag.value),
        fields: run.fields.iter().map(|(key, (_, value))| (key.as_str(), plain(&value.0))).collect(),
    }
}
