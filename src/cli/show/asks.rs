//! A cell in a person's words: what it does, who is asked, how it is narrowed.

use harnessc_runtime::lock::{Approval, Approvers, Cell, Effect, Lock, RawJson, split_deed};
use serde_json::Value;

/// What a deed does; one that is not in the registry counts as the worst.
pub(super) fn effect(lock: &Lock, deed: &str) -> Effect {
    let (tool, case) = split_deed(deed);
    let Some(tool) = lock.tools.get(tool) else { return Effect::Destructive };
    let case = case.and_then(|case| tool.cases.as_ref()?.by.get(case));
    case.map_or(tool.effect, |case| case.effect)
}

/// The approval, and who gives it where that is not the general list.
pub(super) fn asks(lock: &Lock, cell: &Cell) -> String {
    let word = word(cell.approval);
    let general = lock.approvals.approvers.as_ref().map(|stated| general(stated, cell.approval));
    match &cell.approvers {
        Some(own) if Some(own.as_slice()) != general => {
            format!("{word}: {}", if own.is_empty() { "nobody".to_owned() } else { own.join(", ") })
        }
        _ => word.to_owned(),
    }
}

/// The approval as it is shown.
pub(super) fn word(approval: Approval) -> &'static str {
    match approval {
        Approval::Auto => "auto",
        Approval::Confirm => "confirm",
        Approval::FourEyes => "four eyes",
    }
}

/// Who gives an approval where no tool says otherwise.
pub(super) fn general(stated: &Approvers, approval: Approval) -> &[String] {
    match approval {
        Approval::Auto => &[],
        Approval::Confirm => &stated.confirm,
        Approval::FourEyes => &stated.four_eyes,
    }
}

/// The narrowing: "kind: report, protocol"; a schema that is no list of values as JSON.
pub(super) fn narrowed(cell: &Cell) -> String {
    let inputs = cell.only.iter().map(|(input, schema)| format!("{input}: {}", values(&value(schema))));
    inputs.collect::<Vec<_>>().join("; ")
}

/// A schema as a value.
pub(super) fn value(schema: &RawJson) -> Value {
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
