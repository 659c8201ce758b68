//! Every rule's page: its form, and its examples run as tests.

use std::collections::BTreeSet;

use harnessc::check::check;
use harnessc::diagnostic::Level;
use harnessc::rules::{Example, Expected, RULES};
use harnessc::tree::Tree;

const MANIFEST: &str = "[policy]\nname = \"example\"\n";

/// An example's files, with a manifest where it states none.
fn files(example: &Example<'_>) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> =
        example.files.iter().map(|file| (file.path.to_owned(), file.text.as_bytes().to_vec())).collect();
    if !files.iter().any(|(path, _)| path == "harness.toml") {
        files.push(("harness.toml".to_owned(), MANIFEST.as_bytes().to_vec()));
    }
    files
}

/// What an example yields, each finding as the page states it: rule, file, line and the exact text underlined.
fn findings(example: &Example<'_>) -> Vec<String> {
    let (tree, sink) = Tree::from_files(files(example));
    let (checked, ()) = check(&tree, sink, |_, _| ());
    checked
        .findings
        .iter()
        .map(|finding| {
            let span = finding.diagnostic.primary.span;
            let file = tree.sources.get(span.file).unwrap();
            let line = file.lines().position(&file.text, span.start as usize).line;
            format!("{} {}:{line}: {}", finding.diagnostic.rule, file.path, shown(file.slice(span)))
        })
        .collect()
}

/// What a page's examples yield of its own rule: the levels, and whether some finding brings a fix.
fn yields(rule: &harnessc::rules::Rule) -> (BTreeSet<Level>, bool) {
    let (mut levels, mut fixed) = (BTreeSet::new(), false);
    for example in rule.page().examples {
        let (tree, sink) = Tree::from_files(files(&example));
        let (checked, ()) = check(&tree, sink, |_, _| ());
        for finding in checked.findings.iter().filter(|finding| finding.diagnostic.rule == rule.id) {
            levels.insert(finding.diagnostic.level.or(rule.levels.first().copied()).unwrap());
            fixed |= !finding.diagnostic.fixes.is_empty();
        }
    }
    (levels, fixed)
}

#[test]
fn the_head_of_a_page_says_what_its_examples_show() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let (levels, fixed) = yields(rule);
        let (page, id) = (rule.page(), rule.id);
        if page.fixable != fixed {
            wrong.push(format!("{id}: `fixable: {}`, and its examples bring a fix: {fixed}", page.fixable));
        }
        for level in &levels {
            if !page.levels.contains(level) {
                wrong.push(format!("{id}: an example yields {level:?}, which the head does not name"));
            }
        }
        for level in page.levels.iter().filter(|level| !levels.contains(level)) {
            if !rule.text().contains(&format!("`{}`", level.word())) {
                wrong.push(format!("{id}: {level:?} is shown by no example and explained nowhere"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn shown(text: &str) -> String {
    match text.trim_end_matches('\n').split_once('\n') {
        Some((first, _)) => format!("{first} …"),
        None => text.to_owned(),
    }
}

fn stated(rule: &str, expected: &Expected<'_>) -> String {
    format!("{rule} {}:{}: {}", expected.path, expected.line, expected.text)
}

#[test]
fn every_page_has_the_form() {
    for rule in RULES {
        let (page, text, id) = (rule.page(), rule.text(), rule.id);
        assert_eq!(page.id, id.0, "{id}: the heading names the rule");
        assert!(!page.levels.is_empty(), "{id}: no level");
        assert!(!page.source.is_empty() && !page.summary.is_empty(), "{id}: no source or no summary");
        for heading in ["## What it asks", "## Why", "## How to mend", "## Examples"] {
            assert!(text.contains(&format!("\n{heading}\n")), "{id}: no section `{heading}`");
        }
        let (bad, good): (Vec<_>, Vec<_>) = page.examples.iter().partition(|e| e.title.starts_with("Bad"));
        assert!(!bad.is_empty() && !good.is_empty(), "{id}: needs a bad and a good example");
        assert!(
            bad.iter().all(|example| !example.findings.is_empty()),
            "{id}: a bad example without its finding"
        );
        assert!(
            good.iter().all(|example| example.findings.is_empty()),
            "{id}: a good example with a finding"
        );
    }
}

#[test]
fn every_example_yields_exactly_what_its_page_says() {
    let only = std::env::var("RULE").ok();
    let named = |id: &str| RULES.iter().any(|rule| rule.id.0 == id);
    assert!(
        only.as_deref().is_none_or(named),
        "RULE={} names no rule; ids are kebab-case",
        only.unwrap_or_default()
    );
    let mut wrong = String::new();
    for rule in RULES.iter().filter(|rule| only.as_deref().is_none_or(|only| only == rule.id.0)) {
        for example in rule.page().examples {
            let expected: Vec<String> = example.findings.iter().map(|e| stated(rule.id.0, e)).collect();
            let found = findings(&example);
            if found != expected {
                wrong += &format!(
                    "\n{} / {}\n  expected {expected:#?}\n  found {found:#?}",
                    rule.id, example.title
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
