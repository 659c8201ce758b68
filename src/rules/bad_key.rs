//! See the page beside this file. `model` finds it while it reads; the one name that is taken is found here.

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::NO_HARNESS;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("bad-key");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    if let Some(harness) = cx.model.harnesses.get(NO_HARNESS) {
        sink.push(
            Diagnostic::new(
                ID,
                harness.key.span,
                format!("no harness is named `{NO_HARNESS}`: in the lock it stands for runs without one"),
                "taken",
            )
            .note("two rows of one name could not be told apart, and the runtime refuses such a lock")
            .help("give the harness a name of letters"),
        );
    }
}
