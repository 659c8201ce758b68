//! See the page beside this file.

use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink, nearest};
use crate::names::{Leads, PLAN_TOOL, Reference, Space, Symbol};
use crate::source::Span;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("unknown-reference");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for reference in cx.names.references().iter().filter(|reference| reference.leads == Leads::Nowhere) {
        sink.push(unknown(cx, reference));
    }
    bound_inputs(cx, sink);
}

fn unknown(cx: &Cx<'_>, reference: &Reference<'_>) -> Diagnostic {
    let Symbol { space, within, key } = reference.to;
    if space == Space::RunValue {
        return not_a_run_value(cx, reference);
    }
    let said = match within {
        Some(within) => match space {
            Space::Case => format!("tool `{within}` has no case `{key}`"),
            Space::Scope => format!("surface `{within}` has no scope `{key}`"),
            _ => format!("plan `{within}` has no step `{key}`"),
        },
        None => format!("`{key}` names no {}", space.noun()),
    };
    let keys = cx.names.keys(space, within);
    let keys = if space == Space::Section { crate::model::SECTIONS.iter().copied().collect() } else { keys };
    let Some(meant) = nearest(key, keys.iter().copied()) else {
        let finding = Diagnostic::new(ID, reference.span, said, missing(cx, reference.to));
        return why(finding).help(help(cx, reference.to, &keys));
    };
    let finding = Diagnostic::new(ID, reference.span, said, format!("did you mean `{meant}`?"));
    let defined = cx.names.defined(Symbol { space, within, key: meant });
    let finding = match defined {
        Some(span) => finding.label(span, format!("`{meant}` is defined here")),
        None => finding,
    };
    why(finding).help(format!("write `{meant}`")).fix(
        format!("write `{meant}`"),
        Applicability::Unsafe,
        bare(cx, reference.span),
        meant,
    )
}

fn why(finding: Diagnostic) -> Diagnostic {
    finding.note("a name that leads nowhere does nothing, and looks as though it did")
}

/// What is to be seen at a name without a near one.
fn missing(cx: &Cx<'_>, to: Symbol<'_>) -> String {
    let section = to.space.section();
    if to.space == Space::Section {
        "no such section".to_owned()
    } else if cx.model.stated.contains_key(section) {
        format!("not defined under `{section}:`")
    } else {
        format!("no file of this tree has a section `{section}:`")
    }
}

fn help(cx: &Cx<'_>, to: Symbol<'_>, keys: &std::collections::BTreeSet<&str>) -> String {
    let Symbol { space, key, .. } = to;
    if space == Space::Tool && key == PLAN_TOOL {
        return "take it out: the server itself offers `plan.propose` to every run".to_owned();
    }
    if space == Space::Type && JSON_TYPES.contains(&key) {
        return format!("write `{{type: {key}}}`");
    }
    let section = space.section();
    match keys.len() {
        _ if space == Space::Section => "name one of the sections that a file may hold".to_owned(),
        1..=8 => {
            let known: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            format!("write one of {}, or define `{key}`", known.join(", "))
        }
        _ if cx.model.stated.contains_key(section) => {
            format!("define `{key}` under `{section}:`, or take the name out")
        }
        _ => format!("add `{section}:` with a definition of `{key}`, or take the name out"),
    }
}

/// The words of JSON Schema's `type`.
const JSON_TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// `program_id` where `run.program_id` belongs.
fn not_a_run_value(cx: &Cx<'_>, reference: &Reference<'_>) -> Diagnostic {
    let key = reference.to.key;
    let fields = cx.names.keys(Space::RunField, None);
    let bare_key = key.rsplit('.').next().unwrap_or(key);
    let meant = fields.get(bare_key).copied().or_else(|| nearest(bare_key, fields.iter().copied()));
    let finding = Diagnostic::new(
        ID,
        reference.span,
        format!("`{key}` names no value of the run"),
        "`run.` and a field of `run:` belong here",
    );
    let finding = finding.note("a bound input must equal a value of the run's own row, which the model cannot choose");
    match meant {
        Some(field) => finding.help(format!("write `run.{field}`")).fix(
            format!("write `run.{field}`"),
            Applicability::Unsafe,
            reference.span,
            format!("run.{field}"),
        ),
        None => finding.help("write `run.` and the field, and define the field under `run:`"),
    }
}

/// What a tool of our own binds is one of its inputs.
fn bound_inputs(cx: &Cx<'_>, sink: &mut Sink) {
    for tool in cx.policy.registry.tools() {
        let Some(closed) = &tool.closed_input else { continue };
        let inputs = crate::policy::schema::root_properties(closed);
        for bound in tool.def.bind.iter().flatten().filter(|bound| !inputs.contains(&bound.key.value.as_str())) {
            let (input, key) = (&bound.key.value, tool.key());
            let finding = Diagnostic::new(ID, bound.key.span, format!("tool `{key}` has no input `{input}`"), "");
            let finding = finding.label(tool.def.key.span, "the tool");
            let note = "an input that does not exist binds nothing, so the tool would run on any target";
            sink.push(match nearest(input, inputs.iter().copied()) {
                Some(meant) => finding.note(note).help(format!("write `{meant}`")).fix(
                    format!("write `{meant}`"),
                    Applicability::Unsafe,
                    bound.key.span,
                    meant,
                ),
                None => finding.note(note).help(format!("name an input of `{key}`, or add `{input}` to its `input`")),
            });
        }
    }
}

/// The name itself, without the quotes it may stand in.
fn bare(cx: &Cx<'_>, span: Span) -> Span {
    let text = cx.tree.sources.slice(span);
    let quoted = text.len() >= 2 && ["\"", "'"].iter().any(|quote| text.starts_with(quote) && text.ends_with(quote));
    if quoted { Span { start: span.start + 1, end: span.end - 1, ..span } } else { span }
}
