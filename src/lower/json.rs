//! Raw JSON of the lock: closed schemas, narrowings, pinned entries, exact inputs.

use std::collections::BTreeMap;

use harnessc_runtime::lock::RawJson;
use serde_json::{Map, Value};

use crate::model::Def;
use crate::model::scalars::SchemaText;
use crate::policy::{Readings, schema as policy_schema};
use crate::rules::Cx;
use crate::syntax::{Kind, Node};

/// A value as raw JSON, its numbers as written.
pub(super) fn raw(value: &Value) -> RawJson {
    // Writing a value and reading one value back cannot fail; were it to, the least is granted.
    RawJson::new(value.to_string()).unwrap_or_else(|_| RawJson::refuse_all())
}

/// A closed schema; where it could not be closed, one that accepts nothing.
pub(super) fn schema(closed: Option<&Value>) -> RawJson {
    closed.map_or_else(RawJson::refuse_all, raw)
}

/// A node of YAML or JSON as it reads in JSON.
pub(crate) fn plain(node: &Node) -> Value {
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Bool(value) => Value::Bool(*value),
        Kind::Number(written) => number(written),
        Kind::Text(text, _) => Value::String(text.clone()),
        Kind::List(items) => Value::Array(items.iter().map(|item| plain(item)).collect()),
        Kind::Map(entries) => {
            let mut map = Map::new();
            for entry in entries {
                map.insert(entry.key.value.clone(), plain(&entry.value));
            }
            Value::Object(map)
        }
    }
}

/// A number as it is written. One that JSON does not keep exactly is a finding; it stays what it says, never another value.
fn number(written: &str) -> Value {
    let exact = policy_schema::number(written).ok();
    let kept = exact.or_else(|| serde_json::from_str(written).ok());
    kept.map_or_else(|| Value::String(written.to_owned()), Value::Number)
}

/// `run`: each field with its closed schema.
pub(super) fn run_fields(cx: &Cx<'_>) -> BTreeMap<String, RawJson> {
    super::values::map(&cx.model.run, |field| {
        schema(cx.policy.readings.run_field(field).and_then(|reading| reading.closed.as_ref()))
    })
}

/// `only`: each input with the schemas of all its mentions, as one.
pub(super) fn only(
    readings: &Readings,
    stated: &BTreeMap<&str, Vec<&Def<SchemaText>>>,
) -> BTreeMap<String, RawJson> {
    stated
        .iter()
        .map(|(input, mentions)| {
            let mut schemas: Vec<Option<&Value>> = Vec::new();
            for mention in mentions {
                let schema = readings.narrowing(mention).and_then(|reading| reading.closed.as_ref());
                if !schemas.contains(&schema) {
                    schemas.push(schema);
                }
            }
            ((*input).to_owned(), together(schemas))
        })
        .collect()
}

/// One schema stands as it is; several stand in an `allOf`, in the order of their mentions.
fn together(schemas: Vec<Option<&Value>>) -> RawJson {
    let Some(mut all) = schemas.into_iter().collect::<Option<Vec<&Value>>>() else {
        return RawJson::refuse_all();
    };
    match all.pop() {
        None => RawJson::refuse_all(),
        Some(only) if all.is_empty() => raw(only),
        Some(last) => {
            all.push(last);
            let mut map = Map::new();
            map.insert("allOf".to_owned(), Value::Array(all.into_iter().cloned().collect()));
            raw(&Value::Object(map))
        }
    }
}
