//! Values that a schema is likely to accept: the least of them, and all that it has room for.
//!
//! What is made here is a guess and never believed: whoever asks for it puts it to a validator.

use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Map, Number, Value};

/// How deep a value is made.
const DEPTH: usize = 12;

/// How a value is made.
#[derive(Clone, Copy)]
pub(super) struct Make<'s> {
    root: &'s Value,
    /// Whether optional properties are given too.
    full: bool,
}

impl<'s> Make<'s> {
    pub(super) fn new(root: &'s Value, full: bool) -> Self {
        Self { root, full }
    }

    /// A value of the whole schema.
    pub(super) fn value(self) -> Value {
        self.of(self.root, 0, DEPTH)
    }

    /// A value of one schema; `nth` tells apart those that must differ.
    fn of(self, schema: &Value, nth: usize, depth: usize) -> Value {
        let Some(map) = schema.as_object().filter(|_| depth > 0) else { return Value::Null };
        if let Some(value) = map.get("const") {
            return value.clone();
        }
        if let Some(values) = map.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty()) {
            return values.get(nth % values.len()).cloned().unwrap_or(Value::Null);
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

    fn plain(self, map: &Map<String, Value>, nth: usize, depth: usize) -> Value {
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
            "string" => Value::String(text(map, nth)),
            "boolean" => Value::Bool(nth.is_multiple_of(2)),
            "integer" | "number" => number(map, nth),
            _ => Value::Null,
        }
    }

    fn object(self, map: &Map<String, Value>, nth: usize, depth: usize) -> Map<String, Value> {
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
            .map(|(name, schema)| (name.clone(), self.of(schema, nth, depth - 1)))
            .collect()
    }

    fn array(self, map: &Map<String, Value>, nth: usize, depth: usize) -> Value {
        let least = bound(map, "minItems").unwrap_or(0);
        let count = least.max(usize::from(self.full));
        let items = map.get("items").unwrap_or(&Value::Null);
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

fn text(map: &Map<String, Value>, nth: usize) -> String {
    let least = bound(map, "minLength").unwrap_or(0);
    if let Some(pattern) = map.get("pattern").and_then(Value::as_str) {
        let made = (0..=least.min(64)).filter_map(|extra| matching(pattern, nth, extra));
        let mut made = made.filter(|text| text.chars().count() >= least);
        return made.next().unwrap_or_default();
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
    formatted.unwrap_or_else(|| letter.to_string().repeat(least.max(1)))
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
}
