//! One call, asked through all gates in their order.

use harnessc_runtime::decide::{Bundle, Call, Gate, Plan, Run, RunRow, Verdict};
use harnessc_runtime::lock::{Approval, Effect, Tool, split_deed};
use serde_json::Value;

use super::boundary;
use super::decision::{Decision, Word};
use super::input::Schemas;
use super::row::{Planned, Row};

/// What comes of a call. With an input, `tool` is a tool's name and every gate is asked; without one it is a deed's name,
/// and the gates that look at the input are taken to be open.
pub fn ask(bundle: &Bundle, schemas: &Schemas, row: &Row<'_>, tool: &str, input: Option<&Value>) -> Decision {
    with_run(bundle, row, |run| ask_run(bundle, schemas, row, run, tool, input))
}

/// The same for a run whose names are looked up.
pub(super) fn ask_run(
    bundle: &Bundle,
    schemas: &Schemas,
    row: &Row<'_>,
    run: &Run<'_>,
    tool: &str,
    input: Option<&Value>,
) -> Decision {
    let (name, case) = match input {
        Some(input) => (tool, bundle.discriminator(tool).and_then(|key| input.get(key)?.as_str())),
        None => split_deed(tool),
    };
    let call = Call { case, tool: name };
    if let Some(denied) = boundary::lifecycle(bundle.lock(), row) {
        return denied;
    }
    let verdict = run.check(&call);
    let held = bundle.lock().tools.get(name).map(|tool| (tool, effect(tool, case)));
    if let Verdict::Deny(denial) = &verdict {
        let thrown = held.filter(|_| denial.gate >= Gate::KillSwitch);
        let thrown = thrown.and_then(|(_, effect)| boundary::kill_switch(bundle, row, effect));
        return thrown.unwrap_or_else(|| Decision::denied_as(denial.gate, denial.code, ""));
    }
    let Some((held, effect)) = held else { return Decision::denied(Gate::Known) };
    boundary::kill_switch(bundle, row, effect)
        .or_else(|| schemas.input(run, name, input?))
        .or_else(|| boundary::binding(held, row, input?))
        .or_else(|| boundary::budget(bundle.lock(), row, name, effect))
        .unwrap_or_else(|| granted(&verdict))
}

/// The run of a row, as the bundle knows it.
pub(crate) fn with_run<T>(bundle: &Bundle, row: &Row<'_>, then: impl FnOnce(&Run<'_>) -> T) -> T {
    let person = row.person(bundle);
    let steps = match &row.plan {
        Planned::Approved(steps) => bundle.deeds(steps.iter().copied()),
        Planned::None | Planned::Proposed => bundle.deeds([]),
    };
    let run = bundle.run(&RunRow {
        harness: row.harness,
        person: &person,
        plan: match row.plan {
            Planned::None => Plan::None,
            Planned::Proposed => Plan::Proposed,
            Planned::Approved(_) => Plan::Approved { steps: &steps },
        },
        read_only: row.read_only,
        role: row.role,
        scopes: &row.scopes,
        surface: row.surface,
    });
    then(&run)
}

fn granted(verdict: &Verdict<'_>) -> Decision {
    let (approval, approvers) = match verdict {
        Verdict::Allow => (Approval::Auto, None),
        Verdict::Propose { approval, approvers } => (*approval, approvers.map(<[String]>::to_vec)),
        Verdict::Deny(denial) => return Decision::denied(denial.gate),
    };
    Decision { word: Word::Granted(approval), gate: None, detail: String::new(), approvers }
}

/// The effect of one case, or of a tool without.
fn effect(tool: &Tool, case: Option<&str>) -> Effect {
    let of_case = case.and_then(|case| Some(tool.cases.as_ref()?.by.get(case)?.effect));
    of_case.unwrap_or(tool.effect)
}
