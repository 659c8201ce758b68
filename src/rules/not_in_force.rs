//! See the page beside this file.

use harnessc_runtime::engines as runtime;

use super::engine::text::count;
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink};
use crate::model::bounds::{Attempts, Engine, Engines, Fallback, Phase, RetryPolicy};
use crate::source::{Span, Spanned};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("not-in-force");

const WHY: &str = "whoever reads this policy believes what it states, and a run does otherwise";

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let engines = &cx.model.engines;
    for (phase, stated) in phases(engines) {
        sink.extend(falls_with_the_run(phase, stated));
        sink.extend(corrected_less(phase, stated));
    }
    if let Some(order) = &engines.order {
        never_asked(order, sink);
    }
    sink.extend(nothing_behind(engines));
    let retry = cx.model.limits.retry.as_ref().and_then(|retry| retry.model.as_ref());
    if let Some(RetryPolicy::Attempts(attempts)) = retry {
        sink.extend(never_again(attempts));
    }
    // A name that leads nowhere is `unknown-reference`'s.
    let limits = cx.model.limits.per_tool.iter().flatten();
    for limit in limits.filter(|limit| cx.policy.registry.id(&limit.key.value).is_some()) {
        sink.extend(limit.key.value.split_once('/').map(|(tool, _)| of_a_case(&limit.key, tool)));
    }
}

fn phases(engines: &Engines) -> Vec<(runtime::Phase, &Phase)> {
    let Some(stated) = &engines.phases else { return Vec::new() };
    let all = [
        (runtime::Phase::Triage, &stated.triage),
        (runtime::Phase::Diagnose, &stated.diagnose),
        (runtime::Phase::Plan, &stated.plan),
        (runtime::Phase::Command, &stated.command),
    ];
    all.into_iter().filter_map(|(phase, stated)| Some((phase, stated.as_ref()?))).collect()
}

fn falls_with_the_run(phase: runtime::Phase, stated: &Phase) -> Option<Diagnostic> {
    let fallback = stated.fallback.as_ref().filter(|word| word.value == Fallback::Phase)?;
    if phase.can_stand_alone() {
        return None;
    }
    let code = phase.code();
    Some(
        Diagnostic::new(
            ID,
            fallback.span,
            format!("`{code}` falls back with the whole run, and `phase` says that it falls back alone"),
            "in force is `run`",
        )
        .note(format!("{WHY}; what follows from a `{code}` would stand on an answer that was refused"))
        .help("write `run`")
        .fix("write `run`", Applicability::Safe, fallback.span, "run"),
    )
}

fn corrected_less(phase: runtime::Phase, stated: &Phase) -> Option<Diagnostic> {
    let most = phase.most_corrections();
    let corrections = stated.corrections.as_ref().filter(|corrections| corrections.value > most)?;
    let (code, more) = (phase.code(), corrections.value);
    let message = match most {
        0 => format!("an answer of `{code}` is never corrected, and `corrections` says {more}"),
        _ => format!("an answer of `{code}` is corrected once at most, and `corrections` says {more}"),
    };
    let write = format!("write `{most}`");
    let help = if most == 0 { "take `corrections` out, or write `0`".to_owned() } else { write.clone() };
    Some(
        Diagnostic::new(ID, corrections.span, message, format!("in force is {most}"))
            .note(format!("{WHY}; after that the rules take over"))
            .help(help)
            .fix(write, Applicability::Safe, corrections.span, most.to_string()),
    )
}

/// Engines that stand behind the rules, which always answer, or behind themselves.
fn never_asked(order: &Spanned<Vec<Spanned<Engine>>>, sink: &mut Sink) {
    for (at, engine) in order.iter().enumerate() {
        let before = order.get(..at).unwrap_or_default();
        let answers =
            before.iter().find(|earlier| earlier.value == Engine::Rules || earlier.value == engine.value);
        let Some(answers) = answers else { continue };
        let message = format!("`{engine}` is never asked behind `{answers}`", engine = engine.value, answers = answers.value);
        let label = if answers.value == Engine::Rules { "always answers" } else { "asked here" };
        sink.push(
            Diagnostic::new(ID, engine.span, message, "never reached")
                .label(answers.span, label)
                .note(WHY)
                .help(match (engine.value, answers.value) {
                    (Engine::Ai, Engine::Rules) => "write `[ai, rules]` to ask the model first, or `[rules]` alone",
                    _ => "name each engine once, the rules last",
                }),
        );
    }
}

/// Phases that say what the rules take over where they never take over from the model.
fn nothing_behind(engines: &Engines) -> Option<Diagnostic> {
    let first = phases(engines).into_iter().find_map(|(phase, stated)| Some((phase, stated.fallback.as_ref()?)));
    let (phase, fallback) = first?;
    let order: Vec<Engine> = engines.order.iter().flat_map(|order| order.iter()).map(|engine| engine.value).collect();
    let (message, label) = match (order.first(), order.contains(&Engine::Rules)) {
        (Some(Engine::Ai), true) => return None,
        (Some(Engine::Rules), _) => (
            "the rules answer every phase, so that none falls back to them",
            "the model is not asked first",
        ),
        (Some(Engine::Ai), false) => (
            "phases say how they fall back to the rules, and no rules stand behind the model",
            "the model alone",
        ),
        (None, _) => (
            "phases say how they fall back to the rules, and no `order` names the rules",
            "nothing to fall back to",
        ),
    };
    let at = engines.order.as_ref().map(|order| order.span);
    let code = phase.code();
    let finding = match at {
        Some(at) => Diagnostic::new(ID, at, message, label)
            .label(fallback.span, format!("says how `{code}` falls back")),
        None => Diagnostic::new(ID, fallback.span, message, label),
    };
    let does = match order.first() {
        Some(Engine::Rules) => "the model answers nothing",
        _ => "a phase whose answer does not hold ends the run as a failure",
    };
    Some(finding.note(format!("{WHY}: {does}")).help("write `order: [ai, rules]`, or take `phases` out"))
}

fn never_again(stated: &Spanned<Attempts>) -> Option<Diagnostic> {
    let attempts = stated.attempts.as_ref()?;
    let on: Option<Span> = stated.on.as_ref().and_then(|on| on.first()).map(|cause| cause.span);
    match (attempts.value, on) {
        (0, _) => Some(
            Diagnostic::new(ID, attempts.span, "a model's call is made once at least, and `attempts` says 0", "in force is 1")
                .note(format!("{WHY}; the first call counts among the attempts"))
                .help("write `model: never` where nothing is tried again"),
        ),
        (1, Some(on)) => Some(
            Diagnostic::new(ID, attempts.span, "the first attempt is the only one, and failures to try again after are named", "the first call counts")
                .label(on, "never tried again")
                .note(WHY)
                .help("write `attempts: 2` for one more try, or `model: never`"),
        ),
        (more @ 2.., None) => Some(
            Diagnostic::new(
                ID,
                attempts.span,
                format!("a model's call is made once, and `attempts` says {more}"),
                "in force is 1",
            )
            .note(format!("{WHY}: what is tried again is what `on` names, and nothing is named"))
            .help("add the failures: `on: [timeout, rate_limit]`; or write `model: never`"),
        ),
        _ => None,
    }
}

fn of_a_case(key: &Spanned<String>, tool: &str) -> Diagnostic {
    let name = &key.value;
    let message = format!("`{name}` has a limit of its own, and calls are counted by tool");
    Diagnostic::new(ID, key.span, message, format!("{} of `{tool}`", count(1, "case")))
        .note(format!("{WHY}: this limit is asked of no call"))
        .help(format!("write `{tool}` to limit all of its cases together"))
}
