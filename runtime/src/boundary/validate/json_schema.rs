//! The validator behind the feature `schema`: JSON Schema 2020-12 with formats asserted and a regex engine that runs in
//! linear time, so that no input can hold a thread.

use std::collections::BTreeSet;
use std::fmt;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use serde_json::Value;

use super::fault::property_names;
use super::{Compile, Compiled, InputFault, known_pointer};
use crate::json::{Json, as_written};

/// Compiles with the crate `jsonschema`; nothing is fetched from anywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonSchema;

impl Compile for JsonSchema {
    fn compile(&self, schema: &str) -> Option<Box<dyn Compiled>> {
        let schema = as_written(schema).ok()?;
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(true)
            .should_ignore_unknown_formats(false)
            .build(&schema)
            .ok()?;
        let names = property_names(&schema);
        Some(Box::new(Ready { names, schema, validator }))
    }
}

struct Ready {
    names: BTreeSet<String>,
    schema: Value,
    validator: Validator,
}

impl fmt::Debug for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ready(..)")
    }
}

impl Compiled for Ready {
    fn check(&self, input: &Json) -> Result<(), InputFault> {
        // Most inputs fit, and whether they do is cheaper to know than why not.
        if self.validator.is_valid(input.value()) {
            return Ok(());
        }
        self.validator.validate(input.value()).map_err(|error| {
            let pointer = known_pointer(error.instance_path().as_str(), &self.names, input.value());
            InputFault::new(pointer, self.expected(&error))
        })
    }
}

impl Ready {
    /// What the schema says at the keyword that failed; the schema's words alone.
    fn expected(&self, error: &ValidationError<'_>) -> String {
        match error.kind() {
            ValidationErrorKind::AdditionalProperties { .. }
            | ValidationErrorKind::UnevaluatedProperties { .. } => {
                "no members beside those that the schema names".to_owned()
            }
            ValidationErrorKind::FalseSchema => "nothing there".to_owned(),
            kind => {
                let keyword = kind.keyword();
                match self.schema.pointer(error.schema_path().as_str()) {
                    Some(stated) if !stated.is_object() => format!("`{keyword}`: {stated}"),
                    _ => format!("what `{keyword}` asks for"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::JsonSchema;
    use crate::boundary::validate::{Compile as _, InputFault};
    use crate::json::Json;

    fn fault(schema: &str, input: &str) -> Result<(), InputFault> {
        let compiled = JsonSchema.compile(schema).expect(schema);
        compiled.check(&Json::parse(input.as_bytes()).expect(input))
    }

    #[test]
    fn a_fault_says_where_and_what_was_expected_and_repeats_nothing() {
        let schema = r#"{"type":"object","properties":{"limit":{"type":"integer","maximum":50},
            "kind":{"enum":["report"]},"day":{"type":"string","format":"date"},"code":{"type":"string","pattern":"^[A-Z]+$"}},
            "required":["limit"],"unevaluatedProperties":false}"#;
        for (input, pointer, expected) in [
            (r#"{"limit":51}"#, "/limit", "`maximum`: 50"),
            (r#"{"limit":"secret"}"#, "/limit", "`type`: \"integer\""),
            (r#"{"limit":1,"kind":"secret"}"#, "/kind", "`enum`: [\"report\"]"),
            (r#"{"limit":1,"day":"secret"}"#, "/day", "`format`: \"date\""),
            (r#"{"limit":1,"code":"secret"}"#, "/code", "`pattern`: \"^[A-Z]+$\""),
            ("{}", "", "`required`: [\"limit\"]"),
            (r#"{"limit":1,"secret":1}"#, "", "no members beside those that the schema names"),
            ("[]", "", "`type`: \"object\""),
        ] {
            let fault = fault(schema, input).expect_err(input);
            assert_eq!((fault.pointer.as_str(), fault.expected.as_str()), (pointer, expected), "{input}");
            assert!(!fault.to_string().contains("secret"));
        }
        assert_eq!(fault(schema, r#"{"limit":50,"day":"2024-02-29","code":"AB","kind":"report"}"#), Ok(()));
    }

    #[test]
    fn a_member_named_by_digits_is_not_repeated() {
        let schema = r#"{"type":"object","additionalProperties":{"items":{"type":"string"},"type":["array","string"]}}"#;
        assert_eq!(fault(schema, r#"{"4711":5}"#).unwrap_err().pointer, "/*");
        assert_eq!(fault(schema, r#"{"4711":["a",5]}"#).unwrap_err().pointer, "/*/1");
    }

    /// Whether an input fits is asked first, and why not by another way through the same schema: the two say one thing.
    #[test]
    fn what_fits_is_what_has_no_fault() {
        let schemas = [
            r#"{"type":"object","properties":{"a":{"type":"string","pattern":"^[A-Z]{2}-[0-9]+$"},"b":{"type":"integer","maximum":3}},
                "required":["a"],"unevaluatedProperties":false}"#,
            r#"{"type":"object","properties":{"a":{"const":"x"}},"oneOf":[{"required":["a"]},
                {"properties":{"b":{"enum":[1,"x"]}},"required":["b"]}],"unevaluatedProperties":false}"#,
            r##"{"$defs":{"n":{"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"b":{"format":"date"}},
                "additionalProperties":false}},"$ref":"#/$defs/n"}"##,
            r#"{"allOf":[{"properties":{"a":{"minLength":2}}},{"if":{"required":["b"]},"then":{"properties":{"b":true}}}],
                "properties":{"a":{"items":{"type":"integer"},"uniqueItems":true,"maxItems":2}},"unevaluatedProperties":false}"#,
        ];
        let values = [
            r#""AB-1""#,
            r#""x""#,
            "1",
            "4",
            "1.0",
            "null",
            "{}",
            r#"{"b":"2024-02-30"}"#,
            r#"{"a":{}}"#,
            "[1]",
            "[1,1]",
        ];
        let member = |name: &str, value: &&str| format!("\"{name}\":{value}");
        let (mut fits, mut faults) = (0, 0);
        for schema in schemas {
            let validator =
                jsonschema::options().with_draft(super::Draft::Draft202012).should_validate_formats(true);
            let validator = validator.build(&serde_json::from_str(schema).unwrap()).unwrap();
            for (a, b) in values.iter().flat_map(|a| values.iter().map(move |b| (a, b))) {
                for members in
                    [vec![member("a", a)], vec![member("b", b)], vec![member("a", a), member("b", b)]]
                {
                    let input = format!("{{{}}}", members.join(","));
                    let value = serde_json::from_str(&input).unwrap();
                    assert_eq!(
                        fault(schema, &input).is_ok(),
                        validator.validate(&value).is_ok(),
                        "{schema} {input}"
                    );
                    *if validator.is_valid(&value) { &mut fits } else { &mut faults } += 1;
                }
            }
        }
        assert!(fits > 50 && faults > 500, "{fits} fit, {faults} do not");
    }

    /// The crate that reads JSON keeps such keys for itself; as a property's name one is a name like any other, and what
    /// stands beside it is not lost.
    #[test]
    fn no_key_of_a_schema_is_special() {
        for word in ["Number", "RawValue"] {
            let key = format!("$serde_json::private::{word}");
            let schema = format!(
                r#"{{"type":"object","properties":{{"{key}":{{"type":"string"}},"limit":{{"type":"integer","maximum":5}}}},
                "required":["limit"],"unevaluatedProperties":false}}"#
            );
            assert_eq!(fault(&schema, r#"{"limit":5}"#), Ok(()), "{word}");
            assert_eq!(fault(&schema, r#"{"limit":6}"#).unwrap_err().pointer, "/limit", "{word}");
            assert!(fault(&schema, r#"{"limit":5,"other":1}"#).is_err(), "{word}");
            let alone = format!(r#"{{"type":"object","properties":{{"{key}":"1"}}}}"#);
            assert!(JsonSchema.compile(&alone).is_none(), "{word}: a schema is no text");
        }
    }

    #[test]
    fn what_cannot_be_compiled_is_not_checked() {
        for schema in [
            "{",
            r#"{"type":"text"}"#,
            r##"{"$ref":"#/$defs/none"}"##,
            r#"{"pattern":"(?=a)"}"#,
            r#"{"$ref":"https://example.org/x"}"#,
        ] {
            assert!(JsonSchema.compile(schema).is_none(), "{schema}");
        }
    }
}
