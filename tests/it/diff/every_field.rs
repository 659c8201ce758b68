//! Every value of a lock, changed: where the lock still loads, the comparison names a change, or the value is known to decide
//! nothing.

use harnessc_runtime::Bundle;
use harnessc_runtime::load::{Signers, Trust};
use harnessc_runtime::lock::{Lock, digest};
use serde_json::{Value, json};

use super::trees::{compile, library};

/// Values that may change without a change in authority, each by the start of its pointer, with the reason.
const NOTHING: &[(&str, &str)] = &[
    ("/sources/", "a source counts by what it comes to"),
    ("/predecessor", "the runtime holds it against the lock in force"),
    ("/revision", "it goes up with every release"),
    ("/waivers/0/file", "where a waiver stands says nothing"),
    ("/tools/books.count/", "the tool is disabled and in no cell"),
    ("/approvals/at_least/", "a tier shows in the cells that it bears on"),
    ("/approvals/approvers/", "approvers show in the cells that they bear on"),
    ("/personas/head/bundle/", "what a persona may do shows in the harnesses that it wears"),
    ("/skills/lending/tool", "its tool is always allowed besides"),
    ("/tools/books.mend/input/properties/deed/type", "its list of values holds texts alone"),
    ("/tools/books.shelve/input/properties/deed/type", "its list of values holds texts alone"),
    ("/tools/books.lend/approval", "its tier asks for as much"),
    ("/tools/books.shelve/cases/by/discard/approval", "its tier asks for as much"),
];

/// Every leaf's pointer, and every list's and map's that is not empty.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                pointers(inner, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                pointers(inner, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
    found.push(at.to_owned());
}

/// Other values in its place; nothing stands for its removal.
fn others(value: &Value) -> Vec<Option<Value>> {
    let mut others = vec![None];
    match value {
        Value::Bool(value) => others.push(Some(json!(!value))),
        Value::Number(number) => {
            let number = number.as_u64().unwrap_or(1);
            others.extend([Some(json!(number + 1)), Some(json!(number.saturating_sub(1)))]);
        }
        Value::String(text) => {
            others.push(Some(json!(format!("{text}x"))));
            const WORDS: [&str; 7] = ["auto", "confirm", "four_eyes", "read", "write", "destructive", "head"];
            if WORDS.contains(&text.as_str()) {
                others.extend(WORDS.map(|word| Some(json!(word))));
            }
        }
        Value::Array(items) if items.len() > 1 => others.push(Some(json!(items[1..]))),
        _ => {}
    }
    others
}

fn changed(lock: &Value, pointer: &str, other: Option<Value>) -> Option<Lock> {
    let mut lock = lock.clone();
    match other {
        Some(other) => *lock.pointer_mut(pointer)? = other,
        None => {
            let (parent, key) = pointer.rsplit_once('/')?;
            let key = key.replace("~1", "/").replace("~0", "~");
            match lock.pointer_mut(parent)? {
                Value::Object(map) => drop(map.remove(&key)?),
                Value::Array(items) => drop(items.remove(key.parse().ok()?)),
                _ => return None,
            }
        }
    }
    serde_json::from_value(lock).ok()
}

#[test]
fn a_value_that_changes_is_named_or_known_to_decide_nothing() {
    let own = compile(&library());
    let lock = serde_json::to_value(own.bundle.lock()).unwrap();
    let mut all = Vec::new();
    pointers(&lock, "", &mut all);
    let (mut loaded, mut missed) = (0, Vec::new());
    for pointer in all.iter().filter(|pointer| !pointer.is_empty()) {
        for other in others(lock.pointer(pointer).unwrap()) {
            let said = other.as_ref().map_or("gone".to_owned(), Value::to_string);
            let Some(forged) = changed(&lock, pointer, other).filter(|forged| forged != own.bundle.lock())
            else {
                continue;
            };
            let trust = Trust {
                allow_gap: false,
                environment: forged.policy.environment.clone(),
                policy: forged.policy.name.clone(),
                signers: Signers::Unsigned,
            };
            let Ok(bundle) = Bundle::load(&digest::write(&forged).unwrap(), &trust, None) else { continue };
            loaded += 1;
            let side = |bundle| harnessc::diff::Side { bundle, beside: None };
            let changes = harnessc::diff::diff(side(&own.bundle), side(&bundle))
                .unwrap_or_else(|unreal| panic!("{pointer} {said}: {unreal:?}"));
            let known = NOTHING.iter().any(|(start, _)| pointer.starts_with(start));
            if changes.is_empty() && !known {
                missed.push(format!("{pointer} -> {said}"));
            }
        }
    }
    assert!(loaded > 100, "{loaded}");
    assert!(missed.is_empty(), "{loaded} loaded\n{}", missed.join("\n"));
}
