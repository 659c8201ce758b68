//! See the page beside this file.

use super::engine::schemas;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::schema::NarrowFaultKind;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("skippable-narrowing");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for narrowing in schemas::narrowings(cx) {
        if narrowing.fault.kind != NarrowFaultKind::Skippable {
            continue;
        }
        let (input, tool) = (&narrowing.fault.input, narrowing.tool);
        let key = tool.key();
        let message = format!("the narrowing of `{input}` can be left out: it is no input at the root of `{key}`");
        let at = tool.input.as_ref().map_or(tool.def.key.span, |reading| reading.span(""));
        sink.push(
            Diagnostic::new(ID, narrowing.only.key.span, message, "not at the root")
                .label(schemas::declared_below(tool, input).unwrap_or(at), "it lies within another input, or in one of several forms")
                .note("a narrowed input becomes required, which can be said of a root input alone; a call without this one would pass")
                .help("narrow the root input that holds it, or register the tool with this input at its root"),
        );
    }
}
