//! Forged schemas: each lets through what it does not name, at its root or deeper, and none loads.

use harnessc_runtime::load::load;
use harnessc_runtime::lock::{Lock, RawJson};
use harnessc_runtime::prove;

use crate::common::{bundle, raw, seal, small, trust};

/// A lock whose tool has this output, its table in step with it.
fn with_output(schema: &str) -> Lock {
    let mut lock = small();
    lock.tools.get_mut("records.search").unwrap().output = Some(raw(schema));
    lock
}

/// A lock whose tool has this input beside what its binding leans on.
fn with_input(rest: &str) -> Lock {
    let mut lock = small();
    let input = format!(
        r#"{{"type":"object","properties":{{"program_id":{{"type":"string"}}}},"required":["program_id"]{rest}}}"#
    );
    lock.tools.get_mut("records.propose").unwrap().input = RawJson::new(input).unwrap();
    lock
}

fn why(lock: &Lock) -> String {
    let failures = prove::failures(lock);
    let failure =
        failures.into_iter().find(|failure| failure.proof == "closed_schemas").expect("it is refused");
    let error = load(&seal(lock), &trust(), None).unwrap_err();
    assert_eq!(error.code(), "proof_failed");
    failure.why
}

#[test]
fn what_opens_a_root_is_refused_whatever_closes_it_besides() {
    const SHUT: &str = r#","unevaluatedProperties":false"#;
    const ADDITIONAL: &str = r#","additionalProperties":false"#;
    for (closing, opening, place) in [
        (ADDITIONAL, r#","patternProperties":{"":{}}"#, "/patternProperties"),
        (SHUT, r#","patternProperties":{"^x-":{"type":"string"}}"#, "/patternProperties"),
        (SHUT, r#","additionalProperties":true"#, "/additionalProperties"),
        (SHUT, r#","additionalProperties":{}"#, "/additionalProperties"),
        (SHUT, r#","additionalProperties":{"type":"string"}"#, "/additionalProperties"),
        (SHUT, r#","allOf":[{"additionalProperties":true}]"#, "/allOf/0/additionalProperties"),
        (SHUT, r#","allOf":[{"unevaluatedProperties":true}]"#, "/allOf/0/unevaluatedProperties"),
        (SHUT, r#","anyOf":[{},{"patternProperties":{"a":{}}}]"#, "/anyOf/1/patternProperties"),
        (
            SHUT,
            r#","oneOf":[{"allOf":[{"additionalProperties":{"type":"object"}}]}]"#,
            "/oneOf/0/allOf/0/additionalProperties",
        ),
        (
            SHUT,
            r#","if":{"required":["a"]},"then":{"additionalProperties":true}"#,
            "/then/additionalProperties",
        ),
        (
            SHUT,
            r#","if":{"required":["a"]},"else":{"additionalProperties":true}"#,
            "/else/additionalProperties",
        ),
        (SHUT, r#","if":{"properties":{"a":true}}"#, "/if"),
        (SHUT, r#","if":{"anyOf":[{"additionalProperties":true}]}"#, "/if"),
        (SHUT, r##","if":{"$ref":"#/$defs/a"},"$defs":{"a":{"additionalProperties":true}}"##, "/if"),
        (
            SHUT,
            r#","dependentSchemas":{"program_id":{"additionalProperties":true}}"#,
            "/dependentSchemas/program_id/additionalProperties",
        ),
        (
            SHUT,
            r##","$ref":"#/$defs/a","$defs":{"a":{"additionalProperties":true}}"##,
            "/$defs/a/additionalProperties",
        ),
        (
            SHUT,
            r##","allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"patternProperties":{"":true}}}"##,
            "/$defs/b/patternProperties",
        ),
        (SHUT, r##","$dynamicRef":"#x""##, "/$dynamicRef"),
        (SHUT, r#","$ref":"https://example.org/a""#, "/$ref"),
        (SHUT, r##","$ref":"#/properties/a""##, "/$ref"),
        (SHUT, r##","$ref":"#/$defs/a%62","$defs":{"ab":{}}"##, "/$ref"),
        (SHUT, r#","$id":"https://example.org/a""#, "/$id"),
        (SHUT, r#","$schema":"http://json-schema.org/draft-04/schema#""#, "/$schema"),
        (SHUT, r#","not":{"$id":"https://example.org/a"}"#, "/not/$id"),
        (SHUT, r#","dependencies":{"a":{}}"#, "/dependencies"),
        ("", r#","unevaluatedProperties":{"type":"string"}"#, "/unevaluatedProperties"),
    ] {
        let lock = with_input(&format!("{closing}{opening}"));
        let why = why(&lock);
        assert!(why.starts_with(&format!("its input is not closed at `{place}`: ")), "{opening}: {why}");
    }
    assert!(why(&with_input("")).starts_with("its input is not closed at its root: objects may"));
    for closing in [SHUT, ADDITIONAL] {
        bundle(&with_input(closing));
    }
}

#[test]
fn what_opens_a_place_deeper_down_is_refused_too() {
    let within = |schema: &str| {
        format!(
            r#"{{"type":"object","properties":{{"rows":{{"type":"array","items":{schema}}}}},"unevaluatedProperties":false}}"#
        )
    };
    for open in [
        "true",
        "{}",
        "3",
        r#"{"type":"object"}"#,
        r#"{"properties":{"a":{"type":"string"}}}"#,
        r#"{"type":"object","properties":{"a":true},"unevaluatedProperties":false}"#,
        r#"{"type":"object","patternProperties":{"a":{"type":"string"}},"unevaluatedProperties":false}"#,
        r#"{"type":"object","maxProperties":2,"additionalProperties":{"type":"string"},"unevaluatedProperties":false}"#,
        r#"{"type":"object","propertyNames":{"maxLength":5},"additionalProperties":{"type":"string"},"unevaluatedProperties":false}"#,
        r#"{"type":"object","propertyNames":{"maxLength":5},"maxProperties":2,"additionalProperties":{"type":["string","array"],"items":false},"unevaluatedProperties":false}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"object"}]}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"object","unevaluatedProperties":true}],"unevaluatedProperties":false}"#,
        r#"{"type":"array"}"#,
        r#"{"type":"array","prefixItems":[{"type":"string"}]}"#,
        r#"{"type":"array","contains":{"type":"object"},"unevaluatedItems":false}"#,
        r#"{"type":"array","anyOf":[{"items":{"type":"string"}},{"minItems":1}]}"#,
        r#"{"type":"array","unevaluatedItems":true}"#,
        r#"{"type":"array","items":[{"type":"string"}]}"#,
        r#"{"type":"strin"}"#,
    ] {
        let why = why(&with_output(&within(open)));
        assert!(why.starts_with("its output is not closed at `/properties/rows/items"), "{open}: {why}");
    }
    for fine in [
        r#"{"type":"string"}"#,
        "false",
        r#"{"const":{"a":[{"b":1}]}}"#,
        r#"{"enum":[{"a":1},[2],"x"]}"#,
        r#"{"type":["object","null"],"properties":{"a":{"type":"string"}},"additionalProperties":false}"#,
        r#"{"type":"object","propertyNames":{"maxLength":5},"maxProperties":2,"additionalProperties":{"type":"string"},"unevaluatedProperties":false}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"object","properties":{"a":{"type":"string"}}}],"unevaluatedProperties":false}"#,
        r#"{"anyOf":[{"enum":[{"a":1}],"unevaluatedProperties":true},true],"unevaluatedProperties":false,"unevaluatedItems":false}"#,
        r#"{"type":"array","anyOf":[{"items":{"type":"string"}},{"unevaluatedItems":false}]}"#,
        r#"{"type":"array","items":{"type":"string"},"contains":{"properties":{"a":true}}}"#,
        r#"{"type":"object","properties":{"a":{"type":"string"}},"if":{"properties":{"a":{"const":"x"}},"not":{"required":["b"]}},"then":{"properties":{"b":{"type":"string"}}},"unevaluatedProperties":false}"#,
        r#"{"not":{"additionalProperties":true},"type":"string"}"#,
    ] {
        bundle(&with_output(&within(fine)));
    }
}

/// References may lead through many definitions, and in a circle through the parts of a value.
#[test]
fn definitions_are_followed_however_many_there_are() {
    let chain = |end: &str| {
        let defs: Vec<String> =
            (0..5_000).map(|at| format!(r##""d{at}":{{"$ref":"#/$defs/d{}"}}"##, at + 1)).collect();
        format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d5000":{end}}}}}"##, defs.join(","))
    };
    bundle(&with_output(&chain(r#"{"type":"string"}"#)));
    assert!(why(&with_output(&chain("{}"))).contains("at its root"));
    assert!(
        why(&with_output(&chain(r#"{"type":"string","patternProperties":{}}"#)))
            .contains("`/$defs/d5000/patternProperties`")
    );
    let tree = r##"{"$ref":"#/$defs/tree","unevaluatedProperties":false,"$defs":{"tree":{"type":"object","properties":
        {"below":{"$ref":"#/$defs/tree","unevaluatedProperties":false}}}}}"##;
    bundle(&with_output(tree));
    let circle = r##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##;
    assert!(why(&with_output(circle)).contains("at its root"));
}

#[test]
fn a_narrowing_says_nothing_that_no_closed_schema_does() {
    let narrowed = |only: &str| {
        let mut lock = small();
        let toolset = &mut lock.harnesses.get_mut("chemist").unwrap().toolset;
        let mention = toolset.iter_mut().find(|mention| mention.only.contains_key("kind")).unwrap();
        mention.only.insert("kind".to_owned(), raw(only));
        lock.effective = prove::table::effective(&lock);
        lock
    };
    bundle(&narrowed(r#"{"enum":["report"]}"#));
    for odd in [r#"{"enum":["report"],"x-mcp-header":"Kind"}"#, r##"{"allOf":[{"$dynamicRef":"#a"}]}"##] {
        assert!(why(&narrowed(odd)).starts_with("`only` narrows `kind`"));
    }
}
