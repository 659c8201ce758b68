//! Values made from schemas: one that a schema is likely to accept, and many that lie at the bounds in which two schemas
//! differ. Nothing here is believed: whoever uses a value asks a validator.

use std::cell::Cell;
use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::pattern;

/// Schemas within schemas that are looked at.
const MAX_DEPTH: usize = 8;
/// Values kept for one place.
const MAX_VALUES: usize = 160;
/// The longest text or list that is made.
const MAX_LENGTH: u64 = 70_000;
/// A larger whole value is of no use to a person, in bytes as [`size`] counts.
const MAX_WHOLE: usize = 256 << 10;
/// All values of one search together, in bytes, as [`size`] counts: a few bounds in a schema ask for more than a machine holds.
const MAX_MADE: usize = 32 << 20;
/// What a value takes beside its text, in bytes.
const VALUE: usize = 16;
/// What making one value or looking around at one place counts for, whatever comes of it.
const STEP: usize = 64;

/// What may still be made. What finds no room is not made, and a search that finds nothing tells nothing.
struct Room(Cell<usize>);

impl Room {
    fn of(bytes: usize) -> Self {
        Self(Cell::new(bytes))
    }

    /// Takes room for so many bytes, or says that there is none.
    fn takes(&self, bytes: usize) -> bool {
        let left = self.0.get().checked_sub(bytes);
        left.inspect(|left| self.0.set(*left)).is_some()
    }
}

/// About what a value takes, in bytes.
fn size(value: &Value) -> usize {
    let inner = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + size(value)).sum(),
        _ => 0,
    };
    inner.saturating_add(VALUE)
}

/// All that schemas say of one value together: `$ref`, `allOf` and the branches taken are laid over each other.
#[derive(Clone, Debug, Default)]
struct Facets<'s> {
    types: Vec<&'s str>,
    lists: Vec<Vec<&'s Value>>,
    properties: Vec<(&'s str, &'s Value)>,
    required: BTreeSet<&'s str>,
    items: Vec<&'s Value>,
    extra: Option<&'s Value>,
    patterns: Vec<&'s str>,
    format: Option<&'s str>,
    numbers: Vec<(&'s str, &'s Value)>,
    branches: Vec<&'s Vec<Value>>,
}

impl<'s> Facets<'s> {
    fn of(root: &'s Value, places: &[&'s Value]) -> Self {
        let mut facets = Self::default();
        places.iter().for_each(|place| facets.take(root, place, MAX_DEPTH));
        facets
    }

    fn take(&mut self, root: &'s Value, place: &'s Value, depth: usize) {
        let (Some(map), true) = (place.as_object(), depth > 0) else { return };
        for (keyword, stated) in map {
            let list = || stated.as_array().into_iter().flatten();
            match keyword.as_str() {
                "$ref" => {
                    let target = stated.as_str().and_then(|name| root.pointer(name.strip_prefix('#')?));
                    target.into_iter().for_each(|target| self.take(root, target, depth - 1));
                }
                "allOf" => list().for_each(|branch| self.take(root, branch, depth - 1)),
                "anyOf" | "oneOf" => self.branches.extend(stated.as_array()),
                "type" => {
                    let words = stated.as_array().map_or(std::slice::from_ref(stated), Vec::as_slice);
                    self.types.extend(words.iter().filter_map(Value::as_str));
                }
                "enum" => self.lists.push(list().collect()),
                "const" => self.lists.push(vec![stated]),
                "properties" => {
                    let all = stated.as_object().into_iter().flatten();
                    self.properties.extend(all.map(|(name, schema)| (name.as_str(), schema)));
                }
                "required" => self.required.extend(list().filter_map(Value::as_str)),
                "items" => self.items.push(stated),
                "additionalProperties" => self.extra = Some(stated),
                "pattern" => self.patterns.extend(stated.as_str()),
                "format" => self.format = stated.as_str(),
                _ if stated.is_number() => self.numbers.push((keyword, stated)),
                _ => {}
            }
        }
    }

    /// The smallest or largest number stated under a keyword.
    fn bounds(&self, keywords: &[&str]) -> Vec<f64> {
        let stated = self.numbers.iter().filter(|(keyword, _)| keywords.contains(keyword));
        stated.filter_map(|(_, value)| value.as_f64()).collect()
    }

    fn least(&self, keyword: &str) -> Option<f64> {
        self.bounds(&[keyword]).into_iter().reduce(f64::max)
    }

    fn most(&self, keyword: &str) -> Option<f64> {
        self.bounds(&[keyword]).into_iter().reduce(f64::min)
    }

    /// The values that every list holds.
    fn listed(&self) -> Option<Vec<&'s Value>> {
        let (first, others) = self.lists.split_first()?;
        let in_all = |value: &&&Value| others.iter().all(|list| list.contains(*value));
        Some(first.iter().filter(in_all).copied().collect())
    }

    fn property(&self, name: &str) -> Vec<&'s Value> {
        self.properties.iter().filter(|(own, _)| *own == name).map(|(_, schema)| *schema).collect()
    }

    fn names(&self) -> BTreeSet<&'s str> {
        self.properties.iter().map(|(name, _)| *name).chain(self.required.iter().copied()).collect()
    }
}

/// A value that `schema` is likely to accept, as small as its demands leave it.
pub(super) fn sample(schema: &Value) -> Value {
    made(&Room::of(MAX_WHOLE), schema, &[schema], MAX_DEPTH)
}

fn made(room: &Room, root: &Value, places: &[&Value], depth: usize) -> Value {
    if !room.takes(STEP) || depth == 0 {
        return Value::Null;
    }
    let mut facets = Facets::of(root, places);
    for branch in std::mem::take(&mut facets.branches) {
        branch.first().into_iter().for_each(|first| facets.take(root, first, depth));
    }
    if let Some(value) = facets.listed().and_then(|values| values.first().copied()) {
        return if room.takes(size(value)) { value.clone() } else { Value::Null };
    }
    match facets.types.first().copied().unwrap_or("string") {
        "object" => object(room, root, &facets, depth),
        "array" => {
            let least = facets.least("minItems").map_or(0, as_size).min(64);
            Value::Array((0..least).map(|_| made(room, root, &facets.items, depth - 1)).collect())
        }
        "integer" | "number" => number(&facets),
        "boolean" => json!(false),
        "null" => Value::Null,
        _ => text(&facets).filter(|text| room.takes(text.len())).map_or(Value::Null, Value::String),
    }
}

fn object(room: &Room, root: &Value, facets: &Facets<'_>, depth: usize) -> Value {
    let required = facets.required.iter().filter(|name| room.takes(name.len()));
    let members =
        required.map(|name| ((*name).to_owned(), made(room, root, &facets.property(name), depth - 1)));
    Value::Object(members.collect())
}

fn number(facets: &Facets<'_>) -> Value {
    let at_least = facets.least("minimum").or_else(|| facets.least("exclusiveMinimum").map(|n| n + 1.0));
    let at_most = facets.most("maximum").or_else(|| facets.most("exclusiveMaximum").map(|n| n - 1.0));
    as_number(at_least.unwrap_or_else(|| at_most.map_or(0.0, |most| most.min(0.0))))
}

fn text(facets: &Facets<'_>) -> Option<String> {
    if let Some(format) = facets.format.and_then(formatted) {
        return Some(format.to_owned());
    }
    let least = facets.least("minLength").map_or(0, as_size);
    if least > MAX_LENGTH {
        return None;
    }
    match facets.patterns.first() {
        Some(first) => {
            let texts = pattern::texts(first, least);
            texts.into_iter().find(|text| text.chars().count() as u64 >= least)
        }
        None => Some("a".repeat(usize::try_from(least).unwrap_or(0))),
    }
}

fn formatted(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => "2026-01-31T00:00:00Z",
        "date" => "2026-01-31",
        "time" => "00:00:00Z",
        "email" => "a@example.org",
        "uuid" => "00000000-0000-4000-8000-000000000000",
        "uri" => "https://example.org/",
        _ => return None,
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a bound is clamped before")]
fn as_size(bound: f64) -> u64 {
    bound.clamp(0.0, 1e9).ceil() as u64
}

/// A whole number without a fraction, as validators and people read it.
fn as_number(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked before")]
    if value.fract() == 0.0 && value.abs() < 9.0e15 {
        return json!(value as i64);
    }
    json!(value)
}

/// Values at and around the bounds of both schemas, whole values of `wanted` among them: where they differ, one of these
/// is likely to show it. Where they do not differ nothing is varied, so that what does has the room.
pub(super) fn candidates(wanted: &Value, other: &Value) -> Vec<Value> {
    let room = Room::of(MAX_MADE);
    let mut values = vec![sample(wanted)];
    values.extend(around(&room, wanted, &[wanted], other, &[other], MAX_DEPTH));
    values.retain(|value| size(value) <= MAX_WHOLE);
    values
}

fn around(
    room: &Room,
    root: &Value,
    own: &[&Value],
    other_root: &Value,
    other: &[&Value],
    depth: usize,
) -> Vec<Value> {
    let is_whole = depth == MAX_DEPTH;
    if !room.takes(STEP)
        || depth == 0
        || !is_whole && own == other && root.get("$defs") == other_root.get("$defs")
    {
        return Vec::new();
    }
    let (a, b) = (Facets::of(root, own), Facets::of(other_root, other));
    let listed = a.lists.iter().chain(&b.lists).flatten();
    let fitting = listed.filter(|value| room.takes(size(value)));
    let mut values: Vec<Value> = fitting.map(|value| (*value).clone()).collect();
    let types: BTreeSet<&str> = a.types.iter().chain(&b.types).copied().collect();
    for word in types {
        match word {
            "string" => values.extend(texts(room, &a, &b).into_iter().map(Value::String)),
            "integer" | "number" => values.extend(numbers(&a, &b)),
            "boolean" => values.extend([json!(true), json!(false)]),
            "null" => values.push(Value::Null),
            "array" => values.extend(arrays(room, root, &a, other_root, &b, depth)),
            "object" => values.extend(objects(room, root, own, &a, other_root, &b, depth)),
            _ => {}
        }
    }
    for branch in a.branches.iter().copied().flatten() {
        values.push(made(room, root, &[branch], depth - 1));
        values.extend(around(room, root, &[branch], other_root, other, depth - 1));
    }
    for branch in b.branches.iter().copied().flatten() {
        values.push(made(room, other_root, &[branch], depth - 1));
        values.extend(around(room, root, own, other_root, &[branch], depth.saturating_sub(2)));
    }
    values.truncate(MAX_VALUES);
    values
}

fn texts(room: &Room, a: &Facets<'_>, b: &Facets<'_>) -> Vec<String> {
    let mut lengths: BTreeSet<u64> = BTreeSet::from([0, 1, 2]);
    for facets in [a, b] {
        for bound in facets.bounds(&["minLength", "maxLength"]).into_iter().map(as_size) {
            lengths.extend([bound.saturating_sub(1), bound, bound + 1]);
        }
    }
    lengths.retain(|length| *length <= MAX_LENGTH);
    let patterns: Vec<&&str> = a.patterns.iter().chain(&b.patterns).collect();
    // Paid for before it is written, whatever comes of it.
    let matching = |pattern: &str, length: u64| {
        let takes = usize::try_from(length).map_or(usize::MAX, |length| STEP.saturating_add(length));
        if room.takes(takes) { pattern::texts(pattern, length) } else { Vec::new() }
    };
    let mut found = Vec::new();
    for length in lengths {
        let plain = usize::try_from(length).ok().filter(|length| room.takes(VALUE + length));
        found.extend(plain.map(|length| "a".repeat(length)));
        let texts = patterns.iter().flat_map(|pattern| matching(pattern, length));
        found.extend(texts.filter(|text| room.takes(VALUE + text.len())));
    }
    // What only searches for its pattern accepts more around it.
    let around = patterns.iter().flat_map(|pattern| matching(pattern, 1));
    let around = around.filter(|text| room.takes(3 * (VALUE + text.len())));
    found.extend(
        around
            .flat_map(|text| [format!(" {text}"), format!("{text} "), format!("{text}\n")])
            .collect::<Vec<_>>(),
    );
    found.extend(["A", "0", "-", " ", "é", "no such value"].map(str::to_owned));
    found.extend([a.format, b.format].into_iter().flatten().filter_map(formatted).map(str::to_owned));
    found
}

fn numbers(a: &Facets<'_>, b: &Facets<'_>) -> Vec<Value> {
    const BOUNDS: [&str; 5] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
    let mut values = vec![0.0, 1.0, -1.0, 0.5];
    for bound in [a, b].into_iter().flat_map(|facets| facets.bounds(&BOUNDS)) {
        values.extend([bound, bound - 1.0, bound + 1.0, bound - 0.5, bound + 0.5, bound * 2.0]);
    }
    for step in
        [a, b].into_iter().flat_map(|facets| facets.bounds(&["multipleOf"])).filter(|step| *step > 0.0)
    {
        for bound in [a, b].into_iter().flat_map(|facets| facets.bounds(&["minimum", "exclusiveMinimum"])) {
            let first = (bound / step).ceil() * step;
            values.extend([first, first + step]);
        }
    }
    values.into_iter().map(as_number).collect()
}

fn arrays(
    room: &Room,
    root: &Value,
    a: &Facets<'_>,
    other_root: &Value,
    b: &Facets<'_>,
    depth: usize,
) -> Vec<Value> {
    let items = around(room, root, &a.items, other_root, &b.items, depth - 1);
    let usual = made(room, root, &a.items, depth - 1);
    let least = a.least("minItems").map_or(0, as_size).min(64);
    let mut lengths: BTreeSet<u64> = BTreeSet::from([0, 1, 2]);
    for bound in [a, b].into_iter().flat_map(|facets| facets.bounds(&["minItems", "maxItems"])) {
        lengths.extend([as_size(bound).saturating_sub(1), as_size(bound), as_size(bound) + 1]);
    }
    // Different items first, for lists whose items differ; the usual one repeated, for those whose items may not.
    let (one, different) = (size(&usual), items.iter().map(size).sum::<usize>());
    let list = |length: u64| {
        let length = usize::try_from(length.min(2_000)).unwrap_or(0);
        let alike = one.saturating_mul(length);
        let repeated = || Value::Array(vec![usual.clone(); length]);
        let mixed =
            || Value::Array(items.iter().chain(std::iter::repeat(&usual)).take(length).cloned().collect());
        let made = [
            room.takes(VALUE.saturating_add(alike)).then(repeated),
            room.takes(VALUE.saturating_add(alike).saturating_add(different)).then(mixed),
        ];
        made.into_iter().flatten()
    };
    let mut values: Vec<Value> = lengths.into_iter().flat_map(list).collect();
    let filled = usize::try_from(least.saturating_sub(1)).unwrap_or(0);
    let fitting = items.iter().filter(|item| room.takes(VALUE + size(item) + one.saturating_mul(filled)));
    values.extend(fitting.map(|item| {
        Value::Array(std::iter::once(item.clone()).chain(vec![usual.clone(); filled]).collect())
    }));
    values
}

fn objects(
    room: &Room,
    root: &Value,
    own: &[&Value],
    a: &Facets<'_>,
    other_root: &Value,
    b: &Facets<'_>,
    depth: usize,
) -> Vec<Value> {
    let base = match made(room, root, own, depth) {
        Value::Object(map) => map,
        _ => Map::new(),
    };
    let names: BTreeSet<&str> = a.names().into_iter().chain(b.names()).collect();
    let mut whole = base.clone();
    for name in &names {
        whole.entry(*name).or_insert_with(|| made(room, root, &a.property(name), depth - 1));
    }
    let mut values = vec![Value::Object(base.clone()), Value::Object(whole)];
    let plain = base.iter().map(|(key, value)| key.len() + size(value)).sum::<usize>();
    let with = |name: &str, value: Value| {
        let takes = VALUE.saturating_add(plain).saturating_add(name.len()).saturating_add(size(&value));
        room.takes(takes).then(|| {
            let mut map = base.clone();
            map.insert(name.to_owned(), value);
            Value::Object(map)
        })
    };
    for name in &names {
        // What is beyond these is not kept.
        if values.len() >= MAX_VALUES {
            break;
        }
        if room.takes(VALUE.saturating_add(plain)) {
            let mut without = base.clone();
            without.shift_remove(*name);
            values.push(Value::Object(without));
        }
        values.extend(with(name, made(room, root, &a.property(name), depth - 1)));
        let inner = around(room, root, &a.property(name), other_root, &b.property(name), depth - 1);
        values.extend(inner.into_iter().filter_map(|value| with(name, value)));
    }
    let extra = a.extra.map_or(json!("a"), |extra| made(room, root, &[extra], depth - 1));
    values.extend(with("x", extra));
    values
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{MAX_MADE, MAX_WHOLE, candidates, sample, size};

    /// So many required properties of one schema.
    fn wide(count: usize, one: &Value) -> Value {
        let names: Vec<String> = (0..count).map(|at| format!("p{at}")).collect();
        let all: Map<String, Value> = names.iter().map(|name| (name.clone(), one.clone())).collect();
        json!({"type": "object", "required": names, "properties": all, "unevaluatedProperties": false})
    }

    #[test]
    fn no_schema_makes_more_than_there_is_room_for() {
        let text = |least: u64| json!({"type": "string", "minLength": least, "maxLength": 95_000_000});
        let list = |least: u64| json!({"type": "array", "minItems": least, "maxItems": 2_000_000, "items": text(60_000)});
        let mut deep = json!({"type": "string", "maxLength": 9});
        for _ in 0..7 {
            deep = json!({"type": "array", "minItems": 64, "maxItems": 64, "items": deep});
        }
        let patterns: Vec<Value> =
            (0..500).map(|at| json!({"pattern": format!("^[a-z]{{{},}}$", 1_000 + at)})).collect();
        let patterned = |more: u64| json!({"type": "string", "minLength": 60_000, "maxLength": 60_000 + more, "allOf": patterns});
        for (before, after) in [
            (wide(100, &text(90_000_000)), wide(100, &text(90_000_001))),
            (wide(100, &text(60_000)), wide(100, &text(60_001))),
            (wide(50, &list(1_000_000)), wide(50, &list(1_000_001))),
            (wide(20, &list(1_900)), wide(20, &list(1_901))),
            (wide(20, &deep), wide(21, &deep)),
            (wide(3, &patterned(1)), wide(3, &patterned(2))),
        ] {
            assert!(size(&sample(&after)) <= 2 * MAX_WHOLE);
            let made = candidates(&before, &after);
            assert!(made.iter().all(|value| size(value) <= MAX_WHOLE));
            assert!(made.iter().map(size).sum::<usize>() <= MAX_MADE);
        }
    }

    #[test]
    fn what_has_room_is_made_whole() {
        let schema = wide(3, &json!({"type": "string", "minLength": 30_000, "maxLength": 60_000}));
        assert!(super::super::schema::validator(&schema).unwrap().is_valid(&sample(&schema)));
    }
}
