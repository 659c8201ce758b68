//! The tools that write. Each takes a [`Deed`], and nothing but the one door of actions makes one.

use harnessc_runtime::actions::Deed;
use harnessc_runtime::json::{Json, canonical};
use serde_json::{Value, json};

use crate::records::{Record, Records};

/// The tools of this file.
pub(crate) const TOOLS: [&str; 4] =
    ["records.propose_change", "records.propose_draft", "records.retire", "tasks.propose"];

/// What an approver is shown beside the input: for a record that stands there, how it stands and how it would. In canonical form
/// and out of the canonical input, so that it comes out the same however the caller had ordered it.
pub(crate) fn preview(records: &Records, tool: &str, input: &Json) -> String {
    let sides = || {
        let mut after = records.clone();
        let read: Value = serde_json::from_str(input.canonical()).ok()?;
        if !matches!(tool, "records.propose_change" | "records.retire") {
            return None;
        }
        apply(&mut after, tool, &read)?;
        let id = text(&read, "record_id");
        let side = |records: &Records| records.all.get(id).map(Record::json);
        canonical(&json!({"after": side(&after), "before": side(records)})).ok()
    };
    sides().unwrap_or_else(|| input.canonical().to_owned())
}

/// What stands at the target now, where the tool overwrites something.
pub(crate) fn standing(records: &Records, input: &Value) -> Vec<u8> {
    let record = records.all.get(text(input, "record_id"));
    record.map_or_else(Vec::new, |record| record.json().to_string().into_bytes())
}

/// Whether what the input is about is there, and of this program.
pub(crate) fn is_there(records: &Records, input: &Value) -> bool {
    input.get("record_id").is_none()
        || records.of(text(input, "program_id"), text(input, "record_id")).is_some()
}

/// Does what was approved. `None`: nothing was changed.
pub(crate) fn write(records: &mut Records, deed: &Deed) -> Option<String> {
    let input: Value = serde_json::from_str(deed.input()).ok()?;
    apply(records, &deed.cell().tool, &input)
}

fn apply(records: &mut Records, tool: &str, input: &Value) -> Option<String> {
    match tool {
        "records.propose_change" => change(records, input),
        "records.propose_draft" => draft(records, input),
        "records.retire" => {
            let id = text(input, "record_id");
            records.all.get_mut(id)?.state = "retired".to_owned();
            Some(id.to_owned())
        }
        "tasks.propose" => {
            let id = format!("T-{}", records.tasks.len() + 1);
            let task = json!({
                "record_id": text(input, "record_id"), "state": "open", "task_id": id, "title": text(input, "title"),
            });
            records.tasks.insert(id.clone(), task);
            Some(id)
        }
        _ => None,
    }
}

fn change(records: &mut Records, input: &Value) -> Option<String> {
    let id = text(input, "record_id");
    let record = records.all.get_mut(id)?;
    // Whoever read an older edition did not see what would be overwritten.
    if input.get("edition")?.as_u64()? != record.edition {
        return None;
    }
    for field in input.get("changes")?.as_array()? {
        let value = json!({"unit": field.get("unit"), "value": field.get("value")});
        record.fields.insert(text(field, "field").to_owned(), value);
    }
    record.edition = record.edition.saturating_add(1);
    Some(id.to_owned())
}

fn draft(records: &mut Records, input: &Value) -> Option<String> {
    let id = records.next_id();
    let fields = input.get("fields")?.as_array()?.iter().map(|field| {
        (text(field, "field").to_owned(), json!({"unit": field.get("unit"), "value": field.get("value")}))
    });
    let record = Record {
        edition: 1,
        fields: fields.collect(),
        kind: text(input, "type").to_owned(),
        program: text(input, "program_id").to_owned(),
        state: "draft".to_owned(),
        title: text(input, "title").to_owned(),
    };
    records.all.insert(id.clone(), record);
    Some(id)
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}
