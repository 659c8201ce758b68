//! See the page beside this file.

use harnessc_runtime::lock::closed_words::RELEASE_FIELDS;

use super::engine::words_of_list::{ClosedList, check_words};
use super::{Cx, Found};
use crate::diagnostic::{RuleId, Sink};

pub(super) const FOUND: Found = Found::Stated(check);

const LIST: ClosedList = ClosedList {
    rule: RuleId("release-leaks"),
    place: "`release.unsupported.fields`",
    words: RELEASE_FIELDS,
    note: "an answer that its evidence does not carry leaves as these fields alone; any other could carry the answer itself",
};

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let unsupported = cx.model.release.unsupported.as_ref();
    check_words(&LIST, unsupported.and_then(|unsupported| unsupported.fields.as_deref()), sink);
}
