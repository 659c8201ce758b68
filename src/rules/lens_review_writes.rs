//! See the page beside this file.

use harnessc_runtime::lock::Effect;

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::work::LensReview;
use crate::policy::Listed;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("lens-review-writes");

/// How many harnesses one record is read through at most (seed 003).
const MOST_LENSES: usize = 4;

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for review in &cx.model.lens_reviews {
        lenses(review, sink);
        let items = review.tools.as_ref().map_or(&[][..], |list| list.value.as_slice());
        for listed in cx.policy.lists.follow(&cx.policy.registry, items).0 {
            tool(cx, review, &listed, sink);
        }
    }
}

fn lenses(review: &Def<LensReview>, sink: &mut Sink) {
    let Some(lenses) = &review.lenses else { return };
    let Some(fifth) = lenses.get(MOST_LENSES) else { return };
    sink.push(
        Diagnostic::new(
            ID,
            fifth.span,
            format!(
                "lens review `{}` has {} lenses, and {MOST_LENSES} are the most",
                review.key.value,
                lenses.len()
            ),
            "the fifth lens",
        )
        .note("where many lenses are laid side by side, people count them instead of reading them")
        .help("keep the four that disagree for a reason, or make two reviews of them"),
    );
}

fn tool(cx: &Cx<'_>, review: &Def<LensReview>, listed: &Listed<'_>, sink: &mut Sink) {
    let deeds = listed.deeds.iter().filter_map(|id| cx.policy.registry.deed(*id));
    let Some(deed) = deeds.max_by_key(|deed| deed.effect).filter(|deed| deed.effect != Effect::Read) else {
        return;
    };
    let effect = match deed.effect {
        Effect::Read => "a read",
        Effect::Create => "a create",
        Effect::Write => "a write",
        Effect::Destructive => "destructive",
    };
    let name = &deed.name;
    let mut finding = Diagnostic::new(
        ID,
        listed.item,
        format!("lens review `{}` holds `{name}`, which is {effect}", review.key.value),
        effect,
    );
    if listed.item != listed.name.span {
        finding = finding.label(listed.name.span, "named here");
    }
    if let Some(at) = deed.effect_at {
        finding = finding.label(at, format!("`{name}` is {effect}"));
    }
    sink.push(finding.note("a lens reads a record and changes nothing").help("take it out of `tools`"));
}
