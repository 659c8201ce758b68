//! A cell in a person's words, and a value of the lock as its author writes it.

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

/// A number of the lock as an author writes it.
type Told = fn(u64) -> String;

/// The lock's own fields whose number has a unit: the name, what of it an author writes, and how. No other name is one, since
/// an author may call a model `gpt_ms`.
const WITH_UNITS: [(&str, &str, Told); 14] = [
    ("above_bytes", "above", size),
    ("cached_micro_usd", "cached", money),
    ("cooldown_ms", "cooldown", time),
    ("cost_micro_usd", "cost", money),
    ("deadline_ms", "deadline", time),
    ("expires_after_ms", "expires_after", time),
    ("input_micro_usd", "input", money),
    ("max_bytes", "max_bytes", size),
    ("model_call_ms", "model_call", time),
    ("output_micro_usd", "output", money),
    ("result_bytes", "result_bytes", size),
    ("retention_ms", "retention", time),
    ("timeout_ms", "timeout", time),
    ("unsure_below_millionths", "unsure_below", |share| decimal(share, 1)),
];

/// The name of one of the lock's own fields as an author writes it: `deadline` for `deadline_ms`.
pub fn authors_name(field: &str) -> &str {
    WITH_UNITS.iter().find(|(own, ..)| *own == field).map_or(field, |(_, written, _)| written)
}

/// A value of the field `name` as an author writes it: `45s`, `0.50 USD`, `8KiB`, a mapping in one line. What is raw JSON in
/// the lock stays as it is, and so does a key that an author gave; a value under one has no `name`. Nothing where it states
/// nothing.
pub fn written(name: &str, value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(flow(name, other)),
    }
}

fn flow(name: &str, value: &Value) -> String {
    const RAW: [&str; 5] = ["input", "only", "output", "pinned", "run"];
    /// Maps whose keys are an author's.
    const BY_KEY: [&str; 7] = ["bind", "by", "criteria", "diagnoses", "forms", "scopes", "tools"];
    match value {
        Value::Number(number) => {
            let unit = WITH_UNITS.iter().find(|(own, ..)| *own == name);
            let told = unit.zip(number.as_u64()).map(|((.., told), number)| told(number));
            told.unwrap_or_else(|| number.to_string())
        }
        Value::String(text) => {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.-/:".contains(c);
            let plain = !text.is_empty() && !text.ends_with(':') && text.chars().all(is_plain);
            if plain { text.clone() } else { value.to_string() }
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| flow(name, item)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(map) if !RAW.contains(&name) => {
            let mut keys: Vec<(&String, &Value)> = map.iter().collect();
            keys.sort_by_key(|(key, _)| *key);
            let is_by_key = BY_KEY.contains(&name);
            let one = |(key, value): (&String, &Value)| match is_by_key {
                true => format!("{key}: {}", flow("", value)),
                false => format!("{}: {}", authors_name(key), flow(key, value)),
            };
            format!("{{{}}}", keys.into_iter().map(one).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// The largest unit in which it is a whole number of at least two.
fn time(ms: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(3_600_000, "h"), (60_000, "m"), (1_000, "s")];
    in_units(ms, &UNITS, 2, "ms")
}

fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    in_units(bytes, &UNITS, 1, "B")
}

fn in_units(value: u64, units: &[(u64, &str)], least: u64, smallest: &str) -> String {
    let whole = units.iter().find(|(unit, _)| value.is_multiple_of(*unit) && value / unit >= least);
    // What is one second and no more is written in seconds all the same.
    let whole = whole.or_else(|| units.last().filter(|(unit, _)| value > 0 && value.is_multiple_of(*unit)));
    whole.map_or_else(|| format!("{value}{smallest}"), |(unit, word)| format!("{}{word}", value / unit))
}

fn money(micros: u64) -> String {
    format!("{} USD", decimal(micros, 2))
}

/// Millionths as a decimal number with at least so many places.
fn decimal(millionths: u64, places: usize) -> String {
    let (whole, rest) = (millionths / 1_000_000, millionths % 1_000_000);
    let digits = format!("{rest:06}");
    let kept = digits.trim_end_matches('0').len().max(places);
    format!("{whole}.{}", digits.get(..kept).unwrap_or(&digits))
}

#[cfg(test)]
mod tests {
    use super::{WITH_UNITS, authors_name, values, written};
    use serde_json::json;

    #[test]
    fn a_value_is_written_as_in_yaml() {
        for (name, value, told) in [
            ("deadline_ms", json!(60_000), "60s"),
            ("model_call_ms", json!(1_000), "1s"),
            ("expires_after_ms", json!(259_200_000), "72h"),
            ("timeout_ms", json!(250), "250ms"),
            ("cooldown_ms", json!(120_000), "2m"),
            ("cost_micro_usd", json!(500_000), "0.50 USD"),
            ("cost_micro_usd", json!(1_250_001), "1.250001 USD"),
            ("result_bytes", json!(1_048_576), "1MiB"),
            ("max_bytes", json!(1_500), "1500B"),
            ("unsure_below_millionths", json!(500_000), "0.5"),
            ("calls", json!(3), "3"),
            (
                "model-a",
                json!({"output_micro_usd": 4_000_000, "input_micro_usd": 1}),
                "{input: 0.000001 USD, output: 4.00 USD}",
            ),
            (
                "steps",
                json!([{"key": "find", "input": {"a_ms": 1}, "title": "two words"}]),
                "[{input: {\"a_ms\":1}, key: find, title: \"two words\"}]",
            ),
            ("description", json!("two words"), "two words"),
            (
                "scopes",
                json!({"wait_ms": {"effects": ["read"], "steps": 2}}),
                "{wait_ms: {effects: [read], steps: 2}}",
            ),
            ("", json!({"bind": {"timeout_ms": "cost_ms"}}), "{bind: {timeout_ms: cost_ms}}"),
            ("by", json!({"input": {"effect": "write"}}), "{input: {effect: write}}"),
            ("gpt_ms", json!(3_000), "3000"),
        ] {
            assert_eq!(written(name, &value).as_deref(), Some(told), "{name}");
        }
        assert_eq!(written("deadline_ms", &json!(null)), None);
        assert_eq!((authors_name("deadline_ms"), authors_name("result_bytes")), ("deadline", "result_bytes"));
        assert_eq!((authors_name("gpt_ms"), authors_name("x_micro_usd")), ("gpt_ms", "x_micro_usd"));
    }

    #[test]
    fn every_field_of_the_lock_that_has_a_unit_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/src/lock");
        let mut found = std::collections::BTreeSet::new();
        for file in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let fields = text.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.split_once(':'));
            let units = ["_ms", "_usd", "_bytes", "_millionths"];
            let own = fields.map(|(name, _)| name.to_owned());
            found.extend(own.filter(|name| units.iter().any(|unit| name.ends_with(unit))));
        }
        let listed = WITH_UNITS.map(|(name, ..)| name.to_owned());
        assert_eq!(found, listed.into());
    }

    #[test]
    fn lists_of_values_are_read_out_and_other_schemas_shown() {
        assert_eq!(values(&json!({"type": "string", "enum": ["a", "b"]})), "a, b");
        assert_eq!(values(&json!({"allOf": [{"enum": ["a", 1]}, {"const": true}]})), "a, 1 and true");
        assert_eq!(values(&json!({"maxLength": 3})), "{\"maxLength\":3}");
    }
}
