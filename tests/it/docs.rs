//! What in docs/ and schema/ is generated, and that it is not stale. `UPDATE_DOCS=1 cargo test --test it docs` writes it anew.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use harnessc::diagnostic::Level;
use harnessc::model;
use harnessc::rules::RULES;
use harnessc_runtime::actions::Refusal;
use harnessc_runtime::decide::Code;
use serde_json::Value;

use crate::cli_common::Scratch;

/// Holds `text` against the committed file, or writes it where asked to.
fn current(path: &str, text: &str) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == text,
        "{path} is stale: run `UPDATE_DOCS=1 cargo test --test it docs` and read what changed"
    );
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Forbid => "forbid",
        Level::Deny => "deny",
        Level::Warn => "warn",
        Level::Allow => "allow",
    }
}

#[test]
fn the_table_of_rules_is_current() {
    let mut text = String::from(
        "# Rules\n\nGenerated from the pages under `src/rules/`; `harnessc explain RULE` prints one. A forbid rule can be neither lowered \
         nor waived; where a rule has two levels, its page says when which holds.\n\n| rule | level | it holds when | fix | from |\n|---|---|---|---|---|\n",
    );
    for rule in RULES {
        let page = rule.page();
        let levels: Vec<&str> = page.levels.iter().copied().map(word).collect();
        let file = rule.id.0.replace('-', "_");
        let fix = if page.fixable { "yes" } else { "" };
        let cell = |text: &str| text.replace('|', "\\|");
        writeln!(
            text,
            "| [{}](../src/rules/{file}.md) | {} | {} | {fix} | {} |",
            rule.id,
            levels.join(", "),
            cell(&page.summary),
            cell(page.source)
        )
        .unwrap();
    }
    current("docs/rules.md", &text);
}

#[test]
fn the_table_of_sections_is_current() {
    let schema = model::file_schema();
    let mut text = String::from(
        "# Sections and fields\n\nGenerated from the types that read the language. Required fields are marked; `docs/language.md` says what it all means.\n",
    );
    text.push_str("\n## Sections\n\n| section | what it holds |\n|---|---|\n");
    for (name, section) in schema["properties"].as_object().unwrap() {
        writeln!(text, "| `{name}` | {} |", first_line(section)).unwrap();
    }
    let definitions = schema["definitions"].as_object().unwrap();
    let mut names: Vec<&String> = definitions.keys().collect();
    names.sort();
    for name in names {
        let definition = &definitions[name.as_str()];
        let Some(properties) = definition["properties"].as_object() else { continue };
        writeln!(text, "\n## {name}\n\n{}\n\n| field | | meaning |\n|---|---|---|", first_line(definition))
            .unwrap();
        let required = definition["required"].as_array().cloned().unwrap_or_default();
        for (field, meaning) in properties {
            let mark = if required.contains(&Value::from(field.as_str())) { "required" } else { "" };
            writeln!(text, "| `{field}` | {mark} | {} |", first_line(meaning)).unwrap();
        }
    }
    current("docs/sections.md", &text);
}

/// What comes of an answer that is taken, in a sentence each.
const ANSWERED: [(&str, &str); 5] = [
    ("executed", "it was the last yes that was needed; what was proposed was started and done"),
    ("waiting", "it counts, and more are needed"),
    ("already_counted", "this person has answered so before; it counts once, and nothing more came of it"),
    ("rejected", "it was a no, and what was proposed is off"),
    ("nothing_proposed", "there is nothing to answer: what was called waits for nobody, or was refused"),
];

/// The limits behind a code, as the policy's author writes them.
fn limits(code: &str) -> &'static str {
    match code {
        "action_cap" => " (`approvals.max_actions_per_run`)",
        "budget_exceeded" => " (`limits.run`, `limits.per_tool`, `approvals.max_actions_per_run`)",
        "step_cap" => " (`limits.run.steps`, `surfaces.*.scopes.*.steps`)",
        _ => "",
    }
}

#[test]
fn the_page_on_testing_names_every_word_that_may_be_expected() {
    assert_eq!(ANSWERED.map(|(word, _)| word), harnessc::model::tests::Answered::WORDS);
    let mut text = String::from(
        "\n\nGenerated: `check` takes these words and no others.\n\n| of a call | |\n|---|---|\n",
    );
    for (word, meaning) in [
        ("auto", "nobody is asked"),
        ("confirm", "a person says yes first"),
        ("four_eyes", "a second person does"),
    ] {
        writeln!(text, "| `{word}` | {meaning} |").unwrap();
    }
    for code in Code::ALL {
        let (word, gate) = (code.code(), code.gate().word());
        writeln!(text, "| `{word}` | denied by the gate `{gate}`: {}{} |", code.reason(), limits(word))
            .unwrap();
    }
    text.push_str("\n| of an answer | |\n|---|---|\n");
    for (word, meaning) in ANSWERED {
        writeln!(text, "| `{word}` | {meaning} |").unwrap();
    }
    text.push_str("\n| of an answer, or of a call or a batch in a sequence | the ledger of pending actions refuses it |\n|---|---|\n");
    for refusal in Refusal::ALL {
        writeln!(text, "| `{}` | {}{} |", refusal.code(), refusal.reason(), limits(refusal.code())).unwrap();
    }
    let page = read("docs/testing.md");
    let heading = "## Every word that may be expected";
    let (before, rest) = page.split_once(heading).unwrap();
    let after = rest.find("\n## ").map_or("", |at| &rest[at..]);
    current("docs/testing.md", &format!("{before}{heading}{text}{after}"));
}

fn first_line(schema: &Value) -> String {
    schema["description"].as_str().unwrap_or("").replace('\n', " ").replace('|', "\\|")
}

/// Every Rust file below `folder` as text.
fn texts(folder: &str) -> Vec<(String, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = Vec::new();
    for entry in fs::read_dir(&root).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.extension().is_some_and(|extension| extension == "rs") {
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

fn read(path: &str) -> String {
    fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The codes by which a signature is refused stand in a table of their own, in the place where others name tests.
const CODES: [&str; 4] = ["namespace_mismatch", "signature_invalid", "signer_unknown", "unsigned"];

/// `module::name`, and names alone in the last column of a table.
#[test]
fn every_test_that_the_page_on_trust_names_is_there() {
    let page = read("docs/trust.md");
    let mut modules = texts("tests/it/forgeries");
    modules.extend(texts("tests/it"));
    let oracle = texts("tests/it/oracle").into_iter().map(|(_, text)| text).collect::<String>();
    modules.push(("oracle".to_owned(), oracle));
    let has = |module: &str, test: &str| {
        let declared = format!("#[test]\nfn {test}()");
        modules.iter().any(|(name, text)| name == module && text.contains(&declared))
    };
    let mut named = 0;
    let mut missing = Vec::new();
    let mut table_of_tests = false;
    for line in page.lines() {
        table_of_tests = line.starts_with('|') && (table_of_tests || line.contains("| test in `cases` |"));
        let column = table_of_tests.then(|| line.trim_end_matches([' ', '|']).rsplit('|').next().unwrap());
        for word in column.unwrap_or(line).split('`').skip(1).step_by(2) {
            let (module, test) = match (word.split_once("::"), column) {
                (Some((module, test)), _) => (module, test),
                (None, Some(_)) if word != "cases" && !word.starts_with('…') && !CODES.contains(&word) => {
                    ("cases", word)
                }
                _ => continue,
            };
            named += 1;
            if !has(module, test) {
                missing.push(format!("{module}::{test}"));
            }
        }
    }
    assert!(named > 30, "the page names {named} tests alone");
    assert!(missing.is_empty(), "docs/trust.md names tests that are not there: {}", missing.join(", "));
}

/// What the README counts, counted; and its transcripts, as the program prints them.
#[test]
fn the_readme_counts_what_there_is() {
    let readme = read("README.md");
    let lock: Value = serde_json::from_str(&read("harness.lock")).unwrap();
    let size = |section: &str| lock[section].as_object().unwrap().len();
    let words = |count: usize| match count {
        17 => "seventeen".to_owned(),
        20 => "twenty".to_owned(),
        75 => "seventy-five".to_owned(),
        other => other.to_string(),
    };
    for (section, noun) in [("harnesses", "harnesses"), ("tools", "tools"), ("rubrics", "rubrics")] {
        let said = format!("{} {noun}", words(size(section)));
        assert!(readme.contains(&said), "README.md does not say `{said}`");
    }
    let rules = match RULES.len() {
        75..85 => "some eighty rules".to_owned(),
        other => format!("{other} rules"),
    };
    assert!(readme.contains(&rules), "README.md does not say `{rules}`");
    let cells = lock["effective"]["toxicologist"]["console"].as_array().unwrap().len();
    let said = format!("a toxicologist's console run sees {cells} tools");
    assert!(readme.contains(&said), "README.md does not say `{said}`");
}

/// The tree that ships, copied, and what a verb says of it on both streams.
fn said_of_the_tree(arguments: &[&str], change: impl FnOnce(&Scratch)) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let scratch = Scratch::empty();
    let mut waiting = vec![PathBuf::from("harness.toml")];
    waiting.extend(
        ["agent", "harnesses", "policies", "prompts", "rubrics", "schema", "tests/policy", "tools"]
            .map(PathBuf::from),
    );
    while let Some(path) = waiting.pop() {
        match fs::read_dir(root.join(&path)) {
            Ok(entries) => waiting.extend(entries.map(|entry| path.join(entry.unwrap().file_name()))),
            Err(_) => scratch.write(path.to_str().unwrap(), &fs::read_to_string(root.join(&path)).unwrap()),
        }
    }
    assert!(scratch.run(&["build"]).status.success());
    change(&scratch);
    let output = scratch.run(arguments);
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

#[test]
fn the_readme_shows_what_the_program_says() {
    let readme = read("README.md");
    let shows = |command: &str, said: &str| {
        assert!(
            readme.contains(&format!("$ {command}\n{said}")),
            "README.md does not show:\n$ {command}\n{said}"
        );
    };
    shows("cargo run --release -- check", &said_of_the_tree(&["check"], |_| {}));
    let retire = |tree: &Scratch| {
        let tool = "      - tool: studies.propose\n";
        tree.edit("harnesses/toxicologist.yaml", tool, &format!("      - records.retire\n{tool}"));
    };
    shows("harnessc check", &said_of_the_tree(&["check"], retire));
    let lower = |tree: &Scratch| {
        let line = "{tool: clinical.propose_amendment, approval: four_eyes}";
        tree.edit("harnesses/clinical_scientist.yaml", line, "clinical.propose_amendment");
    };
    shows("harnessc diff harness.lock", &said_of_the_tree(&["diff", "harness.lock"], lower));
}

#[test]
fn the_page_on_gates_is_current() {
    use harnessc_runtime::decide::{Code, Gate};
    let mut text = String::from(
        "# Gates\n\nGenerated from `runtime/src/decide/`. Every call is asked these questions in this order; the first closed gate denies, and \
         whatever cannot be looked up closes its gate. A denial has one code and one audit event, `agent_run.<code>`, and tells the caller one \
         sentence that names neither the tool nor its schema. `docs/boundary.md` says how a tool server asks.\n\n\
         | | gate | it asks | codes |\n|---|---|---|---|\n",
    );
    for (at, gate) in Gate::ALL.into_iter().enumerate() {
        let codes: Vec<String> = gate.codes().iter().map(|code| format!("[`{code}`](#{code})")).collect();
        writeln!(text, "| {} | `{}` | {} | {} |", at + 1, gate.word(), gate.asks(), codes.join(", "))
            .unwrap();
    }
    text.push_str("\n## Codes\n");
    for code in Code::ALL {
        writeln!(
            text,
            "\n### {}\n\n{} Gate: `{}`. Event: `{}`.\n\nThe caller is told: \"{}\".\n\nTo mend it: {}.",
            code.code(),
            code.means(),
            code.gate().word(),
            code.event(),
            code.reason(),
            code.mend()
        )
        .unwrap();
    }
    current("docs/gates.md", &text);
}
