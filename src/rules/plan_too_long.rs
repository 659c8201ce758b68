//! See the page beside this file.

use harnessc_runtime::boundary::MAX_PLAN_STEPS;
use harnessc_runtime::lock::Effect;

use super::engine::bounds::step_cap;
use super::engine::steps;
use super::engine::text::count;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::work::{PlanTemplate, Step};
use crate::source::Span;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("plan-too-long");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let cap = step_cap(cx.model);
    let most = cx.model.approvals.max_actions_per_run.as_ref().map(|most| (most.value, most.span));
    for plan in &cx.model.plan_templates {
        let steps: Vec<&Def<Step>> = plan.steps.iter().flatten().collect();
        if let Some(cap) = cap.filter(|cap| steps.len() as u64 > cap.0) {
            sink.push(too_many_steps(plan, &steps, cap));
        } else if steps.len() > MAX_PLAN_STEPS {
            sink.push(beyond_any(plan, &steps));
        }
        let actions: Vec<&Def<Step>> = steps.into_iter().filter(|step| changes(cx, step)).collect();
        if let Some(most) = most.filter(|most| actions.len() as u64 > most.0) {
            sink.push(too_many_actions(plan, &actions, most));
        }
    }
}

/// Whether a step is an action: of the deeds that it may be, some is no read.
fn changes(cx: &Cx<'_>, step: &Step) -> bool {
    let deeds = steps::deed(cx, step).into_iter().flat_map(|name| cx.policy.registry.named(&name));
    deeds.filter_map(|id| cx.policy.registry.deed(id)).any(|deed| deed.effect != Effect::Read)
}

fn too_many_steps(plan: &Def<PlanTemplate>, steps: &[&Def<Step>], (cap, at): (u64, Span)) -> Diagnostic {
    let has = count(steps.len(), "step");
    let finding = Diagnostic::new(
        ID,
        plan.key.span,
        format!("plan `{}` has {has}, and a run ends after {cap}", plan.key.value),
        has,
    );
    beyond(finding, steps, cap, "beyond the last step of a run")
        .label(at, "the most steps that any run takes")
        .note("a person would approve a plan that no run can finish")
        .help("split the plan, or raise the limit on steps")
}

/// More than the runtime takes of any plan, whatever a run's own limit.
fn beyond_any(plan: &Def<PlanTemplate>, steps: &[&Def<Step>]) -> Diagnostic {
    let has = count(steps.len(), "step");
    let message = format!("plan `{}` has {has}, and no plan has more than {MAX_PLAN_STEPS}", plan.key.value);
    let finding = Diagnostic::new(ID, plan.key.span, message, has);
    beyond(finding, steps, MAX_PLAN_STEPS as u64, "beyond the last step of a plan")
        .note("a person is asked about a plan as a whole, and nobody reads so many steps; the runtime refuses it")
        .help("split the plan")
}

fn too_many_actions(plan: &Def<PlanTemplate>, actions: &[&Def<Step>], (most, at): (u64, Span)) -> Diagnostic {
    let has = count(actions.len(), "change");
    let finding = Diagnostic::new(
        ID,
        plan.key.span,
        format!("plan `{}` makes {has}, and a run may make {most}", plan.key.value),
        has,
    );
    beyond(finding, actions, most, "beyond the last change of a run")
        .label(at, "the most changes of one run")
        .note("creates, writes and destructive steps count; the last ones would be refused in the midst of the work")
        .help("split the plan, or raise `approvals.max_actions_per_run`")
}

fn beyond(finding: Diagnostic, steps: &[&Def<Step>], allowed: u64, label: &str) -> Diagnostic {
    let first = usize::try_from(allowed).ok().and_then(|at| steps.get(at));
    match first {
        Some(step) => finding.label(step.key.span, label),
        None => finding,
    }
}
