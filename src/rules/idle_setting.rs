//! See the page beside this file.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use harnessc_runtime::evidence::MAX_ATTEMPTS;

use super::engine::enum_texts::{EnumText, enum_texts};
use super::engine::schemas::{self, Stands};
use super::engine::written;
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink, nearest};
use crate::model::bounds::RetryPolicy;
use crate::policy::schema::Located;
use crate::source::{Span, Spanned};
use crate::syntax::yaml::scalar;

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

/// So many states are held against those that are known; where more are not known, the tree's lists are of something else.
const COMPARED: usize = 20;

/// States that are a slip away from one that the sources have. Nothing says what states those are, so a list of the tree's
/// schemas counts as theirs only where `ready_states` names others of it: two words alike are no reason.
fn states(cx: &Cx<'_>, sink: &mut Sink) {
    let Some(stated) = &cx.model.evidence.ready_states else { return };
    let named: BTreeSet<&str> = stated.iter().map(|state| state.value.as_str()).collect();
    let own = schemas::own(cx);
    let told = own.iter().filter(|own| {
        matches!(own.stands, Stands::Type(_) | Stands::RunField(_) | Stands::Output(_))
    });
    let lists: Vec<Vec<EnumText>> = told.flat_map(|own| lists(&own.reading.tree)).collect();
    let theirs = lists.iter().filter(|list| list.iter().any(|word| named.contains(word.text.as_str())));
    let known: BTreeMap<&str, Span> =
        theirs.flatten().map(|word| (word.text.as_str(), word.span)).rev().collect();
    let left = || known.keys().copied().filter(|word| !named.contains(word));
    for state in stated.iter().filter(|state| !known.contains_key(state.value.as_str())).take(COMPARED) {
        let Some(meant) = nearest(state, left()) else { continue };
        let message = format!("no source is ever in the state `{}`", state.value);
        let finding = Diagnostic::new(ID, state.span, message, format!("did you mean `{meant}`?"));
        let finding = known.get(meant).into_iter().fold(finding, |finding, at| {
            finding.label(*at, "a state of the list from which others here are taken")
        });
        sink.push(
            finding
                .note("a source is cited only while it is in one of these states; in a misspelt one it never is, and every answer that cites it fails")
                .help(format!("write `{meant}`"))
                // What may be cited is a guard: no edit of it is made unasked.
                .fix(format!("write `{meant}`"), Applicability::Unsafe, state.span, scalar(meant)),
        );
    }
}

/// The texts that a schema lists, each list by itself.
fn lists(schema: &Located) -> Vec<Vec<EnumText>> {
    let mut lists: BTreeMap<Vec<String>, Vec<EnumText>> = BTreeMap::new();
    for word in enum_texts(schema) {
        lists.entry(word.path.clone()).or_default().push(word);
    }
    lists.into_values().collect()
}

/// Lists of words that name one twice.
fn doubles(cx: &Cx<'_>, sink: &mut Sink) {
    let model = cx.model;
    let audit = &model.audit;
    let unsupported = model.release.unsupported.as_ref();
    let names = [
        ("engines.providers.order", model.engines.providers.as_ref().and_then(|own| own.order.as_deref())),
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

fn twice<T: Display>(cx: &Cx<'_>, place: &str, list: &[Spanned<T>], sink: &mut Sink) {
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    for (at, word) in list.iter().enumerate() {
        let first = match seen.entry(word.value.to_string()) {
            Entry::Vacant(place) => {
                place.insert(word.span);
                continue;
            }
            Entry::Occupied(first) => *first.get(),
        };
        let message = format!("`{place}` names `{}` twice", word.value);
        let mut finding = Diagnostic::new(ID, word.span, message, "the second time")
            .label(first, "the first")
            .note("the first mention is in force, and another one was probably meant to be some other word")
            .help("take it out, or write the word that was meant");
        if let Some(edit) = written::without(cx, list, at) {
            finding = finding.fix_all(format!("take the second `{}` out", word.value), Applicability::Safe, vec![edit]);
        }
        sink.push(finding);
    }
}
