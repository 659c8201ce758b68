//! See the page beside this file. `model` finds it while it reads; the two names that are taken are found here.

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::NO_HARNESS;
use harnessc_runtime::lock::NO_HARNESS_WORD;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("bad-key");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let taken = [
        (
            NO_HARNESS,
            "in the lock it stands for runs without one",
            "two rows of one name could not be told apart, and the runtime refuses such a lock",
        ),
        (
            NO_HARNESS_WORD,
            "`harness: none` says that a run wears none",
            "nobody could tell whether `harness: none` of a persona or a test means this one, and the runtime refuses such a lock",
        ),
    ];
    for (key, stands_for, why) in taken {
        if let Some(harness) = cx.model.harnesses.get(key) {
            let said = format!("no harness is named `{key}`: {stands_for}");
            let finding = Diagnostic::new(ID, harness.key.span, said, "taken");
            sink.push(finding.note(why).help("give the harness a name of its own, and name it so where it is meant"));
        }
    }
}
