//! See the page beside this file.

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::tools::Undo;
use crate::names::{Reference, Space};
use crate::source::{Span, Spanned};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("reference-cycle");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for cycle in cx.names.cycles() {
        sink.extend(finding(&cycle));
    }
    for tool in &cx.model.tools {
        taken_back(&tool.key.value, tool.undo.as_ref(), tool.key.span, sink);
        for case in tool.cases.iter().flat_map(|cases| &cases.value).flat_map(|cases| &cases.value) {
            let name = format!("{}/{}", tool.key.value, case.key.value);
            taken_back(&name, case.fields().and_then(|fields| fields.undo.as_ref()), case.key.span, sink);
        }
    }
}

fn finding(cycle: &[Reference<'_>]) -> Option<Diagnostic> {
    let (first, rest) = cycle.split_first()?;
    let (noun, key) = (first.from.space.noun(), first.from.key);
    let way: Vec<String> = cycle.iter().map(|step| format!("`{}`", step.to.key)).collect();
    let message = match rest {
        [] => format!("{noun} `{key}` names itself"),
        _ => format!("{noun} `{key}` leads back to itself: `{key}` → {}", way.join(" → ")),
    };
    let mut found = Diagnostic::new(ID, first.span, message, format!("`{key}` leads to `{}`", first.to.key));
    for step in rest {
        found = found.label(step.span, format!("`{}` leads to `{}`", step.from.key, step.to.key));
    }
    let (note, help) = match first.to.space {
        Space::Step => (
            "each of these steps waits for the other, so none of them could ever begin",
            "take one `after` out",
        ),
        Space::Type => ("a type that holds itself has no end", "write one of them out as a schema of its own"),
        _ => ("a list that holds itself has no end", "take one of these names out, and list the tools that are meant"),
    };
    Some(found.note(note).help(help))
}

/// A deed that names itself as what takes it back.
fn taken_back(name: &str, undo: Option<&Spanned<Undo>>, key: Span, sink: &mut Sink) {
    for by in undo.iter().flat_map(|undo| undo.by()).filter(|by| by.value == name) {
        sink.push(
            Diagnostic::new(ID, by.span, format!("`{name}` is said to take itself back"), "the tool itself")
                .label(key, "the deed")
                .note("doing a thing again is no way of undoing it")
                .help("name the tool that takes it back, or write `snapshot` where a pre-image is kept"),
        );
    }
}
