//! The input that a plan's step states has the names that its tool takes: none of a run's own, none left out, no other case.
//! Values are the boundary's to check, for every call.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::schemas::Root;
use super::{Broken, in_force};
use crate::deeds::Deeds;
use crate::lock::{Lock, PlanStep, Tool, split_deed};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    let asked = |key: &str| in_force(lock, "step-input-refused", || format!("plan_templates/{key}"));
    for (key, plan) in lock.plan_templates.iter().filter(|(key, _)| asked(key)) {
        for step in &plan.steps {
            let (name, case) = split_deed(&step.tool);
            let Some(tool) = lock.tools.get(name) else { continue };
            hold_step(step, tool, case).map_err(|why| Broken { cell: format!("{key}/{}", step.key), why })?;
        }
    }
    Ok(())
}

fn hold_step(step: &PlanStep, tool: &Tool, case: Option<&str>) -> Result<(), String> {
    let Some(stated) = &step.input else { return Ok(()) };
    let input: BTreeMap<String, &RawValue> =
        serde_json::from_str(stated.as_str()).map_err(|_| "its input is no object".to_owned())?;
    let Some(root) = Root::of(&tool.input) else { return Ok(()) };
    for name in input.keys() {
        if tool.bind.contains_key(name) {
            return Err(format!("its input fixes `{name}`, which every call takes from its run"));
        }
        if !root.has(name) {
            return Err(format!("its input has `{name}`, which the tool does not take"));
        }
    }
    let left = root.required().find(|name| !tool.bind.contains_key(*name) && !input.contains_key(*name));
    if let Some(left) = left {
        return Err(format!("its input leaves out `{left}`, which the tool requires"));
    }
    if let (Some(case), Some(cases)) = (case, &tool.cases) {
        let says = input.get(&cases.input).and_then(|value| serde_json::from_str::<String>(value.get()).ok());
        if says.as_deref() != Some(case) {
            return Err(format!("it is the case `{case}`, and its input says another"));
        }
    }
    Ok(())
}
