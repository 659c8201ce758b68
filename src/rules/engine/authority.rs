//! How the rules about authority name what they speak of and where they point.
//!
//! Looks only at what is resolved; decides nothing and reports nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::policy::{Deed, DeedId, MentionedAt, Tool};
use crate::rules::Cx;
use crate::source::Span;

/// So many names are said in one sentence; the others are counted.
const NAMES_SAID: usize = 6;

/// Names in backticks, joined for a sentence: `a`, `b` and `c`.
pub(crate) fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut said: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    if said.len() > NAMES_SAID {
        let more = said.len() - NAMES_SAID + 1;
        said.truncate(NAMES_SAID - 1);
        return format!("{} and {more} more", said.join(", "));
    }
    match said.pop() {
        Some(last) if said.is_empty() => last,
        Some(last) => format!("{} and {last}", said.join(", ")),
        None => String::new(),
    }
}

/// Deeds as a person would write them: a tool whose every deed is meant by its name, else case by case.
pub(crate) fn written(cx: &Cx<'_>, deeds: &BTreeSet<DeedId>) -> Vec<String> {
    let mut by_tool: BTreeMap<&str, Vec<&Deed<'_>>> = BTreeMap::new();
    for deed in deeds.iter().filter_map(|id| cx.policy.registry.deed(*id)) {
        by_tool.entry(deed.tool).or_default().push(deed);
    }
    let mut written = Vec::new();
    for (tool, deeds) in by_tool {
        let all = cx.policy.registry.tool(tool).map_or(0, |tool| tool.deeds.len());
        if deeds.len() == all {
            written.push(tool.to_owned());
        } else {
            written.extend(deeds.iter().map(|deed| deed.name.clone()));
        }
    }
    written
}

/// [`written`], joined for a sentence.
pub(crate) fn said(cx: &Cx<'_>, deeds: &BTreeSet<DeedId>) -> String {
    names(written(cx, deeds).iter().map(String::as_str))
}

/// `span` where it lies on one line, else `key`: a label under a whole block says less than one under its name.
pub(crate) fn short(cx: &Cx<'_>, span: Span, key: Span) -> Span {
    if cx.tree.sources.slice(span).contains('\n') { key } else { span }
}

/// Where a mention that came through toolsets is written; nothing where it stands in the list itself.
pub(crate) fn behind(at: &MentionedAt<'_>) -> Option<(Span, String)> {
    let toolset = at.via.last()?;
    Some((at.name, format!("named here, in toolset `{toolset}`")))
}

/// Whether a deed's effect is what the author meant: stated, or the default of an overlay. Where the effect of a tool of
/// our own is missing or could not be read, that is its own finding, and nothing is judged by the default.
pub(crate) fn certain(tool: &Tool<'_>, deed: &Deed<'_>) -> bool {
    deed.effect_at.is_some() || (tool.from.is_some() && !tool.def.damaged && tool.def.cases.is_none())
}

/// Every deed whose effect is certain, with its tool, by name.
pub(crate) fn deeds<'a, 'm>(cx: &'a Cx<'m>) -> impl Iterator<Item = (DeedId, &'a Deed<'m>, &'a Tool<'m>)> {
    cx.policy.registry.deeds().filter_map(|(id, deed)| {
        let tool = cx.policy.registry.tool(deed.tool)?;
        certain(tool, deed).then_some((id, deed, tool))
    })
}

/// Where a deed's effect is to be seen, and what to say there.
pub(crate) fn effect_at(deed: &Deed<'_>, tool: &Tool<'_>) -> (Span, String) {
    let word = deed.effect.word();
    match deed.effect_at {
        Some(span) => (span, format!("`{}` is {}", deed.name, a(word))),
        None => (tool.def.key.span, format!("states no effect, so it counts as {word}")),
    }
}

/// An effect's word with its article: "a write", "destructive".
pub(crate) fn a(effect: &str) -> String {
    if effect == "destructive" { effect.to_owned() } else { format!("a {effect}") }
}
