//! YAML as others write it: a folder of traps and a half of the yaml-test-suite, where `HARNESSC_REALWORLD` names one.
//!
//! What the suite calls invalid is a finding. What it calls valid is read to exactly the value it states, or refused by a
//! rule of ours that says why.

use std::path::PathBuf;

use harnessc::diagnostic::{Diagnostic, Sink};
use harnessc::source::Sources;
use harnessc::syntax::{Document, Kind, Node, decode, yaml};
use serde_json::Value;

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("HARNESSC_REALWORLD").map(|root| PathBuf::from(root).join("yaml-traps"));
    if folder.is_none() {
        println!("skipped: HARNESSC_REALWORLD is not set");
    }
    folder
}

fn parse(text: &str) -> (Document, Vec<Diagnostic>) {
    let file = Sources::default().add("case.yaml", text);
    let mut sink = Sink::default();
    let document = yaml::read(file, text, &mut sink);
    (document, sink.into_sorted())
}

fn value(node: &Node) -> Value {
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Bool(value) => (*value).into(),
        Kind::Number(text) => number(text),
        Kind::Text(text, _) => text.clone().into(),
        Kind::List(items) => items.iter().map(|item| value(item)).collect(),
        Kind::Map(entries) => {
            entries.iter().map(|entry| (entry.key.value.clone(), value(&entry.value))).collect()
        }
    }
}

fn number(text: &str) -> Value {
    let radix = |digits, radix| u64::from_str_radix(digits, radix).map(Value::from).ok();
    let other = text.strip_prefix("0x").map(|digits| radix(digits, 16));
    let other = other.or_else(|| text.strip_prefix("0o").map(|digits| radix(digits, 8))).flatten();
    let plain = text.trim_start_matches('+');
    other.or_else(|| serde_json::from_str(plain).ok()).unwrap_or_else(|| text.into())
}

/// Whether two values are the same, numbers by their amount.
fn same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(ours, theirs)| same(ours, theirs))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, ours)| b.get(key).is_some_and(|theirs| same(ours, theirs)))
        }
        _ => ours == theirs,
    }
}

/// Whether a finding refuses what YAML allows and the language does not.
fn by_choice(found: &Diagnostic) -> bool {
    found.rule.0 != "yaml-syntax" || found.message.contains("asks to be read as YAML 1.1")
}

#[test]
fn the_test_suite_is_read_or_refused_with_a_reason() {
    let Some(folder) = folder() else { return };
    let text = std::fs::read_to_string(folder.join("yaml-test-suite-half.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for case in &cases {
        let (document, findings) = parse(case["yaml"].as_str().unwrap());
        let ours = document.root.as_deref().map_or(Value::Null, value);
        let right = match case["fail"] == true {
            true => !findings.is_empty(),
            // The suite has cases without a value, which reads as null here.
            false if findings.is_empty() => case["json"].is_null() || same(&ours, &case["json"]),
            false => findings.iter().all(by_choice),
        };
        if !right {
            let told: Vec<_> = findings.iter().map(|found| &found.message).collect();
            wrong.push(format!(
                "{} {}\n{}\n  {told:?}\n  {ours}\n  {}\n",
                case["name"], case["title"], case["yaml"], case["json"]
            ));
        }
    }
    assert!(!cases.is_empty());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Each file of the folder with the rule that refuses it; nothing where it is read.
const TRAPS: &[(&str, &str)] = &[
    ("01-duplicate-key", "duplicate-key"),
    ("03-duplicate-key-quoted", "duplicate-key"),
    ("05-norway-key", ""),
    ("07-tab-after-dash", ""),
    ("09-merge-list", "merge-key"),
    ("11-alias-bomb", "input-too-large"),
    ("13-undefined-alias", "yaml-syntax"),
    ("15-nul-escape", "hidden-character"),
    ("17-bom-middle", "multi-document"),
    ("19-invalid-utf8", "yaml-syntax"),
    ("21-lone-cr", ""),
    ("23-deep-nesting", "input-too-large"),
    ("25-unterminated-quote", "yaml-syntax"),
    ("27-zero-width-key", "bad-key"),
    ("29-nfc-nfd", ""),
    ("31-very-long-key", "yaml-syntax"),
    ("33-multi-document", "multi-document"),
    ("35-directive", "yaml-syntax"),
    ("37-number-overflow", ""),
    ("39-python-tag", "yaml-tag"),
    ("41-nonstring-tag", "yaml-tag"),
    ("43-number-keys", "bad-key"),
    ("45-colon-in-plain", "yaml-syntax"),
    ("47-glob-plain", "yaml-syntax"),
    ("49-brace-template", "bad-key"),
    ("51-block-indent-indicator", ""),
    ("53-missing-space", ""),
    ("55-empty-file", ""),
    ("57-indent-mismatch", "yaml-syntax"),
    ("59-quoted-bool", ""),
];

/// So many nodes at most come of one trap: a short file must not grow into a large tree.
const MAX_NODES: usize = 100_000;

fn nodes(node: &Node) -> usize {
    1 + match &node.kind {
        Kind::List(items) => items.iter().map(|item| nodes(item)).sum(),
        Kind::Map(entries) => entries.iter().map(|entry| nodes(&entry.value)).sum(),
        _ => 0,
    }
}

#[test]
fn each_trap_ends_as_it_should() {
    let Some(folder) = folder() else { return };
    let files = std::fs::read_dir(folder.join("files")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|e| e == "yaml")).collect();
    files.sort();
    let stems: Vec<_> = files.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
    assert_eq!(stems, TRAPS.iter().map(|(name, _)| *name).collect::<Vec<_>>(), "one row a file");
    for (path, (name, wanted)) in files.iter().zip(TRAPS) {
        let begun = std::time::Instant::now();
        let decoded = decode::decode(&std::fs::read(path).unwrap());
        let (document, rules) = match decoded.fault {
            Some(_) => (None, vec!["yaml-syntax"]),
            None => {
                let (document, findings) = parse(&decoded.text);
                (document.root, findings.iter().map(|found| found.rule.0).collect())
            }
        };
        assert!(begun.elapsed() < std::time::Duration::from_secs(10), "{name}: {:?}", begun.elapsed());
        assert!(document.as_deref().map_or(0, nodes) <= MAX_NODES, "{name} grows");
        if wanted.is_empty() {
            assert_eq!(rules, [""; 0], "{name}");
        } else {
            assert!(rules.contains(wanted), "{name}: {rules:?}");
        }
    }
}
