//! Small questions about a schema and small changes to its closed form.
//!
//! All of them look at demands alone: what stands below `if`, `not`, `contains` or `propertyNames` asks, and offers no input.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::path::Path;
use super::reference;
use super::shape::{self, Role, Spot};

/// The names of a schema's root properties, in their order; its root may be a `$ref`.
pub fn root_properties(schema: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    for place in same_value(schema, schema) {
        let properties = place.get("properties").and_then(Value::as_object);
        found.extend(properties.into_iter().flat_map(Map::keys).map(String::as_str));
    }
    let mut seen = BTreeSet::new();
    found.retain(|name| seen.insert(*name));
    found
}

/// The schema of a root property, a `$ref` followed.
pub fn root_property<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    let mut places = same_value(schema, schema).into_iter();
    let property = places.find_map(|place| place.get("properties").and_then(|all| all.get(name)))?;
    Some(property)
}

/// The names its root requires.
pub fn required(schema: &Value) -> BTreeSet<&str> {
    let places = same_value(schema, schema);
    let lists = places.into_iter().filter_map(|place| place.get("required").and_then(Value::as_array));
    lists.flatten().filter_map(Value::as_str).collect()
}

/// The schema with `names` required at its root, as `bind`, `cases` and `only` demand.
pub fn with_required<'a>(mut schema: Value, names: impl IntoIterator<Item = &'a str>) -> Value {
    let Value::Object(map) = &mut schema else { return schema };
    let mut list: Vec<Value> = map.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    for name in names {
        if !list.iter().any(|known| known.as_str() == Some(name)) {
            list.push(name.into());
        }
    }
    if !list.is_empty() {
        map.insert("required".to_owned(), Value::Array(list));
    }
    schema
}

/// The schema with one root property replaced by a closed schema of its own; that one's `$defs` move to the root under new
/// names. Unchanged where the root has no such property.
pub fn with_property(mut schema: Value, name: &str, mut restated: Value) -> Value {
    let Some(map) = schema.as_object_mut() else { return schema };
    if map.get("properties").and_then(|all| all.get(name)).is_none() {
        return schema;
    }
    let defs = restated.as_object_mut().and_then(|map| map.shift_remove("$defs"));
    let prefix = format!("{}-", name.replace(|c: char| !c.is_ascii_alphanumeric(), "_"));
    if let Some(Value::Object(defs)) = defs {
        rename_refs(&mut restated, &prefix);
        let root = map.entry("$defs").or_insert_with(|| Value::Object(Map::new()));
        for (key, mut def) in defs {
            rename_refs(&mut def, &prefix);
            root.as_object_mut().map(|root| root.insert(format!("{prefix}{key}"), def));
        }
    }
    if let Some(properties) = map.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert(name.to_owned(), restated);
    }
    schema
}

/// The schema with every root property at the root itself, where it is changed and looked for; a root that is a `$ref` has
/// them elsewhere. It accepts the same values.
pub fn with_root_properties(mut schema: Value) -> Value {
    if schema.get("$ref").is_none() {
        return schema;
    }
    let names = root_properties(&schema);
    let lifted: Vec<(String, Value)> = names
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), root_property(&schema, name)?.clone())))
        .collect();
    if let Some(map) = schema.as_object_mut() {
        let properties = map.entry("properties").or_insert_with(|| Value::Object(Map::new()));
        for (name, property) in lifted {
            properties.as_object_mut().map(|all| all.entry(name).or_insert(property));
        }
    }
    schema
}

fn rename_refs(schema: &mut Value, prefix: &str) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(target) if key == "$ref" => {
                        if let Some(rest) = target.strip_prefix("#/$defs/") {
                            *target = format!("#/$defs/{prefix}{rest}");
                        }
                    }
                    other => rename_refs(other, prefix),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename_refs(item, prefix)),
        _ => {}
    }
}

/// The values of a root input that is a string out of a list, whether or not it is required yet: what `cases` may tell
/// apart. Nothing where the input is absent, is no list, or lists anything but strings.
pub fn string_enum(schema: &Value, input: &str) -> Option<Vec<String>> {
    let property = root_property(schema, input)?;
    let listed = same_value(schema, property).into_iter().find_map(|place| match place.get("const") {
        Some(value) => Some(std::slice::from_ref(value)),
        None => place.get("enum").and_then(Value::as_array).map(Vec::as_slice),
    })?;
    listed.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}

/// Every text of an `enum` or `const`, at any depth, with its JSON pointer.
pub fn enum_values(schema: &Value) -> Vec<(String, &str)> {
    let mut found = Vec::new();
    walk(schema, &Path::ROOT, &mut |pointer, place| {
        if let Some(text) = place.get("const").and_then(Value::as_str) {
            found.push((pointer.key("const").to_string(), text));
        }
        for (index, value) in place.get("enum").and_then(Value::as_array).into_iter().flatten().enumerate() {
            if let Some(text) = value.as_str() {
                found.push((format!("{pointer}/enum/{index}"), text));
            }
        }
    });
    found
}

/// Every property name, at any depth, with the JSON pointer of the property's schema.
pub fn input_names(schema: &Value) -> Vec<(String, &str)> {
    let mut found = Vec::new();
    walk(schema, &Path::ROOT, &mut |pointer, place| {
        let at = pointer.key("properties");
        for name in place.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
            found.push((at.key(name).to_string(), name.as_str()));
        }
    });
    found
}

/// `place` and what its `$ref`s lead to: all of them speak of the same value.
pub(super) fn same_value<'s>(root: &'s Value, place: &'s Value) -> Vec<&'s Value> {
    const MOST: usize = 32;
    let mut found = vec![place];
    let mut at = place;
    while let Some(target) = follow(root, at).filter(|_| found.len() < MOST) {
        found.push(target);
        at = target;
    }
    found
}

/// Where a place's own `$ref` leads.
pub(super) fn follow<'s>(root: &'s Value, place: &Value) -> Option<&'s Value> {
    root.pointer(&reference::pointer(place.get("$ref")?.as_str()?)?)
}

/// Calls `visit` for every demand, outer ones first.
fn walk<'s>(place: &'s Value, pointer: &Path<'_>, visit: &mut dyn FnMut(&Path<'_>, &'s Map<String, Value>)) {
    let Some(map) = place.as_object() else { return };
    visit(pointer, map);
    for (keyword, value) in map.iter().filter(|(keyword, _)| shape::role(keyword) != Role::Condition) {
        let at = pointer.key(keyword);
        match (shape::spot(keyword), value) {
            (Spot::Data, _) => {}
            (_, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    walk(item, &at.item(index), visit);
                }
            }
            (Spot::SchemaMap | Spot::Dependencies, Value::Object(inner)) => {
                for (name, item) in inner {
                    walk(item, &at.key(name), visit);
                }
            }
            _ => walk(value, &at, visit),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Purpose;
    use super::super::testing::{accepts, closed, own, pinned};
    use super::*;

    fn tool() -> Value {
        json!({
            "$ref": "#/$defs/root",
            "properties": { "a": { "type": "integer" } },
            "required": ["a"],
            "$defs": {
                "root": { "properties": { "m": { "$ref": "#/$defs/m" }, "a": {}, "o": { "properties": { "x": { "const": "deep" } } } }, "required": ["m"] },
                "m": { "type": "string", "enum": ["get", "put"] }
            },
            "not": { "properties": { "hidden": { "const": "no" } } }
        })
    }

    #[test]
    fn roots_are_read_through_references() {
        let tool = tool();
        assert_eq!(root_properties(&tool), ["a", "m", "o"]);
        assert_eq!(required(&tool), BTreeSet::from(["a", "m"]));
        assert_eq!(string_enum(&tool, "m"), Some(vec!["get".to_owned(), "put".to_owned()]));
        assert_eq!(string_enum(&tool, "a"), None);
        assert_eq!(string_enum(&json!({ "properties": { "m": { "enum": ["a", 1] } } }), "m"), None);
    }

    #[test]
    fn root_properties_behind_a_reference_come_to_the_root() {
        let tool = json!({
            "$ref": "#/$defs/root",
            "$defs": { "root": { "type": "object", "properties": { "m": { "type": "string" } } } }
        });
        let lifted = with_root_properties(tool.clone());
        assert_eq!(lifted["properties"], json!({ "m": { "type": "string" } }));
        let tighter = with_property(lifted.clone(), "m", json!({ "enum": ["get"] }));
        assert!(accepts(&tighter, &json!({ "m": "get" })));
        assert!(!accepts(&tighter, &json!({ "m": "put" })));
        let plain = json!({ "properties": { "m": {} } });
        assert_eq!(with_root_properties(plain.clone()), plain);
    }

    #[test]
    fn demands_are_listed_at_any_depth_and_conditions_are_not() {
        let tool = tool();
        let values: Vec<&str> = enum_values(&tool).into_iter().map(|(_, text)| text).collect();
        assert_eq!(values, ["deep", "get", "put"]);
        for (pointer, text) in enum_values(&tool) {
            assert_eq!(tool.pointer(&pointer).unwrap(), text);
        }
        let names: Vec<&str> = input_names(&tool).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["a", "m", "a", "o", "x"]);
    }

    #[test]
    fn requiring_keeps_what_was_required() {
        let schema = json!({ "properties": {}, "required": ["b"] });
        assert_eq!(with_required(schema, ["a", "b"])["required"], json!(["b", "a"]));
        assert_eq!(with_required(json!({}), []), json!({}));
    }

    #[test]
    fn a_restated_property_brings_its_definitions() {
        let tool =
            pinned("{type: object, properties: {a: {type: object}, b: {type: string}}}", Purpose::Input);
        let own = own(
            r##"{properties: {x: {$ref: "#/$defs/n"}}, $defs: {n: {type: integer}}}"##,
            Purpose::Restated,
        );
        let joined = with_property(closed(&tool).clone(), "a", closed(&own).clone());
        assert!(accepts(&joined, &json!({ "a": { "x": 1 }, "b": "b" })));
        assert!(!accepts(&joined, &json!({ "a": { "x": "1" } })));
        assert!(!accepts(&joined, &json!({ "a": { "y": 1 } })));
        assert_eq!(with_property(closed(&tool).clone(), "c", closed(&own).clone()), *closed(&tool));
    }
}
