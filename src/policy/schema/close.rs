//! Closing.
use serde_json::Value;

use super::{Located, Origin, Problem, Purpose};

pub(super) fn close(tree: &Located, _origin: Origin, _purpose: Purpose) -> (Value, Vec<Problem>) {
    (tree.value(), Vec::new())
}
