//! See the page beside this file.

use std::fmt::Display;

use harnessc_runtime::evidence::MAX_ATTEMPTS;

use super::engine::enum_texts::{EnumText, enum_texts};
use super::engine::schemas::{self, Stands};
use super::engine::written;
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink, nearest, sureness};
use crate::model::bounds::RetryPolicy;
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("idle-setting");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    sink.extend(undone(cx));
    sink.extend(judged(cx));
    sink.extend(half_compacted(cx));
    states(cx, sink);
    doubles(cx, sink);
}

/// A batch that is to take back what it did.
fn undone(cx: &Cx<'_>) -> Option<Diagnostic> {
    let batch = cx.model.approvals.batch.as_ref()?;
    let keep = batch.keep_partial.as_ref().filter(|keep| !keep.value)?;
    Some(
        Diagnostic::new(ID, keep.span, "what a batch did before a step failed stays, whatever `keep_partial` says", "not in force")
            .note("nothing is taken back unasked: a deed that undoes another one is a deed of its own, and needs a yes of its own")
            .help("write `keep_partial: true`, or leave it out; what must be taken back is proposed by a tool under `undo`")
            .fix("write `true`", Applicability::Unsafe, keep.span, "true"),
    )
}

/// More attempts of the judge than there ever are.
fn judged(cx: &Cx<'_>) -> Option<Diagnostic> {
    let judge = cx.model.evidence.semantic.as_ref()?;
    let attempts = judge.attempts.as_ref().filter(|attempts| !(1..=MAX_ATTEMPTS).contains(&attempts.value))?;
    let in_force = attempts.value.clamp(1, MAX_ATTEMPTS);
    let message = format!("`evidence.semantic.attempts` is {}, and the judge is asked {MAX_ATTEMPTS} times at most and once at least", attempts.value);
    Some(
        Diagnostic::new(ID, attempts.span, message, format!("{in_force} is in force"))
            .note("the same question with the same input is asked once more where the judge failed; asking on until the answer pleases would be no check")
            .help(format!("write `{in_force}`; to go without the judge, leave `semantic` out"))
            .fix(format!("write `{in_force}`"), Applicability::Safe, attempts.span, in_force.to_string()),
    )
}

/// A bound without the tool that resolves, or the tool without the bound: nothing is shortened.
fn half_compacted(cx: &Cx<'_>) -> Option<Diagnostic> {
    let stated = cx.model.prompt.compaction.as_ref()?;
    let note = "a result gives way to a reference only where it is larger than the bound and a tool can bring it back";
    let (span, has, lacks, help) = match (&stated.above, &stated.resolve_with) {
        (Some(above), None) => (above.span, "above", "resolve_with", "name the tool that brings a result back, or take `compaction` out"),
        (None, Some(tool)) => (tool.span, "resolve_with", "above", "state how large a result is that gives way, or take `compaction` out"),
        _ => return None,
    };
    let message = format!("`prompt.compaction` states `{has}` without `{lacks}`, so that nothing is ever shortened");
    Some(Diagnostic::new(ID, span, message, "has no effect alone").note(note).help(help))
}

/// States that are a slip away from one that the tree's schemas know.
fn states(cx: &Cx<'_>, sink: &mut Sink) {
    let Some(stated) = &cx.model.evidence.ready_states else { return };
    let own = schemas::own(cx);
    let told = own.iter().filter(|own| {
        matches!(own.stands, Stands::Type(_) | Stands::RunField(_) | Stands::Output(_))
    });
    let known: Vec<EnumText> = told.flat_map(|own| enum_texts(&own.reading.tree)).collect();
    for state in stated {
        let words = || known.iter().map(|known| known.text.as_str());
        if words().any(|word| word == state.value) {
            continue;
        }
        let Some(meant) = nearest(state, words()) else { continue };
        let Some(at) = known.iter().find(|known| known.text == meant) else { continue };
        let message = format!("no source is ever in the state `{}`", state.value);
        sink.push(
            Diagnostic::new(ID, state.span, message, format!("did you mean `{meant}`?"))
                .label(at.span, "a state that the tree knows")
                .note("a source is cited only while it is in one of these states; in a misspelt one it never is, and every answer that cites it fails")
                .help(format!("write `{meant}`"))
                .fix(format!("write `{meant}`"), sureness(state, meant, words()), state.span, meant),
        );
    }
}

/// Lists of words that name one twice.
fn doubles(cx: &Cx<'_>, sink: &mut Sink) {
    let model = cx.model;
    let engines = &model.engines;
    twice(cx, "engines.order", engines.order.as_ref().map_or(&[], |list| list.value.as_slice()), sink);
    let audit = &model.audit;
    let unsupported = model.release.unsupported.as_ref();
    let names = [
        ("engines.providers.order", engines.providers.as_ref().and_then(|own| own.order.as_deref())),
        ("evidence.ready_states", model.evidence.ready_states.as_deref()),
        ("release.unsupported.fields", unsupported.and_then(|own| own.fields.as_deref())),
        ("audit.tool_call", audit.tool_call.as_deref()),
        ("audit.action", audit.action.as_deref()),
        ("audit.trace", audit.trace.as_deref()),
    ];
    for (place, list) in names {
        twice(cx, place, list.unwrap_or_default(), sink);
    }
    let retry = model.limits.retry.as_ref().and_then(|retry| retry.model.as_ref());
    if let Some(RetryPolicy::Attempts(attempts)) = retry {
        twice(cx, "limits.retry.model.on", attempts.on.as_deref().unwrap_or_default(), sink);
    }
    for surface in model.surfaces.sorted() {
        let place = format!("surfaces.{}.after_approval", surface.key.value);
        twice(cx, &place, surface.after_approval.as_deref().unwrap_or_default(), sink);
    }
}

fn twice<T: PartialEq + Display>(cx: &Cx<'_>, place: &str, list: &[Spanned<T>], sink: &mut Sink) {
    for (at, word) in list.iter().enumerate() {
        let Some(first) = list.iter().take(at).find(|first| first.value == word.value) else { continue };
        let message = format!("`{place}` names `{}` twice", word.value);
        let mut finding = Diagnostic::new(ID, word.span, message, "the second time")
            .label(first.span, "the first")
            .note("the first mention is in force, and another one was probably meant to be some other word")
            .help("take it out, or write the word that was meant");
        if let Some(edit) = written::without(cx, list, at) {
            finding = finding.fix_all(format!("take the second `{}` out", word.value), Applicability::Safe, vec![edit]);
        }
        sink.push(finding);
    }
}
