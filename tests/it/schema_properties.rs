//! Small schemas of every shape: closing only tightens, and loses nothing that a branch names.

#![cfg(test)]

use harnessc::policy::schema::{Origin, Purpose};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::instances::{Dice, enforced, instance, mutate, reading};

const DRAFTS: [&str; 3] = [
    "http://json-schema.org/draft-07/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-04/schema#",
];

const NAMES: [&str; 4] = ["a", "b", "c", "kind"];

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({ "type": "string" })),
        Just(json!({ "type": "string", "maxLength": 5000 })),
        Just(json!({ "type": "string", "pattern": "^a*$" })),
        Just(json!({ "type": ["string", "null"], "minLength": 1 })),
        Just(json!({ "type": "integer", "minimum": 0, "maximum": 9 })),
        Just(json!({ "type": "boolean" })),
        Just(json!({ "enum": ["a", 1, null] })),
        Just(json!({ "const": "a" })),
        Just(json!({ "const": { "a": 1 } })),
        Just(json!({ "enum": [[1], { "kind": "a" }, "a"] })),
        Just(json!({})),
        Just(json!({ "maxLength": 3 })),
        Just(json!({ "type": "array" })),
        Just(json!({ "$ref": "#/$defs/d" })),
    ]
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let names = proptest::sample::subsequence(NAMES.to_vec(), 0..=3);
    let required = proptest::sample::subsequence(NAMES.to_vec(), 0..=2);
    let extra = prop_oneof![
        4 => Just(None),
        1 => Just(Some(json!(false))),
        1 => Just(Some(json!(true))),
        1 => Just(Some(json!({ "type": "string" })))
    ];
    (names, proptest::collection::vec(inner, 3), required, any::<bool>(), extra, any::<bool>()).prop_map(
        |(names, schemas, required, typed, extra, most)| {
            let properties: serde_json::Map<_, _> =
                names.iter().map(|name| (*name).to_owned()).zip(schemas).collect();
            let mut schema = json!({ "properties": properties });
            if typed {
                schema["type"] = json!("object");
            }
            if !required.is_empty() {
                schema["required"] = json!(required);
            }
            if let Some(extra) = extra {
                schema["additionalProperties"] = extra;
            }
            if most {
                schema["maxProperties"] = json!(3);
            }
            schema
        },
    )
}

fn schema() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 24, 3, |inner| {
        let many = || proptest::collection::vec(inner.clone(), 1..=3);
        prop_oneof![
            4 => object(inner.clone()),
            1 => inner.clone().prop_map(|items| json!({ "type": "array", "items": items })),
            1 => many().prop_map(|items| json!({ "type": "array", "prefixItems": items })),
            2 => (object(inner.clone()), many(), 0..3_usize).prop_map(|(mut base, list, which)| {
                base[["allOf", "anyOf", "oneOf"][which]] = json!(list);
                base
            }),
            2 => (many(), 0..3_usize).prop_map(|(list, which)| json!({ ["allOf", "anyOf", "oneOf"][which]: list })),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({ "allOf": [a], "not": b })),
            1 => (inner.clone(), inner.clone(), inner.clone(), object(inner.clone())).prop_map(|(a, b, c, mut base)| {
                base["if"] = a;
                base["then"] = b;
                base["else"] = c;
                base
            }),
            1 => (object(inner.clone()), inner.clone()).prop_map(|(mut base, then)| {
                base["dependentSchemas"] = json!({ "a": then });
                base
            }),
            1 => (object(inner.clone()), any::<bool>()).prop_map(|(mut base, items)| {
                base[if items { "unevaluatedItems" } else { "unevaluatedProperties" }] = json!(false);
                base
            }),
            1 => (inner.clone(), inner.clone(), 0..2_u8).prop_map(|(items, contains, most)| {
                json!({ "type": "array", "items": items, "contains": contains, "minContains": 0, "maxContains": most })
            }),
        ]
    })
}

pub(crate) fn rooted() -> impl Strategy<Value = Value> {
    (
        object(schema()),
        schema(),
        proptest::option::of((proptest::collection::vec(schema(), 1..=2), 0..3_usize)),
    )
        .prop_map(|(mut root, def, branches)| {
            root["type"] = json!("object");
            if let Some((list, which)) = branches {
                root[["allOf", "anyOf", "oneOf"][which]] = json!(list);
            }
            root["$defs"] = json!({ "d": def });
            root
        })
}

/// The longest text in a value.
fn longest(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.iter().map(longest).max().unwrap_or(0),
        Value::Object(map) => map.values().map(longest).max().unwrap_or(0),
        _ => 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn the_closed_form_accepts_nothing_that_the_written_one_refuses(
        mut schema in rooted(),
        draft in 0..4_usize,
        seed in any::<u64>(),
    ) {
        if let Some(draft) = DRAFTS.get(draft) {
            schema["$schema"] = json!(draft);
            schema["definitions"] = json!({ "e": { "items": [{ "type": "string" }], "additionalItems": false } });
            schema["dependencies"] = json!({ "b": ["a"], "c": { "$ref": "#/$defs/d", "required": ["zz"] } });
        }
        for purpose in [Purpose::Input, Purpose::Narrowing] {
            let read = reading(&schema, Origin::Pinned, purpose);
            let Some(closed) = read.closed else { continue };
            let original = jsonschema::options().build(&schema).unwrap();
            let tight = enforced(&closed);
            let mut dice = Dice::new(seed);
            for _ in 0..20 {
                let mut value = instance(&schema, &schema, &mut dice, 8);
                for _ in 0..dice.below(4) {
                    mutate(&mut value, &mut dice);
                }
                prop_assert!(!tight.is_valid(&value) || original.is_valid(&value), "{value} by {closed}");
            }
        }
    }

    #[test]
    fn branches_that_count_are_not_loosened(
        branches in proptest::collection::vec(branch(), 1..=3),
        keyword in 0..3_usize,
        around in 0..3_usize,
    ) {
        let place = match keyword {
            0 => json!({ "oneOf": branches }),
            1 => json!({ "anyOf": branches }),
            _ => json!({
                "not": branches[0],
                "properties": { "b": { "type": ["object", "string"], "properties": { "c": {} } } },
                "items": { "properties": { "b": {} } },
            }),
        };
        let place = match around {
            0 => place,
            1 => json!({ "oneOf": [place, { "type": "integer" }] }),
            _ => json!({ "type": "array", "items": place, "contains": branches[0], "maxContains": 1, "minContains": 0 }),
        };
        let schema = json!({ "type": "object", "properties": { "a": place } });
        let read = reading(&schema, Origin::Pinned, Purpose::Input);
        let Some(closed) = read.closed else { return Err(TestCaseError::fail(format!("{:?}", read.problems))) };
        let original = jsonschema::options().build(&schema).unwrap();
        let tight = enforced(&closed);
        for value in values() {
            for value in [json!({ "a": value }), json!({ "a": [value] }), json!({ "a": [value, value] })] {
                prop_assert!(!tight.is_valid(&value) || original.is_valid(&value), "{value} by {closed}");
            }
        }
    }

    #[test]
    fn no_object_that_a_branch_names_is_lost(schema in composed(), seed in any::<u64>()) {
        let read = reading(&schema, Origin::Pinned, Purpose::Input);
        let Some(closed) = read.closed else { return Err(TestCaseError::fail(format!("{:?}", read.problems))) };
        let original = jsonschema::options().build(&named(&schema)).unwrap();
        let tight = enforced(&closed);
        let mut dice = Dice::new(seed);
        for _ in 0..30 {
            let mut value = instance(&schema, &schema, &mut dice, 8);
            if dice.one_in(2) {
                mutate(&mut value, &mut dice);
            }
            if longest(&value) <= 300 && original.is_valid(&value) {
                prop_assert!(tight.is_valid(&value), "{value} lost by {closed}");
            }
        }
    }
}

/// What closing tightens in many ways.
fn branch() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({ "type": "string" })),
        Just(json!({ "type": "string", "maxLength": 5000 })),
        Just(json!({ "type": ["string", "object"] })),
        Just(json!({ "type": "object" })),
        Just(json!({ "type": "object", "properties": { "b": { "type": "object" } } })),
        Just(json!({ "type": "object", "properties": { "b": { "type": "string" } }, "required": ["b"] })),
        Just(json!({ "type": "object", "properties": { "b": {} }, "additionalProperties": false })),
        Just(json!({ "type": "object", "additionalProperties": { "type": "string" } })),
        Just(json!({ "type": "array" })),
        Just(json!({ "type": "array", "items": { "type": "object" } })),
        Just(json!({ "const": { "b": {} } })),
        Just(json!({})),
    ]
}

/// Short and long texts, and objects that closing refuses somewhere.
fn values() -> Vec<Value> {
    let long = "a".repeat(4001);
    vec![
        json!("a"),
        json!(long),
        json!({}),
        json!({ "b": {} }),
        json!({ "b": { "c": 1 } }),
        json!({ "b": "x" }),
        json!({ "b": long }),
        json!({ "c": "x" }),
        json!([]),
        json!([{}]),
        json!([{ "b": 1 }]),
        json!(1),
    ]
}

/// Compositions of flat objects.
fn composed() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({ "type": "string" })),
        Just(json!({ "type": "integer" })),
        Just(json!({ "const": "a" })),
        Just(json!({ "const": "b" }))
    ];
    let names = proptest::sample::subsequence(NAMES.to_vec(), 0..=3);
    let flat =
        (names, proptest::collection::vec(leaf, 3), any::<bool>()).prop_map(|(names, schemas, all)| {
            let properties: serde_json::Map<_, _> =
                names.iter().map(|name| (*name).to_owned()).zip(schemas).collect();
            let mut schema = json!({ "type": "object", "properties": properties });
            if all && !names.is_empty() {
                schema["required"] = json!(names);
            }
            schema
        });
    flat.prop_recursive(3, 16, 3, |inner| {
        (inner.clone(), proptest::collection::vec(inner, 1..=3), 0..3_usize).prop_map(
            |(mut base, list, which)| {
                base[["allOf", "anyOf", "oneOf"][which]] = json!(list);
                base
            },
        )
    })
}

/// The same schema, refusing at its root what nothing names: the yardstick for what may not be lost.
fn named(schema: &Value) -> Value {
    let mut named = schema.clone();
    named["unevaluatedProperties"] = json!(false);
    named
}
