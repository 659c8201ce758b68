//! The proof that schemas are closed, held against the compiler that closes them: what it writes passes, each opening of it
//! is refused, and what passes, whoever wrote it, lets no invented name through.

#![cfg(test)]

use harnessc::policy::schema::{Origin, Purpose};
use harnessc_runtime::lock::{Effect, Lock, Preview, RawJson, Returns, Tool};
use harnessc_runtime::prove;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::instances::{Dice, enforced, instance, mutate, reading};
use crate::schema_properties::rooted;

/// Why a tool's output is not closed; `None`: the proof holds.
fn opened(output: &Value) -> Option<String> {
    let tool = Tool {
        approval: None,
        bind: [].into(),
        cases: None,
        description: String::new(),
        effect: Effect::Read,
        enabled: true,
        input: RawJson::new(r#"{"type":"object","unevaluatedProperties":false}"#).unwrap(),
        output: Some(RawJson::new(output.to_string()).unwrap()),
        preview: Preview::Input,
        returns: Returns::Structured,
        server: None,
        surfaces: None,
        title: String::new(),
        unbound: None,
        undo: Vec::new(),
    };
    let lock = Lock { tools: [("tool".to_owned(), tool)].into(), ..Lock::default() };
    let failures = prove::failures(&lock);
    failures.into_iter().find(|failure| failure.proof == "closed_schemas").map(|failure| failure.why)
}

/// The pointers of all places that are demanded, and whether each is closed where it stands. Every definition that the
/// compiler writes is demanded or asked; the asked ones hold no place of the first list.
fn places(schema: &Value) -> Vec<(String, bool)> {
    fn walk(schema: &Value, at: &str, child: bool, found: &mut Vec<(String, bool)>) {
        let Some(map) = schema.as_object() else { return };
        found.push((at.to_owned(), child));
        for (keyword, value) in map {
            let at = format!("{at}/{keyword}");
            let child = !matches!(
                keyword.as_str(),
                "allOf" | "anyOf" | "oneOf" | "then" | "else" | "dependentSchemas"
            );
            match keyword.as_str() {
                "properties" | "dependentSchemas" => {
                    for (name, schema) in value.as_object().unwrap() {
                        walk(schema, &format!("{at}/{name}"), child, found);
                    }
                }
                "prefixItems" | "allOf" | "anyOf" | "oneOf" => {
                    for (index, schema) in value.as_array().unwrap().iter().enumerate() {
                        walk(schema, &format!("{at}/{index}"), child, found);
                    }
                }
                "items" | "unevaluatedItems" | "additionalProperties" | "then" | "else" => {
                    walk(value, &at, child, found);
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    walk(schema, "", true, &mut found);
    found
}

type Open = fn(&mut Value, bool) -> bool;

/// Each way to open a place, in place or where it is closed: false where it does not apply there.
const OPENINGS: [(&str, Open); 14] = [
    ("patterns", |place, _| put(place, "patternProperties", json!({"": {}}))),
    ("a pattern", |place, _| put(place, "patternProperties", json!({"^z": true}))),
    ("additional", |place, _| put(place, "additionalProperties", json!(true))),
    ("additional, of one type", |place, _| {
        place.get("maxProperties").is_none() && put(place, "additionalProperties", json!({"type": "string"}))
    }),
    ("additional objects", |place, _| {
        put(place, "additionalProperties", json!({"type": "object", "unevaluatedProperties": false}))
    }),
    ("unevaluated", |place, _| !is_listed(place) && put(place, "unevaluatedProperties", json!(true))),
    ("unevaluated objects", |place, _| {
        put(place, "unevaluatedProperties", json!({"type": "object", "unevaluatedProperties": false}))
    }),
    ("a branch that evaluates", |place, _| put(place, "allOf", json!([{"additionalProperties": true}]))),
    ("a nested branch", |place, _| {
        put(
            place,
            "anyOf",
            json!([{"oneOf": [{"dependentSchemas": {"a": {"patternProperties": {"z": true}}}}]}]),
        )
    }),
    ("a condition", |place, _| {
        put(place, "if", json!({"properties": {"zz": true}})) && put(place, "then", json!(true))
    }),
    ("a deep condition", |place, _| put(place, "if", json!({"anyOf": [{"additionalProperties": true}]}))),
    ("a search", |place, _| place.get("items").is_none() && put(place, "contains", json!(true))),
    ("a reference that only a call resolves", |place, _| put(place, "$dynamicRef", json!("#x"))),
    ("no bounds", |place, child| {
        child && !is_listed(place) && {
            *place = json!({});
            true
        }
    }),
];

fn put(place: &mut Value, keyword: &str, value: Value) -> bool {
    place[keyword] = value;
    true
}

fn is_listed(place: &Value) -> bool {
    place.get("const").is_some() || place.get("enum").is_some()
}

/// Whether some object in it has the name that no schema here declares.
fn is_invented(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(is_invented),
        Value::Object(map) => map.iter().any(|(key, value)| key == "zz" || is_invented(value)),
        _ => false,
    }
}

/// Whether some map of it takes any name.
fn has_map(schema: &Value) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(has_map),
        Value::Object(map) => {
            map.get("additionalProperties").is_some_and(Value::is_object) || map.values().any(has_map)
        }
        _ => false,
    }
}

/// What passes the proof accepts no value with an invented name, though it accepts others.
fn holds(schema: &Value, seed: u64) -> Result<usize, TestCaseError> {
    if has_map(schema) {
        return Ok(0);
    }
    // What does not compile lets nothing through.
    let Ok(validator) = jsonschema::options().build(schema) else { return Ok(0) };
    let (mut dice, mut accepted) = (Dice::new(seed), 0);
    for _ in 0..30 {
        let mut value = instance(schema, schema, &mut dice, 8);
        for _ in 0..dice.below(4) {
            mutate(&mut value, &mut dice);
        }
        if validator.is_valid(&value) {
            prop_assert!(!is_invented(&value), "{value} by {schema}");
            accepted += 1;
        }
    }
    Ok(accepted)
}

const PURPOSES: [Purpose; 4] = [Purpose::Input, Purpose::Output, Purpose::Narrowing, Purpose::Restated];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn whatever_close_writes_passes_and_each_opening_of_it_is_refused(schema in rooted(), which in 0..PURPOSES.len()) {
        let read = reading(&schema, Origin::Pinned, PURPOSES[which]);
        let Some(closed) = read.closed else { return Ok(()) };
        prop_assert_eq!(opened(&closed), None, "{}", closed);
        for (pointer, child) in places(&closed) {
            for (what, open) in OPENINGS {
                let mut opening = closed.clone();
                if open(opening.pointer_mut(&pointer).unwrap(), child) {
                    prop_assert!(opened(&opening).is_some(), "{what} at `{pointer}`: {opening}");
                }
            }
        }
    }

    #[test]
    fn a_seal_that_is_taken_away_is_missed_wherever_something_leans_on_it(schema in rooted(), seed in any::<u64>()) {
        let read = reading(&schema, Origin::Pinned, Purpose::Narrowing);
        let Some(closed) = read.closed else { return Ok(()) };
        for (pointer, child) in places(&closed) {
            for seal in ["unevaluatedProperties", "unevaluatedItems", "additionalProperties", "items", "type", "maxProperties"] {
                let mut opening = closed.clone();
                let place = opening.pointer_mut(&pointer).unwrap();
                if place.as_object_mut().unwrap().shift_remove(seal).is_none() {
                    continue;
                }
                let is_bare = ["$ref", "allOf", "anyOf", "oneOf"].iter().all(|keyword| place.get(keyword).is_none());
                let is_object = place.get("type").is_none_or(|word| word == "object");
                let stays = place.get("additionalProperties") == Some(&json!(false));
                let leans = child && seal == "unevaluatedProperties" && is_bare && is_object && !stays && !is_listed(place);
                match opened(&opening) {
                    None => {
                        prop_assert!(!leans, "{seal} at `{pointer}`: {opening}");
                        holds(&opening, seed)?;
                    }
                    Some(why) => prop_assert!(why.starts_with("its output is not closed at "), "{why}"),
                }
            }
        }
    }

    /// Whoever wrote it: not the compiler's form, only what its proof lets through.
    #[test]
    fn what_passes_lets_no_invented_name_through(
        mut schema in rooted(),
        closings in proptest::collection::vec((any::<usize>(), 0..4_usize), 0..12),
        seed in any::<u64>(),
    ) {
        for (which, how) in closings {
            let all = places(&schema);
            let (pointer, _) = &all[which % all.len()];
            let place = schema.pointer_mut(pointer).unwrap();
            let (keyword, value) = [
                ("unevaluatedProperties", json!(false)),
                ("additionalProperties", json!(false)),
                ("unevaluatedItems", json!(false)),
                ("type", json!("object")),
            ][how].clone();
            place[keyword] = value;
        }
        if opened(&schema).is_none() {
            holds(&schema, seed)?;
        }
    }
}

/// The property above speaks of something: closed forms pass, and values pass them.
#[test]
fn closed_forms_take_values() {
    let schema = json!({"type": "object", "properties": {"a": {"anyOf": [{"properties": {"b": {"type": "array"}}}, {"type": "string"}]}}});
    let closed = reading(&schema, Origin::Pinned, Purpose::Input).closed.unwrap();
    assert_eq!(opened(&closed), None);
    assert!(holds(&closed, 7).unwrap() > 3);
    assert!(enforced(&closed).is_valid(&json!({"a": {"b": []}})));
    assert!(!enforced(&closed).is_valid(&json!({"a": {"b": [{"zz": 1}]}})));
}
