//! Tool lists as real servers publish them, where `HARNESSC_REALWORLD` names a folder of such.

use std::path::PathBuf;

use harnessc::diagnostic::Sink;
use harnessc::source::Sources;
use harnessc::syntax::{Kind, Node, json};
use serde_json::Value;

fn value(node: &Node) -> Value {
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Bool(value) => (*value).into(),
        Kind::Number(text) => serde_json::from_str(text).unwrap_or_default(),
        Kind::Text(text, _) => text.clone().into(),
        Kind::List(items) => items.iter().map(|item| value(item)).collect(),
        Kind::Map(entries) => {
            entries.iter().map(|entry| (entry.key.value.clone(), value(&entry.value))).collect()
        }
    }
}

#[test]
fn every_list_is_read_to_the_value_another_reader_gives() {
    let Some(root) = std::env::var_os("HARNESSC_REALWORLD") else {
        println!("skipped: HARNESSC_REALWORLD is not set");
        return;
    };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(PathBuf::from(root).join("mcp-tools"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = Sources::default().add("list.json", text.as_str());
        let mut sink = Sink::default();
        let document = json::read(file, &text, &mut sink);
        let findings = sink.into_sorted();
        for found in &findings {
            println!("{}: {} {}", path.display(), found.rule, found.message);
        }
        // Nothing that another reader takes is held to be no JSON; what is refused, is by a rule of the language.
        assert!(findings.iter().all(|found| found.rule.0 != "json-syntax"), "{}", path.display());
        if let (true, Ok(other)) = (findings.is_empty(), serde_json::from_str::<Value>(&text)) {
            assert_eq!(value(&document.root.unwrap()), other, "{}", path.display());
        }
    }
}
