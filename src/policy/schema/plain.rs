//! Schemas that are plainly valid 2020-12, so that its meta-schema need not be asked.
//!
//! It says yes only to what the meta-schema accepts too, and what needs no translation: it uses no name of an older draft. Whatever else it meets, a keyword it does not know among it, it
//! leaves to the meta-schema: that one is right, and slow to prepare.

use std::collections::BTreeSet;

use super::Located;
use super::shape::{Kinds, Spot, spot};

/// Whether the schema, and every one within it, is plainly valid.
pub(super) fn is_valid(schema: &Located) -> bool {
    let keyword = |(keyword, value): &(String, Located)| match spot(keyword) {
        // 2020-12 has another word for it, and ignores this one.
        _ if keyword == "additionalItems" => false,
        Spot::Schema | Spot::SchemaOrList => is_valid(value),
        Spot::Schemas => !value.items().is_empty() && value.items().iter().all(is_valid),
        Spot::SchemaMap => value.is_map() && value.entries().iter().all(|(_, inner)| is_valid(inner)),
        Spot::Dependencies => false,
        Spot::Data => data(keyword, value),
    };
    schema.boolean().is_some() || (schema.is_map() && schema.entries().iter().all(keyword))
}

/// Whether a keyword without schemas within has a value of its own.
fn data(keyword: &str, value: &Located) -> bool {
    match keyword {
        "type" => match value.text() {
            Some(word) => Kinds::named(word).is_some(),
            None => {
                let known = |word: &Located| word.text().and_then(Kinds::named).is_some();
                !value.items().is_empty() && value.items().iter().all(known) && distinct(value)
            }
        },
        "required" => value.is_list() && distinct(value),
        "const" | "default" | "untrusted_title" => true,
        "enum" | "examples" => value.is_list(),
        "title" | "description" | "format" | "pattern" => value.text().is_some(),
        "$ref" => value.text().is_some_and(plain_reference),
        "uniqueItems" => value.boolean().is_some(),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            value.scalar().is_some_and(serde_json::Value::is_u64)
        }
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            value.scalar().is_some_and(serde_json::Value::is_number)
        }
        "multipleOf" => value.scalar().and_then(serde_json::Value::as_f64).is_some_and(|number| number > 0.0),
        _ => false,
    }
}

/// Whether every item is a text, and none stands twice.
fn distinct(list: &Located) -> bool {
    let mut seen = BTreeSet::new();
    list.items().iter().all(|item| item.text().is_some_and(|text| seen.insert(text)))
}

fn plain_reference(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '$' | '_' | '-' | '.');
    text.strip_prefix('#').is_some_and(|path| path.chars().all(plain))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::dialect::{Dialect, translate};
    use super::super::located::Part;
    use super::{Located, is_valid};
    use crate::source::{Sources, Span};

    fn located(value: &Value) -> Located {
        let span = Span::new(Sources::default().add("test.yaml", ""), 0..0);
        let part = match value {
            Value::Array(items) => Part::List(items.iter().map(located).collect()),
            Value::Object(map) => {
                Part::Map(map.iter().map(|(key, value)| (key.clone(), located(value))).collect())
            }
            scalar => Part::Scalar(scalar.clone()),
        };
        Located { span, key: None, via: None, part }
    }

    fn plain(schema: &Value) -> bool {
        is_valid(&located(schema))
    }

    fn asked(schema: &Value) -> bool {
        jsonschema::draft202012::meta::validator().is_valid(schema)
    }

    #[test]
    fn usual_schemas_are_plainly_valid() {
        for schema in [
            json!({}),
            json!(false),
            json!({ "type": "object", "properties": { "a": { "type": ["string", "null"], "pattern": "^a$" } } }),
            json!({ "required": ["a", "b"], "minProperties": 1, "$defs": { "x": { "$ref": "#/$defs/x" } } }),
            json!({ "oneOf": [{ "const": 1 }, { "enum": [2], "title": "two" }], "additionalProperties": false }),
            json!({ "type": "number", "minimum": -1.5, "multipleOf": 0.5, "untrusted_title": true }),
        ] {
            assert!(plain(&schema) && asked(&schema), "{schema}");
        }
    }

    #[test]
    fn faults_are_left_to_the_meta_schema() {
        for schema in [
            json!({ "type": "text" }),
            json!({ "type": ["string", "string"] }),
            json!({ "required": ["a", "a"] }),
            json!({ "required": [1] }),
            json!({ "maxLength": -1 }),
            json!({ "maxItems": "3" }),
            json!({ "multipleOf": 0 }),
            json!({ "anyOf": [] }),
            json!({ "items": [true] }),
            json!({ "properties": { "a": 3 } }),
            json!({ "properties": [] }),
            json!({ "enum": "a" }),
            json!({ "uniqueItems": 1 }),
            json!({ "description": 3 }),
            json!("string"),
        ] {
            assert!(!plain(&schema) && !asked(&schema), "{schema}");
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(true)),
            (-2_i64..4).prop_map(Value::from),
            Just(json!(0.5)),
            prop::sample::select(vec!["string", "object", "a", "#/$defs/a", "(", ""]).prop_map(Value::from),
            Just(Value::Null),
        ];
        let keyword = prop::sample::select(vec![
            "type",
            "properties",
            "required",
            "enum",
            "const",
            "items",
            "minItems",
            "uniqueItems",
            "maxLength",
            "pattern",
            "format",
            "minimum",
            "multipleOf",
            "oneOf",
            "$defs",
            "definitions",
            "$ref",
            "title",
            "default",
            "examples",
            "additionalProperties",
            "maxProperties",
            "not",
            "dependencies",
            "$id",
            "prefixItems",
            "contains",
            "dependentSchemas",
            "unevaluatedItems",
            "additionalItems",
            "a",
        ]);
        leaf.prop_recursive(4, 24, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::vec((keyword.clone(), inner), 0..4).prop_map(|entries| {
                    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
                }),
            ]
        })
    }

    #[test]
    fn a_plain_reference_needs_no_translation() {
        for reference in ["#", "#/$defs/a", "#/properties/b-c/items"] {
            assert!(plain(&json!({ "$ref": reference })), "{reference}");
        }
        for reference in ["#/$defs/a~1b", "#/$defs/%61", "other.json", "https://example.org/#"] {
            assert!(!plain(&json!({ "$ref": reference })), "{reference}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]
        #[test]
        fn what_is_plainly_valid_the_meta_schema_accepts(schema in value()) {
            if plain(&schema) {
                prop_assert!(asked(&schema), "{schema}");
                let tree = located(&schema);
                let (translated, problems) = translate(&tree, Dialect::Draft2020);
                prop_assert_eq!(translated.value(), tree.value());
                prop_assert_eq!(problems, []);
            }
        }
    }
}
