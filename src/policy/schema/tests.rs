//! Reading as a whole: what is found, on which bytes, and what the closed form looks like.

use serde_json::{Value, json};

use super::testing::{Text, accepts, closed, found, own, pinned};
use super::{Origin, ProblemKind as P, Purpose, Shorts, read};
use crate::source::Spanned;

/// Reads `text` with the types of `types` and one section, `record_types`.
fn with_types(types: &str, text: &str) -> (super::Reading, Text) {
    // Types and schema stand in one text, so that spans of both can be shown.
    let source = Text::new(&format!("{{types: {types}, schema: {text}}}"));
    let root = source.node();
    let types = &root.get("types").unwrap().value;
    let crate::syntax::Kind::Map(entries) = &types.kind else { panic!("types are a mapping") };
    let keys = |section: &str| {
        (section == "record_types").then(|| vec![Spanned::new("decision".to_owned(), types.span)])
    };
    let shorts = Shorts::new(entries.iter().map(|entry| (entry.key.value.as_str(), &entry.value)), &keys);
    let reading = read(&root.get("schema").unwrap().value, Origin::Own, Purpose::Input, &shorts);
    (reading, source)
}

fn kinds_of(text: &str, origin: Origin, purpose: Purpose) -> Vec<P> {
    found(text, origin, purpose).into_iter().map(|(kind, _)| kind).collect()
}

#[test]
fn short_forms_are_written_out() {
    let types = r#"{id: {type: string, maxLength: 9}, state: [draft, decided], level: [1, 2]}"#;
    let (reading, _) = with_types(
        types,
        "{properties: {a: id, b: state, c: {keys: record_types}, d: level, e: {type: array, maxItems: 2, items: id}}}",
    );
    assert_eq!(reading.problems, []);
    assert_eq!(
        reading.original(),
        json!({ "type": "object", "properties": {
            "a": { "type": "string", "maxLength": 9 },
            "b": { "type": "string", "enum": ["draft", "decided"] },
            "c": { "type": "string", "enum": ["decision"] },
            "d": { "enum": [1, 2] },
            "e": { "type": "array", "maxItems": 2, "items": { "type": "string", "maxLength": 9 } },
        } })
    );
}

#[test]
fn a_fault_inside_a_type_shows_the_type_and_its_use() {
    let (reading, source) = with_types("{id: {type: strin}}", "{properties: {a: id}}");
    let problem = &reading.problems[0];
    assert_eq!(source.sources.slice(problem.span), "strin");
    assert_eq!(source.sources.slice(problem.related.unwrap()), "id");
    assert_eq!(problem.help.as_deref(), Some("did you mean `string`?"));
}

#[test]
fn words_that_name_nothing_are_found() {
    let (reading, source) =
        with_types("{ticket: [a]}", "{properties: {a: tickett, b: string, c: {keys: harness}}}");
    let seen: Vec<_> =
        reading.problems.iter().map(|p| (source.sources.slice(p.span), p.help.as_deref())).collect();
    assert_eq!(
        seen,
        [
            ("tickett", Some("did you mean `ticket`?")),
            ("string", Some("write `{type: string}`")),
            ("harness", None)
        ]
    );
    assert!(reading.problems.iter().all(|p| p.kind.rule() == "unknown-reference"));
    assert_eq!(reading.closed, None);
}

#[test]
fn types_that_lead_to_themselves_are_found() {
    let (reading, _) =
        with_types("{a: {properties: {b: b}}, b: {type: array, items: a}}", "{properties: {x: a}}");
    assert_eq!(reading.problems[0].kind, P::TypeCycle);
    assert_eq!(reading.problems[0].kind.rule(), "reference-cycle");
}

#[test]
fn a_type_bomb_is_refused_soon() {
    let mut types = String::from("{t0: [a]");
    for level in 1..30 {
        let before = level - 1;
        types.push_str(&format!(", t{level}: {{properties: {{a: t{before}, b: t{before}}}}}"));
    }
    types.push('}');
    let (reading, _) = with_types(&types, "{properties: {x: t29}}");
    assert!(reading.problems.iter().any(|p| matches!(p.kind, P::TooLarge | P::TooDeep)));
}

#[test]
fn faults_of_own_schemas_stand_on_the_exact_bytes() {
    let cases = [
        ("{properties: {a: {type: object, additionalProperties: true}}}", P::OpenObject, "true"),
        ("{properties: {a: {type: object, additionalProperties: {}}}}", P::OpenObject, "{}"),
        ("{allOf: [{properties: {a: [x]}}], type: object}", P::OutsideSubset, "allOf"),
        ("{properties: {a: {type: string, maxLenght: 3}}}", P::OutsideSubset, "maxLenght"),
        ("{properties: {a: {type: string, nullable: true}}}", P::OutsideSubset, "nullable"),
        ("{properties: {a: {description: x}}}", P::MissingType, "{description: x}"),
        ("{properties: {a: true}}", P::MissingType, "true"),
        ("{properties: {a: {type: array, maxItems: 3}}}", P::MissingType, "{type: array, maxItems: 3}"),
        ("{properties: {a: {type: strng, maxLength: 3}}}", P::Invalid, "strng"),
        ("{properties: {a: {type: string, maxLength: -3}}}", P::Invalid, "-3"),
        ("{properties: {a: [x]}, required: [b]}", P::Invalid, "b"),
        ("{properties: {a: []}}", P::Invalid, "[]"),
        ("{properties: {a: {type: string, format: ipv4, maxLength: 9}}}", P::UnknownFormat, "ipv4"),
        ("{properties: {a: {type: string, pattern: \"^(?=a)$\"}}}", P::BadPattern, "\"^(?=a)$\""),
        (
            "{properties: {a: {type: integer, maximum: 9007199254740993, minimum: 0}}}",
            P::BadNumber,
            "9007199254740993",
        ),
        (
            "{properties: {a: {type: object, additionalProperties: {type: integer, minimum: 0, maximum: 1}}}}",
            P::LooseMap,
            "additionalProperties",
        ),
        ("{properties: {a: {$ref: \"#/$defs/x\"}}}", P::DanglingRef, "\"#/$defs/x\""),
        ("{properties: {a: {$ref: \"file:///etc/passwd\"}}}", P::RemoteRef, "\"file:///etc/passwd\""),
        ("{properties: {a: {$ref: \"#x\"}}}", P::RemoteRef, "\"#x\""),
        ("{properties: {a: 3}}", P::NotASchema, "3"),
        ("{properties: [a]}", P::NotASchema, "[a]"),
        ("{type: array, maxItems: 1, items: [a]}", P::NotAnObject, "{type: array, maxItems: 1, items: [a]}"),
        ("{type: string, maxLength: 3}", P::NotAnObject, "{type: string, maxLength: 3}"),
        (
            "{$schema: \"https://example.org/mine\", properties: {}}",
            P::Invalid,
            "\"https://example.org/mine\"",
        ),
    ];
    for (text, kind, bytes) in cases {
        let seen = found(text, Origin::Own, Purpose::Input);
        assert_eq!(seen, [(kind, bytes.to_owned())], "{text}");
    }
}

#[test]
fn several_faults_are_found_in_one_reading() {
    let text = "{properties: {a: {type: strng}, b: {type: object, additionalProperties: true}, c: {}}}";
    assert_eq!(kinds_of(text, Origin::Own, Purpose::Input), [P::Invalid, P::OpenObject, P::MissingType]);
}

#[test]
fn what_an_own_schema_may_use_passes() {
    let text = r##"{required: [a], additionalProperties: false, $defs: {n: {type: integer, minimum: 0, maximum: 0x10}}, properties: {
        a: {type: string, format: date-time, maxLength: 40, default: x, examples: [y], title: t, description: d},
        b: {anyOf: [{type: "null"}, {$ref: "#/$defs/n"}]}, c: {oneOf: [{const: 1}, {const: b}]},
        d: {type: object, maxProperties: 4, additionalProperties: {type: string, maxLength: 4}},
        e: {type: array, maxItems: 3, uniqueItems: true, items: {type: number, exclusiveMinimum: 0, maximum: 1, multipleOf: 0.1}}}}"##;
    assert_eq!(kinds_of(text, Origin::Own, Purpose::Input), []);
}

#[test]
fn loose_inputs_and_patterns_are_noted_and_do_not_keep_a_schema_from_closing() {
    let text = r#"{properties: {a: {type: string}, b: {type: integer, minimum: 0}, c: {type: array, items: [x]},
        d: {type: string, pattern: "^a|b$"}, e: {type: string, pattern: "^[A-Z]{2}-[0-9]{1,6}$"}}}"#;
    let reading = own(text, Purpose::Input);
    let kinds: Vec<P> = reading.problems.iter().map(|p| p.kind).collect();
    assert_eq!(kinds, [P::LooseString, P::LooseNumber, P::LooseArray, P::LooseString, P::UnanchoredPattern]);
    assert_eq!(closed(&reading)["properties"]["e"]["maxLength"], 4000);
    let help = reading.problems[4].help.as_deref();
    assert_eq!(help, Some("write `^(?:a|b)$`"));
}

#[test]
fn caps_follow_purpose_and_what_is_stated() {
    let text = "{properties: {a: {type: string}, t: {type: string, untrusted_title: true}, s: {type: string, maxLength: 9000}, e: [x]}}";
    let caps = |purpose| {
        let reading = own(text, purpose);
        let properties = closed(&reading)["properties"].clone();
        ["a", "t", "s", "e"].map(|name| properties[name]["maxLength"].as_u64())
    };
    assert_eq!(caps(Purpose::Input), [Some(4000), Some(120), Some(9000), None]);
    assert_eq!(caps(Purpose::Output), [Some(300), Some(120), Some(9000), None]);
    assert_eq!(caps(Purpose::Narrowing), [None, None, Some(9000), None]);
    let reading = own(text, Purpose::Output);
    assert_eq!(closed(&reading)["properties"]["t"]["untrusted_title"], true);
}

#[test]
fn a_cap_goes_to_the_branch_that_needs_it() {
    let reading = own(
        "{properties: {a: {anyOf: [{type: string}, {type: string, maxLength: 9000}, {type: \"null\"}]}}}",
        Purpose::Input,
    );
    assert_eq!(
        closed(&reading)["properties"]["a"]["anyOf"],
        json!([{ "type": "string", "maxLength": 4000 }, { "type": "string", "maxLength": 9000 }, { "type": "null" }])
    );
}

#[test]
fn children_are_closed_and_branches_are_not() {
    let text = r##"{type: object, properties: {a: {type: object, properties: {x: {type: integer}}}},
        anyOf: [{properties: {b: {type: object}}}, {$ref: "#/$defs/c"}], $defs: {c: {properties: {c: {type: integer}}, required: [c]}}}"##;
    let reading = pinned(text, Purpose::Input);
    assert_eq!(
        closed(&reading),
        &json!({
            "type": "object",
            "properties": { "a": { "type": "object", "properties": { "x": { "type": "integer" } }, "unevaluatedProperties": false } },
            "anyOf": [
                { "properties": { "b": { "type": "object", "unevaluatedProperties": false } } },
                { "$ref": "#/$defs/c" }
            ],
            "unevaluatedProperties": false,
            "$defs": { "c": { "properties": { "c": { "type": "integer" } }, "required": ["c"] } },
        })
    );
    assert!(accepts(closed(&reading), &json!({ "a": { "x": 1 }, "b": {}, "c": 1 })));
    assert!(!accepts(closed(&reading), &json!({ "a": { "y": 1 } })));
    assert!(!accepts(closed(&reading), &json!({ "d": 1 })));
}

#[test]
fn a_branch_that_counts_is_not_loosened_by_closing() {
    // Both branches take a text of 4,500 characters as written, so `oneOf` refuses it; with a cap on one, it would not.
    let text = "{type: object, properties: {a: {oneOf: [{type: string}, {type: string, maxLength: 5000}]}}}";
    let reading = pinned(text, Purpose::Input);
    let value = json!({ "a": "a".repeat(4500) });
    assert!(!accepts(&reading.original(), &value));
    assert!(!accepts(closed(&reading), &value));
}

#[test]
fn branches_told_apart_by_a_constant_stay_one_of() {
    let text = r#"{type: object, properties: {}, oneOf: [
        {properties: {kind: {const: a}, x: {type: object}}, required: [kind]},
        {properties: {kind: {const: b}, y: {type: object}}, required: [kind]}]}"#;
    let reading = pinned(text, Purpose::Input);
    assert!(closed(&reading).get("oneOf").is_some());
    assert!(accepts(closed(&reading), &json!({ "kind": "a", "x": {} })));
    assert!(!accepts(closed(&reading), &json!({ "kind": "a", "y": {} })));
    assert!(!accepts(closed(&reading), &json!({ "kind": "a", "x": { "z": 1 } })));
}

#[test]
fn free_places_of_pinned_schemas_take_nothing_unknown() {
    let text = r#"{type: object, properties: {o: {type: object, additionalProperties: true}, m: {additionalProperties: {type: string}},
        l: {type: array}, any: {}, t: true, map: {type: object, maxProperties: 2, additionalProperties: {type: integer}}}}"#;
    let reading = pinned(text, Purpose::Input);
    let form = closed(&reading);
    for good in [
        json!({ "o": {}, "l": [], "any": "x", "t": 1 }),
        json!({ "any": {}, "m": {} }),
        json!({ "map": { "a": 1 } }),
    ] {
        assert!(accepts(form, &good), "{good}");
    }
    for bad in [
        json!({ "o": { "a": 1 } }),
        json!({ "m": { "a": "b" } }),
        json!({ "l": [1] }),
        json!({ "any": { "a": 1 } }),
        json!({ "t": [1] }),
        json!({ "any": "a".repeat(4001) }),
        json!({ "map": { ("a".repeat(129)): 1 } }),
        json!({ "u": 1 }),
    ] {
        assert!(!accepts(form, &bad), "{bad}");
    }
}

#[test]
fn older_drafts_are_translated() {
    let text = r##"{$schema: "http://json-schema.org/draft-07/schema#", $id: "urn:x", type: object, properties: {
        a: {type: array, items: [{type: integer}, {$ref: "#/definitions/n", maxLength: 2}], additionalItems: false},
        b: {$ref: "#/properties/a/items/0"}}, definitions: {n: {type: string}},
        dependencies: {a: [b], b: {required: [a]}}}"##;
    let reading = pinned(text, Purpose::Input);
    let form = closed(&reading);
    assert_eq!(form.get("$schema"), None);
    assert_eq!(form.get("$id"), None);
    assert_eq!(form["dependentRequired"], json!({ "a": ["b"] }));
    assert_eq!(form["dependentSchemas"], json!({ "b": { "required": ["a"] } }));
    assert!(
        accepts(form, &json!({ "a": [1, "long"], "b": 1 })),
        "the bound beside `$ref` means nothing in draft-07"
    );
    assert!(!accepts(form, &json!({ "a": [1, "long", 1], "b": 1 })));
    assert!(!accepts(form, &json!({ "a": [1], "b": "x" })));
    let text = r#"{$schema: "http://json-schema.org/draft-04/schema#", type: object, properties: {n: {type: integer, minimum: 0, exclusiveMinimum: true}}}"#;
    let reading = pinned(text, Purpose::Input);
    assert_eq!(closed(&reading)["properties"]["n"], json!({ "type": "integer", "exclusiveMinimum": 0 }));
}

#[test]
fn what_cannot_be_shown_to_close_is_refused() {
    let cases = [
        ("{type: object, patternProperties: {\"^a\": {type: string}}}", P::CannotClose, "patternProperties"),
        (
            "{type: object, properties: {a: {type: array, contains: {type: object}}}}",
            P::CannotClose,
            "contains",
        ),
        ("{type: object, if: {properties: {x: true}}}", P::CannotClose, "if"),
        ("{type: object, properties: {a: {$id: \"urn:y\", type: string}}}", P::CannotClose, "$id"),
        ("{type: object, $dynamicRef: \"#x\"}", P::CannotClose, "$dynamicRef"),
        ("{type: object, not: {properties: {a: {format: email}}}}", P::CannotClose, "format"),
        ("{$ref: \"#\"}", P::RefCycle, "\"#\""),
        (
            "{type: object, properties: {a: {$ref: \"#/properties/b\"}, b: {allOf: [{$ref: \"#/properties/a\"}]}}}",
            P::RefCycle,
            "\"#/properties/a\"",
        ),
        ("{type: object, properties: {a: {type: string, pattern: \"(\"}}}", P::BadPattern, "\"(\""),
        ("true", P::NotAnObject, "true"),
        ("null", P::NotASchema, "null"),
        ("{type: array, items: {type: string}}", P::NotAnObject, "{type: array, items: {type: string}}"),
    ];
    for (text, kind, bytes) in cases {
        let seen: Vec<_> = found(text, Origin::Pinned, Purpose::Input)
            .into_iter()
            .filter(|(kind, _)| !matches!(kind, P::LooseString | P::LooseArray))
            .collect();
        assert_eq!(seen, [(kind, bytes.to_owned())], "{text}");
        assert_eq!(pinned(text, Purpose::Input).closed, None, "{text}");
    }
}

#[test]
fn recursion_through_a_property_closes() {
    let text = r##"{type: object, properties: {child: {$ref: "#/$defs/n"}}, $defs: {n: {type: object, properties: {child: {$ref: "#/$defs/n"}}}}}"##;
    let reading = pinned(text, Purpose::Input);
    assert!(accepts(closed(&reading), &json!({ "child": { "child": { "child": {} } } })));
    assert!(!accepts(closed(&reading), &json!({ "child": { "child": { "other": 1 } } })));
}

#[test]
fn conditions_stay_as_written() {
    let text = r##"{type: object, properties: {kind: {enum: [a, b]}, x: {type: object}}, $defs: {k: {properties: {kind: {const: a}}}},
        if: {properties: {kind: {const: a}}}, then: {properties: {y: {type: object}}}, not: {$ref: "#/$defs/k"}}"##;
    let reading = pinned(text, Purpose::Input);
    let form = closed(&reading);
    assert_eq!(form["if"], json!({ "properties": { "kind": { "const": "a" } } }));
    assert_eq!(form["$defs"]["k"], json!({ "properties": { "kind": { "const": "a" } } }));
    assert_eq!(form["then"]["properties"]["y"]["unevaluatedProperties"], false);
}

#[test]
fn an_empty_pinned_input_takes_an_empty_object_alone() {
    let reading = pinned("{}", Purpose::Input);
    let form = closed(&reading);
    assert_eq!((form.get("type"), accepts(form, &json!({}))), (Some(&json!("object")), true));
    assert!(!accepts(form, &json!({ "a": 1 })));
    assert!(!accepts(form, &json!([])));
}

#[test]
fn an_empty_own_input_says_that_the_tool_takes_nothing() {
    let reading = own("{}", Purpose::Input);
    assert_eq!(closed(&reading), &json!({ "type": "object", "unevaluatedProperties": false }));
    assert_eq!(kinds_of("{}", Origin::Own, Purpose::Output), [P::MissingType]);
}

#[test]
fn outputs_of_outside_servers_keep_to_the_subset_and_drop_their_notes() {
    let text = "{type: object, properties: {result: {type: string}}, required: [result], x-fastmcp-wrap-result: true}";
    let reading = pinned(text, Purpose::Output);
    assert_eq!(closed(&reading)["properties"]["result"]["maxLength"], 300);
    assert_eq!(closed(&reading).get("x-fastmcp-wrap-result"), None);
    let text = "{type: object, properties: {a: {type: string}}, patternProperties: {\"^a\": {type: string}}}";
    assert_eq!(kinds_of(text, Origin::Pinned, Purpose::Output), [P::OutsideSubset]);
}

#[test]
fn keys_that_announce_prose_are_noted_in_outputs_alone() {
    let text = "{properties: {rows: {type: array, maxItems: 3, items: {properties: {Summary: {type: string, maxLength: 9}}}}}}";
    assert_eq!(found(text, Origin::Own, Purpose::Output), [(P::ProseKey, "Summary".to_owned())]);
    assert_eq!(found(text, Origin::Own, Purpose::Input), []);
}

#[test]
fn run_fields_are_single_values() {
    assert_eq!(kinds_of("{type: string, maxLength: 3}", Origin::Own, Purpose::RunField), []);
    assert_eq!(kinds_of("{properties: {a: [x]}}", Origin::Own, Purpose::RunField), [P::NotAScalar]);
}

#[test]
fn numbers_of_yaml_become_numbers_of_json() {
    let reading = own("{enum: [0x10, 0o17, +5, -0, .5, 1.50, 1e3, 9007199254740991]}", Purpose::Narrowing);
    let texts: Vec<String> =
        reading.original()["enum"].as_array().unwrap().iter().map(Value::to_string).collect();
    assert_eq!(texts, ["16", "15", "5", "-0", "0.5", "1.50", "1e+3", "9007199254740991"]);
    for bad in
        [".inf", ".nan", "-9007199254740992", "9007199254740992", "1e999", "1e30", "9007199254740993.0"]
    {
        let text = format!("{{enum: [{bad}]}}");
        assert_eq!(kinds_of(&text, Origin::Own, Purpose::Narrowing), [P::BadNumber], "{bad}");
    }
}

#[test]
fn what_a_meta_schema_refuses_is_said_in_the_author_s_words() {
    let details = |text: &str| -> Vec<String> {
        own(text, Purpose::Narrowing).problems.into_iter().map(|problem| problem.detail).collect()
    };
    let text = "{type: strng, maxLength: \"3\", minLength: -1, required: [a, a], anyOf: [], examples: 3}";
    assert_eq!(
        details(text),
        [
            "`strng` is no JSON type",
            "`maxLength` takes a whole number, and this is text",
            "`minLength` takes no number below 0",
            "`required` names the same thing twice",
            "`anyOf` takes at least one entry",
            "`examples` takes a list, and this is a number",
        ]
    );
}
