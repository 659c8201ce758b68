//! The steps of a harness's plans and the tools of its skills lie within its toolset.

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::{Harness, Lock, split_deed};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    for (key, harness) in &lock.harnesses {
        for plan_key in &harness.plan_templates {
            let steps = lock.plan_templates.get(plan_key).into_iter().flat_map(|plan| &plan.steps);
            for step in steps {
                hold(
                    holds(harness, &step.tool),
                    || format!("{key}/{}", step.tool),
                    || format!("the plan `{plan_key}` takes it, and the toolset does not hold it"),
                )?;
            }
        }
        for skill_key in &harness.skills {
            let tools = lock
                .skills
                .get(skill_key)
                .into_iter()
                .flat_map(|skill| skill.tools.iter().chain(&skill.tool));
            for tool in tools {
                hold(
                    holds(harness, tool),
                    || format!("{key}/{tool}"),
                    || format!("the skill `{skill_key}` takes it, and the toolset does not hold it"),
                )?;
            }
        }
    }
    Ok(())
}

/// Whether a harness holds a deed, or some case of a tool that is named as a whole.
fn holds(harness: &Harness, name: &str) -> bool {
    let (tool, case) = split_deed(name);
    harness
        .toolset
        .iter()
        .any(|mention| mention.tool == tool && (case.is_none() || mention.case.as_deref() == case))
}
