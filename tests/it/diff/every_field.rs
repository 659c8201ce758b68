//! Every value of a lock, changed: where the lock still loads, the comparison names a change, or the value is known to decide
//! nothing.

use harnessc::diff::{Change, Delta, Grade};
use harnessc::lock::Class;
use harnessc_runtime::Bundle;
use harnessc_runtime::load::{Signers, Trust};
use harnessc_runtime::lock::{Lock, digest};
use serde_json::{Value, json};

use super::trees::{compile, library};

/// Values that may change without a change in authority, each by the start of its pointer, or of the pointer with what it
/// becomes, and the reason.
const NOTHING: &[(&str, &str)] = &[
    ("/approvals/batch/keep_partial -> gone", "unstated, nothing is taken back either"),
    ("/approvals/batch/treatment -> gone", "unstated, a batch is one card too"),
    ("/approvals/treatments/read -> gone", "unstated, a read is silent too"),
    ("/audit/trace/0 -> gone", "a run is traced whatever is stated"),
    ("/audit/trace/2 -> gone", "a release is traced whatever is stated"),
    ("/audit/trace -> [\"TOOL\"", "a run is traced whatever is stated"),
    ("/prompt/memory_wrap -> gone", "it is the runtime's own"),
    ("/sources/", "a source counts by what it comes to"),
    ("/predecessor", "the runtime holds it against the lock in force"),
    ("/revision", "it goes up with every release"),
    ("/waivers/0/file", "where a waiver stands says nothing"),
    ("/tools/books.mend/input/properties/deed/type", "its list of values holds texts alone"),
    ("/tools/books.shelve/input/properties/deed/type", "its list of values holds texts alone"),
    ("/tools/books.count/input/properties", "a closed schema without properties takes as much"),
    ("/tools/books.lend/approval", "its tier asks for as much"),
    ("/tools/books.shelve/cases/by/discard/approval", "its tier asks for as much"),
];

/// Fields of authority that read differently and grant nothing more either way, with the reason.
const READ: &[(&str, &str)] = &[
    ("/tools/books.find/input/properties/word/description", "words that a model reads"),
    ("/tools/books.shelve/cases/by/discard/undo", "none and unsaid both leave no way back"),
    ("/tools/books.shelve/input/properties/deed/description", "words that a model reads"),
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
    let (mut loaded, mut missed, mut unordered, mut unmirrored) = (0, Vec::new(), Vec::new(), Vec::new());
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
            let of = |before, after| {
                harnessc::diff::diff(side(before), side(after))
                    .unwrap_or_else(|unreal| panic!("{pointer} {said}: {unreal:?}"))
            };
            let (changes, back) = (of(&own.bundle, &bundle), of(&bundle, &own.bundle));
            let change = format!("{pointer} -> {said}");
            let known = |list: &[(&str, &str)]| list.iter().any(|(start, _)| change.starts_with(start));
            if changes.is_empty() && !known(NOTHING) {
                missed.push(format!("{pointer} -> {said}"));
            }
            let widens = [&changes, &back].into_iter().flatten().any(|change| change.grade == Grade::Widened);
            let is_authority = changes.iter().any(|change| change.class == Class::Authority);
            if is_authority && !widens && !known(READ) {
                unordered.push(format!("{pointer} -> {said}: {changes:?}"));
            }
            // Words that a definition brings along are read, and words that go with it are not.
            let both = |changes: &[Change]| {
                let all = changes.iter().fold(Delta::EQUAL, |all, one| all.and(one.delta));
                Delta { altered: false, ..all }
            };
            // The release line goes one way.
            if both(&changes).mirrored() != both(&back) && *pointer != "/revision" {
                unmirrored.push(format!("{pointer} -> {said}: {changes:?}\nback: {back:?}"));
            }
        }
    }
    assert!(loaded > 100, "{loaded}");
    assert!(missed.is_empty(), "{loaded} loaded\n{}", missed.join("\n"));
    // What decides grants more from one side or from the other, whether or not a cell of today moves; from which one, the
    // table of directions in `src/diff` says.
    assert!(unordered.is_empty(), "{}", unordered.join("\n"));
    assert!(unmirrored.is_empty(), "{}", unmirrored.join("\n"));
}
