//! Names of a tool's inputs: what it binds, and what a mention of it narrows.

use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink, nearest};
use crate::model::lists::{Mention, ToolItem, Toolset};
use crate::policy::{Tool, schema};
use crate::rules::Cx;
use crate::source::Spanned;
use crate::syntax::yaml::scalar;

/// Reports, as findings of `rule`, every input that is bound or narrowed and that its tool does not have.
pub(crate) fn check(cx: &Cx<'_>, rule: RuleId, sink: &mut Sink) {
    let note = "an input that does not exist binds nothing, so the tool would run on any target";
    for tool in cx.policy.registry.tools() {
        for bound in tool.def.bind.iter().flatten() {
            sink.extend(unknown(tool, &bound.key, rule, note));
        }
    }
    let worn = cx.model.harnesses.iter().filter_map(|harness| match &harness.toolset {
        Some(Toolset::List(list)) => Some(list.value.as_slice()),
        Some(Toolset::PersonaBundle(_)) | None => None,
    });
    let named = cx.model.toolsets.iter().map(|def| def.value.value.as_slice());
    for item in worn.chain(named).flatten() {
        if let ToolItem::Held(mention) = item {
            narrowed(cx, mention, rule, sink);
        }
    }
}

fn narrowed(cx: &Cx<'_>, mention: &Mention, rule: RuleId, sink: &mut Sink) {
    let key = mention.tool.as_ref().map_or("", |name| name.split('/').next().unwrap_or_default());
    let Some(tool) = cx.policy.registry.tool(key) else { return };
    let note = "a narrowing of an input that does not exist narrows nothing";
    for only in mention.only.iter().flatten() {
        // One that lies deeper is there, and can be gone around: that is another rule's finding.
        let deeper = |closed| schema::input_names(closed).iter().any(|(_, name)| *name == only.key.value);
        if !tool.closed_input.as_ref().is_some_and(deeper) {
            sink.extend(unknown(tool, &only.key, rule, note));
        }
    }
}

fn unknown(tool: &Tool<'_>, input: &Spanned<String>, rule: RuleId, note: &str) -> Option<Diagnostic> {
    let inputs = schema::root_properties(tool.closed_input.as_ref()?);
    if inputs.contains(&input.value.as_str()) {
        return None;
    }
    let key = tool.key();
    let said = format!("tool `{key}` has no input `{}`", input.value);
    let meant = nearest(input, inputs.iter().copied());
    let label = meant.map_or_else(|| "no such input".to_owned(), |meant| format!("did you mean `{meant}`?"));
    let finding =
        Diagnostic::new(rule, input.span, said, label).label(tool.def.key.span, "the tool").note(note);
    Some(match meant {
        Some(meant) => finding.help(format!("write `{meant}`")).fix(
            format!("write `{meant}`"),
            Applicability::Unsafe,
            input.span,
            scalar(meant),
        ),
        None if inputs.is_empty() => finding.help(format!("remove it: `{key}` takes no input")),
        None => {
            let known: Vec<String> = inputs.iter().map(|name| format!("`{name}`")).collect();
            finding.help(format!("name one of its inputs: {}", known.join(", ")))
        }
    })
}
