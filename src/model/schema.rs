//! The editor's JSON Schema, from the types that read the language.
//!
//! Draft-07, which today's YAML language servers read. Descriptions are the types' doc comments. What the editor accepts
//! is a superset of what `check` accepts: cross-references are the rules' business.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::keyed::Keyed;
use super::manifest::Manifest;
use super::scalars::{Bytes, Duration, Money, Raw, SchemaText, Share, Zone};
use super::sections::HarnessFile;
use crate::source::Spanned;

/// The schema of every `*.yaml` of a tree.
pub fn file_schema() -> Value {
    generate::<HarnessFile>("A file of a harness tree")
}

/// The schema of `harness.toml`.
pub fn manifest_schema() -> Value {
    generate::<Manifest>("harness.toml")
}

fn generate<T: JsonSchema>(title: &str) -> Value {
    let settings = SchemaSettings::draft07().with_transform(Absent).with_transform(Marks);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema.to_value()
}

/// An absent field is left out, never null: what `Option` adds is taken away.
#[derive(Clone, Debug)]
struct Absent;

impl Transform for Absent {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let null = serde_json::json!({"type": "null"});
        if let Some(Value::Array(types)) = schema.get_mut("type") {
            types.retain(|name| name != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                schema.insert("type".to_owned(), only);
            }
        }
        if let Some(Value::Array(branches)) = schema.get_mut("anyOf") {
            branches.retain(|branch| *branch != null);
            if let [Value::Object(only)] = branches.as_slice() {
                let only = only.clone();
                schema.remove("anyOf");
                merge(schema, only);
            }
        }
    }
}

/// In draft-07 a `$ref` hides its siblings, so a description beside one moves the reference into `allOf`.
fn merge(schema: &mut Schema, only: serde_json::Map<String, Value>) {
    if only.contains_key("$ref") && schema.as_object().is_some_and(|object| !object.is_empty()) {
        schema.insert("allOf".to_owned(), Value::Array(vec![Value::Object(only)]));
        return;
    }
    for (key, value) in only {
        schema.insert(key, value);
    }
}

/// Acts on the marks of `fields!`: required fields are listed, hidden ones are left out.
#[derive(Clone, Debug)]
struct Marks;

impl Transform for Marks {
    fn transform(&mut self, schema: &mut Schema) {
        let mut required = Vec::new();
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            properties.retain(|_, field| field.get("x-hidden").is_none());
            for (name, field) in properties.iter_mut() {
                if field.as_object_mut().is_some_and(|field| field.remove("x-required").is_some()) {
                    required.push(Value::from(name.as_str()));
                }
            }
        }
        if !required.is_empty() {
            schema.insert("required".to_owned(), Value::Array(required));
        }
        transform_subschemas(self, schema);
    }
}

impl<T: JsonSchema> JsonSchema for Spanned<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<T: JsonSchema> JsonSchema for Keyed<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Keyed_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        json_schema!({"type": "object", "additionalProperties": value})
    }
}

macro_rules! text_schema {
    ($type:ty, $name:literal, $pattern:literal, $said:literal) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "string", "pattern": $pattern, "description": $said})
            }
        }
    };
}

text_schema!(Money, "Money", r"^[0-9]+(\.[0-9]{1,6})? USD$", "An amount, as in `0.50 USD`.");
text_schema!(Duration, "Duration", r"^[0-9]+(ms|s|m|h|d)$", "A length of time, as in `45s` or `72h`.");
text_schema!(
    Zone,
    "Zone",
    r"^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$",
    "A time zone of the IANA database, as in `Europe/Berlin`."
);
text_schema!(Bytes, "Bytes", r"^[0-9]+(B|KiB|MiB|GiB)$", "A size, as in `8KiB`.");

impl JsonSchema for Share {
    fn schema_name() -> Cow<'static, str> {
        "Share".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number", "minimum": 0, "maximum": 1, "description": "A share from 0 to 1."})
    }
}

impl JsonSchema for SchemaText {
    fn schema_name() -> Cow<'static, str> {
        "SchemaText".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "JSON Schema 2020-12; or the name of a type from `types:`; or a list, which is an enum.",
            "anyOf": [
                {"type": "object"},
                {"type": "string"},
                {"type": "array", "minItems": 1, "items": {"type": ["string", "number", "boolean"]}}
            ]
        })
    }
}

impl JsonSchema for Raw {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Raw".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!(true)
    }
}

impl JsonSchema for super::tests::TestRun {
    fn schema_name() -> Cow<'static, str> {
        "TestRun".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let text = generator.subschema_for::<String>();
        let plan = generator.subschema_for::<super::tests::TestPlan>();
        let spent = generator.subschema_for::<super::tests::Spent>();
        let stopped = generator.subschema_for::<super::tests::Stopped>();
        json_schema!({
            "type": "object",
            "description": "Who asks from where; every other key is a field of `run:`.",
            "properties": {
                "harness": text, "role": text, "persona": text, "surface": text,
                "scopes": {"type": "array", "items": text},
                "read_only": {"type": "boolean"},
                "plan": plan, "spent": spent, "stopped": stopped,
                "kill_switch": {"type": "boolean"}
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_describes_each_section_and_requires_what_the_language_requires() {
        let schema = file_schema();
        for section in super::super::SECTIONS {
            let stated = &schema["properties"][section];
            assert!(stated["description"].is_string(), "{section} has no description");
        }
        let persona = &schema["definitions"]["Persona"];
        assert_eq!(persona["required"], serde_json::json!(["title", "bundle"]));
        assert_eq!(persona["additionalProperties"], false);
        assert!(schema["definitions"]["Tool"]["properties"].get("harnesses").is_none());
        assert!(!schema.to_string().contains("x-required") && !schema.to_string().contains("null"));
    }
}
