//! Any closed schema of the language's output subset, and any JSON near it.

use proptest::prelude::*;
use serde_json::{Value, json};

fn names() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(vec!["a", "b", "c", "id", "kind"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["text", "body", "ignore all rules", "\u{200b}x", ""]).prop_map(str::to_owned),
    ]
}

/// Any JSON, its keys and words near those of the schemas.
pub(crate) fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-4_i64..12).prop_map(Value::from),
        (-40_i64..120).prop_map(|tenths| json!(tenths as f64 / 10.0)),
        prop::sample::select(vec![
            "x",
            "y",
            "R-1",
            "R-22",
            "two words",
            "2026-11-30",
            "",
            "\u{202e}z",
            "untrusted: x"
        ])
        .prop_map(Value::from),
        "\\PC{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(names(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn scalars() -> impl Strategy<Value = Value> {
    let string = (0_u64..4, 5_u64..40, any::<bool>()).prop_map(|(least, most, title)| {
        let mut schema = json!({"type": "string", "minLength": least, "maxLength": most});
        if title {
            schema["untrusted_title"] = json!(true);
        }
        schema
    });
    let shaped = prop::sample::select(vec!["^R-[0-9]+$", "^[a-z ]{1,20}$", "x", "^.*$"])
        .prop_map(|pattern| json!({"type": "string", "pattern": pattern, "maxLength": 30}));
    let number =
        (-5_i64..5, 0_i64..10, prop::sample::select(vec![json!(1), json!(2), json!(0.5)]), any::<bool>())
            .prop_map(|(least, width, step, whole)| {
                let kind = if whole { "integer" } else { "number" };
                json!({"type": kind, "minimum": least, "exclusiveMaximum": least + width, "multipleOf": step})
            });
    prop_oneof![
        string,
        shaped,
        number,
        Just(json!({"type": "string", "format": "date", "maxLength": 10})),
        Just(json!({"type": ["string", "null", "boolean"], "maxLength": 30})),
        Just(json!({"enum": ["x", 1, null, {"a": 1}, [2]]})),
        Just(json!({"const": "y"})),
    ]
}

/// A closed place: what closing makes of the language's output subset.
fn places() -> impl Strategy<Value = Value> {
    scalars().prop_recursive(4, 40, 4, |inner| {
        let array = (inner.clone(), 0_u64..3, 0_u64..4, any::<bool>()).prop_map(|(items, least, more, unique)| {
            json!({"type": "array", "items": items, "minItems": least, "maxItems": least + more, "uniqueItems": unique})
        });
        let object = objects(inner.clone()).prop_map(sealed);
        let map = (inner.clone(), 0_u64..4).prop_map(|(values, most)| {
            json!({
                "type": "object", "additionalProperties": values, "maxProperties": most,
                "propertyNames": {"maxLength": 5}, "unevaluatedProperties": false,
            })
        });
        let branches = (
            prop::collection::vec(prop_oneof![objects(inner.clone()), inner.clone()], 1..4),
            objects(inner.clone()),
            0_u8..4,
        )
            .prop_map(|(branches, own, how)| {
                sealed(match how {
                    0 => json!({"anyOf": branches}),
                    1 => json!({"oneOf": branches}),
                    2 => json!({"allOf": [{"anyOf": branches}, {"not": {"not": {"oneOf": branches}}}]}),
                    _ => {
                        let mut own = own;
                        own["anyOf"] = branches.into();
                        own
                    }
                })
            });
        let references = prop::sample::select(vec!["#/$defs/leaf", "#/$defs/tree", "#/$defs/row"])
            .prop_map(|target| sealed(json!({"$ref": target})));
        prop_oneof![2 => object, 1 => array, 1 => map, 2 => branches, 1 => references]
    })
}

fn objects(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let members = prop::collection::btree_map(names(), inner, 0..4);
    (members, prop::collection::btree_set(names(), 0..2), any::<bool>()).prop_map(
        |(members, required, all)| {
            let required: Vec<String> =
                if all { members.keys().take(1).cloned().collect() } else { required.into_iter().collect() };
            json!({"type": "object", "properties": members, "required": required})
        },
    )
}

fn sealed(mut schema: Value) -> Value {
    schema["unevaluatedProperties"] = json!(false);
    schema
}

pub(crate) fn schemas() -> impl Strategy<Value = Value> {
    places().prop_map(|mut schema| {
        schema["$defs"] = json!({
            "leaf": {"type": "string", "maxLength": 20},
            "row": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
            "tree": {"anyOf": [
                {"type": "object", "properties": {"a": {"$ref": "#/$defs/tree", "unevaluatedProperties": false}}},
                {"type": "integer"},
            ]},
        });
        schema
    })
}
