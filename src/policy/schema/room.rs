//! Whether a call may carry a root input that the root itself does not declare.
//!
//! Branches (`allOf`, `anyOf`, `oneOf`, conditions), patterns and schemas of further properties speak of the same value as the
//! root. What is bound there could be left to the model. The answer errs to one side: where it is open, there is room.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Tri;
use super::admit::matches;
use super::ask::follow;

/// Whether some place lets a value carry `name` at its root, the root's own `properties` aside.
pub fn room_for(schema: &Value, name: &str) -> bool {
    let mut open = vec![schema];
    let mut seen = BTreeSet::new();
    while let Some(place) = open.pop() {
        let Some(map) = place.as_object() else { continue };
        // References may lead anywhere, and in a circle.
        if !seen.insert(std::ptr::from_ref(map)) {
            continue;
        }
        if gives_room(map, name, std::ptr::eq(place, schema)) {
            return true;
        }
        open.extend(follow(schema, place));
        open.extend(branches(map));
    }
    false
}

fn gives_room(map: &Map<String, Value>, name: &str, root: bool) -> bool {
    let own = map.get("properties").and_then(Value::as_object);
    if own.is_some_and(|own| own.contains_key(name)) {
        return !root;
    }
    let mut patterns = map.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
    let open = |keyword| map.get(keyword).is_some_and(|value| value != &Value::Bool(false));
    patterns.any(|(pattern, _)| matches(pattern, name) != Tri::No)
        || open("additionalProperties")
        || open("unevaluatedProperties")
}

/// The schemas that speak of the same value.
fn branches(map: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let lists = ["allOf", "anyOf", "oneOf"].into_iter();
    let lists = lists.filter_map(|keyword| map.get(keyword)?.as_array()).flatten();
    let single = ["if", "then", "else"].into_iter().filter_map(|keyword| map.get(keyword));
    let dependent = map.get("dependentSchemas").and_then(Value::as_object);
    lists.chain(single).chain(dependent.into_iter().flat_map(Map::values))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_branch_a_pattern_or_a_map_has_room_for_a_name() {
        let a = || json!({ "properties": { "a": { "type": "string" } } });
        for schema in [
            json!({ "oneOf": [{ "required": ["b"] }, a()] }),
            json!({ "allOf": [{ "anyOf": [a()] }] }),
            json!({ "then": a() }),
            json!({ "if": a() }),
            json!({ "dependentSchemas": { "b": a() } }),
            json!({ "anyOf": [{ "$ref": "#/$defs/x" }], "$defs": { "x": a() } }),
            json!({ "patternProperties": { "^[a-c]$": {} } }),
            json!({ "additionalProperties": { "type": "string" } }),
        ] {
            assert!(room_for(&schema, "a"), "{schema}");
        }
    }

    #[test]
    fn the_root_and_what_lies_deeper_have_none() {
        for schema in [
            json!({ "properties": { "a": { "type": "string" } }, "unevaluatedProperties": false }),
            json!({ "properties": { "b": { "properties": { "a": {} } } } }),
            json!({ "oneOf": [{ "properties": { "b": { "anyOf": [{ "properties": { "a": {} } }] } } }] }),
            json!({ "patternProperties": { "^b$": {} } }),
            json!({ "not": { "properties": { "a": {} } } }),
            json!({ "anyOf": [{ "$ref": "#" }] }),
        ] {
            assert!(!room_for(&schema, "a"), "{schema}");
        }
    }
}
