//! See the page beside this file.

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("tool-names-harness");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for tool in &cx.model.tools {
        let (Some(list), key) = (&tool.harnesses, &tool.key.value) else { continue };
        sink.push(
            Diagnostic::new(
                ID,
                list.0.span,
                format!("tool `{key}` names the harnesses that may use it"),
                "a tool does not say who holds it",
            )
            .label(tool.key.span, "the tool")
            .note("`toolset` is the only relation between a harness and its tools; with two, nobody could tell which one holds")
            .help(format!("take `harnesses` out, and name `{key}` in the `toolset` of each harness that is to hold it")),
        );
    }
}
