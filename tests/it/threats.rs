//! docs/threat-model.md and docs/systems.md name tests: each of them is there, and each attack and row has one.

use std::fs;
use std::path::PathBuf;

const PAGES: [&str; 2] = ["docs/threat-model.md", "docs/systems.md"];

/// The scripts below `tests/mcp_client/` that the pages name functions of.
const SCRIPTS: [&str; 3] = ["client", "outside", "restarts"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The `file::test` names of a text.
fn named(text: &str) -> Vec<(&str, &str)> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|word| word.split_once("::"))
        .filter(|(file, _)| is_file(file))
        .collect()
}

fn is_file(word: &str) -> bool {
    SCRIPTS.contains(&word)
        || ["suite/", "model/", "it/", "src/"].iter().any(|folder| word.starts_with(folder))
}

/// Whether the file has a test of this name.
fn has(file: &str, test: &str) -> bool {
    if SCRIPTS.contains(&file) {
        let script = page(&format!("tests/mcp_client/{file}.py"));
        // A function that nobody calls asserts nothing.
        return script.contains(&format!("def {test}(")) && script.matches(&format!("{test}(")).count() > 1;
    }
    let (folder, rest) = file.split_once('/').unwrap();
    let folder = match folder {
        "suite" => "runtime/tests/suite",
        "model" => "runtime/tests/model",
        "it" => "tests/it",
        _ => "runtime/src",
    };
    let candidates = [format!("{folder}/{rest}.rs"), format!("{folder}/{rest}/mod.rs")];
    let text: String =
        candidates.iter().filter_map(|path| fs::read_to_string(root().join(path)).ok()).collect();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let declared = format!("fn {test}(");
    lines.iter().enumerate().any(|(at, line)| {
        let attributes =
            lines[..at].iter().rev().take_while(|line| line.starts_with('#') || line.starts_with("//"));
        line.starts_with(&declared) && attributes.into_iter().any(|line| *line == "#[test]")
    })
}

#[test]
fn every_test_that_a_page_names_is_there() {
    for path in PAGES {
        let text = page(path);
        let named = named(&text);
        assert!(named.len() > 60, "{path} names {} tests alone", named.len());
        let missing: Vec<String> = named
            .iter()
            .filter(|(file, test)| !has(file, test))
            .map(|(file, test)| format!("{file}::{test}"))
            .collect();
        assert!(missing.is_empty(), "{path} names tests that are not there:\n{}", missing.join("\n"));
    }
    assert!(!has("it/threats", "named"), "a function that is no test counts as one");
    assert!(!has("client", "nothing"));
}

#[test]
fn every_attack_and_every_row_has_a_test() {
    for path in PAGES {
        let text = page(path);
        let rows = text.lines().filter(|line| {
            line.starts_with("| ") && !line.starts_with("| attack ") && !line.starts_with("| row ")
        });
        let bare: Vec<&str> = rows.filter(|row| named(row).is_empty()).collect();
        assert!(bare.is_empty(), "{path} has rows without a test:\n{}", bare.join("\n"));
    }
    let systems = page("docs/systems.md");
    let numbers = |letter: char, last: usize| (1..=last).map(move |number| format!("{letter}{number}"));
    let rows = numbers('C', 17).chain(numbers('S', 14)).chain(numbers('D', 13)).chain(numbers('E', 10));
    let missing: Vec<String> = rows
        .filter(|row| {
            !systems
                .lines()
                .any(|line| line.starts_with(&format!("| {row} ")) || line.starts_with(&format!("{row}, ")))
        })
        .collect();
    assert!(missing.is_empty(), "docs/systems.md says nothing of {}", missing.join(", "));
}
