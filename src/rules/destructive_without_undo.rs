//! See the page beside this file.

use harnessc_runtime::lock::{Approval, Effect};

use super::engine::authority::{deeds, effect_at};
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink};
use crate::model::tools::Undo;
use crate::policy::{Deed, Tool};
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("destructive-without-undo");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for (_, deed, tool) in deeds(cx).filter(|(_, deed, _)| deed.effect == Effect::Destructive) {
        match deed.undo {
            None if tool.def.damaged => {}
            None => sink.push(unsaid(deed, tool)),
            Some(undo) => match &undo.value {
                Undo::None(_) if deed.approval < Approval::FourEyes => sink.push(unguarded(deed, tool, undo)),
                Undo::None(_) => {}
                Undo::Ways(_) => sink.extend(idle(cx, deed, undo)),
            },
        }
    }
}

fn unsaid(deed: &Deed<'_>, tool: &Tool<'_>) -> Diagnostic {
    let name = &deed.name;
    let (at, text) = effect_at(deed, tool);
    let raised = tool.pinned.as_ref().and_then(|pinned| pinned.destructive);
    let mut finding = Diagnostic::new(
        ID,
        at,
        format!("`{name}` is destructive and does not say how it is taken back"),
        if deed.effect_at.is_some() { "no `undo`".to_owned() } else { text },
    );
    if let (Some((true, span)), true) = (raised, deed.effect_at.is_some()) {
        finding = finding.label(span, "its server says that it destroys");
    }
    let help = "write `undo: [snapshot]` where a pre-image is kept, `undo: [{by: TOOL}]` where a tool takes it back, or `undo: none`, which asks for four eyes";
    finding
        .note("whoever approves it should know whether there is a way back, and so must whoever has to find it later")
        .help(if deed.effect_at.is_some() {
            help.to_owned()
        } else {
            format!("state its `effect` if it is not destructive; else {help}")
        })
}

fn unguarded(deed: &Deed<'_>, tool: &Tool<'_>, undo: &Spanned<Undo>) -> Diagnostic {
    let (name, word) = (&deed.name, deed.approval.word());
    let (at, text) = effect_at(deed, tool);
    let finding = Diagnostic::new(
        ID,
        undo.span,
        format!("`{name}` cannot be taken back, and one yes (`{word}`) is all that it asks for"),
        "no way back",
    )
    .label(at, text)
    .note("what cannot be taken back is worth a second pair of eyes");
    match deed.stated {
        Some((_, span)) => finding
            .label(span, format!("asks for `{word}`"))
            .help("write `approval: four_eyes`, or say how it is taken back")
            .fix("write `four_eyes`", Applicability::Safe, span, "four_eyes"),
        None => finding.help(format!("write `approval: four_eyes` in `{name}`, or say how it is taken back")),
    }
}

/// Ways of undoing of which none takes anything back: a read, or the deed itself.
fn idle(cx: &Cx<'_>, deed: &Deed<'_>, undo: &Spanned<Undo>) -> Option<Diagnostic> {
    if undo.snapshot() {
        return None;
    }
    let registry = &cx.policy.registry;
    let mut first = None;
    for way in undo.by() {
        let named: Vec<&Deed<'_>> = registry.named(way).iter().filter_map(|id| registry.deed(*id)).collect();
        if named.is_empty() || named.iter().any(|back| back.effect > Effect::Read && back.name != deed.name) {
            return None;
        }
        first = first.or(Some(way));
    }
    let way = first?;
    Some(
        Diagnostic::new(
            ID,
            way.span,
            format!("`{}` is to be taken back by `{}`, which takes nothing back", deed.name, way.value),
            if way.value == deed.tool || way.value == deed.name { "the deed itself" } else { "a read" },
        )
        .note("a way back is a tool that changes something")
        .help("name the tool that restores what was there, `snapshot`, or `undo: none` with four eyes"),
    )
}
