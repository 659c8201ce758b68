//! Values that a schema is likely to accept: the least of them, and all that it has room for.
//!
//! What is made here is a guess and never believed: whoever asks for it puts it to a validator.

use std::cell::Cell;

use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Map, Number, Value};

/// How deep a value is made.
const DEPTH: usize = 12;

/// One value takes no more than this, in bytes as [`size`] counts: bounds of a schema ask for more than a machine holds, and no test
/// is that long.
pub(super) const MOST: usize = 64 << 10;

/// What a value takes beside its text, in bytes.
const VALUE: usize = 8;

/// About what a value takes, in bytes.
pub(super) fn size(value: &Value) -> usize {
    let inner = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + size(value)).sum(),
        _ => 0,
    };
    inner.saturating_add(VALUE)
}

/// How a value is made.
pub(super) struct Make<'s> {
    root: &'s Value,
    /// Whether optional properties are given too.
    full: bool,
    /// Which of several values that must differ.
    nth: usize,
    /// What may still be made, in bytes. What finds no room is left out, and the validator refuses the rest.
    room: Cell<usize>,
}

impl<'s> Make<'s> {
    pub(super) fn new(root: &'s Value, full: bool) -> Self {
        Self { root, full, nth: 0, room: Cell::new(MOST) }
    }

    /// As [`Make::new`], the `nth` of several values that differ where the schema leaves that.
    pub(super) fn nth(root: &'s Value, nth: usize) -> Self {
        Self { nth, ..Self::new(root, false) }
    }

    /// A value of the whole schema.
    pub(super) fn value(self) -> Value {
        self.of(self.root, self.nth, DEPTH)
    }

    /// Takes room for so many bytes, or says that there is none.
    fn takes(&self, bytes: usize) -> bool {
        let left = self.room.get().checked_sub(bytes);
        left.inspect(|left| self.room.set(*left)).is_some()
    }

    /// A value of one schema; `nth` tells apart those that must differ.
    fn of(&self, schema: &Value, nth: usize, depth: usize) -> Value {
        let Some(map) = schema.as_object().filter(|_| self.takes(VALUE) && depth > 0) else {
            return Value::Null;
        };
        let listed = map.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty());
        let listed = listed.and_then(|values| values.get(nth % values.len()));
        if let Some(value) = map.get("const").or(listed) {
            return if self.takes(size(value)) { value.clone() } else { Value::Null };
        }
        let mut value = self.plain(map, nth, depth);
        let target =
            map.get("$ref").and_then(Value::as_str).and_then(|text| self.root.pointer(text.get(1..)?));
        let list = |keyword: &str| map.get(keyword).and_then(Value::as_array);
        let first = |keyword: &str| list(keyword).and_then(|branches| branches.first());
        for branch in target
            .into_iter()
            .chain(first("anyOf"))
            .chain(first("oneOf"))
            .chain(list("allOf").into_iter().flatten())
        {
            merge(&mut value, self.of(branch, nth, depth - 1));
        }
        value
    }

    fn plain(&self, map: &Map<String, Value>, nth: usize, depth: usize) -> Value {
        let word = match map.get("type") {
            Some(Value::String(word)) => word.as_str(),
            Some(Value::Array(words)) => words.first().and_then(Value::as_str).unwrap_or("null"),
            _ if map.contains_key("properties") => "object",
            _ if map.contains_key("items") => "array",
            _ => "null",
        };
        match word {
            "object" => Value::Object(self.object(map, nth, depth)),
            "array" => self.array(map, nth, depth),
            "string" => {
                text(map, nth).filter(|text| self.takes(text.len())).map_or(Value::Null, Value::String)
            }
            "boolean" => Value::Bool(nth.is_multiple_of(2)),
            "integer" | "number" => number(map, nth),
            _ => Value::Null,
        }
    }

    fn object(&self, map: &Map<String, Value>, nth: usize, depth: usize) -> Map<String, Value> {
        let required: Vec<&str> = map
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let properties = map.get("properties").and_then(Value::as_object).into_iter().flatten();
        properties
            .filter(|(name, _)| self.full || required.contains(&name.as_str()))
            .filter(|(name, _)| self.takes(name.len()))
            .map(|(name, schema)| (name.clone(), self.of(schema, nth, depth - 1)))
            .collect()
    }

    fn array(&self, map: &Map<String, Value>, nth: usize, depth: usize) -> Value {
        let least = bound(map, "minItems").unwrap_or(0);
        let count = least.max(usize::from(self.full));
        let items = map.get("items").unwrap_or(&Value::Null);
        if count.saturating_mul(VALUE) > self.room.get() {
            return Value::Null;
        }
        Value::Array((0..count).map(|place| self.of(items, nth + place, depth - 1)).collect())
    }
}

/// Objects are joined; anything else is replaced where the new value says more.
fn merge(value: &mut Value, other: Value) {
    match (value, other) {
        (Value::Object(a), Value::Object(b)) => a.extend(b),
        (value, other) if !other.is_null() => *value = other,
        _ => {}
    }
}

fn bound(map: &Map<String, Value>, keyword: &str) -> Option<usize> {
    map.get(keyword).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok())
}

fn number(map: &Map<String, Value>, nth: usize) -> Value {
    let of = |keyword: &str| map.get(keyword).and_then(Value::as_f64);
    let whole = map.get("type").and_then(Value::as_str) == Some("integer");
    let low = of("minimum").or(of("exclusiveMinimum"));
    let high = of("maximum").or(of("exclusiveMaximum"));
    let fits = |value: f64| {
        of("minimum").is_none_or(|bound| value >= bound)
            && of("exclusiveMinimum").is_none_or(|bound| value > bound)
            && of("maximum").is_none_or(|bound| value <= bound)
            && of("exclusiveMaximum").is_none_or(|bound| value < bound)
    };
    let middle = low.zip(high).map(|(low, high)| f64::midpoint(low, high));
    let step = nth as f64;
    let candidates = [
        low.map(|low| low + step),
        low.map(|low| low + 1.0 + step),
        middle,
        Some(1.0 + step),
        high,
        Some(0.0),
    ];
    let found = candidates
        .into_iter()
        .flatten()
        .map(|value| if whole { value.floor() } else { value })
        .find(|value| fits(*value));
    written(found.unwrap_or(1.0))
}

/// A number without a fraction where it has none.
pub(super) fn written(value: f64) -> Value {
    let whole = value.fract() == 0.0 && value.abs() < 9e15;
    let text = if whole { format!("{value:.0}") } else { format!("{value}") };
    text.parse::<Number>().map_or(Value::Null, Value::Number)
}

fn text(map: &Map<String, Value>, nth: usize) -> Option<String> {
    let least = bound(map, "minLength").unwrap_or(0);
    if least > MOST {
        return None;
    }
    if let Some(pattern) = map.get("pattern").and_then(Value::as_str) {
        let made = (0..=least.min(64)).filter_map(|extra| matching(pattern, nth, extra));
        let mut made = made.filter(|text| text.chars().count() >= least);
        return Some(made.next().unwrap_or_default());
    }
    let formatted = match map.get("format").and_then(Value::as_str) {
        Some("date") => Some(format!("2026-01-{:02}", nth % 28 + 1)),
        Some("date-time") => Some(format!("2026-01-{:02}T10:00:00Z", nth % 28 + 1)),
        Some("time") => Some(format!("10:{:02}:00Z", nth % 60)),
        Some("email") => Some(format!("person{nth}@example.org")),
        Some("uuid") => Some(format!("123e4567-e89b-42d3-a456-{nth:012}")),
        Some("uri") => Some(format!("https://example.org/{nth}")),
        _ => None,
    };
    let letter = char::from(b'a' + u8::try_from(nth % 26).unwrap_or(0));
    Some(formatted.unwrap_or_else(|| letter.to_string().repeat(least.max(1))))
}

/// A text that a pattern matches: each repetition as short as it may be, and `extra` longer.
fn matching(pattern: &str, nth: usize, extra: usize) -> Option<String> {
    let hir = regex_syntax::parse(pattern).ok()?;
    let mut text = String::new();
    push(&hir, nth, extra, &mut text)?;
    Some(text)
}

fn push(hir: &Hir, nth: usize, extra: usize, text: &mut String) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => text.push(of_class(class, nth)?),
        HirKind::Capture(capture) => push(&capture.sub, nth, extra, text)?,
        HirKind::Concat(parts) => {
            for part in parts {
                push(part, nth, extra, text)?;
            }
        }
        HirKind::Alternation(branches) => push(branches.get(nth % branches.len())?, nth, extra, text)?,
        HirKind::Repetition(repetition) => {
            let more = repetition.min.saturating_add(u32::try_from(extra).ok()?);
            for _ in 0..repetition.max.map_or(more, |most| more.min(most)) {
                push(&repetition.sub, nth, extra, text)?;
                if text.len() > MOST {
                    return None;
                }
            }
        }
    }
    Some(())
}

/// A character of a class; a digit or a letter where it has one.
fn of_class(class: &Class, nth: usize) -> Option<char> {
    let Class::Unicode(class) = class else { return None };
    let plain: Vec<char> = ('0'..='9')
        .chain('A'..='Z')
        .chain('a'..='z')
        .filter(|c| class.iter().any(|range| range.start() <= *c && *c <= range.end()))
        .collect();
    let plain_one = plain.get((nth + 1) % plain.len().max(1)).copied();
    plain_one.or_else(|| class.iter().next().map(|range| range.start()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_made_is_accepted() {
        let schema = json!({"type": "object", "required": ["id", "kinds", "n"], "properties": {
            "id": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]+$", "minLength": 6},
            "kinds": {"type": "array", "minItems": 2, "uniqueItems": true, "items": {"enum": ["a", "b", "c"]}},
            "n": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
            "day": {"type": "string", "format": "date"},
        }, "unevaluatedProperties": false});
        let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
        for full in [false, true] {
            let value = Make::new(&schema, full).value();
            assert!(validator.is_valid(&value), "{value}");
            assert_eq!(value.get("day").is_some(), full);
        }
    }

    #[test]
    fn no_schema_makes_more_than_there_is_room_for() {
        let text = json!({"type": "string", "minLength": 50_000});
        let mut deep = text.clone();
        for _ in 0..8 {
            deep = json!({"type": "array", "minItems": 100, "items": deep});
        }
        for schema in [
            json!({"type": "string", "minLength": 90_000_000}),
            json!({"type": "array", "minItems": 1_000_000, "items": {"type": "boolean"}}),
            json!({"type": "array", "minItems": 1_000, "items": text}),
            json!({"type": "string", "pattern": "^(?:[a-z]{1000}){1000}$"}),
            deep,
        ] {
            for full in [false, true] {
                let value = Make::new(&schema, full).value();
                assert!(size(&value) <= 2 * MOST, "{schema}: {}", size(&value));
            }
        }
    }
}
