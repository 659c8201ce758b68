//! See the page beside this file.

use harnessc_runtime::lock::Effect;

use super::engine::authority::deeds;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, Level, RuleId, Sink};
use crate::policy::{Deed, Pinned, Tool};
use crate::source::Span;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("read-unbacked");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for (_, deed, tool) in deeds(cx).filter(|(_, deed, _)| deed.effect == Effect::Read) {
        let (Some(pinned), Some((server, _))) = (&tool.pinned, tool.from) else { continue };
        if !pinned.read_only.is_some_and(|(read_only, _)| read_only) {
            sink.push(finding(deed, deed.effect_at.unwrap_or(tool.def.key.span), pinned, server));
        }
    }
    let raised = deeds(cx).filter(|(_, deed, _)| deed.effect != Effect::Read && deed.case.is_none());
    sink.extend(raised.filter_map(|(_, deed, tool)| overruled(tool, deed)));
}

/// A tool that its author calls a read and its server does not: the server's word is in force.
fn overruled(tool: &Tool<'_>, deed: &Deed<'_>) -> Option<Diagnostic> {
    let stated = tool.def.effect.as_ref().filter(|stated| stated.value.word() == Effect::Read.word())?;
    let (pinned, (server, _)) = (tool.pinned.as_ref()?, tool.from?);
    let (_, hint) = pinned.read_only.filter(|(read_only, _)| !read_only)?;
    let (name, word) = (&deed.name, deed.effect.word());
    Some(
        Diagnostic::new(ID, stated.span, format!("`{name}` is called a read, and counts as a `{word}`"), "not in force")
            .label(hint, format!("`{server}` says that it changes things"))
            .note("what a server says of itself raises an effect and never lowers it")
            .help(format!("write `effect: {word}`, or what it can do at worst"))
            .level(Level::Warn),
    )
}

fn finding(deed: &Deed<'_>, at: Span, pinned: &Pinned, server: &str) -> Diagnostic {
    let name = &deed.name;
    let finding = Diagnostic::new(
        ID,
        at,
        format!("`{name}` is called a read, and server `{server}` does not say so itself"),
        "runs without asking anybody",
    );
    let finding = match (pinned.read_only, pinned.node.get("name")) {
        (Some((_, span)), _) => finding.label(span, "its server says that it changes things"),
        (None, Some(entry)) => finding.label(entry.value.span, "published without `readOnlyHint: true`"),
        (None, None) => finding,
    };
    finding
        .note("a read is `auto`, so a tool that only sounds like one would act without being asked about")
        .help(if deed.case.is_some() {
            format!("call `{name}` what it can do at worst, or waive this with the reason why the case changes nothing")
        } else {
            format!("leave `effect: read` out of `{name}`, so that it asks, or waive this with the reason why it changes nothing")
        })
}
