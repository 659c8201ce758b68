//! See the page beside this file.

use super::engine::steps;
use super::engine::text::{and, count};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::work::PlanTemplate;
use crate::policy::Harness;
use crate::source::Span;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("plan-outside-toolset");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for harness in cx.policy.harnesses.values().filter(|harness| !harness.unsure) {
        for name in harness.def.plan_templates.iter().flatten() {
            if let Some(plan) = cx.model.plan_templates.get(name) {
                within(cx, harness, plan, name.span, sink);
            }
        }
    }
    for duty in &cx.model.duty_templates {
        let worn = duty.when_wearing.as_ref().and_then(|name| cx.policy.harnesses.get(name.value.as_str()));
        let (Some(harness), Some(name)) = (worn.filter(|harness| !harness.unsure), &duty.plan) else { continue };
        let listed = harness.def.plan_templates.iter().flatten().any(|plan| plan.value == name.value);
        if let Some(plan) = cx.model.plan_templates.get(name).filter(|_| !listed) {
            within(cx, harness, plan, name.span, sink);
        }
    }
}

/// Holds one plan to the toolset of one harness that has it. `at` is where the harness, or a duty worn with it, names the plan.
fn within(cx: &Cx<'_>, harness: &Harness<'_>, plan: &Def<PlanTemplate>, at: Span, sink: &mut Sink) {
    let deeds = plan.steps.iter().flatten().filter_map(|step| Some((steps::deed(cx, step)?, step.tool.as_ref()?.span)));
    let outside: Vec<(String, Span)> = deeds.filter(|(deed, _)| !holds_some(cx, harness, deed)).collect();
    if outside.is_empty() {
        return;
    }
    let mut names: Vec<&str> = outside.iter().map(|(deed, _)| deed.as_str()).collect();
    names.dedup();
    let (key, named) = (harness.key(), and(names.iter().copied()));
    let finding = Diagnostic::new(
        ID,
        at,
        format!("plan `{}` of harness `{key}` takes {named}, which `{key}` does not hold", plan.key.value),
        format!("{} outside the toolset", count(outside.len(), "step")),
    );
    let finding = outside.iter().fold(finding, |finding, (_, at)| finding.label(*at, "not held"));
    sink.push(
        finding
            .label(harness.def.key.span, "the harness")
            .note("an approved plan narrows what a run may do; it never adds a tool")
            .help(format!("take the plan out of `{key}`, or take the step out of the plan; or add {named} to the toolset if the harness is meant to hold it")),
    );
}

/// Whether the harness holds the deed, or some deed of a tool that is named as a whole. A name that leads nowhere is not judged.
fn holds_some(cx: &Cx<'_>, harness: &Harness<'_>, name: &str) -> bool {
    let deeds = cx.policy.registry.named(name);
    deeds.is_empty() || deeds.iter().any(|id| harness.holds.contains_key(id))
}
