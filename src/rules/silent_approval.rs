//! See the page beside this file.

use harnessc_runtime::lock::{Approval, Effect};

use super::engine::approvals::{plural, with_tier};
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink};
use crate::model::approvals::Treatment;
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("silent-approval");

/// Why it matters.
const NOTE: &str = "an answer that nobody is asked for never comes, and what waits for it is void when its time is up";

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let approvals = &cx.model.approvals;
    if let Some(stated) = &approvals.treatments {
        for (effect, treatment) in [
            (Effect::Read, &stated.read),
            (Effect::Create, &stated.create),
            (Effect::Write, &stated.write),
            (Effect::Destructive, &stated.destructive),
        ] {
            let tier = cx.policy.tiers.of(effect);
            let unasked = treatment.as_ref().filter(|treatment| !asks(treatment.value) && tier > Approval::Auto);
            if let Some(treatment) = unasked {
                let said = format!("{} wait for a person, and `{}` asks nobody", plural(effect), treatment.value);
                sink.push(with_tier(cx, finding(treatment, said, "plan_card"), effect));
            }
        }
    }
    let batch = approvals.batch.as_ref().and_then(|batch| batch.treatment.as_ref());
    if let Some(treatment) = batch.filter(|treatment| !asks(treatment.value)) {
        let said = format!("a batch waits for one yes to all of it, and `{}` asks nobody", treatment.value);
        sink.push(finding(treatment, said, "one_plan_card"));
    }
}

/// Whether it puts a question to a person.
fn asks(treatment: Treatment) -> bool {
    matches!(treatment, Treatment::PlanCard | Treatment::OnePlanCard)
}

fn finding(treatment: &Spanned<Treatment>, said: String, card: &str) -> Diagnostic {
    Diagnostic::new(ID, treatment.span, said, "no question is put")
        .note(NOTE)
        .help(format!("write `{card}`"))
        .fix(format!("write `{card}`"), Applicability::Safe, treatment.span, card)
}
