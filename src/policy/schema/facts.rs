//! Facts.
use super::{Located, Problem, Purpose};

pub(super) fn find(_tree: &Located, _purpose: Purpose) -> Vec<Problem> {
    Vec::new()
}
