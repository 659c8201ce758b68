//! Inputs against JSON Schema: compiled once, shared, and narrowed without a way out.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use harnessc_runtime::boundary::validate::JsonSchema;
use harnessc_runtime::boundary::{Compile, Compiled, Permit, Ruling};
use harnessc_runtime::decide::{Plan, RunRow};
use harnessc_runtime::json::Json;
use harnessc_runtime::lock::{Lock, RawJson};
use harnessc_runtime::prove;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::world::World;
use crate::common::{bundle, raw, small};

#[derive(Debug, Default)]
struct Counting(AtomicUsize);

impl Compile for Counting {
    fn compile(&self, schema: &str) -> Option<Box<dyn Compiled>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        JsonSchema.compile(schema)
    }
}

#[test]
fn a_schema_is_compiled_when_first_needed_and_once_for_all_threads() {
    let counting = Arc::new(Counting::default());
    let mut world = World::open().but(|world| world.created = world.in_force.clone());
    world.validator = Arc::clone(&counting) as Arc<dyn Compile>;
    let locks = world.locks();
    assert_eq!(counting.0.load(Ordering::SeqCst), 0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            let (mut world, locks) = (world.clone(), &locks);
            scope.spawn(move || assert!(matches!(world.ask_of(locks).ruling, Ruling::Propose(_))));
        }
    });
    assert_eq!(counting.0.load(Ordering::SeqCst), 1);
}

/// E4: where, what was expected, and never the value.
#[test]
fn a_fault_names_the_place_and_the_rule() {
    let mut world = World::open().but(|world| {
        world.validator = Arc::new(JsonSchema);
        (world.tool, world.input) = ("records.search", r#"{"limit":4711,"program_id":"PRG-7"}"#.to_owned());
    });
    let Ruling::Deny(refusal) = world.ask().ruling else { panic!("a denial") };
    assert_eq!(refusal.denial.code, "input_invalid");
    assert_eq!(refusal.fault.unwrap().to_string(), "at /limit: expected `maximum`: 50");
}

/// A refused caller learns no schema: authority is asked first.
#[test]
fn whoever_may_not_call_learns_nothing_of_the_input() {
    let mut world = World::open().but(|world| {
        world.validator = Arc::new(JsonSchema);
        (world.harness, world.input) = (Some("lead"), r#"{"limit":4711}"#.to_owned());
    });
    let Ruling::Deny(refusal) = world.ask().ruling else { panic!("a denial") };
    assert_eq!((refusal.denial.code, refusal.fault), ("harness_denied", None));
}

fn narrowed(only: &[(String, Value)]) -> Lock {
    let mut lock = small();
    let tool = lock.tools.get_mut("records.search").unwrap();
    tool.input = raw(OWN);
    tool.bind.clear();
    tool.unbound = Some("a test".to_owned());
    let toolset = &mut lock.harnesses.get_mut("chemist").unwrap().toolset;
    let mention = toolset.iter_mut().find(|mention| mention.tool == "records.search").unwrap();
    mention.only =
        only.iter().map(|(name, schema)| (name.clone(), RawJson::new(schema.to_string()).unwrap())).collect();
    lock.effective = prove::table::effective(&lock);
    lock
}

const OWN: &str = r#"{"type":"object","properties":{"kind":{"enum":["letter","report"]},"limit":{"type":"integer","maximum":50},"words":{"type":"array","items":{"type":"string"},"maxItems":2}},"unevaluatedProperties":false}"#;

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!("report")),
        Just(json!("letter")),
        Just(json!("memo")),
        (-3_i64..60).prop_map(Value::from),
        Just(json!(1.5)),
        Just(Value::Null),
        proptest::collection::vec(prop_oneof![Just(json!("a")), Just(json!("b")), Just(json!(1))], 0..4)
            .prop_map(Value::from),
        Just(json!({ "kind": "report" })),
    ]
}

fn narrowings() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({ "enum": ["report"] })),
        Just(json!({ "enum": ["report", "memo"] })),
        Just(json!({ "const": "letter" })),
        (0_i64..60).prop_map(|most| json!({ "type": "integer", "maximum": most })),
        Just(json!({ "type": "array", "items": { "const": "a" } })),
        Just(json!({})),
        Just(json!(false)),
    ]
}

fn member() -> impl Strategy<Value = String> {
    prop_oneof![Just("kind"), Just("limit"), Just("words")].prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Issue: an input that `only` accepts is always one that the tool's own schema accepts, it cannot escape by leaving
    /// something out, and the schema that is shown says the same as the gate.
    #[test]
    fn a_narrowing_takes_away_and_leaves_no_way_out(
        only in proptest::collection::btree_map(member(), narrowings(), 0..3),
        inputs in proptest::collection::vec(
            proptest::collection::btree_map(prop_oneof![4 => member(), 1 => Just("other".to_owned())], values(), 0..4), 1..20),
    ) {
        let only: Vec<(String, Value)> = only.into_iter().collect();
        let lock = narrowed(&only);
        let mut world = World::open().but(|world| {
            (world.created, world.in_force, world.tool) = (lock.clone(), lock.clone(), "records.search");
            world.validator = Arc::new(JsonSchema);
        });
        let (locks, bundle) = (world.locks(), bundle(&lock));
        let person = bundle.persona("scientist").unwrap();
        let row = RunRow {
            harness: Some("chemist"), person: &person, plan: Plan::None, read_only: false, role: "console",
            scopes: &[], surface: Some("mcp"),
        };
        let shown = bundle.tools_list(&row).iter().find(|tool| tool.name == "records.search").unwrap().input().unwrap();
        let (shown, own) = (JsonSchema.compile(&shown).unwrap(), JsonSchema.compile(OWN).unwrap());
        for input in inputs {
            let input = Value::Object(input.into_iter().collect());
            world.input = input.to_string();
            world.ledger = Ok(Default::default());
            let passed = match world.ask_of(&locks).ruling {
                Ruling::Allow(Permit::Read(permit)) => permit.input() == &Json::of(&input).unwrap(),
                Ruling::Deny(refusal) => { prop_assert_eq!(refusal.denial.code, "input_invalid"); false }
                other => panic!("{other:?}"),
            };
            let json = Json::of(&input).unwrap();
            prop_assert_eq!(passed, shown.check(&json).is_ok(), "{}", input);
            if passed {
                prop_assert!(own.check(&json).is_ok());
                for (name, schema) in &only {
                    let value = Json::of(input.get(name).unwrap()).unwrap();
                    prop_assert!(JsonSchema.compile(&schema.to_string()).unwrap().check(&value).is_ok());
                }
            }
        }
    }
}
