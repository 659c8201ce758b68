//! Whether no value can satisfy two schemas, where that can be shown.

use serde_json::Value;

use super::Located;
use super::shape::{self, Kinds, Shapes};

/// Whether no value of the types `within` satisfies both. False where it cannot be shown.
pub(super) fn disjoint(a: &Located, b: &Located, within: Kinds, shapes: &Shapes<'_>) -> bool {
    let shared = within.and(shapes.kinds(a)).and(shapes.kinds(b));
    if shared == Kinds::NONE || finite_apart(a, b) {
        return true;
    }
    shared == Kinds::OBJECT && told_apart(a, b)
}

/// Both list their values and share none.
fn finite_apart(a: &Located, b: &Located) -> bool {
    match (shape::finite(a), shape::finite(b)) {
        (Some(a), Some(b)) => !a.iter().any(|a| b.iter().any(|b| same(a, b))),
        _ => false,
    }
}

/// Both require a property whose listed values they do not share.
fn told_apart(a: &Located, b: &Located) -> bool {
    let (Some(in_a), Some(in_b)) = (a.get("properties"), b.get("properties")) else { return false };
    in_a.entries().iter().any(|(name, a_value)| {
        requires(a, name)
            && requires(b, name)
            && in_b.get(name).is_some_and(|b_value| finite_apart(a_value, b_value))
    })
}

fn requires(schema: &Located, name: &str) -> bool {
    schema.get("required").is_some_and(|list| list.items().iter().any(|item| item.text() == Some(name)))
}

/// Equal as JSON Schema has it: `1` and `1.0` are the same number.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}
