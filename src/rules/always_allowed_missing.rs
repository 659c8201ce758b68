//! See the page beside this file.

use std::collections::BTreeSet;

use super::engine::authority::{names, said, short};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::{DeedId, Harness};
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("always-allowed-missing");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let Some(list) = &cx.model.approvals.always_allowed else { return };
    let harnesses: Vec<&Harness<'_>> =
        cx.policy.harnesses.values().filter(|harness| !harness.unsure).collect();
    let (nowhere, somewhere): (Vec<_>, Vec<_>) = list
        .iter()
        .map(|name| (name, cx.policy.registry.named(name)))
        .filter(|(_, deeds)| !deeds.is_empty())
        .partition(|(_, deeds)| harnesses.len() > 1 && harnesses.iter().all(|harness| lacks(harness, deeds)));
    for (name, _) in nowhere {
        sink.push(held_by_none(name));
    }
    for harness in harnesses {
        let missing: Vec<_> = somewhere.iter().filter(|(_, deeds)| lacks(harness, deeds)).collect();
        if let Some((first, _)) = missing.first() {
            let deeds = missing.iter().flat_map(|(_, deeds)| deeds.iter().copied());
            let lacking: BTreeSet<DeedId> = deeds.filter(|id| !harness.holds.contains_key(id)).collect();
            sink.push(held_by_others(cx, harness, first, &lacking));
        }
    }
}

fn lacks(harness: &Harness<'_>, deeds: &[DeedId]) -> bool {
    deeds.iter().any(|id| !harness.holds.contains_key(id))
}

const WHY: &str = "every prompt may count on these tools, so a harness without one sends its model after a tool that is refused";

fn held_by_none(name: &Spanned<String>) -> Diagnostic {
    let name_said = names([name.value.as_str()]);
    Diagnostic::new(ID, name.span, format!("{name_said} is always allowed, and no harness holds it"), "held by no harness")
        .note(WHY)
        .help(format!("add {name_said} to the toolset of every harness, or take it out of `always_allowed`"))
}

fn held_by_others(
    cx: &Cx<'_>,
    harness: &Harness<'_>,
    first: &Spanned<String>,
    lacking: &BTreeSet<DeedId>,
) -> Diagnostic {
    let (key, what) = (harness.key(), said(cx, lacking));
    let verb = if lacking.len() == 1 { "is" } else { "are" };
    let at = harness.def.toolset.as_ref().map_or(harness.def.key.span, |toolset| {
        short(cx, toolset.span(), harness.def.key.span)
    });
    Diagnostic::new(
        ID,
        at,
        format!("harness `{key}` does not hold {what}, which {verb} always allowed"),
        "every harness holds what is always allowed",
    )
    .label(first.span, "always allowed")
    .note(WHY)
    .help(format!("add {what} to the toolset of `{key}`; a toolset that every harness names keeps this in one place"))
}
