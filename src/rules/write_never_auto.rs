//! See the page beside this file.

use harnessc_runtime::lock::{Approval, Effect};

use super::engine::approvals::{By, Stated, stated, tier_at, with_tier};
use super::engine::authority::{deeds, effect_at, names};
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink};
use crate::policy::{Deed, Tool};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("write-never-auto");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for stated in stated(cx).iter().filter(|stated| stated.approval == Approval::Auto) {
        let writes = stated.deeds(cx, |deed| deed.effect.is_write());
        if !writes.is_empty() {
            sink.push(stated_auto(cx, stated, &writes));
        }
    }
    for effect in [Effect::Write, Effect::Destructive] {
        sink.extend(tier_auto(cx, effect));
    }
    for (_, deed, tool) in deeds(cx) {
        if deed.effect == Effect::Create && deed.approval == Approval::Auto {
            sink.extend(loose_create(cx, deed, tool));
        }
    }
}

fn stated_auto(cx: &Cx<'_>, stated: &Stated<'_>, writes: &[&Deed<'_>]) -> Diagnostic {
    let subject = stated.subject();
    let strongest = writes.iter().map(|deed| deed.effect).max().unwrap_or(Effect::Write);
    let mut finding = Diagnostic::new(
        ID,
        stated.span,
        format!("{subject} `auto`, and {}", what_it_is(stated, writes)),
        "nobody would be asked",
    );
    for deed in writes.iter().take(3) {
        if let Some(tool) = cx.policy.registry.tool(deed.tool) {
            let (span, text) = effect_at(deed, tool);
            finding = finding.label(span, text);
        }
    }
    finding = finding.note("a write takes effect only after a person has said yes to that very input");
    let word = cx.policy.tiers.of(strongest).max(Approval::Confirm);
    match stated.tier(cx) {
        Some(tier) => stated.raised(
            finding.help(format!("write `approval: {}`, or leave `approval` out to get what its tier asks for", tier.word())),
            tier,
        ),
        None if stated.by == By::Registry => finding.help(format!(
            "take `approval` out here, so that each case gets what its tier asks for (`{}` for {})",
            word.word(),
            names(writes.iter().map(|deed| deed.name.as_str()))
        )),
        None => finding.help("take `approval` out here; it can only tighten what the registry says"),
    }
}

fn what_it_is(stated: &Stated<'_>, writes: &[&Deed<'_>]) -> String {
    match writes {
        [deed] if deed.name == stated.of => format!("it is a {}", kind(deed.effect)),
        [deed] => format!("`{}` is a {}", deed.name, kind(deed.effect)),
        _ => format!("{} are writes", names(writes.iter().map(|deed| deed.name.as_str()))),
    }
}

fn kind(effect: Effect) -> &'static str {
    if effect == Effect::Destructive { "destructive deed" } else { "write" }
}

fn tier_auto(cx: &Cx<'_>, effect: Effect) -> Option<Diagnostic> {
    let tier = tier_at(cx, effect).filter(|_| cx.policy.tiers.of(effect) == Approval::Auto)?;
    let (word, least) =
        if effect == Effect::Write { ("writes", Approval::Confirm) } else { ("destructive deeds", Approval::FourEyes) };
    let title = format!("write `{}`", least.word());
    Some(
        Diagnostic::new(ID, tier.span, format!("the tier of {word} is `auto`"), "nobody would be asked")
            .note("a tier is the loosest approval of its effect; this one would let every tool of that effect change things unasked")
            .help(format!("write `{}: {}`", effect.word(), least.word()))
            .fix(title, Applicability::Safe, tier.span, least.word()),
    )
}

/// A create may be auto where it can be taken back, and is ours.
fn loose_create(cx: &Cx<'_>, deed: &Deed<'_>, tool: &Tool<'_>) -> Option<Diagnostic> {
    let (why, help) = match tool.from {
        Some((server, _)) => (
            format!("it is done by the outside server `{server}`"),
            "write `approval: confirm`; a create of an outside server is never auto".to_owned(),
        ),
        None => (no_way_back(cx, deed)?, format!(
            "name the tool that takes it back, as `undo: [{{by: TOOL}}]` in `{}`, or write `approval: confirm`", deed.name
        )),
    };
    let at = deed.stated.map(|(_, span)| span).or(deed.effect_at).unwrap_or(tool.def.key.span);
    let mut finding = Diagnostic::new(
        ID,
        at,
        format!("`{}` creates without asking, and {why}", deed.name),
        "nobody would be asked",
    )
    .note("a create may be auto only where an enabled tool of our own takes it back");
    if let Some(by) = deed.undo {
        finding = finding.label(by.span, "what `undo` says");
    }
    finding = with_tier(cx, finding, Effect::Create).help(help);
    Some(match deed.stated {
        Some((_, span)) => finding.fix("write `confirm`", Applicability::Safe, span, "confirm"),
        None => finding,
    })
}

/// Why no tool takes a deed back; nothing where one does, or where a name leads nowhere (its own finding).
fn no_way_back(cx: &Cx<'_>, deed: &Deed<'_>) -> Option<String> {
    let ways: Vec<&str> =
        deed.undo.into_iter().flat_map(|undo| undo.by()).map(|name| name.value.as_str()).collect();
    let mut why = "no tool takes it back".to_owned();
    for way in ways {
        let named = cx.policy.registry.named(way);
        let found: Vec<&Deed<'_>> = named.iter().filter_map(|id| cx.policy.registry.deed(*id)).collect();
        let back = found.iter().find(|back| back.effect > Effect::Read && back.name != deed.name);
        match (found.first(), back) {
            (None, _) => return None,
            (Some(_), None) => why = format!("`{way}` takes nothing back"),
            (Some(_), Some(back)) if !cx.policy.registry.tool(back.tool).is_some_and(|tool| tool.enabled) => {
                why = format!("`{way}`, which takes it back, is disabled");
            }
            _ => return None,
        }
    }
    Some(why)
}
