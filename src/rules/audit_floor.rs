//! See the page beside this file.

use harnessc_runtime::lock::closed_words::{ACTION_FIELDS, TOOL_CALL_FIELDS, TRACE_STAGES};

use super::engine::text::and;
use super::engine::written;
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink};
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("audit-floor");

/// A list of the section `audit`, and of what is kept whatever it says the part that an author is to see in it. What each row
/// needs besides to be found again (its code, its time, the lock's digest) goes without saying and stands in the lock.
struct List {
    place: &'static str,
    words: &'static [&'static str],
    said: &'static [&'static str],
}

const TOOL_CALL: List = List {
    place: "audit.tool_call",
    words: TOOL_CALL_FIELDS,
    said: &["id", "tool", "status", "duration_ms", "bytes_in", "bytes_out"],
};

const ACTION: List = List {
    place: "audit.action",
    words: ACTION_FIELDS,
    said: &["harness", "harness_version", "run", "acting_user"],
};

const TRACE: List = List { place: "audit.trace", words: TRACE_STAGES, said: &["RUN", "RELEASE"] };

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let audit = &cx.model.audit;
    for (list, stated) in [(TOOL_CALL, &audit.tool_call), (ACTION, &audit.action), (TRACE, &audit.trace)] {
        sink.extend(stated.as_deref().and_then(|stated| finding(cx, &list, stated)));
    }
}

fn finding(cx: &Cx<'_>, list: &List, stated: &[Spanned<String>]) -> Option<Diagnostic> {
    // A word that is none of the list's may be one of these, misspelt, and is a finding of its own.
    let known = |word: &Spanned<String>| list.words.contains(&word.value.as_str());
    let first = stated.first().filter(|_| stated.iter().all(known))?;
    let is_said = |word: &&&str| stated.iter().any(|stated| stated.value == **word);
    let left: Vec<&str> = list.said.iter().filter(|word| !is_said(word)).copied().collect();
    if left.is_empty() {
        return None;
    }
    let (place, named) = (list.place, and(left.iter().copied()));
    let message = format!("`{place}` leaves out {named}, and that is kept all the same");
    let mut finding = Diagnostic::new(ID, first.span, message, "the list reads as if this were all")
        .note("a trail has a floor that no policy takes away, since a row that does not say what happened proves nothing; `harness.lock` shows all that is kept")
        .help(format!("add {named}: the list then says what is so"));
    if let Some(edit) = written::longer(cx, stated, &left) {
        finding = finding.fix_all(format!("add {named}"), Applicability::Safe, vec![edit]);
    }
    Some(finding)
}
