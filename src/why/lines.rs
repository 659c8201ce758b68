//! The gates in their order, each with its answer and the lines behind it.

use harnessc_runtime::decide::{Bundle, Call, Gate, Verdict};
use harnessc_runtime::lock::{Approval, split_deed};

use super::places;
use crate::diagnostic::Label;
use crate::policy::{Deed, DeedId};
use crate::rules::Cx;
use crate::trial::{Row, lacking, with_run};

/// One gate's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The gate.
    pub gate: Gate,
    /// Whether it is open; `None`: it depends on the call or on how far the run has come.
    pub open: Option<bool>,
    /// What it says, in one sentence; lower case, no full stop.
    pub said: String,
    /// The places that decided it, the first one to point at.
    pub at: Vec<Label>,
}

/// The gates of a deed for a run, in the order they are asked. The run's row and its claim are the server's and left out; but
/// where no such run begins, that is the first line, and its gate the run's row.
pub fn lines(cx: &Cx<'_>, bundle: &Bundle, row: &Row<'_>, deed: &str) -> Vec<Line> {
    let (tool, case) = split_deed(deed);
    let call = Call { case, tool };
    let (answers, verdict) = with_run(bundle, row, |run| (run.trace(&call), said(&run.check(&call))));
    let id = cx.policy.registry.id(deed);
    let own = id.and_then(|id| Some((id, cx.policy.registry.deed(id)?)));
    let begins = super::wearing(cx, row);
    let asked = answers
        .into_iter()
        .filter(|answer| !matches!(answer.gate, Gate::RunRow | Gate::Claim | Gate::Lifecycle))
        .map(|answer| {
            let open = answer.open.filter(|_| !matches!(answer.gate, Gate::Input | Gate::KillSwitch));
            let said = match answer.gate {
                Gate::Approval => verdict.clone(),
                Gate::SurfaceScope if open == Some(false) => {
                    let why = lacking(bundle.lock(), row, deed);
                    let why = why.map_or_else(String::new, |why| format!(": {why}"));
                    format!("{}{why}", sentence(Gate::SurfaceScope, open, row, tool))
                }
                gate => sentence(gate, open, row, tool),
            };
            Line { gate: answer.gate, open, said, at: at(cx, row, answer.gate, tool, own) }
        });
    begins.into_iter().chain(asked).collect()
}

fn at(cx: &Cx<'_>, row: &Row<'_>, gate: Gate, tool: &str, own: Option<(DeedId, &Deed<'_>)>) -> Vec<Label> {
    let Some((id, deed)) = own else {
        return if gate == Gate::Known { places::known(cx, tool) } else { Vec::new() };
    };
    match gate {
        Gate::RunRow | Gate::Claim | Gate::Lifecycle => Vec::new(),
        Gate::Known => places::known(cx, tool),
        Gate::Enabled => places::enabled(cx, tool),
        Gate::Role => places::role(cx, row.role, id, deed),
        Gate::Harness => places::harness(cx, row, id),
        Gate::Person => row.persona.map_or_else(Vec::new, |persona| places::bundle(cx, persona, id)),
        Gate::SurfaceScope => places::surface(cx, row, deed),
        Gate::ReadOnly => places::read_only(cx, row, deed),
        Gate::KillSwitch => places::origin(cx, row),
        Gate::Plan => places::exempt(cx, row, id),
        Gate::Input => places::input(cx, row, id, deed),
        Gate::Binding => places::bound(cx, deed),
        Gate::Budget => places::limits(cx, tool),
        Gate::Approval => places::approval(cx, row, id, deed),
    }
}

fn sentence(gate: Gate, open: Option<bool>, row: &Row<'_>, tool: &str) -> String {
    let role = row.role;
    let harness = row.harness.map_or_else(|| "a run without a harness".to_owned(), |key| format!("`{key}`"));
    let person = row.persona.map_or_else(|| "anybody".to_owned(), |key| format!("`{key}`"));
    let place =
        row.surface.map_or_else(|| "a call over no surface".to_owned(), |key| format!("the surface `{key}`"));
    match (gate, open) {
        (Gate::Known, Some(true)) => format!("the registry has `{tool}`"),
        (Gate::Known, _) => format!("the registry has no `{tool}`"),
        (Gate::Enabled, Some(true)) => "it is switched on".to_owned(),
        (Gate::Enabled, Some(false)) => "it is switched off".to_owned(),
        (Gate::Role, Some(true)) => format!("the role `{role}` may hold it"),
        (Gate::Role, Some(false)) => format!("the role `{role}` may not hold it"),
        (Gate::Harness, Some(true)) => format!("{harness} holds it"),
        (Gate::Harness, Some(false)) if row.harness.is_none() => {
            "a run without a harness holds the reads of its persona's bundle, and not this".to_owned()
        }
        (Gate::Harness, Some(false)) => format!("{harness} does not hold it"),
        (Gate::Person, Some(true)) => format!("{person} may do it"),
        (Gate::Person, Some(false)) => format!("{person} may not do it"),
        (Gate::SurfaceScope, Some(true)) => format!("{place} may reach it"),
        (Gate::SurfaceScope, Some(false)) => format!("{place} may not reach it"),
        (Gate::ReadOnly, Some(true)) => "a run that reads alone is not asked to do more".to_owned(),
        (Gate::ReadOnly, Some(false)) => "this run reads alone, and this is no read".to_owned(),
        (Gate::Plan, Some(true)) => "no plan stands in the way".to_owned(),
        (Gate::Plan, Some(false)) => "the run's plan does not cover it".to_owned(),
        (Gate::KillSwitch, _) => {
            "asked when the call comes: proposals from outside end when the switch is thrown".to_owned()
        }
        (Gate::Input, _) => "asked when the call comes: the input meets the schema".to_owned(),
        (Gate::Binding, _) => "asked when the call comes: bound inputs are the run's own".to_owned(),
        (Gate::Budget, _) => "asked when the call comes: no limit is used up".to_owned(),
        (_, None) => "nothing to ask, since the tool is unknown".to_owned(),
        (gate, Some(_)) => gate.usual().reason().to_owned(),
    }
}

fn said(verdict: &Verdict<'_>) -> String {
    match verdict {
        Verdict::Allow => "`auto`: nobody needs to say yes".to_owned(),
        Verdict::Deny(_) => "not asked: a gate before it is closed".to_owned(),
        Verdict::Propose { approval, approvers } => {
            let need = match approval {
                Approval::FourEyes => "a second person says yes",
                Approval::Auto | Approval::Confirm => "a person says yes",
            };
            let who = approvers.map_or_else(
                || "any authenticated one".to_owned(),
                |names| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
            );
            format!("`{}`: {need} first ({who})", approval.word())
        }
    }
}
