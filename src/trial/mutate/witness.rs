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
            if see(&start) {
                return found;
            }
            vary(&start, &mut Vec::new(), &start, &tweaks, &mut see);
            if found.is_some() || left == 0 {
                return found;
            }
        }
    }
    None
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
    let members: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect(),
        _ => Vec::new(),
    };
    for (key, member) in members {
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
