//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::{Approval, Effect};

use super::engine::authority::said;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, Level, RuleId, Sink};
use crate::model::people::Origin;
use crate::policy::DeedId;
use crate::source::Span;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("approvers-unreachable");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    if !cx.policy.approvers.stated {
        if !unread(cx, sink) {
            sink.extend(anybody(cx));
        }
        return;
    }
    let (confirm, four_eyes) = cx.policy.approvers.general();
    let unread = unread(cx, sink);
    if confirm.is_empty() && unread {
        return;
    }
    for name in four_eyes {
        if confirm.iter().all(|other| other.value != name.value) {
            sink.push(beyond_confirm(cx, &name.value, name.span));
        }
    }
    if unread {
        return;
    }
    // A list for four eyes alone was told of: naming those who confirm mends both.
    let told = |approval: Approval| approval == Approval::Confirm && confirm.is_empty() && !four_eyes.is_empty();
    for (approval, places) in unanswered(cx).into_iter().filter(|(approval, _)| !told(*approval)) {
        sink.extend(nobody(cx, approval, &places));
    }
}

/// A tree that names persons' kinds and no approvers, where a tool of an outside server asks: then anybody may say yes.
fn anybody(cx: &Cx<'_>) -> Option<Diagnostic> {
    let persona = cx.model.personas.iter().next()?;
    let mut asking: BTreeMap<DeedId, Span> = BTreeMap::new();
    for (harness, roles) in &cx.policy.effective {
        for cell in roles.values().flatten().filter(|cell| cell.approval != Approval::Auto) {
            let deed = cx.policy.registry.deed(cell.deed);
            let outside = deed.and_then(|deed| cx.policy.registry.tool(deed.tool)?.from).is_some();
            if outside {
                asking.entry(cell.deed).or_insert_with(|| asked_at(cx, harness, cell.deed, cell.approval));
            }
        }
    }
    let deeds: BTreeSet<DeedId> = asking.keys().copied().collect();
    let first = asking.values().next()?;
    Some(
        Diagnostic::new(
            ID,
            *first,
            format!("any authenticated person may confirm {}: the tree names no approvers", said(cx, &deeds)),
            "an outside server acts on that yes",
        )
        .level(Level::Warn)
        .label(persona.key.span, "the personas of the tree")
        .note("without `approvers`, whoever can sign in may say yes, also a person who could not have asked for the call")
        .help("write `approvers: {confirm: [PERSONA], four_eyes: [PERSONA]}` under `approvals:`, or waive this where anybody may"),
    )
}

fn beyond_confirm(cx: &Cx<'_>, name: &str, at: Span) -> Diagnostic {
    let finding = Diagnostic::new(
        ID,
        at,
        format!("`{name}` may be the second pair of eyes, and may not confirm"),
        "not among those who confirm",
    );
    let stated = cx.model.approvals.approvers.as_ref().and_then(|approvers| approvers.confirm.as_ref());
    let finding = stated.into_iter().fold(finding, |finding, list| finding.label(list.span, "those who confirm"));
    finding
        .note("four eyes ask for more than one pair does, so whoever may give the stricter yes may give the other")
        .help(format!("take `{name}` out of `four_eyes`, or name it under `confirm` as well"))
}

/// Whether a list of approvers stands there and could not be read: then its absence is no second fault.
fn unread(cx: &Cx<'_>, sink: &Sink) -> bool {
    let Some(opened) = cx.model.stated.get("approvals") else { return false };
    sink.has(opened.file, &["empty-list", "wrong-type", "null-value", "unknown-field"].map(RuleId))
}

/// Approvals that are in force for some cell and that nobody can give, with the deeds and where each is asked for.
fn unanswered(cx: &Cx<'_>) -> BTreeMap<Approval, BTreeMap<DeedId, Span>> {
    let mut found: BTreeMap<Approval, BTreeMap<DeedId, Span>> = BTreeMap::new();
    for (harness, roles) in &cx.policy.effective {
        for cell in roles.values().flatten() {
            let (approval, nobody) = match &cell.approvers {
                Some(names) => (cell.approval, names.is_empty()),
                None if cell.approval == Approval::Auto => (Approval::Confirm, nobody_outside(cx, cell.deed)),
                None => continue,
            };
            if nobody {
                let at = asked_at(cx, harness, cell.deed, approval);
                found.entry(approval).or_default().entry(cell.deed).or_insert(at);
            }
        }
    }
    found
}

/// Whether an auto create comes through a surface of outside origin, where it waits for one person, and there is none.
fn nobody_outside(cx: &Cx<'_>, id: DeedId) -> bool {
    let deed = cx.policy.registry.deed(id).filter(|deed| deed.effect != Effect::Read);
    let Some((deed, tool)) = deed.and_then(|deed| Some((deed, cx.policy.registry.tool(deed.tool)?))) else {
        return false;
    };
    let shows = |key: &str| tool.def.surfaces.as_ref().is_none_or(|on| on.iter().any(|name| name.value == key));
    let outside = cx.model.surfaces.iter().any(|surface| {
        let origin = surface.origin.as_ref().map(|origin| origin.value);
        origin == Some(Origin::Outside) && shows(&surface.key.value)
    });
    outside && cx.policy.approvers.of(deed.tool, &deed.name, Approval::Confirm).is_some_and(|names| names.is_empty())
}

/// The word that asks for the approval, or the deed's effect, whose tier does.
fn asked_at(cx: &Cx<'_>, harness: &str, id: DeedId, approval: Approval) -> Span {
    let harness = cx.policy.harnesses.get(harness);
    let hold = harness.and_then(|harness| harness.holds.get(&id)).and_then(|hold| hold.approval);
    let deed = cx.policy.registry.deed(id);
    let stated = deed.and_then(|deed| deed.stated);
    let words = [stated, hold].into_iter().flatten();
    let asked = words.filter(|(word, _)| *word == approval).map(|(_, span)| span).next();
    let key = || cx.policy.registry.tool(deed?.tool).map(|tool| tool.def.key.span);
    asked
        .or_else(|| deed?.effect_at)
        .or_else(key)
        .or_else(|| harness.map(|harness| harness.def.key.span))
        .unwrap_or(cx.tree.manifest.span)
}

fn nobody(cx: &Cx<'_>, approval: Approval, places: &BTreeMap<DeedId, Span>) -> Option<Diagnostic> {
    let word = approval.word();
    let deeds: BTreeSet<DeedId> = places.keys().copied().collect();
    let verb = if deeds.len() == 1 { "asks" } else { "ask" };
    let mut finding = Diagnostic::new(
        ID,
        *places.values().next()?,
        format!("{} {verb} for `{word}`, and `approvers` names nobody for it", said(cx, &deeds)),
        format!("asks for `{word}`"),
    );
    if let Some(list) = general_at(cx) {
        finding = finding.label(list, "the approvers that are named");
    }
    Some(
        finding
            .note("once `approvers` stands in the tree, whoever it does not name approves nothing, so these calls could never take effect")
            .help(format!("add `{word}: [PERSONA]` to `approvers`, or an entry for each of the tools under `approvers.tools`")),
    )
}

fn general_at(cx: &Cx<'_>) -> Option<Span> {
    let approvers = cx.model.approvals.approvers.as_ref()?;
    let lists = [approvers.confirm.as_ref(), approvers.four_eyes.as_ref()];
    let general = lists.into_iter().flatten().map(|list| list.span).next();
    general.or_else(|| approvers.tools.as_ref()?.iter().next().map(|entry| entry.key.span))
}
