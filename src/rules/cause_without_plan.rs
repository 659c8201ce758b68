//! See the page beside this file.

use std::collections::BTreeSet;

use harnessc_runtime::boundary::MAX_PLAN_STEPS;
use harnessc_runtime::lock::{Effect, NO_HARNESS, split_deed};

use super::engine::bounds::step_cap;
use super::engine::text::{and, count};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::work::RootCause;
use crate::policy::DeedId;
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("cause-without-plan");

const WHY: &str = "a plan is refused until it holds all that its root cause requires, so no plan for this one is ever accepted";

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    if cx.model.harnesses.is_empty() || !cx.policy.is_whole() {
        return;
    }
    let runs = runs(cx);
    for category in cx.model.diagnoses.sorted() {
        for cause in category.value.sorted().filter(|cause| !cause.damaged) {
            sink.extend(judged(cx, &runs, cause));
        }
    }
}

/// What the runs of one harness in one role hold.
struct Run<'a> {
    harness: &'a str,
    role: &'a str,
    deeds: BTreeSet<DeedId>,
}

fn runs<'a>(cx: &'a Cx<'_>) -> Vec<Run<'a>> {
    let worn = cx.policy.effective.iter().filter(|(harness, _)| *harness != NO_HARNESS);
    let run = |harness, (role, cells): (&'a String, &'a Vec<crate::policy::Cell>)| Run {
        harness,
        role,
        deeds: cells.iter().map(|cell| cell.deed).collect(),
    };
    worn.flat_map(|(harness, roles)| roles.iter().map(move |cells| run(harness, cells))).collect()
}

/// A tool that a cause requires, with the deeds any of which meets it.
struct Wanted<'a> {
    name: &'a Spanned<String>,
    deeds: Vec<DeedId>,
}

impl Wanted<'_> {
    fn held_by(&self, run: &Run<'_>) -> bool {
        self.deeds.iter().any(|id| run.deeds.contains(id))
    }
}

/// What a cause requires, each once. A name that leads nowhere is not judged, and neither is a disabled tool: those are findings
/// of their own.
fn wanted<'a>(cx: &Cx<'_>, cause: &'a Def<RootCause>) -> Vec<Wanted<'a>> {
    let registry = &cx.policy.registry;
    let mut seen = BTreeSet::new();
    let names = cause.requires.iter().flatten().filter(|name| seen.insert(name.value.as_str()));
    let wanted = names.map(|name| Wanted { name, deeds: registry.named(name) });
    let enabled = |id: &DeedId| {
        let tool = registry.deed(*id).and_then(|deed| registry.tool(deed.tool));
        tool.is_some_and(|tool| tool.enabled)
    };
    wanted.filter(|wanted| wanted.deeds.first().is_some_and(enabled)).collect()
}

fn judged(cx: &Cx<'_>, runs: &[Run<'_>], cause: &Def<RootCause>) -> Option<Diagnostic> {
    let wanted = wanted(cx, cause);
    let out_of_reach: Vec<&Wanted<'_>> =
        wanted.iter().filter(|wanted| !runs.iter().any(|run| wanted.held_by(run))).collect();
    if let Some((first, more)) = out_of_reach.split_first() {
        return Some(held_by_nobody(cx, cause, first, more));
    }
    if !wanted.is_empty() && !runs.iter().any(|run| wanted.iter().all(|wanted| wanted.held_by(run))) {
        return Some(never_together(runs, cause, &wanted));
    }
    too_much(cx, cause, &wanted)
}

fn held_by_nobody(cx: &Cx<'_>, cause: &Def<RootCause>, first: &Wanted<'_>, more: &[&Wanted<'_>]) -> Diagnostic {
    let key = &cause.key.value;
    let names = std::iter::once(first).chain(more.iter().copied()).map(|wanted| wanted.name.value.as_str());
    let message = format!("root cause `{key}` requires {}, which no run can propose", and(names));
    let finding = Diagnostic::new(ID, first.name.span, message, reason(cx, first));
    more.iter()
        .fold(finding, |finding, wanted| finding.label(wanted.name.span, reason(cx, wanted)))
        .note(WHY)
        .help("require a tool that a harness holds in some role, or add this one to a harness that plans")
}

/// Why no run holds it.
fn reason(cx: &Cx<'_>, wanted: &Wanted<'_>) -> String {
    let holds = |id: &DeedId| cx.policy.harnesses.values().any(|harness| harness.holds.contains_key(id));
    if !wanted.deeds.iter().any(holds) {
        return "no harness holds it".to_owned();
    }
    let registry = &cx.policy.registry;
    let tool = wanted.deeds.first().and_then(|id| registry.deed(*id)).and_then(|deed| registry.tool(deed.tool));
    if tool.is_some_and(|tool| tool.is_prose()) {
        "it returns prose, and no role that reads it is left it".to_owned()
    } else {
        "a harness holds it, and no role leaves it".to_owned()
    }
}

fn never_together(runs: &[Run<'_>], cause: &Def<RootCause>, wanted: &[Wanted<'_>]) -> Diagnostic {
    let key = &cause.key.value;
    let message = format!("no run can propose all that root cause `{key}` requires");
    let finding = Diagnostic::new(ID, cause.key.span, message, "held by no run together");
    let finding = wanted.iter().fold(finding, |finding, wanted| {
        let run = runs.iter().find(|run| wanted.held_by(run));
        let text = run.map_or_else(String::new, |run| format!("held by harness `{}` in role `{}`", run.harness, run.role));
        finding.label(wanted.name.span, text)
    });
    finding.note(WHY).help("give one harness all of them in one role, or require fewer")
}

/// One more step for each of these, of the fewest that meet all: a tool named as a whole is met by the step that one of its
/// cases, required as well, takes anyway.
fn fewest<'w, 'a>(wanted: &'w [Wanted<'a>]) -> impl Iterator<Item = &'w Wanted<'a>> {
    let names = wanted.iter().map(|wanted| split_deed(&wanted.name.value));
    let met: BTreeSet<&str> = names.filter(|(_, case)| case.is_some()).map(|(tool, _)| tool).collect();
    wanted.iter().filter(move |wanted| !met.contains(wanted.name.value.as_str()))
}

fn too_much(cx: &Cx<'_>, cause: &Def<RootCause>, wanted: &[Wanted<'_>]) -> Option<Diagnostic> {
    let key = &cause.key.value;
    let steps = fewest(wanted).count();
    let changes = fewest(wanted).filter(|wanted| {
        let mut effects = wanted.deeds.iter().filter_map(|id| cx.policy.registry.deed(*id)).map(|deed| deed.effect);
        effects.all(|effect| effect != Effect::Read)
    });
    let changes = changes.count();
    let most = cx.model.approvals.max_actions_per_run.as_ref().map(|most| (most.value, most.span));
    let (needs, (most, at), what, raise) = if let Some(most) = most.filter(|most| changes as u64 > most.0) {
        (count(changes, "change"), most, "may make", "`approvals.max_actions_per_run`")
    } else if let Some(cap) = step_cap(cx.model).filter(|cap| steps as u64 > cap.0) {
        (count(steps, "step"), cap, "ends after", "the limit on steps")
    } else {
        return (steps > MAX_PLAN_STEPS).then(|| beyond_any(cause, steps));
    };
    let message = format!("root cause `{key}` requires {needs}, and a run {what} {most}");
    Some(
        Diagnostic::new(ID, cause.key.span, message, needs)
            .label(at, "the most of one run")
            .note(WHY)
            .help(format!("require fewer, or raise {raise}")),
    )
}

/// More than the runtime takes of any plan, whatever a run's own limit.
fn beyond_any(cause: &Def<RootCause>, steps: usize) -> Diagnostic {
    let (key, needs) = (&cause.key.value, count(steps, "step"));
    let message = format!("root cause `{key}` requires {needs}, and no plan has more than {MAX_PLAN_STEPS}");
    Diagnostic::new(ID, cause.key.span, message, needs).note(WHY).help("require fewer")
}
