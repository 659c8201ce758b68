//! See the page beside this file.

use harnessc_runtime::lock::{Approval, Effect};

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::{Registry, Tool};
use crate::source::{Span, Spanned};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("disabled-tool-required");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let mut say = |name: &Spanned<String>, at: Span, who: &str| {
        if let Some(tool) = disabled(&cx.policy.registry, name) {
            sink.push(finding(name, at, who, tool));
        }
    };
    for name in cx.model.approvals.always_allowed.iter().flat_map(|list| list.iter()) {
        say(name, name.span, "is always allowed");
    }
    for skill in cx.model.skills.sorted() {
        let key = &skill.key.value;
        if let Some(name) = &skill.tool {
            say(name, name.span, &format!("calls skill `{key}`"));
        }
        let listed = skill.tools.as_ref().map(|list| cx.policy.lists.follow(&cx.policy.registry, &list.value));
        for mention in listed.into_iter().flat_map(|(listed, _)| listed) {
            say(mention.name, mention.item, &format!("is used by skill `{key}`"));
        }
    }
    for plan in cx.model.plan_templates.sorted() {
        for step in plan.steps.iter().flatten() {
            let who = format!("is step `{}` of plan `{}`", step.key.value, plan.key.value);
            step.tool.iter().for_each(|name| say(name, name.span, &who));
        }
    }
    for category in cx.model.diagnoses.sorted() {
        for cause in category.value.sorted() {
            let who = format!("is required where `{}` is diagnosed", cause.key.value);
            cause.requires.iter().flatten().for_each(|name| say(name, name.span, &who));
        }
    }
    let compaction = cx.model.prompt.compaction.as_ref().and_then(|compaction| compaction.resolve_with.as_ref());
    if let Some(name) = compaction {
        say(name, name.span, "brings shortened results back");
    }
    for (name, of) in undone_by(cx) {
        say(name, name.span, &format!("takes `{of}` back"));
    }
}

/// The tools that take others back. Of a create that is auto on the strength of it, write-never-auto speaks.
fn undone_by<'a>(cx: &'a Cx<'_>) -> Vec<(&'a Spanned<String>, &'a str)> {
    let mut found = Vec::new();
    for (_, deed) in cx.policy.registry.deeds() {
        let enabled = cx.policy.registry.tool(deed.tool).is_some_and(|tool| tool.enabled);
        let spoken_of = deed.effect == Effect::Create && deed.approval == Approval::Auto;
        if enabled && !spoken_of {
            let by = deed.undo.into_iter().flat_map(|undo| undo.by());
            found.extend(by.map(|name| (name, deed.name.as_str())));
        }
    }
    // An `undo` beside `cases` speaks for several deeds; it is one line and one finding.
    found.sort_by_key(|(name, of)| (name.span, *of));
    found.dedup_by_key(|(name, _)| name.span);
    found
}

fn disabled<'a, 'm>(registry: &'a Registry<'m>, name: &str) -> Option<&'a Tool<'m>> {
    let id = registry.named(name).into_iter().next()?;
    registry.tool(registry.deed(id)?.tool).filter(|tool| !tool.enabled)
}

fn finding(name: &Spanned<String>, at: Span, who: &str, tool: &Tool<'_>) -> Diagnostic {
    let key = tool.key();
    let off = tool.def.enabled.as_ref().map_or(tool.def.key.span, |enabled| enabled.span);
    let mut finding =
        Diagnostic::new(ID, at, format!("`{}` {who}, and it is disabled", name.value), "required here")
            .label(off, format!("`{key}` is disabled here"));
    if at != name.span {
        finding = finding.label(name.span, "named here");
    }
    finding
        .note("a disabled tool is shown to no run and refuses every call, so what leans on it fails when it is needed")
        .help(format!("name another tool, take this one out, or write `enabled: true` in `{key}`"))
}
