//! The laws of the house (ARCHITECTURE.md), held by reading the `use` lines and the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Room to the rooms it may use beside itself and the runtime crate. A room uses what stands above it, never below.
const ROOMS: &[(&str, &[&str])] = &[
    ("source", &[]),
    ("diagnostic", &["source"]),
    ("syntax", &["source", "diagnostic"]),
    ("tree", &["source", "diagnostic", "syntax"]),
    ("model", &["source", "diagnostic", "syntax", "tree"]),
    ("names", &["source", "diagnostic", "syntax", "tree", "model"]),
    ("policy", &["source", "diagnostic", "syntax", "tree", "model", "names"]),
    ("import", &["source", "diagnostic", "syntax", "tree", "model", "names", "policy"]),
    ("rules", &["source", "diagnostic", "syntax", "tree", "model", "names", "policy"]),
    ("check", &["source", "diagnostic", "syntax", "tree", "model", "names", "policy", "rules"]),
    ("baseline", &["source", "diagnostic", "syntax", "tree"]),
    ("fix", &["source", "diagnostic"]),
    ("scaffold", &["source", "diagnostic", "syntax", "tree", "model", "names", "policy", "rules", "fix"]),
    ("lower", &["source", "diagnostic", "syntax", "tree", "model", "names", "policy", "rules", "check"]),
    ("lock", &["source", "diagnostic"]),
    ("report", &["source", "diagnostic"]),
    (
        "cli",
        &[
            "source",
            "diagnostic",
            "syntax",
            "tree",
            "model",
            "names",
            "policy",
            "import",
            "rules",
            "check",
            "baseline",
            "fix",
            "scaffold",
            "lower",
            "lock",
            "report",
        ],
    ),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below `folder`, with its path relative to the workspace and its text.
fn rust_files(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![root().join(folder)];
    while let Some(path) = waiting.pop() {
        for entry in fs::read_dir(&path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let relative = path.strip_prefix(root()).unwrap().display().to_string();
                found.push((relative, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<(String, String)> {
    let mut files = rust_files("src");
    files.extend(rust_files("runtime/src"));
    files
}

/// The text without its test modules: tests may reach further than the room does.
fn without_tests(path: &str, text: &str) -> String {
    if path.ends_with("/tests.rs") && !path.starts_with("src/model/")
        || path.contains("/tests/")
        || path.ends_with("testing.rs")
    {
        return String::new();
    }
    text.split("#[cfg(test)]\nmod ").next().unwrap_or("").to_owned()
}

fn room(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("src/")?;
    Some(inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs"))
        .filter(|room| !matches!(*room, "lib" | "main"))
}

/// The first path segment behind every `crate::` of a text, groups opened: `crate::{a, b::c}` names a and b.
fn crate_paths(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("crate::") {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '$')) {
            continue;
        }
        let rest = &text[at + "crate::".len()..];
        let head = |part: &str| {
            part.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
        };
        match rest.strip_prefix('{') {
            None => {
                found.insert(head(rest));
            }
            Some(group) => found.extend(top_level(group).iter().map(|part| head(part))),
        }
    }
    found
}

/// The parts of a `use` group, split at its own commas alone.
fn top_level(group: &str) -> Vec<String> {
    let (mut depth, mut parts, mut part) = (0, Vec::new(), String::new());
    for c in group.chars() {
        match c {
            '}' if depth == 0 => break,
            ',' if depth == 0 => parts.push(std::mem::take(&mut part)),
            _ => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                part.push(c);
            }
        }
    }
    parts.push(part);
    parts
}

#[test]
fn a_room_uses_what_stands_above_it_alone() {
    let allowed: BTreeMap<&str, &[&str]> = ROOMS.iter().copied().collect();
    let mut broken = Vec::new();
    for (path, text) in rust_files("src") {
        let Some(room) = room(&path) else { continue };
        let Some(above) = allowed.get(room) else {
            broken.push(format!(
                "{path}: `{room}` is no room of the house; draw it in tests/it/laws.rs and ARCHITECTURE.md"
            ));
            continue;
        };
        for used in crate_paths(&without_tests(&path, &text)) {
            if used != room && allowed.contains_key(used.as_str()) && !above.contains(&used.as_str()) {
                broken.push(format!("{path} uses `{used}`, which stands below `{room}`"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_wall_test_sees_groups_and_nested_paths() {
    let text = "use crate::{model::{Def, Model}, report};\nlet x = crate::cli::run(); $crate::lower::y";
    assert_eq!(crate_paths(text).into_iter().collect::<Vec<_>>(), ["cli", "model", "report"]);
}

/// Words that a file may not hold outside its tests, with the paths where they may stand.
fn banned(files: &[(String, String)], words: &[&str], except: &[&str]) -> Vec<String> {
    files
        .iter()
        .filter(|(path, _)| !except.iter().any(|prefix| path.starts_with(prefix)))
        .flat_map(|(path, text)| {
            let text = without_tests(path, text);
            let code: Vec<String> =
                text.lines().filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned).collect();
            words
                .iter()
                .filter(move |word| code.iter().any(|line| line.contains(**word)))
                .map(move |word| format!("{path} holds `{word}`"))
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn one_file_alone_touches_the_disk() {
    let broken =
        banned(&rust_files("src"), &["std::fs", "fs::", "File::open", "read_dir"], &["src/source/disk.rs"]);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn one_file_alone_starts_a_process() {
    let broken = banned(&rust_files("src"), &["Command::new", "process::Command"], &["src/source/git.rs"]);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_rule_is_pure() {
    let words = [
        "std::fs",
        "std::io",
        "std::env",
        "std::process",
        "std::time",
        "println!",
        "eprintln!",
        "-> Result<",
    ];
    let broken = banned(&rust_files("src/rules"), &words, &[]);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_runtime_does_no_io_and_knows_no_compiler() {
    let words = [
        "std::fs",
        "std::net",
        "std::env",
        "std::process",
        "std::thread",
        "async fn",
        "SystemTime",
        "Instant",
        "println!",
        "eprintln!",
        "harnessc::",
        "yaml",
    ];
    let broken = banned(&rust_files("runtime/src"), &words, &[]);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    let manifest = fs::read_to_string(root().join("runtime/Cargo.toml")).unwrap();
    for crate_name in ["yaml", "clap", "tokio", "miette", "schemars"] {
        assert!(!manifest.contains(crate_name), "the runtime depends on {crate_name}");
    }
}

#[test]
fn the_lock_s_types_live_in_the_runtime_alone() {
    for (path, text) in rust_files("src") {
        assert!(!text.contains("pub struct Lock "), "{path} declares a lock of its own");
    }
    let lock = fs::read_to_string(root().join("runtime/src/lock/root.rs")).unwrap();
    assert!(lock.contains("pub struct Lock "));
}

#[test]
fn what_could_panic_is_denied_and_exceptions_state_their_reason() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    for lint in [
        "unsafe_code = \"forbid\"",
        "unwrap_used = \"deny\"",
        "expect_used = \"deny\"",
        "panic = \"deny\"",
        "indexing_slicing = \"deny\"",
    ] {
        assert!(manifest.contains(lint), "Cargo.toml no longer states `{lint}`");
    }
    for member in ["Cargo.toml", "runtime/Cargo.toml"] {
        let text = fs::read_to_string(root().join(member)).unwrap();
        assert!(text.contains("[lints]\nworkspace = true"), "{member} does not take the workspace's lints");
    }
    for (path, text) in sources() {
        let text = without_tests(&path, &text);
        assert!(
            !text.contains("#[allow") && !text.contains("#![allow"),
            "{path}: write #[expect(…, reason = …)]"
        );
        for (at, _) in text.match_indices("#[expect(") {
            let attribute = &text[at..text[at..].find(")]").map_or(text.len(), |end| at + end)];
            assert!(attribute.contains("reason ="), "{path}: {attribute} states no reason");
        }
    }
}

#[test]
fn every_file_says_what_it_is_for_and_none_needs_a_table_of_contents() {
    for (path, text) in sources() {
        assert!(text.starts_with("//!"), "{path} does not begin with `//!`");
        assert!(text.lines().count() <= 600, "{path} has more than 600 lines");
    }
}

#[test]
fn a_function_fits_a_screen() {
    let mut long = Vec::new();
    for (path, text) in sources() {
        let text = without_tests(&path, &text);
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let code = line.trim_start();
            let starts = ["fn ", "pub fn ", "pub(super) fn ", "pub(crate) fn ", "const fn ", "pub const fn "];
            if !starts.iter().any(|start| code.starts_with(start)) {
                continue;
            }
            let end = lines[at..].iter().position(|line| *line == format!("{}}}", " ".repeat(indent)));
            if end.is_some_and(|length| length > 60) {
                long.push(format!("{path}:{}: {} lines", at + 1, end.unwrap()));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn what_is_written_out_has_an_order() {
    let broken = banned(&sources(), &["HashMap", "HashSet"], &["runtime/src/decide/"]);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_rule_that_a_room_reports_has_its_page() {
    for (path, text) in rust_files("src") {
        for (at, _) in without_tests(&path, &text).match_indices("RuleId(\"") {
            let id = text[at + 8..].split('"').next().unwrap();
            assert!(harnessc::rules::rule(id).is_some(), "{path} reports `{id}`, which has no page");
        }
    }
}

#[test]
fn the_repo_speaks_of_the_project_alone() {
    let tracked = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    for file in tracked.iter().map(|file| root().join(file)).filter(|path| Path::exists(path)) {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            assert!(!line.contains("/tmp/") && !line.contains("/home/"), "{}:{}", file.display(), number + 1);
        }
    }
}
