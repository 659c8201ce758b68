//! What in docs/ and schema/ is generated, and that it is not stale. `UPDATE_DOCS=1 cargo test --test it docs` writes it anew.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use harnessc::diagnostic::Level;
use harnessc::model;
use harnessc::rules::RULES;
use serde_json::Value;

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

fn first_line(schema: &Value) -> String {
    schema["description"].as_str().unwrap_or("").replace('\n', " ").replace('|', "\\|")
}
