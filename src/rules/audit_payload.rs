//! See the page beside this file.

use harnessc_runtime::lock::closed_words::{ACTION_FIELDS, TOOL_CALL_FIELDS, TRACE_STAGES};

use super::engine::words_of_list::{ClosedList, check_words};
use super::{Cx, Found};
use crate::diagnostic::{RuleId, Sink};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("audit-payload");

const NOTE: &str =
    "the trail says who did what and how it ended; a prompt, an argument or a result in it would outlive every right to it";

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let audit = &cx.model.audit;
    let lists = [
        ("`audit.tool_call`", TOOL_CALL_FIELDS, &audit.tool_call),
        ("`audit.action`", ACTION_FIELDS, &audit.action),
        ("`audit.trace`", TRACE_STAGES, &audit.trace),
    ];
    for (place, words, stated) in lists {
        check_words(&ClosedList { rule: ID, place, words, note: NOTE }, stated.as_deref(), sink);
    }
}
