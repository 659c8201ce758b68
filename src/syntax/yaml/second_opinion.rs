//! The same documents by another reader: where both take a text, they read the same value.

use proptest::prelude::*;
use serde_yaml::Value;

use super::read;
use crate::diagnostic::Sink;
use crate::source::Sources;
use crate::syntax::{Kind, Node};

/// A document of block and flow collections, as text; `indent` is where its lines begin.
fn document() -> impl Strategy<Value = Written> {
    let leaf = prop_oneof![
        "[a-z]{1,6}( [a-z:#]{1,4}[a-z]){0,2}",
        "-?[1-9][0-9]{0,6}(\\.[0-9]{1,3})?",
        "'[ -&(-~é]{0,8}'",
        "\"[ !#-Z^-~é]{0,8}\"",
        prop_oneof![
            Just("~"),
            Just("null"),
            Just("true"),
            Just("no"),
            Just(""),
            Just("0x1F"),
            Just("\"\\u00e9\\n\""),
            Just("|\n#  a\n#\n#   b\n"),
            Just(">-\n#  a\n#  b\n"),
        ]
        .prop_map(str::to_owned),
    ]
    .prop_map(Written::Leaf);
    leaf.prop_recursive(4, 40, 5, |inner| {
        let key = "[a-z]{1,4}[0-9]?";
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..5).prop_map(Written::List),
            prop::collection::btree_map(key, inner.clone(), 1..5)
                .prop_map(|map| Written::Map(map.into_iter().collect())),
        ]
    })
}

#[derive(Clone, Debug)]
enum Written {
    Leaf(String),
    List(Vec<Written>),
    Map(Vec<(String, Written)>),
}

impl Written {
    /// The text behind a `-` or a `key:` that stands at `indent`.
    fn write(&self, out: &mut String, indent: usize) {
        let lead = " ".repeat(indent);
        match self {
            Self::Leaf(text) if text.contains("\n#") => {
                out.push(' ');
                out.push_str(&text.replace("\n#", &format!("\n{lead}")));
            }
            Self::Leaf(text) => out.push_str(&format!(" {text}\n")),
            Self::List(items) => {
                out.push('\n');
                for item in items {
                    out.push_str(&format!("{lead}-"));
                    item.write(out, indent + 2);
                }
            }
            Self::Map(entries) => {
                out.push('\n');
                for (key, value) in entries {
                    out.push_str(&format!("{lead}{key}:"));
                    value.write(out, indent + 2);
                }
            }
        }
    }
}

fn same(ours: &Node, other: &Value) -> bool {
    match (&ours.kind, other) {
        (Kind::Null, Value::Null) => true,
        (Kind::Bool(ours), Value::Bool(other)) => ours == other,
        (Kind::Text(ours, _), Value::String(other)) => ours == other,
        (Kind::Number(ours), Value::Number(other)) => number(ours) == other.as_f64(),
        (Kind::List(ours), Value::Sequence(other)) => {
            ours.len() == other.len() && ours.iter().zip(other).all(|(ours, other)| same(ours, other))
        }
        (Kind::Map(ours), Value::Mapping(other)) => {
            let found = |key: &str| other.get(Value::String(key.to_owned()));
            ours.len() == other.len()
                && ours
                    .iter()
                    .all(|entry| found(&entry.key.value).is_some_and(|other| same(&entry.value, other)))
        }
        _ => false,
    }
}

fn number(text: &str) -> Option<f64> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok().map(f64::from),
        None => text.parse().ok(),
    }
}

proptest! {
    #[test]
    fn both_readers_read_the_same(written in document()) {
        let mut text = String::from("root:");
        written.write(&mut text, 2);
        let file = Sources::default().add("test.yaml", text.as_str());
        let mut sink = Sink::default();
        let document = read(file, &text, &mut sink);
        let findings: Vec<_> =
            sink.into_sorted().into_iter().filter(|found| found.rule.0 != "cut-comment").collect();
        match serde_yaml::from_str::<Value>(&text) {
            Ok(other) => {
                // A key such as `no` or `y1` is text to both; one such as `null` is refused here.
                let refused = findings.iter().any(|found| found.rule.0 == "bad-key");
                prop_assert!(refused || document.root.is_some_and(|root| same(&root, &other)), "{text}\n{other:?}\n{findings:?}");
            }
            Err(error) => prop_assert!(!findings.is_empty(), "{text}\n{error}"),
        }
    }
}
