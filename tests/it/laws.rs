//! The laws of the house (ARCHITECTURE.md), held by reading the `use` lines and the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

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
    ("simulate", &[]),
    ("diff", &["source", "diagnostic", "syntax", "tree", "model", "names", "policy", "rules", "lock"]),
    ("report", &["source", "diagnostic", "lock", "diff"]),
    ("generate", &["source", "diagnostic", "lock", "report"]),
    (
        "variant",
        &[
            "source",
            "diagnostic",
            "syntax",
            "tree",
            "model",
            "names",
            "policy",
            "rules",
            "check",
            "fix",
            "lower",
            "lock",
        ],
    ),
    (
        "trial",
        &[
            "source",
            "diagnostic",
            "syntax",
            "tree",
            "model",
            "names",
            "policy",
            "rules",
            "check",
            "lower",
            "variant",
        ],
    ),
    ("why", &["source", "diagnostic", "tree", "model", "names", "policy", "rules", "variant", "trial"]),
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
            "simulate",
            "diff",
            "report",
            "generate",
            "variant",
            "trial",
            "why",
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
    if for_tests_alone(path) { String::new() } else { without_test_modules(text) }
}

/// Whether the file, or a module it lies in, is declared under `#[cfg(test)]`. The name of a file says nothing.
fn for_tests_alone(path: &str) -> bool {
    let own = path.trim_end_matches(".rs").trim_end_matches("/mod");
    let Some((folder, name)) = own.rsplit_once('/') else { return false };
    if matches!(name, "lib" | "main" | "src") {
        return false;
    }
    let beside = ["mod.rs", "lib.rs", "main.rs"].map(|file| format!("{folder}/{file}"));
    let parents = beside.into_iter().chain([format!("{folder}.rs")]);
    let mut parents = parents.filter(|parent| parent != path && root().join(parent).is_file()).peekable();
    let Some(first) = parents.peek().cloned() else { return false };
    let declared = parents.any(|parent| {
        let text = fs::read_to_string(root().join(parent)).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let here = |line: &str| line.trim_start_matches("pub(crate) ") == format!("mod {name};");
        lines.windows(2).any(|pair| pair[0] == "#[cfg(test)]" && here(pair[1]))
    });
    declared || for_tests_alone(&first)
}

/// The text without its `#[cfg(test)] mod … { }`; what stands behind one is read like the rest.
fn without_test_modules(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let attribute = line.starts_with("#[cfg(") && line.contains("test") && !line.contains("not(test)");
        if !attribute || !lines.peek().is_some_and(|next| next.contains("mod ")) {
            kept.push_str(line);
            kept.push('\n');
        } else if lines.next().is_some_and(|module| module.ends_with('{')) {
            lines.by_ref().find(|line| *line == "}");
        }
    }
    kept
}

#[test]
fn what_is_left_out_of_a_law_is_test_code_alone() {
    let text = "a\n#[cfg(test)]\nmod tests {\n    b\n}\nc\n#[cfg(test)]\nmod more;\nd\n";
    assert_eq!(without_test_modules(text), "a\nc\nd\n");
    assert!(for_tests_alone("src/policy/schema/testing.rs") && for_tests_alone("src/report/tests.rs"));
    assert!(!for_tests_alone("src/model/tests.rs") && !for_tests_alone("src/model/mod.rs"));
    assert!(!for_tests_alone("src/baseline.rs") && !for_tests_alone("src/rules/engine/text.rs"));
}

fn room(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("src/")?;
    Some(inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs"))
        .filter(|room| !matches!(*room, "lib" | "main"))
}

/// A file's text with every `super::super::` that leads out of its room written as `crate::`.
fn with_crate_paths(path: &str, text: &str) -> String {
    let inside = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    let up = "super::".repeat(inside.split('/').count());
    text.replace(&up, "crate::")
}

#[test]
fn the_wall_test_sees_a_path_that_climbs_out() {
    let climbs = |path, text| crate_paths(&with_crate_paths(path, text)).into_iter().collect::<Vec<_>>();
    assert_eq!(climbs("src/rules/empty_list.rs", "use super::super::report::x;"), ["report"]);
    assert_eq!(climbs("src/rules/mod.rs", "use super::{report, cli::x};"), ["cli", "report"]);
    assert_eq!(climbs("src/rules/engine/text.rs", "use super::super::Cx;"), [""; 0]);
    assert_eq!(climbs("src/check.rs", "use super::report;"), ["report"]);
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
        for used in crate_paths(&with_crate_paths(&path, &without_tests(&path, &text))) {
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
            let mut code: Vec<String> =
                text.lines().filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned).collect();
            code.extend(grouped(&code.join("\n")));
            words
                .iter()
                .filter(move |word| code.iter().any(|line| line.contains(**word)))
                .map(move |word| format!("{path} holds `{word}`"))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// `use std::{env, fs::File}` as `std::env` and `std::fs::File`.
fn grouped(text: &str) -> Vec<String> {
    let groups = text.match_indices("std::{").map(|(at, start)| &text[at + start.len()..]);
    groups.flat_map(top_level).map(|part| format!("std::{}", part.trim())).collect()
}

#[test]
fn a_banned_word_is_seen_within_a_group() {
    let file = |text: &str| [("src/x.rs".to_owned(), text.to_owned())];
    let group = "use std::{\n    collections::{BTreeMap},\n    env,\n};\n";
    assert_eq!(banned(&file(group), &["std::env", "std::fs"], &[]), ["src/x.rs holds `std::env`"]);
    assert_eq!(banned(&file("// std::env\n"), &["std::env"], &[]), [""; 0]);
}

#[test]
fn one_file_alone_touches_the_disk() {
    let words = [
        "std::fs",
        "fs::",
        "File::",
        "read_dir",
        ".exists()",
        ".try_exists()",
        ".metadata()",
        "symlink_metadata",
        ".canonicalize()",
        ".read_link()",
        ".is_file()",
        ".is_dir()",
        ".is_symlink()",
        "Path::exists",
        "Path::is_file",
        "Path::is_dir",
        "Path::metadata",
        "Path::canonicalize",
    ];
    let broken = banned(&rust_files("src"), &words, &["src/source/disk.rs"]);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn two_files_alone_start_a_process() {
    let files = ["src/source/git.rs", "src/source/process.rs"];
    let broken = banned(&rust_files("src"), &["Command::new", "process::Command"], &files);
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
        "io::Result",
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
    // The example server and the tests may run on what they like; whoever uses the crate gets none of it.
    let manifest = manifest.split("[dev-dependencies]").next().unwrap();
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

/// Whether a line begins a function, whoever may see it and of whatever kind it is.
fn begins_a_function(line: &str) -> bool {
    let mut rest = line;
    if let Some(seen) = rest.strip_prefix("pub") {
        rest = match seen.strip_prefix('(') {
            Some(within) => within.split_once(')').map_or("", |(_, rest)| rest),
            None => seen,
        }
        .trim_start();
    }
    while let Some(tail) =
        ["const ", "async ", "unsafe ", "extern \"C\" "].iter().find_map(|word| rest.strip_prefix(word))
    {
        rest = tail;
    }
    rest.starts_with("fn ")
}

#[test]
fn every_kind_of_function_is_measured() {
    for line in [
        "fn a() {",
        "pub fn a",
        "pub(in crate::x) fn a",
        "pub(crate) const fn a",
        "pub async fn a",
        "async fn a",
    ] {
        assert!(begins_a_function(line), "{line}");
    }
    for line in ["pub struct A", "const A: u8 = 1;", "pub(crate) const A: fn() = a;", "let fn_ = 1;"] {
        assert!(!begins_a_function(line), "{line}");
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
            if !begins_a_function(code) {
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
    // A decision test is no rule: what fails is said by its own text.
    let of_rules = |(path, _): &(String, String)| path != "src/cli/test/failure.rs";
    for (path, text) in rust_files("src").into_iter().filter(of_rules) {
        let text = without_tests(&path, &text);
        for (at, _) in text.match_indices("RuleId(\"") {
            let id = text[at + 8..].split('"').next().unwrap();
            // The editor's line is written and never missed: a fix without a finding, so without a page.
            assert!(
                id == "modeline" || harnessc::rules::rule(id).is_some(),
                "{path} reports `{id}`, which has no page"
            );
        }
    }
}

/// Every file of the repository as text, build outputs and what version control keeps aside.
fn all_texts() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![root()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && !matches!(name.as_str(), ".git" | "target" | "node_modules") {
                waiting.push(path);
            } else if let (true, Ok(text)) = (path.is_file() && name != ".git", fs::read_to_string(&path)) {
                found.push((path.strip_prefix(root()).unwrap().display().to_string(), text));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_repo_speaks_of_the_project_alone() {
    let folders = ["tmp", "home", "work", "root", "Users"].map(|name| format!("/{name}/"));
    let mut broken = Vec::new();
    for (path, text) in all_texts() {
        for (number, line) in text.lines().enumerate() {
            // A folder of somebody's machine begins a path; further inside one the name is free.
            let begins = |at: usize| {
                !line[..at]
                    .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '}' | '/'))
            };
            if folders.iter().any(|folder| line.match_indices(folder).any(|(at, _)| begins(at))) {
                broken.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
