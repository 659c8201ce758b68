//! See the page beside this file.

use super::engine::text::{and, word_at};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, Level, RuleId, Sink};
use crate::model::rubrics::{LEVELS, Rubric};
use crate::source::Spanned;
use harnessc_runtime::words::{self, is_lower_of};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("verdict-word");

/// What must not be concluded: a score is a word about evidence, and a person decides (seed 003).
const VERDICTS: &[&str] = &[
    "pass",
    "fail",
    "passed",
    "failed",
    "approved",
    "rejected",
    "compliant",
    "noncompliant",
    "acceptable",
    "unacceptable",
    "verdict",
];

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for rubric in &cx.model.rubrics {
        let name = &rubric.key.value;
        key(cx, &rubric.key, "a rubric's key", sink);
        levels(cx, name, rubric, sink);
        for criterion in rubric.criteria.iter().flatten() {
            key(cx, &criterion.key, "a criterion's key", sink);
            let place = format!("criterion `{}` of rubric `{name}`", criterion.key.value);
            for text in [&criterion.asks, &criterion.evidence_required].into_iter().flatten() {
                prose(cx, text, &place, sink);
            }
        }
    }
    for review in &cx.model.lens_reviews {
        key(cx, &review.key, "a lens review's key", sink);
        if let Some(first) = review.view.as_ref().and_then(|view| view.first.as_ref()) {
            prose(cx, first, &format!("lens review `{}`", review.key.value), sink);
        }
    }
}

/// The first verdict that a text says, in lower case.
fn verdict(text: &str) -> Option<String> {
    let verdict = |word: &str| VERDICTS.iter().find(|verdict| is_lower_of(verdict, word));
    let found = words::ranges(text).filter_map(|range| text.get(range)).find_map(verdict)?;
    Some((*found).to_owned())
}

fn key(cx: &Cx<'_>, key: &Spanned<String>, what: &str, sink: &mut Sink) {
    if let Some(word) = verdict(key) {
        sink.push(found(cx, key, &word, Level::Forbid, format!("{what} says the verdict `{word}`")));
    }
}

fn prose(cx: &Cx<'_>, text: &Spanned<String>, place: &str, sink: &mut Sink) {
    if let Some(word) = verdict(text) {
        sink.push(found(cx, text, &word, Level::Warn, format!("{place} asks for a verdict: `{word}`")));
    }
}

fn levels(cx: &Cx<'_>, rubric: &str, stated: &Rubric, sink: &mut Sink) {
    for level in stated.levels.iter().flatten().filter(|level| !LEVELS.contains(&level.value.as_str())) {
        let message = format!("rubric `{rubric}` scores by `{}`, which is none of the four levels", level.value);
        let finding = match verdict(level) {
            Some(word) => found(cx, level, &word, Level::Forbid, message),
            None => Diagnostic::new(ID, level.span, message, "not a level").level(Level::Forbid).note(NOTE),
        };
        sink.push(finding.help(format!("use {}, or take `levels` out: they are the default", and(LEVELS))));
    }
}

const NOTE: &str = "a score says how strong the cited evidence is; whether that is enough is for a person to decide";

fn found(cx: &Cx<'_>, at: &Spanned<String>, word: &str, level: Level, message: String) -> Diagnostic {
    let place = word_at(cx, at.span, |found| found == word);
    Diagnostic::new(ID, place, message, "a verdict")
        .level(level)
        .note(NOTE)
        .help("name what is looked at, or ask what a record shows")
}
