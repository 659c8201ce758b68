//! The subset.
use super::{Located, Origin, Problem, Purpose};

pub(super) fn check(_tree: &Located, _origin: Origin, _purpose: Purpose) -> Vec<Problem> {
    Vec::new()
}
