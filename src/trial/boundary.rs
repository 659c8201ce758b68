//! The gates that the runtime's bundle does not answer yet, as the design has them: the run's end, the kill switch, the
//! binding and the budgets. One function each, so that each can be handed to the runtime when it answers it.

use harnessc_runtime::decide::{Bundle, Gate};
use harnessc_runtime::lock::{Effect, Lock, Origin, Tool};
use serde_json::Value;

use super::decision::Decision;
use super::row::Row;
use crate::model::tests::{Spent, Stopped};
use crate::source::Spanned;

/// Lifecycle: the run has not ended, was not cancelled and is within its deadline.
pub(super) fn lifecycle(lock: &Lock, row: &Row<'_>) -> Option<Decision> {
    match row.stopped {
        Some(Stopped::Ended) => return Some(Decision::denied(Gate::Lifecycle)),
        Some(Stopped::Cancelled) => return Some(Decision::denied_as(Gate::Lifecycle, "cancelled", "")),
        None => {}
    }
    let deadline = lock.limits.as_ref()?.run?.deadline_ms?;
    let time = row.spent?.time.as_ref()?.value.0;
    (time >= deadline).then(|| {
        let detail = format!("`limits.run.deadline` is {} s", deadline / 1000);
        Decision::denied_as(Gate::Lifecycle, "deadline_exceeded", detail)
    })
}

/// Kill switch: thrown, it ends what comes from outside and is no read.
pub(super) fn kill_switch(bundle: &Bundle, row: &Row<'_>, effect: Effect) -> Option<Decision> {
    let outside = row
        .surface
        .and_then(|key| bundle.lock().surfaces.get(key))
        .is_some_and(|surface| surface.origin == Some(Origin::Outside));
    (row.kill_switch && outside && effect != Effect::Read).then(|| Decision::denied(Gate::KillSwitch))
}

/// Binding: each bound input equals the run's value.
pub(super) fn binding(tool: &Tool, row: &Row<'_>, input: &Value) -> Option<Decision> {
    tool.bind.iter().find_map(|(name, field)| {
        let (given, own) = (input.get(name), row.fields.get(field.as_str()));
        (given.is_none() || own.is_none() || given != own).then(|| {
            let own = own.map_or_else(|| "not stated in this test".to_owned(), |own| format!("`{own}`"));
            let given = given.map_or_else(|| "left out".to_owned(), |given| format!("`{given}`"));
            let detail = format!("`{name}` is {given}, and `run.{field}` is {own}");
            Decision::denied_as(Gate::Binding, Gate::Binding.code(), detail)
        })
    })
}

/// Budget: a run that has used up a limit makes no further call. A step cap is the larger of the granted scopes', within
/// the run's.
pub(super) fn budget(lock: &Lock, row: &Row<'_>, tool: &str, effect: Effect) -> Option<Decision> {
    let spent = row.spent?;
    if let Some(cap) = step_cap(lock, row).filter(|cap| used(spent.steps.as_ref()) >= *cap) {
        return Some(Decision::denied_as(Gate::Budget, "step_cap", format!("a run takes {cap} steps")));
    }
    over(lock, spent, tool, effect)
        .map(|detail| Decision::denied_as(Gate::Budget, Gate::Budget.code(), detail))
}

fn step_cap(lock: &Lock, row: &Row<'_>) -> Option<u64> {
    let own = lock.limits.as_ref().and_then(|limits| limits.run).and_then(|run| run.steps);
    let scopes = row.surface.and_then(|key| lock.surfaces.get(key)).and_then(|surface| surface.scopes.as_ref());
    let granted = row.scopes.iter().filter_map(|scope| scopes?.get(*scope)?.steps).max();
    match (own, granted) {
        (Some(own), Some(granted)) => Some(own.min(granted)),
        (own, granted) => own.or(granted),
    }
}

/// The first limit that is used up, in words.
fn over(lock: &Lock, spent: &Spent, tool: &str, effect: Effect) -> Option<String> {
    let limits = lock.limits.clone().unwrap_or_default();
    let (run, day) = (limits.run.unwrap_or_default(), limits.day.unwrap_or_default());
    let own = limits.per_tool.get(tool).copied().unwrap_or_default();
    let calls = spent.calls.iter().flatten().find(|def| def.key.value == tool).map(|def| def.value.value);
    let actions = lock.approvals.max_actions_per_run.filter(|_| effect != Effect::Read);
    let cost = |stated: Option<&Spanned<crate::model::scalars::Money>>| stated.map_or(0, |money| money.value.0);
    [
        ("limits.run.tool_calls".to_owned(), run.tool_calls, used(spent.tool_calls.as_ref())),
        ("limits.run.model_calls".to_owned(), run.model_calls, used(spent.model_calls.as_ref())),
        ("limits.run.tokens".to_owned(), run.tokens, used(spent.tokens.as_ref())),
        (
            "limits.run.result_bytes".to_owned(),
            run.result_bytes,
            spent.result_bytes.as_ref().map_or(0, |bytes| bytes.value.0),
        ),
        ("limits.run.cost".to_owned(), run.cost_micro_usd, cost(spent.cost.as_ref())),
        ("limits.day.cost".to_owned(), day.cost_micro_usd, cost(spent.day_cost.as_ref())),
        ("limits.day.tokens".to_owned(), day.tokens, used(spent.day_tokens.as_ref())),
        (format!("limits.per_tool.{tool}.calls"), own.calls, calls.unwrap_or(0)),
        ("approvals.max_actions_per_run".to_owned(), actions, used(spent.actions.as_ref())),
    ]
    .into_iter()
    .find(|(_, limit, used)| limit.is_some_and(|limit| *used >= limit))
    .map(|(name, ..)| format!("`{name}` is used up"))
}

fn used(stated: Option<&Spanned<u64>>) -> u64 {
    stated.map_or(0, |stated| stated.value)
}
