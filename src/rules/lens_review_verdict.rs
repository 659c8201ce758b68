//! See the page beside this file.

use super::engine::text::key_before;
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::scalars::Raw;
use crate::model::work::{LensReview, LensView, RecordType, ViewAxis};
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("lens-review-verdict");

/// The sentence on every scorecard (seed 003).
const PHRASE: &str = "A lens is not a review. Only a {role} reviews.";

/// What stands above all else on it.
const FIRST: &str = "Lenses disagree here";

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for review in &cx.model.lens_reviews {
        let view = review.view.as_ref();
        let summed = [
            ("aggregate", &review.aggregate, "summed up"),
            ("aggregate", view.map_or(&None, |view| &view.aggregate), "summed up"),
            ("ranking", &review.ranking, "ranked"),
            ("ranking", view.map_or(&None, |view| &view.ranking), "ranked"),
            ("verdict", &review.verdict, "turned into a verdict"),
            ("verdict", view.map_or(&None, |view| &view.verdict), "turned into a verdict"),
        ];
        for (field, value, done) in summed {
            if let Some(value) = value {
                sink.push(conclusion(cx, review, field, value, done));
            }
        }
        if let Some(phrase) = review.phrase.as_ref().filter(|phrase| phrase.value != PHRASE) {
            sink.push(wrong_phrase(review, phrase));
        }
        if let Some(view) = view {
            other_layout(review, view, sink);
        }
        for record in review.records.iter().flatten() {
            if let Some(kind) = cx.model.record_types.get(record) {
                decides(review, record, kind, sink);
            }
        }
    }
    for duty in &cx.model.duty_templates {
        if let Some((plan, review)) =
            duty.plan.as_ref().and_then(|plan| Some((plan, cx.model.lens_reviews.get(plan)?)))
            && cx.model.plan_templates.get(plan).is_none()
        {
            sink.push(scheduled(&duty.key.value, plan, review));
        }
    }
}

const NOTE: &str = "a lens shows what a record's evidence says; what follows from it is a person's to say";

fn conclusion(cx: &Cx<'_>, review: &Def<LensReview>, field: &str, value: &Raw, done: &str) -> Diagnostic {
    Diagnostic::new(
        ID,
        key_before(cx, value.0.span, field),
        format!("the lenses of `{}` would be {done}", review.key.value),
        format!("no lens review has `{field}`"),
    )
    .note(NOTE)
    .help(format!("take `{field}` out"))
}

fn wrong_phrase(review: &Def<LensReview>, phrase: &Spanned<String>) -> Diagnostic {
    let quoted = format!("\"{PHRASE}\"");
    Diagnostic::new(
        ID,
        phrase.span,
        format!("the phrase of lens review `{}` is not the fixed one", review.key.value),
        "another sentence",
    )
    .note("every scorecard bears the same sentence, so that nobody takes one for the review that a person owes")
    .help(format!("write {quoted}, with `{{role}}` as it stands"))
    .fix("write the fixed phrase", Applicability::Safe, phrase.span, quoted)
}

/// There is one scorecard, and a view that describes another one would be believed in force.
fn other_layout(review: &Def<LensReview>, view: &LensView, sink: &mut Sink) {
    let axis = |stated: &Option<Spanned<ViewAxis>>| stated.as_ref().map(|axis| (axis.span, axis.value.word()));
    let first = view.first.as_ref().map(|first| (first.span, first.value.as_str()));
    for (field, stated, fixed) in [
        ("rows", axis(&view.rows), "criteria"),
        ("columns", axis(&view.columns), "lenses"),
        ("first", first, FIRST),
    ] {
        let Some((span, _)) = stated.filter(|(_, stated)| *stated != fixed) else { continue };
        sink.push(
            Diagnostic::new(
                ID,
                span,
                format!("the scorecard of lens review `{}` is laid out in one way", review.key.value),
                format!("`{field}` is `{fixed}`"),
            )
            .note("criteria stand in rows, lenses in columns and disagreements first, so that no lens is read as the one that is right")
            .help(format!("write `{field}: {fixed}`"))
            .fix("write what the scorecard has", Applicability::Safe, span, fixed),
        );
    }
}

fn decides(review: &Def<LensReview>, record: &Spanned<String>, kind: &Def<RecordType>, sink: &mut Sink) {
    for (flag, said) in [
        (&kind.gate, "a stage gate asks for"),
        (&kind.check_input, "checks read"),
        (&kind.attachment, "is attached to approvals"),
    ] {
        let Some(at) = flag.as_ref().filter(|flag| flag.value) else { continue };
        sink.push(
            Diagnostic::new(
                ID,
                record.span,
                format!("lens review `{}` covers `{}`, which {said}", review.key.value, record.value),
                "a record that decides something",
            )
            .label(at.span, format!("`{}` is one that {said}", record.value))
            .note("a scorecard beside such a record would be read as part of the decision")
            .help(format!("take `{}` out of `records`", record.value)),
        );
    }
}

fn scheduled(duty: &str, plan: &Spanned<String>, review: &Def<LensReview>) -> Diagnostic {
    Diagnostic::new(
        ID,
        plan.span,
        format!("duty `{duty}` would run lens review `{}` without anybody asking for it", plan.value),
        "a lens review",
    )
    .label(review.key.span, "the lens review")
    .note("a person asks for a lens review and reads it; one that nobody asked for becomes a report that nobody wrote")
    .help("name a plan template here")
}
