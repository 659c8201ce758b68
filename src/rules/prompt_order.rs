//! See the page beside this file.

use harnessc_runtime::prompt::closes;

use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink};
use crate::model::prompt::Part;
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("prompt-order");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    order(cx, sink);
    sink.extend(cx.model.prompt.memory_wrap.as_ref().and_then(open_wrap));
}

/// A wrap that a remembered note could step out of.
fn open_wrap(wrap: &Spanned<String>) -> Option<Diagnostic> {
    // Without one place for the memory there is nothing to close: `unknown-placeholder` says so.
    if closes(&wrap.value) || wrap.value.matches("{text}").count() != 1 {
        return None;
    }
    let message = "the memory wrap does not close behind `{text}`";
    let finding = Diagnostic::new(ID, wrap.span, message, "no end that a note could not write");
    Some(
        finding
            .note("what is remembered was written by others; without an end mark it reads on as if it were part of the rules")
            .help("close behind `{text}` every bracket that stands open before it, and end on a mark that is no letter, such as `<<<memory:{text}>>>`"),
    )
}

fn order(cx: &Cx<'_>, sink: &mut Sink) {
    let Some(order) = &cx.model.prompt.order else { return };
    let is_volatile = |part: &Spanned<Part>| cx.model.prompt.is_volatile(part.value);
    let Some(stable) = order.iter().rposition(|part| !is_volatile(part)) else { return };
    let early: Vec<&Spanned<Part>> = order.iter().take(stable).filter(|part| is_volatile(part)).collect();
    let (Some(first), Some(last)) = (early.first(), order.get(stable)) else { return };
    let parts: Vec<&Spanned<Part>> = order.iter().collect();
    let (late, kept): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| is_volatile(part));
    let words: Vec<&str> = kept.iter().chain(&late).map(|part| part.value.word()).collect();
    let written = format!("[{}]", words.join(", "));
    let finding = Diagnostic::new(
        ID,
        first.span,
        format!("the volatile part `{}` stands before the stable part `{}`", first.value, last.value),
        "changes from turn to turn",
    );
    let finding = early.iter().skip(1).fold(finding, |finding, part| finding.label(part.span, "and so does this"));
    let finding = finding
        .label(last.span, "never changes within a run")
        .note("a provider caches a prompt up to the first byte that changed, so all that stands behind is paid for anew at each turn")
        .help(format!("write {written}"));
    let in_one_line = cx.tree.sources.slice(order.span).starts_with('[');
    sink.push(if in_one_line {
        finding.fix("put the stable parts first", Applicability::Safe, order.span, written)
    } else {
        finding
    });
}
