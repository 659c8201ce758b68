//! See the page beside this file.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{Approval, Effect};

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::{Registry, Tool};
use crate::source::{Span, Spanned};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("disabled-tool-required");

/// So many places that lean on a tool are shown.
const SHOWN: usize = 8;

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let mut leaning: BTreeMap<&str, (&Tool<'_>, Vec<Leaning>)> = BTreeMap::new();
    let mut say = |name: &Spanned<String>, at: Span, who: String| {
        if let Some(tool) = disabled(&cx.policy.registry, name) {
            let (_, all) = leaning.entry(&tool.def.key.value).or_insert_with(|| (tool, Vec::new()));
            all.push(Leaning { at, who });
        }
    };
    for name in cx.model.approvals.always_allowed.iter().flat_map(|list| list.iter()) {
        say(name, name.span, "always allowed here".to_owned());
    }
    for skill in cx.model.skills.sorted() {
        let key = &skill.key.value;
        if let Some(name) = &skill.tool {
            say(name, name.span, format!("calls skill `{key}`"));
        }
        let listed = skill.tools.as_ref().map(|list| cx.policy.lists.follow(&cx.policy.registry, &list.value));
        for mention in listed.into_iter().flat_map(|(listed, _)| listed) {
            say(mention.name, mention.item, format!("used by skill `{key}`"));
        }
    }
    for plan in cx.model.plan_templates.sorted() {
        for step in plan.steps.iter().flatten() {
            let who = format!("step `{}` of plan `{}`", step.key.value, plan.key.value);
            step.tool.iter().for_each(|name| say(name, name.span, who.clone()));
        }
    }
    for category in cx.model.diagnoses.sorted() {
        for cause in category.value.sorted() {
            let who = format!("required where `{}` is diagnosed", cause.key.value);
            cause.requires.iter().flatten().for_each(|name| say(name, name.span, who.clone()));
        }
    }
    let compaction = cx.model.prompt.compaction.as_ref().and_then(|compaction| compaction.resolve_with.as_ref());
    if let Some(name) = compaction {
        say(name, name.span, "brings shortened results back".to_owned());
    }
    for (name, of) in undone_by(cx) {
        say(name, name.span, format!("takes `{of}` back"));
    }
    sink.extend(leaning.into_values().map(|(tool, all)| finding(tool, &all)));
}

/// A place that leans on a disabled tool, and how.
struct Leaning {
    at: Span,
    who: String,
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

/// The switch is the one cause, however much leans on the tool.
fn finding(tool: &Tool<'_>, all: &[Leaning]) -> Diagnostic {
    let key = tool.key();
    let off = tool.def.enabled.as_ref().map_or(tool.def.key.span, |enabled| enabled.span);
    let leans = match all {
        [_] => "something leans on it".to_owned(),
        _ => format!("{} places lean on it", all.len()),
    };
    let finding = Diagnostic::new(ID, off, format!("`{key}` is disabled, and {leans}"), "switched off for everybody");
    let shown = if all.len() > SHOWN + 1 { SHOWN } else { all.len() };
    let finding = all.iter().take(shown).fold(finding, |finding, place| finding.label(place.at, place.who.as_str()));
    let more = all.len() - shown;
    let more = if more > 0 { format!("; {more} more places are not shown") } else { String::new() };
    finding
        .note(format!(
            "a disabled tool is shown to no run and refuses every call, so what leans on it fails when it is needed{more}"
        ))
        .help(format!("name another tool there, take `{key}` out there, or write `enabled: true` here"))
}
