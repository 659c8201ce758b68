//! What a plan template comes to in one run (SYSTEMS D7): a template names no run, so that the run's own values are put in.

use std::collections::{BTreeMap, BTreeSet};

use crate::json::Json;
use crate::lock::{Lock, PlanStep, PlanTemplate, split_deed};

/// A step of a template, as a run proposes it.
#[derive(Clone, Debug, PartialEq)]
pub struct TemplateStep<'l> {
    /// The input, as RFC 8785 JSON: what the template states, and each bound input as the run's row has it. `None`: the
    /// template states none, and whoever proposes the plan says it.
    pub input: Option<Json>,
    /// The step's key.
    pub key: &'l str,
    /// The deed, or a tool with cases for any of them.
    pub tool: &'l str,
}

/// Why a template cannot be proposed in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateFault {
    /// The run's row has no value for this field, which a step's tool binds.
    NoValue(String),
    /// The lock has no such template, or one that cannot be read, or a step of it waits for one that never comes.
    Unknown,
}

/// The steps of a template, each behind those that it comes after and else in the author's order, for a run whose row has these
/// values. Nothing is decided here: each step goes through every gate when the plan is proposed.
///
/// # Errors
/// The first step that cannot be put together.
pub fn template_steps<'l>(
    lock: &'l Lock,
    plan: &str,
    values: &BTreeMap<String, Json>,
) -> Result<Vec<TemplateStep<'l>>, TemplateFault> {
    let template = lock.plan_templates.get(plan).ok_or(TemplateFault::Unknown)?;
    let step = |step: &'l PlanStep| {
        let tool = lock.tools.get(split_deed(&step.tool).0).ok_or(TemplateFault::Unknown)?;
        let input = match &step.input {
            Some(stated) => Some(filled(stated.as_str(), &tool.bind, values)?),
            None => None,
        };
        Ok(TemplateStep { input, key: &step.key, tool: &step.tool })
    };
    in_order(template)?.into_iter().map(step).collect()
}

/// The first step that waits for nothing any more, again and again.
fn in_order(template: &PlanTemplate) -> Result<Vec<&PlanStep>, TemplateFault> {
    let mut left: Vec<&PlanStep> = template.steps.iter().collect();
    let (mut done, mut keys) = (Vec::with_capacity(left.len()), BTreeSet::new());
    while !left.is_empty() {
        let next = left.iter().position(|step| step.after.iter().all(|key| keys.contains(key)));
        let step = left.remove(next.ok_or(TemplateFault::Unknown)?);
        keys.insert(&step.key);
        done.push(step);
    }
    Ok(done)
}

fn filled(
    stated: &str,
    bind: &BTreeMap<String, String>,
    values: &BTreeMap<String, Json>,
) -> Result<Json, TemplateFault> {
    let stated = Json::parse(stated.as_bytes()).map_err(|_| TemplateFault::Unknown)?;
    let mut input = stated.value().clone();
    let object = input.as_object_mut().ok_or(TemplateFault::Unknown)?;
    for (name, field) in bind {
        let value = values.get(field).ok_or_else(|| TemplateFault::NoValue(field.clone()))?;
        object.insert(name.clone(), value.value().clone());
    }
    Json::of(&input).map_err(|_| TemplateFault::Unknown)
}
