//! Values made from a schema, right ones and nearly right ones, and schemas read from plain JSON.

#![cfg(test)]

use std::sync::Arc;

use harnessc::policy::schema::{Origin, Purpose, Reading, Shorts, read};
use harnessc::source::{FileId, Sources, Span, Spanned};
use harnessc::syntax::{Entry, Kind, Node, Style};
use serde_json::{Map, Value, json};

/// A small generator of numbers, the same everywhere.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'v, T>(&mut self, from: &'v [T]) -> Option<&'v T> {
        from.get(self.below(from.len()))
    }
}

/// Reads a schema given as a plain value; its places mean nothing.
pub(crate) fn reading(schema: &Value, origin: Origin, purpose: Purpose) -> Reading {
    let file = Sources::default().add("schema.json", "");
    read(&node(file, schema), origin, purpose, &Shorts::none())
}

fn node(file: FileId, value: &Value) -> Arc<Node> {
    let kind = match value {
        Value::Null => Kind::Null,
        Value::Bool(value) => Kind::Bool(*value),
        Value::Number(number) => Kind::Number(number.to_string()),
        Value::String(text) => Kind::Text(text.clone(), Style::Quoted),
        Value::Array(items) => Kind::List(items.iter().map(|item| node(file, item)).collect()),
        Value::Object(map) => Kind::Map(
            map.iter()
                .map(|(key, value)| Entry {
                    key: Spanned::new(key.clone(), Span::new(file, 0..0)),
                    value: node(file, value),
                    alias: None,
                })
                .collect(),
        ),
    };
    Arc::new(Node { span: Span::new(file, 0..0), kind })
}

/// The validator of a closed form, as it is enforced: formats are checked.
pub(crate) fn enforced(closed: &Value) -> jsonschema::Validator {
    jsonschema::options()
        .should_validate_formats(true)
        .build(closed)
        .unwrap_or_else(|error| panic!("{error}: {closed}"))
}

/// A value that `schema` is likely to accept.
pub(crate) fn instance(schema: &Value, root: &Value, dice: &mut Dice, depth: usize) -> Value {
    let Some(map) = schema.as_object() else { return json!(1) };
    if depth == 0 {
        return Value::Null;
    }
    if let Some(values) = map.get("enum").and_then(Value::as_array) {
        return dice.pick(values).cloned().unwrap_or(Value::Null);
    }
    if let Some(value) = map.get("const") {
        return value.clone();
    }
    let mut value = plain(map, root, dice, depth);
    if let Some(target) =
        map.get("$ref").and_then(Value::as_str).and_then(|text| root.pointer(text.get(1..)?))
    {
        merge(&mut value, instance(target, root, dice, depth - 1));
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(branch) = map.get(keyword).and_then(Value::as_array).and_then(|list| dice.pick(list)) {
            merge(&mut value, instance(branch, root, dice, depth - 1));
        }
    }
    for branch in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        merge(&mut value, instance(branch, root, dice, depth - 1));
    }
    if let Some(then) = map.get("then") {
        merge(&mut value, instance(then, root, dice, depth - 1));
    }
    value
}

/// Objects are joined; anything else is replaced where the new value says more.
fn merge(value: &mut Value, other: Value) {
    match (value, other) {
        (Value::Object(a), Value::Object(b)) => a.extend(b),
        (value, other) if !other.is_null() && (value.is_null() || !other.is_object()) => *value = other,
        _ => {}
    }
}

fn plain(map: &Map<String, Value>, root: &Value, dice: &mut Dice, depth: usize) -> Value {
    let word = match map.get("type") {
        Some(Value::String(word)) => word.clone(),
        Some(Value::Array(words)) => dice.pick(words).and_then(Value::as_str).unwrap_or("null").to_owned(),
        _ if map.contains_key("properties") || map.contains_key("required") => "object".to_owned(),
        _ if map.contains_key("items") => "array".to_owned(),
        _ if map.contains_key("$ref") || map.contains_key("anyOf") || map.contains_key("oneOf") => {
            return Value::Null;
        }
        _ => (*dice.pick(&["string", "object", "array", "integer"]).unwrap()).to_owned(),
    };
    match word.as_str() {
        "object" => Value::Object(object(map, root, dice, depth)),
        "array" => {
            let least = number(map, "minItems").unwrap_or(0.0) as usize;
            let item = map.get("items").filter(|items| !items.is_array());
            let count = if item.is_some() { least + dice.below(3) } else { least };
            Value::Array(
                (0..count).map(|_| instance(item.unwrap_or(&json!({})), root, dice, depth - 1)).collect(),
            )
        }
        "string" => text(map, dice),
        "boolean" => json!(dice.one_in(2)),
        "integer" | "number" => {
            let low = number(map, "minimum").or_else(|| number(map, "exclusiveMinimum").map(|n| n + 1.0));
            let high = number(map, "maximum").or_else(|| number(map, "exclusiveMaximum").map(|n| n - 1.0));
            json!(low.or(high).unwrap_or(dice.below(9) as f64) as i64)
        }
        _ => Value::Null,
    }
}

fn object(map: &Map<String, Value>, root: &Value, dice: &mut Dice, depth: usize) -> Map<String, Value> {
    let required: Vec<&str> = map
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut found = Map::new();
    for (name, schema) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if required.contains(&name.as_str()) || dice.one_in(2) {
            found.insert(name.clone(), instance(schema, root, dice, depth - 1));
        }
    }
    for name in required {
        found.entry(name.to_owned()).or_insert_with(|| json!("x"));
    }
    found
}

fn text(map: &Map<String, Value>, dice: &mut Dice) -> Value {
    if let Some(pattern) = map.get("pattern").and_then(Value::as_str) {
        let tries = ["a", "ab", "A-1", "GD", "AS12", "a=b", "1", ""];
        let right =
            regex::Regex::new(pattern).ok().and_then(|regex| tries.iter().find(|text| regex.is_match(text)));
        return json!(right.unwrap_or(&"a"));
    }
    let least = number(map, "minLength").unwrap_or(0.0) as usize;
    let most = number(map, "maxLength").unwrap_or(6.0) as usize;
    json!("a".repeat((least + dice.below(3)).min(most.max(least))))
}

fn number(map: &Map<String, Value>, keyword: &str) -> Option<f64> {
    map.get(keyword).and_then(Value::as_f64)
}

/// Changes one place of a value.
pub(crate) fn mutate(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Object(map) if !map.is_empty() && !dice.one_in(3) => {
            let key = map.keys().nth(dice.below(map.len())).cloned().unwrap();
            if dice.one_in(5) {
                map.remove(&key);
            } else {
                mutate(map.get_mut(&key).unwrap(), dice);
            }
        }
        Value::Object(map) => {
            let key = *dice.pick(&["zz", "a", "b", "c", "text", "kind"]).unwrap();
            map.insert(key.to_owned(), odd(dice));
        }
        Value::Array(items) if !items.is_empty() && !dice.one_in(3) => {
            let index = dice.below(items.len());
            mutate(&mut items[index], dice);
        }
        Value::Array(items) => items.push(odd(dice)),
        other => *other = odd(dice),
    }
}

fn odd(dice: &mut Dice) -> Value {
    match dice.below(11) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(1_000_000),
        4 => json!(0.5),
        5 => json!(""),
        6 => json!("a".repeat(301)),
        7 => json!("a".repeat(4001)),
        8 => json!([{ "zz": 1 }]),
        9 => json!({ "zz": { "zz": 1 } }),
        _ => json!({ "a": 1, "kind": "a" }),
    }
}
