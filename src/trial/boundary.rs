//! A call, put to the runtime's own boundary: the run's row, its claims and its ledger made from what a test states.

use std::collections::BTreeMap;

use harnessc_runtime::boundary::budget::{Amounts, Caps, Meter};
use harnessc_runtime::boundary::{
    Boundary, Bounds, Call, Claims, Conditions, DeedNames, Ending, Foreseen, Ledger, Lifecycle, Mode,
    PlanState, Refusal, Ruling, RunState, Unreadable,
};
use harnessc_runtime::decide::{Bundle, Code, Gate};
use harnessc_runtime::json::Json;
use harnessc_runtime::lock::{Approval, Effect, Lock};
use harnessc_runtime::meter::Counts;
use serde_json::Value;

use super::decision::{Decision, Word};
use super::row::{Planned, Row};
use super::stand::Stand;
use crate::model::tests::{Spent, Stopped};
use crate::source::Spanned;

/// When every run of a test began, in milliseconds since the epoch. Only what lies between it and the call is asked for.
const BEGAN_MS: u64 = 1_000_000_000_000;

/// The name that server and token agree on.
const SERVER: &str = "harnessc test";

/// What comes of a call with this input.
pub(super) fn call(stand: &Stand, row: &Row<'_>, tool: &str, input: &Value) -> Decision {
    let lock = stand.bundle().lock();
    let permissions = DeedNames::of(permissions(lock, row), &stand.locks);
    let steps = match &row.plan {
        Planned::Approved(steps) => steps.clone(),
        Planned::None | Planned::Proposed => Vec::new(),
    };
    let steps = DeedNames::of(steps, &stand.locks);
    let values =
        row.fields.iter().filter_map(|(key, value)| Some(((*key).to_owned(), Json::of(value).ok()?)));
    let values: BTreeMap<String, Json> = values.collect();
    let personas: Vec<&str> = row.persona.into_iter().collect();
    let run = RunState {
        acting_user: "person",
        harness: row.harness,
        id: "run",
        lifecycle: begun(row),
        lock: stand.bundle().digest(),
        mode: if row.read_only { Mode::Viewer } else { Mode::Work },
        organization: "organization",
        permissions: Ok(&permissions),
        personas: &personas,
        plan: Ok(match row.plan {
            Planned::None => PlanState::None,
            Planned::Proposed => PlanState::Proposed,
            Planned::Approved(_) => PlanState::Approved { steps: &steps },
        }),
        requester: "person",
        role: row.role,
        values: &values,
    };
    match ruling(stand, row, &run, tool, input) {
        Ruling::Allow(_) => model(lock, row).unwrap_or_else(|| granted(Approval::Auto, None)),
        Ruling::Propose(proposal) => {
            model(lock, row).unwrap_or_else(|| granted(proposal.approval, proposal.approvers.clone()))
        }
        Ruling::Deny(refusal) => denied(lock, row, tool, input, &refusal),
    }
}

/// The boundary's answer to a call of this run, its token right and its clock as far on as the test says.
fn ruling(stand: &Stand, row: &Row<'_>, run: &RunState<'_>, tool: &str, input: &Value) -> Ruling {
    let claims = Claims {
        audience: SERVER,
        harness: run.harness,
        organization: run.organization,
        role: run.role,
        run: run.id,
        scopes: &row.scopes,
    };
    let bytes = input.to_string();
    let asked = Call { input: bytes.as_bytes(), surface: row.surface, tool };
    let conditions = Conditions {
        high_water_ms: BEGAN_MS,
        kill_switch: Ok(row.kill_switch),
        now_ms: Ok(BEGAN_MS.saturating_add(time(row))),
        overlay: stand.overlay.as_ref().ok_or(Unreadable),
        upstreams: &stand.upstreams,
    };
    let bounds = Bounds::default();
    let boundary = Boundary { audience: SERVER, bounds, key: &stand.key, locks: &stand.locks };
    let mut ledger = ledger(row.spent);
    boundary.check(Ok(Some(run)), &claims, &asked, &conditions, Ok(&mut ledger)).ruling
}

fn granted(approval: Approval, approvers: Option<Vec<String>>) -> Decision {
    Decision { word: Word::Granted(approval), gate: None, detail: String::new(), approvers }
}

fn denied(lock: &Lock, row: &Row<'_>, tool: &str, input: &Value, refusal: &Refusal) -> Decision {
    let denial = refusal.denial;
    let detail = match (&refusal.fault, denial.gate) {
        (Some(fault), _) => fault.to_string(),
        (None, Gate::Binding) => bound(lock, row, tool, input),
        _ => String::new(),
    };
    Decision::denied_as(denial.gate, denial.code, detail)
}

/// Which bound input is another one than the run's.
fn bound(lock: &Lock, row: &Row<'_>, tool: &str, input: &Value) -> String {
    let bind = lock.tools.get(tool).map(|own| &own.bind);
    let other =
        bind.into_iter().flatten().find(|(name, field)| input.get(name) != row.fields.get(field.as_str()));
    let Some((name, field)) = other else { return String::new() };
    let own = row.fields.get(field.as_str());
    let own = own.map_or_else(|| "not stated in this test".to_owned(), |own| format!("`{own}`"));
    let given = input.get(name).map_or_else(|| "left out".to_owned(), |given| format!("`{given}`"));
    format!("`{name}` is {given}, and `run.{field}` is {own}")
}

/// What the person may do: the persona's bundle, or everything where the policy states no personas.
fn permissions<'l>(lock: &'l Lock, row: &Row<'_>) -> Vec<&'l str> {
    match row.persona {
        Some(persona) => {
            lock.personas.get(persona).into_iter().flat_map(|own| &own.bundle).map(String::as_str).collect()
        }
        None if lock.personas.is_empty() => lock.tools.keys().map(String::as_str).collect(),
        None => Vec::new(),
    }
}

fn ending(stopped: Stopped) -> Ending {
    match stopped {
        Stopped::Ended => Ending::Completed,
        Stopped::Cancelled => Ending::Cancelled,
    }
}

fn time(row: &Row<'_>) -> u64 {
    row.spent.and_then(|spent| spent.time.as_ref()).map_or(0, |time| time.value.0)
}

/// Whether the run still runs: for a question about a deed, before there is a call.
pub(super) fn lifecycle(lock: &Lock, row: &Row<'_>) -> Option<Decision> {
    let code = begun(row).is_under_way(lock, BEGAN_MS.saturating_add(time(row))).err()?;
    Some(Decision::denied_as(code.gate(), code.code(), ""))
}

/// Whether the budgets have room for a deed, as the runtime's ledger counts.
pub(super) fn budget(
    bundle: &Bundle,
    row: &Row<'_>,
    tool: &str,
    effect: Effect,
    approval: Approval,
) -> Option<Decision> {
    row.spent?;
    let deed = Foreseen { approval, effect, scopes: &row.scopes, surface: row.surface, tool };
    match ledger(row.spent).has_room(bundle, &deed) {
        Ok(()) => model(bundle.lock(), row),
        Err((code, exceeded)) => Some(used_up(code, exceeded.meter.word(), "")),
    }
}

/// Whether what models may spend leaves the model that makes this call another turn. Asked of what a test says was spent.
fn model(lock: &Lock, row: &Row<'_>) -> Option<Decision> {
    let spent = row.spent?;
    let used = |stated: &Option<Spanned<u64>>| stated.as_ref().map_or(0, |stated| stated.value);
    let counts = Counts {
        calls: used(&spent.model_calls),
        cost_micro_usd: spent.cost.as_ref().map_or(0, |cost| cost.value.0),
        tokens: used(&spent.tokens),
    };
    if counts == Counts::default() {
        return None;
    }
    let exceeded = counts.leaves_a_call(lock.limits.as_ref()).err()?;
    Some(used_up(Code::BudgetExceeded, exceeded.word(), ", so that no model is asked again"))
}

fn used_up(code: Code, budget: &str, so: &str) -> Decision {
    Decision::denied_as(code.gate(), code.code(), format!("`{budget}` is used up{so}"))
}

fn begun(row: &Row<'_>) -> Lifecycle {
    Lifecycle { ended: row.stopped.map(ending), ..Lifecycle::begun(BEGAN_MS) }
}

/// A ledger that holds what a test says was spent.
fn ledger(spent: Option<&Spent>) -> Ledger {
    let mut ledger = Ledger::default();
    let Some(spent) = spent else { return ledger };
    let used = |stated: &Option<Spanned<u64>>| stated.as_ref().map_or(0, |stated| stated.value);
    let mut charge = |tool: Option<&str>, amounts: Amounts| {
        // Without caps there is room for everything.
        if let Ok(reservation) = ledger.reserve(&Caps::default(), tool, amounts) {
            ledger.settle(&Caps::default(), reservation, amounts);
        }
    };
    let (mut calls, mut bytes) = (0_u64, 0_u64);
    for own in spent.calls.iter().flatten() {
        calls = calls.saturating_add(own.value.value);
        charge(Some(&own.key.value), Amounts::default().with(Meter::ToolCalls, own.value.value));
    }
    for own in spent.bytes.iter().flatten() {
        bytes = bytes.saturating_add(own.value.value.0);
        charge(Some(&own.key.value), Amounts::default().with(Meter::ResultBytes, own.value.value.0));
    }
    let of_run = spent.result_bytes.as_ref().map_or(0, |bytes| bytes.value.0);
    let all = Amounts::default()
        .with(Meter::Steps, used(&spent.steps))
        .with(Meter::ToolCalls, used(&spent.tool_calls).saturating_sub(calls))
        .with(Meter::ResultBytes, of_run.saturating_sub(bytes))
        .with(Meter::Actions, used(&spent.actions));
    charge(None, all);
    ledger
}
