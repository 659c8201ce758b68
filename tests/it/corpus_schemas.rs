//! Schemas of real servers: what their closed form accepts, they accept; what they accept and name is not lost.
//!
//! The corpus is named by `HARNESSC_REALWORLD` (a folder with `mcp-tools/**/*.json`); without it there is nothing to do.

#![cfg(test)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use harnessc::policy::schema::{Origin, Purpose};
use serde_json::Value;

use crate::instances::{Dice, enforced, instance, mutate, reading};

#[derive(Default)]
struct Tally {
    schemas: usize,
    closed: usize,
    instances: usize,
    taken: usize,
    lost: usize,
    losers: Vec<String>,
    refused: BTreeMap<String, usize>,
}

#[test]
fn closed_forms_of_real_schemas_accept_nothing_new() {
    let Some(folder) = std::env::var_os("HARNESSC_REALWORLD") else {
        println!("HARNESSC_REALWORLD is not set: no corpus, nothing tested");
        return;
    };
    let mut files = Vec::new();
    find(&Path::new(&folder).join("mcp-tools"), &mut files);
    files.sort();
    assert!(!files.is_empty(), "no corpus under {}", folder.display());
    let mut tally = Tally::default();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
        let mut schemas = Vec::new();
        collect(&value, &mut schemas);
        for (purpose, schema) in schemas {
            try_schema(&file, schema, purpose, &mut tally);
        }
    }
    println!(
        "{} schemas, {} closed; {} instances, {} accepted by both, {} lost; refused: {:#?}",
        tally.schemas, tally.closed, tally.instances, tally.taken, tally.lost, tally.refused
    );
    assert!(
        tally.losers.is_empty(),
        "a closed form refuses what the schema names:\n{}",
        tally.losers.join("\n")
    );
    assert!(tally.taken * 10 > tally.instances, "too few accepted instances to mean anything");
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
}

fn collect<'v>(value: &'v Value, found: &mut Vec<(Purpose, &'v Value)>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match key.as_str() {
                    "inputSchema" | "input_schema" | "parameters" => found.push((Purpose::Input, value)),
                    "outputSchema" if !value.is_null() => found.push((Purpose::Output, value)),
                    _ => collect(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}

fn try_schema(file: &Path, schema: &Value, purpose: Purpose, tally: &mut Tally) {
    tally.schemas += 1;
    let read = reading(schema, Origin::Pinned, purpose);
    let Some(closed) = read.closed.clone() else {
        for problem in read.problems.iter().filter(|problem| !problem.is_soft()) {
            let why = format!("{:?}: {} ({purpose:?})", problem.kind, problem.detail);
            *tally.refused.entry(why).or_default() += 1;
        }
        return;
    };
    tally.closed += 1;
    let original = jsonschema::options().build(schema).unwrap();
    let tight = enforced(&closed);
    for seed in 0..40 {
        let mut dice = Dice::new(seed + tally.schemas as u64 * 1000);
        let made = instance(schema, schema, &mut dice, 8);
        let mut changed = made.clone();
        for _ in 0..=dice.below(3) {
            mutate(&mut changed, &mut dice);
        }
        if original.is_valid(&made) && !tight.is_valid(&made) {
            tally.lost += 1;
            tally.losers.push(format!("{}: {made} by\n{schema}\nnot by\n{closed}", file.display()));
        }
        for value in [&made, &changed] {
            tally.instances += 1;
            if tight.is_valid(value) {
                tally.taken += 1;
                assert!(
                    original.is_valid(value),
                    "{}: {value} by\n{closed}\nnot by\n{schema}",
                    file.display()
                );
            }
        }
    }
}
