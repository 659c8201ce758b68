//! See the page beside this file.

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("rubric-without-evidence");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for rubric in &cx.model.rubrics {
        for criterion in rubric.criteria.iter().flatten().filter(|criterion| !criterion.damaged) {
            if criterion.evidence_required.as_ref().is_some_and(|evidence| !evidence.trim().is_empty()) {
                continue;
            }
            let (rubric, key) = (&rubric.key.value, &criterion.key.value);
            sink.push(
                Diagnostic::new(
                    ID,
                    criterion.key.span,
                    format!("criterion `{key}` of rubric `{rubric}` does not say what evidence it needs"),
                    "no `evidence_required`",
                )
                .note("without it a score cannot be told from an opinion; an uncited score is `no_evidence`")
                .help(format!("add `evidence_required:` to `{key}`: which record, with which values")),
            );
        }
    }
}
