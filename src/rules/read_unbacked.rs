//! See the page beside this file.

use harnessc_runtime::lock::Effect;

use super::engine::authority::deeds;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::{Deed, Pinned};
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
