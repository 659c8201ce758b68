//! See the page beside this file.

use harnessc_runtime::lock::Approval;

use super::engine::approvals::{Stated, stated, with_tier};
use super::engine::authority::{effect_at, names};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::Deed;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("approval-below-tier");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for stated in stated(cx) {
        let below = stated.deeds(cx, |deed| {
            // A write that is auto breaks a narrower rule, which says so.
            let narrower = stated.approval == Approval::Auto && deed.effect.is_write();
            stated.approval < cx.policy.tiers.of(deed.effect) && !narrower
        });
        if let Some(worst) = below.iter().copied().max_by_key(|deed| (deed.effect, &deed.name)) {
            sink.push(finding(cx, &stated, &below, worst));
        }
    }
}

fn finding(cx: &Cx<'_>, stated: &Stated<'_>, below: &[&Deed<'_>], worst: &Deed<'_>) -> Diagnostic {
    let tier = cx.policy.tiers.of(worst.effect);
    let (word, least) = (stated.approval.word(), tier.word());
    let whole = below.len() == 1 && worst.name == stated.of;
    let whose = if whole {
        "its tier".to_owned()
    } else {
        format!("the tier of {}", names(below.iter().map(|deed| deed.name.as_str())))
    };
    let mut finding = Diagnostic::new(
        ID,
        stated.span,
        format!("{} `{word}`, which is looser than `{least}`, {whose}", stated.subject()),
        format!("looser than `{least}`"),
    );
    if let Some(tool) = cx.policy.registry.tool(worst.tool) {
        let (span, text) = effect_at(worst, tool);
        finding = finding.label(span, text);
    }
    finding = with_tier(cx, finding, worst.effect)
        .note("the strictest word stands, so this one would have no force and would mislead whoever reads it");
    match stated.tier(cx) {
        Some(tier) => stated.raised(
            finding.help(format!("write `approval: {least}`, or leave `approval` out to get the same")),
            tier,
        ),
        None => finding.help("leave `approval` out here, or state it for each case"),
    }
}
