//! The registry.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{Case, Cases, Pinned, Preview, Tool, Undo};

use super::json;
use super::values::{names, sorted, text};
use crate::model::tools::{Undo as StatedUndo, UndoWay};
use crate::policy::{self, Deed, preview};
use crate::rules::Cx;

pub(super) fn tools(cx: &Cx<'_>) -> BTreeMap<String, Tool> {
    cx.policy.registry.tools().map(|tool| (tool.key().to_owned(), lowered(cx, tool))).collect()
}

fn lowered(cx: &Cx<'_>, tool: &policy::Tool<'_>) -> Tool {
    let deeds: Vec<&Deed<'_>> = tool.deeds.iter().filter_map(|id| cx.policy.registry.deed(*id)).collect();
    // With cases, what a deed needs stands with each of them, and nothing of it with the tool.
    let whole = deeds.iter().find(|deed| deed.case.is_none());
    let structured = tool.returns == harnessc_runtime::lock::Returns::Structured;
    Tool {
        approval: whole.and_then(|deed| deed.stated).map(|(approval, _)| approval),
        bind: tool.bind.iter().map(|(input, bound)| ((*input).to_owned(), bound.field.to_owned())).collect(),
        cases: tool.discriminator.map(|input| cases(&input.value, &deeds)),
        description: tool.description().to_owned(),
        effect: tool.effect,
        enabled: tool.enabled,
        input: json::schema(tool.closed_input.as_ref()),
        output: structured
            .then(|| json::schema(tool.output.as_ref().and_then(|output| output.closed.as_ref()))),
        preview: whole.map_or(Preview::Input, |deed| preview(deed.preview)),
        returns: tool.returns,
        server: pinned(tool),
        surfaces: tool.def.surfaces.as_ref().map(|surfaces| sorted(names(surfaces))),
        title: tool.title().to_owned(),
        unbound: text(tool.def.unbound.as_ref()),
        undo: whole.map_or_else(Vec::new, |deed| undo(deed)),
    }
}

fn cases(input: &str, deeds: &[&Deed<'_>]) -> Cases {
    let by = deeds.iter().filter_map(|deed| {
        let case = Case {
            approval: deed.stated.map(|(approval, _)| approval),
            effect: deed.effect,
            preview: preview(deed.preview),
            undo: undo(deed),
        };
        Some((deed.case?.value.clone(), case))
    });
    Cases { by: by.collect(), input: input.to_owned() }
}

fn undo(deed: &Deed<'_>) -> Vec<Undo> {
    let Some(stated) = deed.undo else { return Vec::new() };
    let StatedUndo::Ways(ways) = &stated.value else { return vec![Undo::None] };
    let mut undo = Vec::new();
    for way in ways {
        let way = match &way.value {
            UndoWay::Snapshot(_) => Some(Undo::Snapshot),
            UndoWay::By(by) => by.by.as_ref().map(|tool| Undo::By(tool.value.clone())),
        };
        undo.extend(way.filter(|way| !undo.contains(way)));
    }
    undo
}

fn pinned(tool: &policy::Tool<'_>) -> Option<Pinned> {
    let (server, upstream) = tool.from?;
    let published = tool.pinned.as_ref()?;
    let entry = json::raw(&json::plain(&published.node));
    Some(Pinned {
        hints: published.hints(),
        name: server.to_owned(),
        pinned_digest: entry.digest(),
        pinned: entry,
        upstream: upstream.to_owned(),
    })
}
