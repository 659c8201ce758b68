//! An input that one schema accepts and another refuses, searched for and checked; nothing where none was found.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::instance::{MOST, Make, size, written};
use crate::trial::Schemas;

/// So many values are put to the validators.
const TRIED: usize = 6_000;
/// And so many bytes of them.
const TRIED_BYTES: usize = 16 << 20;

/// An input that `strict` refuses and `loose` accepts. Both are texts of schemas.
pub(super) fn between(schemas: &Schemas, strict: &str, loose: &str) -> Option<Value> {
    let (strict_takes, loose_takes) = (schemas.asker(strict)?, schemas.asker(loose)?);
    let parsed: [Value; 2] = [serde_json::from_str(strict).ok()?, serde_json::from_str(loose).ok()?];
    let tweaks = Tweaks::of(&parsed);
    let (mut left, mut bytes) = (TRIED, TRIED_BYTES);
    for schema in &parsed {
        for full in [true, false] {
            let start = Make::new(schema, full).value();
            let mut found = None;
            let mut see = |value: &Value| {
                left = left.saturating_sub(1);
                bytes = bytes.saturating_sub(size(value));
                if bytes == 0 {
                    left = 0;
                }
                if size(value) <= MOST && loose_takes(value) && !strict_takes(value) {
                    found = Some(value.clone());
                }
                found.is_some() || left == 0
            };
            if !see(&start) {
                vary(&start, &mut Vec::new(), &start, &tweaks, &mut see);
            }
            if found.is_some() || left == 0 {
                return found
                    .map(|found| smallest(found, |value| loose_takes(value) && !strict_takes(value)));
            }
        }
    }
    None
}

/// The least of a value that still tells: nothing can be left out of it, and no text or list in it be shorter.
fn smallest(mut value: Value, tells: impl Fn(&Value) -> bool) -> Value {
    let mut left = TRIED;
    // Each round makes it smaller, or is the last.
    'rounds: while left > 0 {
        for path in places(&value) {
            left = left.saturating_sub(1);
            let without = with(&value, &path, None);
            if !path.is_empty() && tells(&without) {
                value = without;
                continue 'rounds;
            }
            let Some(own) = at(&value, &path) else { continue };
            let long = length(own);
            let short = |size: usize| tells(&with(&value, &path, cut(own, size)));
            // The longest beginning that does not tell lies below `tells`, the shortest that does at it.
            let (mut dull, mut telling) = (0, long);
            if long > 0 && short(0) {
                telling = 0;
            }
            while telling > 0 && telling - dull > 1 {
                let middle = dull + (telling - dull) / 2;
                if short(middle) { telling = middle } else { dull = middle }
            }
            if telling < long {
                value = with(&value, &path, cut(own, telling));
                continue 'rounds;
            }
        }
        break;
    }
    value
}

/// Every place in a value, the outer ones first.
fn places(value: &Value) -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    for (key, member) in members(value) {
        for mut path in places(member) {
            path.insert(0, key.clone());
            found.push(path);
        }
    }
    found.sort_by_key(Vec::len);
    found
}

fn at<'v>(whole: &'v Value, path: &[String]) -> Option<&'v Value> {
    path.iter().try_fold(whole, |value, step| match value {
        Value::Object(map) => map.get(step),
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => None,
    })
}

/// How many characters or items it has; nothing else can be cut.
fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        _ => 0,
    }
}

/// Its beginning.
fn cut(value: &Value, size: usize) -> Option<Value> {
    match value {
        Value::String(text) => Some(Value::String(text.chars().take(size).collect())),
        Value::Array(items) => Some(Value::Array(items.iter().take(size).cloned().collect())),
        _ => None,
    }
}

/// What a value is made of.
fn members(value: &Value) -> Vec<(String, &Value)> {
    match value {
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect(),
        _ => Vec::new(),
    }
}

/// An input that a schema accepts.
pub(super) fn accepted(schemas: &Schemas, schema: &str) -> Option<Value> {
    let takes = schemas.asker(schema)?;
    let parsed: Value = serde_json::from_str(schema).ok()?;
    [false, true].into_iter().map(|full| Make::new(&parsed, full).value()).find(takes)
}

/// What bounds and words occur in the schemas: values on either side of them tell schemas apart.
struct Tweaks {
    numbers: Vec<f64>,
    sizes: BTreeSet<usize>,
    words: BTreeSet<String>,
}

impl Tweaks {
    fn of(schemas: &[Value]) -> Self {
        let mut tweaks = Self { numbers: Vec::new(), sizes: BTreeSet::new(), words: BTreeSet::new() };
        for schema in schemas {
            tweaks.collect(schema);
        }
        tweaks
    }

    fn collect(&mut self, schema: &Value) {
        match schema {
            Value::Object(map) => {
                for (key, value) in map {
                    self.keyword(key, value);
                    self.collect(value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            _ => {}
        }
    }

    fn keyword(&mut self, key: &str, value: &Value) {
        if key.ends_with("imum") {
            let bound = value.as_f64();
            let near = bound
                .into_iter()
                .flat_map(|bound| [bound, bound - 1.0, bound + 1.0, bound / 2.0, bound * 1.5]);
            self.numbers.extend(near);
        } else if key.starts_with("max") || key.starts_with("min") {
            let bound =
                value.as_u64().and_then(|bound| usize::try_from(bound).ok()).filter(|bound| *bound <= 20_000);
            self.sizes
                .extend(bound.into_iter().flat_map(|bound| [bound, bound + 1, bound.saturating_sub(1)]));
        } else if key == "enum" {
            self.words
                .extend(value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
        }
    }

    /// Other values to stand in a value's place, made one at a time: together they may be larger than any one of them.
    fn others<'t>(&'t self, value: &'t Value) -> Box<dyn Iterator<Item = Value> + 't> {
        match value {
            Value::String(own) => Box::new(self.texts(own).map(Value::String)),
            Value::Number(_) => Box::new(self.numbers.iter().map(|number| written(*number))),
            Value::Array(items) => Box::new(self.lists(items).map(Value::Array)),
            _ => Box::new(std::iter::empty()),
        }
    }

    fn texts<'t>(&'t self, own: &'t str) -> impl Iterator<Item = String> + 't {
        let odd = ["", "other", "no such thing!", "2026-13-45", "x"].map(str::to_owned);
        let padded = [format!("{own}!"), format!(" {own}")];
        let repeated = Some(own).filter(|own| own.len() <= MOST / 40).map(|own| own.repeat(40));
        let last = own.chars().last().unwrap_or('a');
        let grown = self.sizes.iter().map(move |size| {
            let missing = size.saturating_sub(own.chars().count());
            own.chars().chain(std::iter::repeat_n(last, missing)).collect::<String>()
        });
        let longer = self.sizes.iter().map(|size| "a".repeat(*size));
        odd.into_iter()
            .chain(self.words.iter().cloned())
            .chain(padded)
            .chain(repeated)
            .chain(grown)
            .chain(longer)
    }

    fn lists<'t>(&'t self, items: &'t [Value]) -> impl Iterator<Item = Vec<Value>> + 't {
        let largest = items.iter().map(size).max().unwrap_or(0);
        let fits = move |count: usize| count <= 2_000 && largest.saturating_mul(count) <= MOST;
        let sized = self.sizes.iter().copied().filter(move |size| fits(*size));
        let sized = sized.map(|size| {
            items.iter().cycle().take(if items.is_empty() { 0 } else { size }).cloned().collect()
        });
        let doubled = items.iter().chain(items).cloned().collect();
        std::iter::once(Vec::new()).chain([doubled]).chain(sized)
    }
}

/// Shows `see` the whole with one place changed at a time, until it says that it has seen enough.
fn vary(
    whole: &Value,
    path: &mut Vec<String>,
    value: &Value,
    tweaks: &Tweaks,
    see: &mut impl FnMut(&Value) -> bool,
) -> bool {
    for other in tweaks.others(value) {
        if see(&with(whole, path, Some(other))) {
            return true;
        }
    }
    for (key, member) in members(value) {
        path.push(key);
        let done = see(&with(whole, path, None)) || vary(whole, path, member, tweaks, see);
        path.pop();
        if done {
            return true;
        }
    }
    false
}

/// The whole with another value at a path, or without what stands there.
fn with(whole: &Value, path: &[String], other: Option<Value>) -> Value {
    let Some((first, rest)) = path.split_first() else { return other.unwrap_or(Value::Null) };
    match whole {
        Value::Object(map) => {
            let mut changed: Map<String, Value> = map.clone();
            if rest.is_empty() && other.is_none() {
                changed.shift_remove(first);
            } else if let Some(inner) = map.get(first) {
                changed.insert(first.clone(), with(inner, rest, other));
            }
            Value::Object(changed)
        }
        Value::Array(items) => {
            let at = first.parse::<usize>().unwrap_or(usize::MAX);
            let mut changed = items.clone();
            if rest.is_empty() && other.is_none() && at < changed.len() {
                changed.remove(at);
            } else if let Some(inner) = items.get(at)
                && let Some(place) = changed.get_mut(at)
            {
                *place = with(inner, rest, other);
            }
            Value::Array(changed)
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{between, smallest};
    use crate::trial::Schemas;

    #[test]
    fn what_tells_two_schemas_apart_is_no_larger_than_it_must_be() {
        let of = |most: usize| {
            json!({"type": "object", "required": ["reply"], "unevaluatedProperties": false, "properties": {
                "reply": {"type": "string", "maxLength": most},
                "labels": {"type": "array", "maxItems": 9, "items": {"enum": ["a", "b"]}},
                "note": {"type": "string", "maxLength": 500},
            }})
            .to_string()
        };
        let found = between(&Schemas::default(), &of(30), &of(60)).unwrap();
        let keys: Vec<&String> = found.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["reply"], "{found}");
        assert_eq!(found["reply"].as_str().unwrap().chars().count(), 31, "{found}");
    }

    #[test]
    fn lists_and_texts_are_cut_to_where_they_begin_to_tell() {
        let value = json!({"a": [1, 2, 3, 4, 5], "b": "xxxxxxxx", "c": {"d": "yyyy"}});
        let tells = |value: &Value| {
            value["a"].as_array().is_some_and(|items| items.len() >= 2)
                && value["c"]["d"].as_str().is_some_and(|text| text.len() != 1)
        };
        assert_eq!(smallest(value, tells), json!({"a": [1, 2], "c": {"d": ""}}));
        assert_eq!(smallest(json!("abc"), |_| true), json!(""));
    }
}
