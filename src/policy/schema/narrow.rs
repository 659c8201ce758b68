//! `only`: tighter values for named inputs of a tool.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Tri;
use super::admit::admits;
use super::ask::{input_names, root_properties, root_property, same_value};
use super::compare::Fuel;
use super::problem::nearest;
use super::shape::Kinds;

/// What is wrong with one narrowed input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NarrowFault {
    /// The input's name.
    pub input: String,
    /// What it is.
    pub kind: NarrowFaultKind,
    /// In one sentence: lower case, no full stop.
    pub detail: String,
    /// The edit that mends it, where there is a plain one.
    pub help: Option<String>,
    /// What of the narrowing is meant, as a JSON pointer into it; empty: all of it.
    pub pointer: String,
}

/// The kinds of [`NarrowFault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NarrowFaultKind {
    /// The tool has no such input: unknown-reference.
    Unknown,
    /// The input is not a root property, so a call can avoid it: skippable-narrowing.
    Skippable,
    /// No value satisfies both the tool and the narrowing: bad-schema.
    Empty,
    /// A value that the narrowing lists and the tool never takes: bad-schema.
    Idle,
}

/// Checks `only`, closed schemas by input, against a tool's closed input. Each named input becomes required (see
/// [`super::with_required`]), which is what keeps the narrowing from being left out.
pub fn narrow(tool: &Value, only: &BTreeMap<String, Value>) -> Vec<NarrowFault> {
    let names = root_properties(tool);
    let deeper: BTreeSet<&str> = input_names(tool).into_iter().map(|(_, name)| name).collect();
    let mut faults = Vec::new();
    for (input, narrowed) in only {
        let pointer = String::new();
        let fault = |kind, detail, help| NarrowFault { input: input.clone(), kind, detail, help, pointer };
        match root_property(tool, input) {
            Some(property) if nothing_left(tool, property, narrowed) => faults.push(fault(
                NarrowFaultKind::Empty,
                format!("no value of `{input}` satisfies both the tool and this narrowing"),
                Some("allow a value that the tool takes".to_owned()),
            )),
            Some(property) => {
                let mut found = Vec::new();
                idle(tool, property, narrowed, "", &mut found);
                faults.extend(found.into_iter().map(|(pointer, value)| NarrowFault {
                    input: input.clone(),
                    kind: NarrowFaultKind::Idle,
                    detail: format!("the tool never takes {value}"),
                    help: None,
                    pointer,
                }));
            }
            None if deeper.contains(input.as_str()) => faults.push(fault(
                NarrowFaultKind::Skippable,
                format!("`{input}` is not an input at the root of the tool, so a call can go around it"),
                Some("narrow the root input that holds it".to_owned()),
            )),
            None => {
                let near = nearest(input, names.iter().copied());
                let help = near.map(|near| format!("did you mean `{near}`?"));
                faults.push(fault(
                    NarrowFaultKind::Unknown,
                    format!("the tool has no input `{input}`"),
                    help,
                ));
            }
        }
    }
    faults
}

/// Whether a root input may take a text: false only where it can be shown that it does not.
pub fn may_take(tool: &Value, input: &str, text: &str) -> bool {
    let only = serde_json::json!({ "type": "string", "enum": [text] });
    root_property(tool, input).is_some_and(|property| !nothing_left(tool, property, &only))
}

/// Whether it can be shown that no value satisfies both.
fn nothing_left(tool: &Value, property: &Value, narrowed: &Value) -> bool {
    let left = Cell::new(Fuel::STEPS);
    let none = |values: Option<Vec<Value>>, root: &Value, schema: &Value| {
        values.is_some_and(|values| {
            values.iter().all(|value| admits(root, schema, value, Fuel::new(&left)) == Tri::No)
        })
    };
    let theirs = same_value(tool, property);
    let ours = same_value(narrowed, narrowed);
    none(listed(&ours), tool, property)
        || none(listed(&theirs), narrowed, narrowed)
        || !kinds(&theirs).meets(kinds(&ours))
        || apart(&theirs, &ours)
}

/// The listed values of a narrowing, at any depth, that can be shown never to be taken: where they stand and how they read.
fn idle(root: &Value, theirs: &Value, ours: &Value, pointer: &str, found: &mut Vec<(String, String)>) {
    let left = Cell::new(Fuel::STEPS);
    for (at, value) in ours.get("enum").and_then(Value::as_array).into_iter().flatten().enumerate() {
        if admits(root, theirs, value, Fuel::new(&left)) == Tri::No {
            let read = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            found.push((format!("{pointer}/enum/{at}"), format!("`{read}`")));
        }
    }
    let places = same_value(root, theirs);
    for (name, ours) in ours.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let theirs = places.iter().find_map(|place| place.get("properties")?.get(name));
        if let Some(theirs) = theirs {
            let name = name.replace('~', "~0").replace('/', "~1");
            idle(root, theirs, ours, &format!("{pointer}/properties/{name}"), found);
        }
    }
    let items = places.iter().find_map(|place| place.get("items"));
    if let (Some(theirs), Some(ours)) = (items, ours.get("items")) {
        idle(root, theirs, ours, &format!("{pointer}/items"), found);
    }
}

fn listed(places: &[&Value]) -> Option<Vec<Value>> {
    places.iter().find_map(|place| match (place.get("const"), place.get("enum")) {
        (Some(value), _) => Some(vec![value.clone()]),
        (None, Some(Value::Array(values))) => Some(values.clone()),
        _ => None,
    })
}

fn kinds(places: &[&Value]) -> Kinds {
    places.iter().filter_map(|place| place.get("type")).fold(Kinds::ALL, |so_far, stated| {
        let words = stated.as_array().map_or(std::slice::from_ref(stated), Vec::as_slice);
        let named = words.iter().filter_map(|word| Kinds::named(word.as_str()?));
        so_far.and(named.fold(Kinds::NONE, Kinds::or))
    })
}

/// Whether the bounds of the one type that both allow leave nothing between them.
fn apart(theirs: &[&Value], ours: &[&Value]) -> bool {
    let both = kinds(theirs).and(kinds(ours));
    let (low, high) = if both == Kinds::NUMBER {
        ("minimum", "maximum")
    } else if both == Kinds::STRING {
        ("minLength", "maxLength")
    } else if both == Kinds::ARRAY {
        ("minItems", "maxItems")
    } else {
        return false;
    };
    let all = || theirs.iter().chain(ours);
    let lows = all().filter_map(|place| place.get(low)?.as_f64()).reduce(f64::max);
    let highs = all().filter_map(|place| place.get(high)?.as_f64()).reduce(f64::min);
    matches!((lows, highs), (Some(low), Some(high)) if low > high)
}

#[cfg(test)]
mod tests {
    use super::super::Purpose;
    use super::super::testing::{closed, own, pinned};
    use super::*;

    fn faults(tool: &str, only: &[(&str, &str)]) -> Vec<(String, NarrowFaultKind)> {
        let tool = pinned(tool, Purpose::Input);
        let only = only
            .iter()
            .map(|(name, text)| ((*name).to_owned(), closed(&own(text, Purpose::Narrowing)).clone()))
            .collect();
        narrow(closed(&tool), &only).into_iter().map(|fault| (fault.input, fault.kind)).collect()
    }

    const TOOL: &str = r##"{type: object, properties: {kind: {enum: [report, letter]}, top: {type: integer, minimum: 1, maximum: 9},
        name: {type: string, pattern: "^[a-z]+$"}, by: {$ref: "#/$defs/by"}, filter: {properties: {deep: {type: string}}}},
        oneOf: [{properties: {a: {type: string}}, required: [a]}, {properties: {b: {type: string}}, required: [b]}],
        $defs: {by: {type: string, enum: [x, y]}}}"##;

    #[test]
    fn a_narrowing_that_leaves_something_passes() {
        let only = [
            ("kind", "[report]"),
            ("top", "{type: integer, minimum: 2, maximum: 20}"),
            ("name", "[abc]"),
            ("by", "[x, y]"),
            ("filter", "{properties: {deep: [any]}}"),
        ];
        assert_eq!(faults(TOOL, &only), []);
    }

    #[test]
    fn a_listed_value_that_the_tool_never_takes_is_found_where_it_stands() {
        let cases = [
            ("by", "[x, z]", vec!["/enum/1"]),
            ("top", "{type: integer, enum: [0, 5, 10]}", vec!["/enum/0", "/enum/2"]),
            ("kind", "{type: string, enum: [letter, memo]}", vec!["/enum/1"]),
        ];
        let tool = pinned(TOOL, Purpose::Input);
        for (input, text, expected) in cases {
            let narrowed = closed(&own(text, Purpose::Narrowing)).clone();
            let found = narrow(closed(&tool), &BTreeMap::from([(input.to_owned(), narrowed)]));
            assert!(found.iter().all(|fault| fault.kind == NarrowFaultKind::Idle), "{found:?}");
            let places: Vec<&str> = found.iter().map(|fault| fault.pointer.as_str()).collect();
            assert_eq!(places, expected);
        }
        let deep = pinned(
            "{type: object, properties: {filter: {type: object, properties: {kind: {enum: [a, b]}}}}}",
            Purpose::Input,
        );
        let narrowed = closed(&own("{properties: {kind: [a, c]}}", Purpose::Narrowing)).clone();
        let found = narrow(closed(&deep), &BTreeMap::from([("filter".to_owned(), narrowed)]));
        let places: Vec<&str> = found.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(places, ["/properties/kind/enum/1"]);
    }

    #[test]
    fn a_narrowing_that_leaves_nothing_is_found() {
        let cases = [
            ("kind", "[memo]"),
            ("kind", "{type: integer, minimum: 0, maximum: 1}"),
            ("top", "{type: integer, minimum: 10, maximum: 20}"),
            ("top", "[0, 10]"),
            ("name", "[ABC]"),
            ("by", "{const: z}"),
        ];
        for case in cases {
            assert_eq!(faults(TOOL, &[case]), [(case.0.to_owned(), NarrowFaultKind::Empty)], "{case:?}");
        }
    }

    #[test]
    fn an_input_that_a_call_can_go_around_is_found() {
        assert_eq!(faults(TOOL, &[("a", "[x]")]), [("a".to_owned(), NarrowFaultKind::Skippable)]);
        assert_eq!(faults(TOOL, &[("deep", "[x]")]), [("deep".to_owned(), NarrowFaultKind::Skippable)]);
        assert_eq!(faults(TOOL, &[("knd", "[x]")]), [("knd".to_owned(), NarrowFaultKind::Unknown)]);
    }
}
