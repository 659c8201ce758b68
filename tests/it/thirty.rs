//! Thirty different faults in fifteen files: one run finds them all, in one order from anywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use harnessc::check::check;
use harnessc::report;
use harnessc::tree::Tree;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/trees/thirty")
}

fn files(below: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(below).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            let relative = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
            found.insert(relative, fs::read(&path).unwrap());
        }
    }
}

fn short(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> String {
    let (tree, sink) = Tree::from_files(files);
    let (checked, ()) = check(&tree, sink, |_, _| ());
    let mut text = String::new();
    report::short(&checked.findings, &tree.sources, &mut text).unwrap();
    text
}

fn memory() -> String {
    let mut found = BTreeMap::new();
    files(&root(), &mut found);
    short(found)
}

#[test]
fn one_run_finds_thirty_faults_in_fifteen_files() {
    let text = memory();
    let rules: BTreeSet<&str> = text.lines().map(|line| line.split(['[', ']']).nth(1).unwrap()).collect();
    let files: BTreeSet<&str> = text.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!((text.lines().count(), rules.len(), files.len()), (30, 30, 15), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn the_order_of_files_does_not_matter() {
    let mut found = BTreeMap::new();
    files(&root(), &mut found);
    let expected = short(found.clone());
    assert_eq!(short(found.clone().into_iter().rev()), expected);
    // Every rotation: each file comes first once.
    let list: Vec<_> = found.into_iter().collect();
    for turn in 0..list.len() {
        let mut rotated = list.clone();
        rotated.rotate_left(turn);
        assert_eq!(short(rotated), expected, "with {} first", list[turn].0);
    }
}

#[test]
fn the_folder_one_stands_in_does_not_matter() {
    let from = |folder: &Path| {
        let output = Command::new(env!("CARGO_BIN_EXE_harnessc"))
            .args(["check", "--format", "short", "--manifest"])
            .arg(root().join("harness.toml"))
            .current_dir(folder)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    };
    let expected = memory();
    for folder in [root(), root().join("tools"), std::env::temp_dir(), PathBuf::from("/")] {
        assert_eq!(from(&folder), expected, "from {}", folder.display());
    }
}
