//! What is read of JSON, where it stands, and what is told.

use super::read;
use crate::diagnostic::{Diagnostic, Sink};
use crate::source::Sources;
use crate::syntax::{Document, Kind, Node};

fn parse(text: &str) -> (Document, Vec<Diagnostic>) {
    let file = Sources::default().add("list.json", text);
    let mut sink = Sink::default();
    let document = read(file, text, &mut sink);
    (document, sink.into_sorted())
}

/// The findings as `rule: text under the span`.
fn told(text: &str) -> Vec<String> {
    let (document, findings) = parse(text);
    assert_eq!(document.broken, document.root.is_none(), "{text:?}");
    findings.iter().map(|found| format!("{}: {}", found.rule, &text[found.primary.span.range()])).collect()
}

fn value(node: &Node) -> serde_json::Value {
    match &node.kind {
        Kind::Null => serde_json::Value::Null,
        Kind::Bool(value) => (*value).into(),
        Kind::Number(text) => serde_json::from_str(text).unwrap(),
        Kind::Text(text, _) => text.clone().into(),
        Kind::List(items) => items.iter().map(|item| value(item)).collect(),
        Kind::Map(entries) => {
            entries.iter().map(|entry| (entry.key.value.clone(), value(&entry.value))).collect()
        }
    }
}

#[test]
fn every_value_has_its_place() {
    let text = "\u{feff} {\"a\": [1, -0.5e+3, \"x\\u00e9\\ud83d\\ude00\"], \"b\": {\"c\": null}}\n";
    let (document, findings) = parse(text);
    assert_eq!(findings, []);
    let root = document.root.unwrap();
    let list = &root.get("a").unwrap().value;
    assert_eq!(&text[list.span.range()], "[1, -0.5e+3, \"x\\u00e9\\ud83d\\ude00\"]");
    let Kind::List(items) = &list.kind else { panic!() };
    assert_eq!(items[1].kind, Kind::Number("-0.5e+3".into()));
    assert_eq!(items[2].text(), Some("xé😀"));
    let key = &root.get("b").unwrap().value.get("c").unwrap().key;
    assert_eq!(&text[key.span.range()], "\"c\"");
}

#[test]
fn what_is_no_json_is_told_at_its_place() {
    for (text, finding) in [
        ("", "json-syntax: "),
        ("{\"a\": 1,}", "json-syntax: }"),
        ("[1,]", "json-syntax: ]"),
        ("{'a': 1}", "json-syntax: '"),
        ("{\"a\" 1}", "json-syntax: 1"),
        ("[1 2]", "json-syntax: 2"),
        ("[1", "json-syntax: "),
        ("// x\n1", "json-syntax: /"),
        ("[nul]", "json-syntax: nul"),
        ("[NaN]", "json-syntax: NaN"),
        ("[01]", "json-syntax: 01"),
        ("[1.]", "json-syntax: 1."),
        ("[.5]", "json-syntax: ."),
        ("[1e]", "json-syntax: 1e"),
        ("[-]", "json-syntax: -"),
        ("[\"a\nb\"]", "json-syntax: \""),
        ("[\"a\tb\"]", "json-syntax: \t"),
        ("[\"\\x\"]", "json-syntax: \\x"),
        ("[\"\\u12é4\"]", "json-syntax: \\u"),
        ("[\"\\ud800\"]", "json-syntax: \\ud800"),
        ("[\"\\ud800\\u0041\"]", "json-syntax: \\ud800\\u0041"),
        ("{} {}", "json-syntax: {"),
        ("\"\\", "json-syntax: \\"),
    ] {
        assert_eq!(told(text), [finding], "{text:?}");
    }
}

#[test]
fn a_key_that_stands_twice_is_told_and_the_first_one_kept() {
    let text = r#"{"a": 1, "\u0061": 2, "b": 3}"#;
    assert_eq!(told(text), [r#"duplicate-key: "\u0061""#]);
    let root = parse(text).0.root.unwrap();
    assert_eq!(root.get("a").unwrap().value.kind, Kind::Number("1".into()));
}

#[test]
fn hidden_characters_are_told_raw_and_escaped() {
    assert_eq!(told("[\"a\u{e0041}\"]"), ["hidden-character: \u{e0041}"]);
    assert_eq!(told("[\"a\\u202e\"]"), ["hidden-character: \"a\\u202e\""]);
    assert_eq!(told("{\"a\\u200b\": 1}"), ["bad-key: \"a\\u200b\""]);
    assert!(told("[\"a\\r\\n\\t\"]").is_empty());
}

#[test]
fn depth_has_an_end() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(told(&nested(128)).is_empty());
    assert_eq!(told(&nested(129)), ["input-too-large: ["]);
    assert_eq!(told(&"[".repeat(100_000)), ["input-too-large: ["]);
    assert_eq!(told(&format!("[{}]", "0,".repeat(1_000_000))).len(), 1);
}

proptest::proptest! {
    /// Two readers, one answer: what serde_json takes is read to the same value, what it refuses is refused.
    #[test]
    fn agrees_with_a_second_reader(text in r#"([\[\]{},:" \n]|"[a-c\\u0-9dDn]{0,6}"|-?[0-9.eE+]{1,4}|true|null){0,12}"#) {
        let (document, findings) = parse(&text);
        match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(other) if findings.is_empty() => assert_eq!(value(&document.root.unwrap()), other),
            Ok(_) => assert!(findings.iter().all(|found| found.rule.0 != "json-syntax"), "{findings:?}"),
            Err(_) => assert!(!findings.is_empty(), "{text}"),
        }
    }
}
