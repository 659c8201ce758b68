//! A chain as text: one record a line, each in the only form that it has.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::verify::{Walk, is_readable};
use super::{Broken, Chain, Fact, Field, Head, Record, Why};
use crate::json::Json;

/// How many members a record's line has.
const MEMBERS: usize = 7;

/// Reads one record from its line, without the LF. Nothing where the line is not, byte for byte, how a record is written:
/// another order or spacing, a duplicate, unknown or missing key, a text that is no name.
#[must_use]
pub fn read_line(line: &str) -> Option<Record> {
    let json = Json::parse(line.as_bytes()).ok()?;
    let members = json.value().as_object().filter(|members| members.len() == MEMBERS)?;
    let record = Record {
        at_ms: number(members, "at_ms")?,
        event: text(members, "event")?,
        fields: fields(members.get("fields")?.as_object()?)?,
        hash: text(members, "hash")?,
        organization: text(members, "organization")?,
        prev: text(members, "prev")?,
        seq: number(members, "seq")?,
    };
    (is_readable(&record) && record.line() == line).then_some(record)
}

/// Recomputes a chain from its lines, each ended by a LF; a last line without one was cut. See [`verify`](super::verify).
///
/// # Errors
/// The first broken sequence number.
pub fn verify_lines(
    chain: Chain,
    organization: &str,
    lines: &str,
    anchored: Option<&Head>,
) -> Result<Head, Broken> {
    let mut walk = Walk::new(chain, organization, anchored);
    for line in lines.split_inclusive('\n') {
        let unreadable = Broken { seq: walk.next(), why: Why::Unreadable };
        let record = line.strip_suffix('\n').and_then(read_line).ok_or(unreadable)?;
        walk.step(&record)?;
    }
    walk.end()
}

fn fields(members: &Map<String, Value>) -> Option<BTreeMap<Field, Fact>> {
    members.iter().map(|(name, value)| Some((Field::named(name)?, fact(value)?))).collect()
}

fn fact(value: &Value) -> Option<Fact> {
    match value {
        Value::Bool(flag) => Some(Fact::Flag(*flag)),
        Value::Number(number) => number.as_u64().map(Fact::Number),
        Value::String(text) => Some(Fact::Text(text.clone())),
        Value::Array(items) => {
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<_>>().map(Fact::List)
        }
        Value::Null | Value::Object(_) => None,
    }
}

fn number(members: &Map<String, Value>, name: &str) -> Option<u64> {
    members.get(name)?.as_u64()
}

fn text(members: &Map<String, Value>, name: &str) -> Option<String> {
    members.get(name)?.as_str().map(str::to_owned)
}
