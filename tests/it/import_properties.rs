//! Whatever list comes in: the overlay reads back, breaks no law, and every form of nonsense gets an answer.

use std::collections::BTreeMap;

use harnessc::diagnostic::Sink;
use harnessc::import::{self, Form};
use harnessc::source::Sources;
use harnessc::syntax::yaml;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::import::{beside, forbidden, mcp, setting};

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,6}(_[a-z]{1,6})?",
        Just("no".to_owned()),
        Just("yes".to_owned()),
        Just("null".to_owned()),
        Just("12".to_owned()),
        Just("1e3".to_owned()),
        Just(".5".to_owned()),
        Just("-".to_owned()),
        Just("12:30:45".to_owned()),
        Just("a: b # c".to_owned()),
        Just("\u{202e}x".to_owned()),
        "\\PC{0,8}",
        "[ -~]{0,8}",
    ]
}

fn any_tool() -> impl Strategy<Value = Value> {
    let hint = || prop_oneof![Just(json!(null)), Just(json!(true)), Just(json!(false)), Just(json!("true"))];
    let schema = prop_oneof![
        Just(json!({"type": "object"})),
        Just(json!({"properties": {"method": {"type": "string", "enum": ["create", "delete", "no"]}}})),
        Just(json!({"properties": {"action": {"enum": ["add", "remove"]}}, "required": ["action"]})),
        Just(json!({"$ref": "#"})),
        Just(json!(null)),
        Just(json!({"type": "array"})),
    ];
    (any_name(), "[a-zA-Z .#:']{0,20}", hint(), hint(), schema).prop_map(
        |(name, description, read, destroy, schema)| {
            json!({"name": name, "description": description, "inputSchema": schema,
            "annotations": {"readOnlyHint": read, "destructiveHint": destroy}})
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn the_overlay_always_reads_back_and_breaks_no_law(tools in proptest::collection::vec(any_tool(), 0..8)) {
        let import = mcp(&json!({ "tools": tools }));
        let overlay = import.overlay(&setting());
        let mut sink = Sink::default();
        let document = yaml::read(Sources::default().add("a", ""), &overlay, &mut sink);
        prop_assert!(sink.is_empty(), "{overlay}");
        let second: BTreeMap<String, BTreeMap<String, BTreeMap<String, serde_yaml::Value>>> = serde_yaml::from_str(&overlay).unwrap();
        let names: Vec<&str> = second.get("tools").into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        let proposed: Vec<&str> = import.tools.iter().map(|tool| tool.name.as_str()).collect();
        prop_assert_eq!(&names, &proposed);
        prop_assert!(document.root.is_some());
        let odd: Vec<String> = forbidden(&import).into_iter().filter(|told| !told.starts_with("hidden-character")).collect();
        prop_assert_eq!(odd, Vec::<String>::new());
        let fixed = import::read(import.pin.as_bytes(), Form::Mcp).unwrap();
        prop_assert_eq!(&fixed.pin, &import.pin);
        prop_assert_eq!(fixed.overlay(&setting()), overlay.clone());
        let setting = beside(&[("tools/shop.yaml", &overlay)]);
        let changes = import.again(import.pin.as_bytes(), &setting).unwrap();
        prop_assert!(changes.is_empty(), "{changes}");
    }

    #[test]
    fn whatever_comes_in_there_is_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..64), text in "[\\[\\]{}\":,a-z0-9 \\\\]{0,40}") {
        for form in [Form::Mcp, Form::OpenAi, Form::Anthropic] {
            let _ = import::read(&bytes, form);
            let _ = import::read(text.as_bytes(), form);
        }
    }
}
