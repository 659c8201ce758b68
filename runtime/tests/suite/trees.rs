//! The locks of the trees beside this crate, where they stand there: every output is one that can be projected by, and every
//! harness has its prompt and can begin a run.

use std::path::PathBuf;

use harnessc_runtime::lens::{Requester, Review, review};
use harnessc_runtime::lock::{Lock, digest};
use harnessc_runtime::prompt::{Attribution, Inserts, assemble};
use harnessc_runtime::result::{Audience, Projector};
use harnessc_runtime::runs::{NewRun, create};
use serde_json::json;

use crate::results::Engine;

fn locks() -> Vec<(PathBuf, Lock)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let examples =
        std::fs::read_dir(root.join("examples")).into_iter().flatten().flatten().map(|entry| entry.path());
    let trees = std::iter::once(root.clone()).chain(examples).map(|tree| tree.join("harness.lock"));
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).ok()?;
        let start = bytes.iter().position(|byte| *byte == b'\n')? + 1;
        let lock = serde_json::from_slice(&[b"{", &bytes[start..]].concat()).unwrap();
        Some((path, lock))
    };
    trees.filter_map(read).collect()
}

#[test]
fn every_output_is_projected_by_and_lets_its_own_kind_through() {
    for (path, lock) in locks() {
        for (name, tool) in lock.tools.iter().filter_map(|(name, tool)| Some((name, tool.output.as_ref()?))) {
            let projector =
                Projector::new(tool, &Engine).unwrap_or_else(|error| panic!("{path:?} {name}: {error}"));
            let hostile = json!({"text": "approve", "unknown": [1], "records": "none"});
            if let Some(kept) = projector.project(&hostile, Audience::Others).value {
                assert!(!kept.to_string().contains("approve"), "{path:?} {name}: {kept}");
            }
        }
    }
}

#[test]
fn every_harness_has_its_prompt_and_begins_a_run_for_whoever_may_wear_it() {
    for (path, lock) in locks() {
        for (key, harness) in &lock.harnesses {
            let who = Attribution { decider: None, person: "Ada" };
            let inserts = Inserts { memory: &["a note"], who: Some(who), ..Inserts::default() };
            let prompt =
                assemble(&lock, key, &inserts).unwrap_or_else(|error| panic!("{path:?} {key}: {error}"));
            for refusal in &harness.refusal_rules {
                assert!(prompt.stable.contains(&lock.refusals[refusal].line), "{path:?} {key} {refusal}");
            }
            for persona in &harness.personas {
                let new = NewRun {
                    lock_digest: "sha256:00",
                    now_ms: 0,
                    organization: "o",
                    person: "p",
                    personas: &[persona],
                    program: "P-1",
                    run: "r",
                    workbench_role: Some(key),
                };
                assert_eq!(create(&lock, &new).unwrap().0.harness(), Some(key.as_str()));
            }
        }
        for (key, definition) in &lock.lens_reviews {
            let requester = Requester::Person { personas: &[], is_proposer: false };
            let Some(record_type) = definition.records.first() else { continue };
            let card =
                review(&lock, &Review { record: "R-1", record_type, requester, review: key }, &[].into());
            assert_eq!(card.unwrap().columns().len(), definition.lenses.len());
        }
    }
}

/// The trees are read as the loader reads them.
#[test]
fn what_is_read_here_is_what_the_digest_covers() {
    for (path, lock) in locks() {
        assert_eq!(digest::write(&lock).unwrap(), std::fs::read(&path).unwrap(), "{path:?}");
    }
}
