//! One question, asked through all gates in their order.

use harnessc_runtime::decide::{Bundle, Call, Gate, Plan, Run, RunRow, Verdict};
use harnessc_runtime::lock::{Approval, Effect, Tool, split_deed};
use serde_json::Value;

use super::boundary;
use super::decision::{Decision, Word};
use super::reach::lacking;
use super::row::{Planned, Row};
use super::stand::Stand;

/// What comes of a call. With an input, `tool` is a tool's name and the runtime's boundary is asked; without one it is a
/// deed's name, and the gates that look at the input are taken to be open.
pub fn ask(stand: &Stand, row: &Row<'_>, tool: &str, input: Option<&Value>) -> Decision {
    match input {
        Some(input) => boundary::call(stand, row, tool, input),
        None => with_run(stand.bundle(), row, |run| ask_deed(stand.bundle(), row, run, tool)),
    }
}

/// What comes of a deed for a run whose names are looked up.
pub(super) fn ask_deed(bundle: &Bundle, row: &Row<'_>, run: &Run<'_>, deed: &str) -> Decision {
    let (name, case) = split_deed(deed);
    if let Some(denied) = boundary::lifecycle(bundle.lock(), row) {
        return denied;
    }
    let verdict = run.check(&Call { case, tool: name });
    let spent = |approval| {
        let tool = bundle.lock().tools.get(name)?;
        boundary::budget(bundle, row, name, effect(tool, case), approval)
    };
    match verdict {
        Verdict::Deny(denial) => {
            let detail = match denial.gate {
                Gate::SurfaceScope => lacking(bundle.lock(), row, deed).unwrap_or_default(),
                _ => String::new(),
            };
            Decision::denied_as(denial.gate, denial.code, detail)
        }
        Verdict::Allow => spent(Approval::Auto).unwrap_or_else(|| granted(Approval::Auto, None)),
        Verdict::Propose { approval, approvers } => {
            spent(approval).unwrap_or_else(|| granted(approval, approvers))
        }
    }
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
    then(&run.with_kill_switch(row.kill_switch))
}

fn granted(approval: Approval, approvers: Option<&[String]>) -> Decision {
    let approvers = approvers.map(<[String]>::to_vec);
    Decision { word: Word::Granted(approval), gate: None, detail: String::new(), approvers }
}

/// The effect of one case, or of a tool without.
pub(super) fn effect(tool: &Tool, case: Option<&str>) -> Effect {
    let of_case = case.and_then(|case| Some(tool.cases.as_ref()?.by.get(case)?.effect));
    of_case.unwrap_or(tool.effect)
}
