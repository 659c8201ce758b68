//! See the page beside this file.

use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, RuleId, Sink};
use crate::model::bounds::RetryPolicy;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("retry-of-tools");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let Some(retry) = &cx.model.limits.retry else { return };
    let stated = [
        (
            &retry.tools,
            "tool calls",
            "a call whose answer was lost may have taken effect, and a second one would do the deed twice",
        ),
        (
            &retry.diagnosing_agent,
            "the diagnosing agent",
            "a second diagnosis of the same evidence is another opinion, and taking the one that suits is no retry",
        ),
    ];
    for (policy, what, why) in stated {
        let Some(RetryPolicy::Attempts(attempts)) = policy else { continue };
        sink.push(
            Diagnostic::new(ID, attempts.span, format!("{what} would be retried automatically"), "retried here")
                .note(why)
                .help("write `never`, or take the line out, which means the same")
                .fix("write `never`", Applicability::Safe, attempts.span, "never"),
        );
    }
}
