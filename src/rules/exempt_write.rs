//! See the page beside this file.

use std::collections::BTreeSet;

use super::engine::authority::{certain, effect_at, names};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::Deed;
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("exempt-write");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for name in cx.model.approvals.always_allowed.iter().flat_map(|list| list.iter()) {
        sink.extend(finding(cx, name, "is always allowed", "take it out of `always_allowed`"));
    }
    for skill in cx.model.skills.sorted() {
        if let Some(name) = &skill.tool {
            let how = format!("calls skill `{}`", skill.key.value);
            sink.extend(finding(cx, name, &how, "let the skill be called by a tool that reads, or take `tool` out"));
        }
    }
}

fn finding(cx: &Cx<'_>, name: &Spanned<String>, how: &str, mend: &str) -> Option<Diagnostic> {
    let named = cx.policy.registry.named(name);
    let deeds: Vec<&Deed<'_>> = named.iter().filter_map(|id| cx.policy.registry.deed(*id)).collect();
    let writes: Vec<&Deed<'_>> = deeds
        .iter()
        .copied()
        .filter(|deed| deed.effect.is_write())
        .filter(|deed| cx.policy.registry.tool(deed.tool).is_some_and(|tool| certain(tool, deed)))
        .collect();
    let worst = writes.iter().copied().max_by_key(|deed| (deed.effect, &deed.name))?;
    let word = worst.effect.word();
    let whole = worst.name == name.value;
    let what = if whole { format!("is {}", super::engine::authority::a(word)) } else {
        format!("does {} as `{}`", if word == "write" { "a write" } else { "a destructive deed" }, worst.name)
    };
    let mut finding = Diagnostic::new(
        ID,
        name.span,
        format!("`{}` {how} and so is exempt from the plan gate, yet it {what}", name.value),
        "exempt from the plan gate",
    );
    if let Some(tool) = cx.policy.registry.tool(worst.tool) {
        let (span, text) = effect_at(worst, tool);
        finding = finding.label(span, text);
    }
    let harmless: BTreeSet<&str> =
        deeds.iter().filter(|deed| !deed.effect.is_write()).map(|deed| deed.name.as_str()).collect();
    let help = if harmless.is_empty() {
        mend.to_owned()
    } else {
        format!("name the harmless cases alone: {}", names(harmless))
    };
    Some(
        finding
            .note("while a plan waits for its approval, exempt tools are all that can be called; a write among them would slip past the plan")
            .help(help),
    )
}
