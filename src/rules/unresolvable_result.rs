//! See the page beside this file.

use harnessc_runtime::lock::{Effect, Returns};
use serde_json::Value;

use super::engine::authority::effect_at;
use super::engine::schemas;
use super::engine::text::and;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::people::{Origin, Surface};
use crate::model::Def;
use crate::policy::{Deed, Harness, Tool, schema};
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("unresolvable-result");

/// Why it matters.
const NOTE: &str = "a shortened result is a reference and the name of this tool; where a run cannot call it with that reference alone, the result is lost to it";

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let compaction = cx.model.prompt.compaction.as_ref();
    let Some(name) = compaction.and_then(|compaction| compaction.resolve_with.as_ref()) else { return };
    let Some(tool) = schemas::tool_of(cx, name) else { return };
    sink.extend(acts(cx, name, tool));
    sink.extend(takes_no_reference(name, tool));
    sink.extend(not_shown(cx, name, tool));
    sink.extend(not_held(cx, name, tool));
}

/// A tool that changes something on the way.
fn acts(cx: &Cx<'_>, name: &Spanned<String>, tool: &Tool<'_>) -> Option<Diagnostic> {
    let named = cx.policy.registry.named(name);
    let deeds = named.iter().filter_map(|id| cx.policy.registry.deed(*id));
    let worst: &Deed<'_> = deeds.max_by_key(|deed| deed.effect).filter(|deed| deed.effect != Effect::Read)?;
    let (span, text) = effect_at(worst, tool);
    let message = format!("`{}` is to bring shortened results back, and it is no read", name.value);
    Some(
        Diagnostic::new(ID, name.span, message, "more than a read")
            .label(span, text)
            .note("what a model was shown already is shown again; that changes nothing and asks nobody")
            .help("name a tool whose effect is `read`"),
    )
}

/// A tool that a reference alone does not call.
fn takes_no_reference(name: &Spanned<String>, tool: &Tool<'_>) -> Option<Diagnostic> {
    let closed = tool.closed_input.as_ref()?;
    let from_run = |input: &&str| tool.bind.contains_key(*input);
    let inputs: Vec<&str> = schema::root_properties(closed).into_iter().filter(|input| !from_run(input)).collect();
    let required: Vec<&str> = schema::required(closed).into_iter().filter(|input| !from_run(input)).collect();
    let (message, label) = if !inputs.iter().any(|input| takes_text(closed, input)) {
        (format!("`{}` takes no input in which a reference could be handed to it", name.value), "takes no reference")
    } else if required.len() > 1 {
        (format!("`{}` asks for {}, and a reference is one of them at most", name.value, and(required)), "asks for more than a reference")
    } else {
        return None;
    };
    let at = tool.input.as_ref().map_or(tool.def.key.span, |reading| reading.span(""));
    Some(
        Diagnostic::new(ID, name.span, message, label)
            .label(at, "what it takes")
            .note(NOTE)
            .help("name a tool that takes the reference as a text, and nothing else that the run does not know"),
    )
}

/// Whether a root input takes free text. One that lists its values takes no reference.
fn takes_text(closed: &Value, input: &str) -> bool {
    let Some(property) = schema::root_property(closed, input) else { return false };
    if property.get("enum").is_some() || property.get("const").is_some() {
        return false;
    }
    match property.get("type") {
        Some(Value::String(word)) => word == "string",
        Some(Value::Array(words)) => words.iter().any(|word| word == "string"),
        // What is put together out of parts is not judged.
        _ => true,
    }
}

/// Whether a tool gives a result that could be shortened.
fn gives(tool: &Tool<'_>) -> bool {
    tool.enabled && tool.returns != Returns::None
}

/// A surface of our own on which results come, and the tool does not.
fn not_shown(cx: &Cx<'_>, name: &Spanned<String>, tool: &Tool<'_>) -> Option<Diagnostic> {
    let shown = tool.def.surfaces.as_ref()?;
    let is_on = |other: &Tool<'_>, surface: &str| {
        other.def.surfaces.as_ref().is_none_or(|own| own.iter().any(|own| own.value == surface))
    };
    let compacts = |surface: &&Def<Surface>| {
        let key = surface.key.value.as_str();
        let ours = surface.origin.as_ref().is_none_or(|origin| origin.value == Origin::Inside);
        let mut others = cx.policy.registry.tools().filter(|other| other.key() != tool.key() && gives(other));
        ours && !is_on(tool, key) && others.any(|other| is_on(other, key))
    };
    let without: Vec<&Def<Surface>> = cx.model.surfaces.sorted().filter(compacts).collect();
    let first = without.first()?;
    let surfaces = and(without.iter().map(|surface| surface.key.value.as_str()));
    let listed = shown.first().map_or(tool.def.key.span, |first| first.span);
    let verb = if without.len() > 1 { "do not show" } else { "does not show" };
    let message = format!("`{}` is to bring shortened results back, and {surfaces} {verb} it", name.value);
    Some(
        Diagnostic::new(ID, name.span, message, "not shown everywhere")
            .label(first.key.span, "results come here too")
            .label(listed, "where the tool shows")
            .note(NOTE)
            .help(format!("add {surfaces} to the `surfaces` of `{}`, or leave them unsaid: it then shows on all", tool.key())),
    )
}

/// A harness that is given results and does not hold the tool.
fn not_held(cx: &Cx<'_>, name: &Spanned<String>, tool: &Tool<'_>) -> Option<Diagnostic> {
    let named = cx.policy.registry.named(name);
    let lacks = |harness: &&Harness<'_>| {
        let mut held = harness.holds.keys().filter_map(|id| cx.policy.registry.deed(*id));
        let given = held.any(|deed| deed.tool != tool.key() && cx.policy.registry.tool(deed.tool).is_some_and(gives));
        !harness.unsure && given && !named.iter().any(|id| harness.holds.contains_key(id))
    };
    let without: Vec<&Harness<'_>> = cx.policy.harnesses.values().filter(lacks).collect();
    let first = without.first()?;
    let harnesses = and(without.iter().map(|harness| harness.key()));
    let verb = if without.len() > 1 { "do not hold" } else { "does not hold" };
    let message = format!("`{}` is to bring shortened results back, and {harnesses} {verb} it", name.value);
    Some(
        Diagnostic::new(ID, name.span, message, "not held everywhere")
            .label(first.def.key.span, "results are shortened here too")
            .note(NOTE)
            .help(format!("add `{}` to every harness, best by a toolset that all of them name", name.value)),
    )
}
