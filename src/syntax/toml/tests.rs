//! What is read of TOML, where it stands, and what is told.

use super::read;
use crate::diagnostic::{Diagnostic, Sink};
use crate::source::Sources;
use crate::syntax::{Document, Kind, Style};

fn parse(text: &str) -> (Document, Vec<Diagnostic>) {
    let file = Sources::default().add("harness.toml", text);
    let mut sink = Sink::default();
    let document = read(file, text, &mut sink);
    (document, sink.into_sorted())
}

#[test]
fn a_manifest_keeps_its_order_and_its_places() {
    let text = "[policy]\nname = \"desk\" # the \"name\"\nedition = 1_0\n# harnessc: allow x -- y\n[[mirror]]\nof = 'a # b'\n[rules]\nb = true\na = 2026-11-30\n";
    let (document, findings) = parse(text);
    assert_eq!(findings, []);
    let root = document.root.unwrap();
    let Kind::Map(entries) = &root.kind else { panic!() };
    let keys: Vec<&str> = entries.iter().map(|entry| entry.key.value.as_str()).collect();
    assert_eq!(keys, ["policy", "mirror", "rules"]);
    let policy = &root.get("policy").unwrap().value;
    assert_eq!(&text[policy.span.range()], "[policy]");
    let name = &policy.get("name").unwrap().value;
    assert_eq!((&text[name.span.range()], name.text()), ("\"desk\"", Some("desk")));
    assert_eq!(policy.get("edition").unwrap().value.kind, Kind::Number("10".into()));
    let rules = &root.get("rules").unwrap().value;
    assert_eq!(rules.get("b").unwrap().value.kind, Kind::Bool(true));
    assert_eq!(rules.get("a").unwrap().value.kind, Kind::Text("2026-11-30".into(), Style::Plain));
    let comments: Vec<_> = document.comments.iter().map(|found| (found.text.as_str(), found.alone)).collect();
    assert_eq!(comments, [(" the \"name\"", false), (" harnessc: allow x -- y", true)]);
}

#[test]
fn several_errors_are_told_in_one_reading_and_the_rest_is_kept() {
    let text = "[policy]\nname = desk\nname2 = \"x\"\nname2 = \"y\"\n[rules]\nok = 1\n";
    let (document, findings) = parse(text);
    assert!(document.broken);
    assert!(findings.len() >= 2, "{findings:?}");
    assert!(findings.iter().all(|found| found.rule.0 == "bad-manifest"));
    assert!(document.root.unwrap().get("rules").is_some());
}

#[test]
fn hidden_characters_are_told_once_raw_or_escaped() {
    let rules = |text: &str| parse(text).1.iter().map(|found| found.rule.0).collect::<Vec<_>>();
    assert_eq!(rules("a = \"\\u202e\"\n"), ["hidden-character"]);
    assert_eq!(rules("a = \"\u{202e}\"\n"), ["hidden-character"]);
    assert_eq!(rules("\"a\\u200b\" = 1\n"), ["bad-key"]);
    assert!(rules("a = \"b\\tc\"\n").is_empty());
}

#[test]
fn depth_ends_in_a_finding() {
    for text in [
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("a{} = 1", ".a".repeat(100_000)),
        format!("[a{}]", ".a".repeat(100_000)),
    ] {
        let (document, findings) = parse(&text);
        assert!(document.broken && !findings.is_empty());
    }
}
