//! The trees under `examples/`: each checks clean, gives the lock that is committed, decides as its own tests say and
//! as a plain reading of its YAML says.

#![cfg(test)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use harnessc::check::check;
use harnessc::tree::Tree;
use harnessc::trial::{Coverage, run};
use harnessc::variant::Original;

use crate::decisions::within;
use crate::oracle::compile::{compile, console};
use crate::oracle::holds;

/// Every folder of `examples/`, so that none is left out of what is held here.
fn trees() -> Vec<PathBuf> {
    let folder = console().join("examples");
    let mut trees: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    trees.sort();
    let names: Vec<_> = trees.iter().map(|tree| tree.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["desk", "diagnosis", "support"]);
    trees
}

#[test]
fn each_checks_without_a_finding_and_gives_its_committed_lock() {
    // The tree that the example server is driven with is no system of its own.
    for root in trees().into_iter().chain([console().join("tests/mcp_client/tickets")]) {
        let (tree, read) = Tree::open(&root.join("harness.toml")).unwrap();
        let (checked, ()) = check(&tree, read, |_, _| ());
        let findings: Vec<_> = checked.findings.iter().map(|finding| &finding.diagnostic).collect();
        assert!(findings.is_empty(), "{}: {findings:#?}", root.display());
        assert!(
            compile(&root) == fs::read(root.join("harness.lock")).unwrap(),
            "{}: `harnessc build` was not run",
            root.display()
        );
    }
}

#[test]
fn each_decides_as_its_tests_say_and_they_reach_every_harness_and_tool() {
    for root in trees() {
        let (tree, read) = Tree::open(&root.join("harness.toml")).unwrap();
        within(&Original::new(tree, &read), |cx, stand| {
            let outcomes = run(stand, &cx.model.tests, None);
            assert!(outcomes.len() >= 20, "{}: {}", root.display(), outcomes.len());
            let failed: Vec<_> = outcomes.iter().flat_map(|outcome| &outcome.failures).collect();
            assert!(failed.is_empty(), "{}: {failed:#?}", root.display());
            let coverage = Coverage::of(stand.bundle(), &outcomes);
            for share in [&coverage.harnesses, &coverage.tools] {
                assert!(share.missed.is_empty(), "{}: {:?}", root.display(), share.missed);
            }
        });
    }
}

#[test]
fn each_is_what_a_plain_reading_says() {
    for root in trees() {
        let count = holds(&root);
        assert!(count.allowed > 0 && count.proposed > 0, "{}: {count:?}", root.display());
    }
}

/// Each README leads from a row to a place in the tree and to tests of it, by the words they begin with: both are there.
#[test]
fn each_readme_names_files_and_tests_that_are_there() {
    for root in trees() {
        let page = fs::read_to_string(root.join("README.md")).unwrap();
        for word in page.split('`').skip(1).step_by(2) {
            let path = word.split(' ').next().unwrap();
            if path.contains('/') && (path.ends_with(".yaml") || path.ends_with(".txt")) {
                assert!(root.join(path).is_file(), "{}: `{path}`", root.display());
            }
        }
        let tests = tests_of(&root);
        let rows = page.lines().filter(|line| line.starts_with("| "));
        let words: Vec<String> = rows.map(|row| row.split('`').step_by(2).collect()).collect();
        let named: Vec<&str> = words.iter().flat_map(|row| row.split('*').skip(1).step_by(2)).collect();
        assert!(named.len() >= 8, "{}: names {} tests", root.display(), named.len());
        for name in named {
            let begins = name.trim_end_matches(['…', ' ']);
            assert!(tests.iter().any(|test| test.starts_with(begins)), "{}: *{name}*", root.display());
        }
    }
}

fn tests_of(root: &Path) -> BTreeSet<String> {
    let (tree, read) = Tree::open(&root.join("harness.toml")).unwrap();
    within(&Original::new(tree, &read), |cx, _| {
        cx.model.tests.0.iter().map(|test| test.key.value.to_string()).collect()
    })
}
