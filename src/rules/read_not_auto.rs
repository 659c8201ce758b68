//! See the page beside this file.

use harnessc_runtime::lock::{Approval, Effect};

use super::engine::approvals::{By, Stated, stated, tier_at};
use super::engine::authority::{effect_at, names};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::Deed;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("read-not-auto");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for stated in stated(cx).iter().filter(|stated| stated.approval != Approval::Auto) {
        let reads = stated.deeds(cx, |deed| deed.effect == Effect::Read);
        if !reads.is_empty() {
            sink.push(finding(cx, stated, &reads));
        }
    }
    if let Some(tier) = tier_at(cx, Effect::Read).filter(|_| cx.policy.tiers.read != Approval::Auto) {
        let word = cx.policy.tiers.read.word();
        sink.push(
            Diagnostic::new(
                ID,
                tier.span,
                format!("the tier of reads is `{word}`"),
                "asks a person for every read",
            )
            .note(WHY)
            .help("write `read: auto`; what must not be read belongs in no toolset"),
        );
    }
}

const WHY: &str = "people who are asked about every look stop looking at what they are asked";

fn finding(cx: &Cx<'_>, stated: &Stated<'_>, reads: &[&Deed<'_>]) -> Diagnostic {
    let word = stated.approval.word();
    let alone = matches!(reads, [deed] if deed.name == stated.of);
    let what = match reads {
        _ if alone => "it is a read".to_owned(),
        [deed] => format!("`{}` is a read", deed.name),
        _ => format!("{} are reads", names(reads.iter().map(|deed| deed.name.as_str()))),
    };
    let mut finding = Diagnostic::new(
        ID,
        stated.span,
        format!("{} `{word}`, and {what}", stated.subject()),
        "asks a person for a read",
    );
    for deed in reads.iter().take(3) {
        if let Some(tool) = cx.policy.registry.tool(deed.tool) {
            let (span, text) = effect_at(deed, tool);
            finding = finding.label(span, text);
        }
    }
    finding.note(WHY).help(match (reads.len() == stated.deeds.len(), stated.by) {
        (true, _) => "take `approval` out: a read is auto; if the tool changes something, say so in `effect`",
        (false, By::Registry) => "move `approval` into the cases that change something: `{effect: write, approval: …}`",
        (false, _) => "name the cases that change something, as `tool: NAME/CASE`, each with its `approval`",
    })
}
