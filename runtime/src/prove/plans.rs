//! The steps of a harness's plans and the tools of its skills lie within its toolset, and a plan's steps can be done in some
//! order.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::{Harness, Lock, PlanStep, PlanTemplate, deed_name, split_deed};

pub(super) fn prove(lock: &Lock, deeds: &Deeds<'_>) -> Result<(), Broken> {
    lock.plan_templates.iter().try_for_each(|(key, plan)| can_be_done(key, plan))?;
    for (key, harness) in &lock.harnesses {
        for plan_key in &harness.plan_templates {
            let steps = lock.plan_templates.get(plan_key).into_iter().flat_map(|plan| &plan.steps);
            for step in steps {
                let deed = deed_of(lock, step);
                hold(
                    holds(harness, &deed),
                    || format!("{key}/{deed}"),
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
                    holds_all(harness, deeds, tool),
                    || format!("{key}/{tool}"),
                    || format!("the skill `{skill_key}` takes it, and the toolset does not hold it"),
                )?;
            }
        }
    }
    Ok(())
}

/// Each step has a key of its own, waits for steps of the same plan, and for none that waits for it.
fn can_be_done(key: &str, plan: &PlanTemplate) -> Result<(), Broken> {
    let mut waits: BTreeMap<&str, usize> = BTreeMap::new();
    for step in &plan.steps {
        let again = waits.insert(&step.key, step.after.len());
        hold(
            again.is_none(),
            || format!("{key}/{}", step.key),
            || "two steps of the plan have this key".to_owned(),
        )?;
    }
    let mut behind: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for step in &plan.steps {
        for after in &step.after {
            hold(
                waits.contains_key(after.as_str()),
                || format!("{key}/{}", step.key),
                || format!("it comes after the step `{after}`, which the plan does not have"),
            )?;
            behind.entry(after).or_default().push(&step.key);
        }
    }
    let mut ready: Vec<&str> =
        waits.iter().filter(|(_, waits)| **waits == 0).map(|(step, _)| *step).collect();
    while let Some(done) = ready.pop() {
        waits.remove(done);
        for step in behind.remove(done).into_iter().flatten() {
            let Some(waits) = waits.get_mut(step) else { continue };
            *waits = waits.saturating_sub(1);
            if *waits == 0 {
                ready.push(step);
            }
        }
    }
    let stuck = waits.keys().next();
    hold(
        stuck.is_none(),
        || format!("{key}/{}", stuck.unwrap_or(&"")),
        || "it waits for a step that waits for it".to_owned(),
    )
}

/// The deed that a step is: where it names a tool with cases as a whole, and its input says which one is meant, that one.
fn deed_of(lock: &Lock, step: &PlanStep) -> String {
    let cases = lock.tools.get(&step.tool).and_then(|tool| tool.cases.as_ref());
    let said = cases.zip(step.input.as_ref()).and_then(|(cases, input)| {
        let input: BTreeMap<String, &RawValue> = serde_json::from_str(input.as_str()).ok()?;
        let case: String = serde_json::from_str(input.get(&cases.input)?.get()).ok()?;
        cases.by.contains_key(&case).then_some(case)
    });
    deed_name(&step.tool, said.as_deref())
}

/// Whether a harness holds a deed, or every case of a tool that is named as a whole: a skill's instructions may ask for any.
fn holds_all(harness: &Harness, deeds: &Deeds<'_>, name: &str) -> bool {
    let (tool, case) = split_deed(name);
    let meant =
        deeds.iter().filter(|deed| deed.tool_name == tool && (case.is_none() || deed.case_name == case));
    let mut held = meant.map(|deed| holds(harness, &deed.name())).peekable();
    held.peek().is_some() && held.all(|held| held)
}

/// Whether a harness holds a deed, or some case of a tool that is named as a whole.
fn holds(harness: &Harness, name: &str) -> bool {
    let (tool, case) = split_deed(name);
    harness
        .toolset
        .iter()
        .any(|mention| mention.tool == tool && (case.is_none() || mention.case.as_deref() == case))
}
