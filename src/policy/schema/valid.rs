//! Meta-schemas.
use super::{Located, Problem};

pub(super) fn check(_tree: &Located) -> Vec<Problem> {
    Vec::new()
}
