//! A lock as plain JSON to be changed, and what becomes of it once it is sealed again.

use std::sync::OnceLock;

use harnessc_runtime::Bundle;
use harnessc_runtime::load::{Held, LoadError, Trust};
use harnessc_runtime::lock::digest;
use serde_json::Value;

use crate::oracle::compile;

/// The console's lock without its digest, its keys in order.
pub(crate) fn console() -> Value {
    static BODY: OnceLock<Value> = OnceLock::new();
    BODY.get_or_init(|| body(compile::console_lock())).clone()
}

/// A sealed lock's content without its digest.
pub(crate) fn body(lock: &[u8]) -> Value {
    serde_json::from_slice(&digest::open(lock).unwrap().body).unwrap()
}

/// The forger's last step: keys in order, the layout and the digest right.
pub(crate) fn seal(lock: &Value) -> Vec<u8> {
    let mut lock = lock.clone();
    sort(&mut lock);
    digest::seal(&lock.to_string())
}

/// Sorts keys, but for those of raw JSON, which keeps its author's order.
fn sort(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.sort_keys();
            for (key, value) in map {
                match key.as_str() {
                    "input" | "output" | "pinned" => {}
                    "only" | "run" => value.as_object_mut().into_iter().for_each(serde_json::Map::sort_keys),
                    _ => sort(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(sort),
        _ => {}
    }
}

pub(crate) fn trust() -> Trust {
    compile::trust(&compile::console())
}

/// Whether a lock loads after nothing, or after another one.
pub(crate) fn load(lock: &Value, held: Option<&Held>) -> Result<Bundle, String> {
    Bundle::load(&seal(lock), &trust(), held).map_err(|error| told(&error))
}

/// What an error names: its code, and for a proof its name and the cell.
pub(crate) fn told(error: &LoadError) -> String {
    match error {
        LoadError::Proof(failure) => format!("{} at {}", failure.proof, failure.cell),
        other => other.code().to_owned(),
    }
}

/// What refuses a change of the console's lock.
pub(crate) fn refused(forge: impl FnOnce(&mut Value)) -> String {
    let mut lock = console();
    forge(&mut lock);
    assert!(lock != console(), "the forger changes something");
    match load(&lock, None) {
        Ok(_) => panic!("a forged lock was loaded"),
        Err(told) => told,
    }
}

/// The value at a JSON pointer, dots and slashes of names as JSON pointers spell them.
pub(crate) fn at<'v>(lock: &'v mut Value, pointer: &str) -> &'v mut Value {
    lock.pointer_mut(pointer).unwrap_or_else(|| panic!("nothing at {pointer}"))
}

pub(crate) fn list<'v>(lock: &'v mut Value, pointer: &str) -> &'v mut Vec<Value> {
    at(lock, pointer).as_array_mut().unwrap()
}

/// Every list of cells with the harness and the role it stands for.
pub(crate) fn rows(lock: &mut Value) -> Vec<(String, String, &mut Vec<Value>)> {
    let mut rows = Vec::new();
    for (harness, roles) in lock["effective"].as_object_mut().unwrap() {
        for (role, cells) in roles.as_object_mut().unwrap() {
            rows.push((harness.clone(), role.clone(), cells.as_array_mut().unwrap()));
        }
    }
    rows
}

/// One cell.
pub(crate) fn cell<'v>(lock: &'v mut Value, harness: &str, role: &str, deed: &str) -> &'v mut Value {
    let cells = list(lock, &format!("/effective/{harness}/{role}"));
    cells
        .iter_mut()
        .find(|cell| cell["deed"] == *deed)
        .unwrap_or_else(|| panic!("no cell {harness}/{role}/{deed}"))
}

/// Puts a cell into a list, in its place.
pub(crate) fn grant(cells: &mut Vec<Value>, cell: Value) {
    cells.push(cell);
    cells.sort_by(|a, b| a["deed"].as_str().cmp(&b["deed"].as_str()));
}

/// Puts a tool into a harness's toolset, in its place.
pub(crate) fn hold(lock: &mut Value, harness: &str, tool: &str) {
    let toolset = list(lock, &format!("/harnesses/{harness}/toolset"));
    toolset.push(serde_json::json!({"tool": tool}));
    toolset.sort_by(|a, b| a["tool"].as_str().cmp(&b["tool"].as_str()));
}
