//! A cell in a person's words.

use harnessc_runtime::lock::{Cell, RawJson};
use serde_json::Value;

/// What a cell grants: "confirm by lead; kind: bug".
pub fn granted(cell: &Cell) -> String {
    let mut said = cell.approval.word().to_owned();
    if let Some(approvers) = &cell.approvers {
        let who = if approvers.is_empty() { "nobody".to_owned() } else { approvers.join(", ") };
        said += &format!(" by {who}");
    }
    if !cell.only.is_empty() {
        said += &format!("; {}", narrowed(cell));
    }
    said
}

/// The narrowing: "kind: report, protocol"; a schema that is no list of values as JSON.
pub fn narrowed(cell: &Cell) -> String {
    let inputs = cell.only.iter().map(|(input, schema)| format!("{input}: {}", values(&value(schema))));
    inputs.collect::<Vec<_>>().join("; ")
}

/// A schema as a value.
pub fn value(schema: &RawJson) -> Value {
    serde_json::from_str(schema.as_str()).unwrap_or(Value::Null)
}

fn values(schema: &Value) -> String {
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().map(plain).collect::<Vec<_>>().join(", ");
    }
    if let Some(value) = schema.get("const") {
        return plain(value);
    }
    if let Some(all) = schema.get("allOf").and_then(Value::as_array) {
        return all.iter().map(values).collect::<Vec<_>>().join(" and ");
    }
    schema.to_string()
}

#[cfg(test)]
mod tests {
    use super::values;
    use serde_json::json;

    #[test]
    fn lists_of_values_are_read_out_and_other_schemas_shown() {
        assert_eq!(values(&json!({"type": "string", "enum": ["a", "b"]})), "a, b");
        assert_eq!(values(&json!({"allOf": [{"enum": ["a", 1]}, {"const": true}]})), "a, 1 and true");
        assert_eq!(values(&json!({"maxLength": 3})), "{\"maxLength\":3}");
    }
}
