//! A rule's page: one Markdown text that is its documentation, its `explain` and its test.
//!
//! The head is `# rule-id`, then lines `level: …`, `fixable: yes|no`, `source: …`, then a summary paragraph. Sections
//! `## What it asks`, `## Why`, `## How to mend` and `## Examples` follow. An example is a heading `### Bad…` or `### Good…`, one
//! fence per file (```` ```yaml file=tools/a.yaml ````) and, for a bad one, a fence ```` ```finding ```` with a line
//! `file:line: exact text` for each finding of this rule; a text of several lines is given by its first one and ` …`.

use crate::diagnostic::Level;

/// A page taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<'a> {
    /// The rule's id, from the heading.
    pub id: &'a str,
    /// Its levels, the one that holds where a finding states none first.
    pub levels: Vec<Level>,
    /// Whether some of its findings bring a fix.
    pub fixable: bool,
    /// The system, the specification or the incident that it comes from.
    pub source: &'a str,
    /// One sentence: when it holds.
    pub summary: String,
    /// The examples, in order.
    pub examples: Vec<Example<'a>>,
}

/// A small tree that shows the rule broken or kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example<'a> {
    /// The heading.
    pub title: &'a str,
    /// Its files.
    pub files: Vec<ExampleFile<'a>>,
    /// What is found in it; nothing for a good example.
    pub findings: Vec<Expected<'a>>,
}

/// One file of an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleFile<'a> {
    /// Relative to the manifest.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// A finding that an example yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected<'a> {
    /// The file.
    pub path: &'a str,
    /// The line, from 1.
    pub line: usize,
    /// The exact text that is underlined; of several lines, the first one and ` …`.
    pub text: &'a str,
}

impl<'a> Page<'a> {
    /// Takes `text` apart. What is not there is left empty; a test holds every page to the form.
    pub fn read(text: &'a str) -> Self {
        let field =
            |name: &str| text.lines().take(12).find_map(|line| line.strip_prefix(name)).map_or("", str::trim);
        Self {
            id: field("# "),
            levels: field("level:").split(',').filter_map(|word| level(word.trim())).collect(),
            fixable: field("fixable:") == "yes",
            source: field("source:"),
            summary: summary(text),
            examples: examples(text),
        }
    }
}

fn level(word: &str) -> Option<Level> {
    match word {
        "forbid" => Some(Level::Forbid),
        "deny" => Some(Level::Deny),
        "warn" => Some(Level::Warn),
        _ => None,
    }
}

/// The paragraph behind the head.
fn summary(text: &str) -> String {
    let body = text.lines().skip_while(|line| !line.starts_with("source:")).skip(1);
    let paragraph: Vec<&str> =
        body.skip_while(|line| line.trim().is_empty()).take_while(|line| !line.trim().is_empty()).collect();
    paragraph.join(" ")
}

fn examples(text: &str) -> Vec<Example<'_>> {
    let mut examples: Vec<Example<'_>> = Vec::new();
    let mut rest = text;
    while let Some((line, after)) = split_line(rest) {
        rest = after;
        if let Some(title) =
            line.strip_prefix("### ").filter(|t| t.starts_with("Bad") || t.starts_with("Good"))
        {
            examples.push(Example { title: title.trim(), files: Vec::new(), findings: Vec::new() });
        } else if let (Some(info), Some(example)) = (line.strip_prefix("```"), examples.last_mut()) {
            let (body, after) = fence(rest);
            rest = after;
            if info.trim() == "finding" {
                example.findings.extend(body.lines().filter_map(expected));
            } else if let Some((_, path)) = info.split_once("file=") {
                example.files.push(ExampleFile { path: path.trim(), text: body });
            }
        }
    }
    examples
}

fn split_line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    Some(text.split_once('\n').unwrap_or((text, "")))
}

/// The body of a fence that has just been opened, and what stands after its closing line.
fn fence(text: &str) -> (&str, &str) {
    let mut at = 0;
    let mut rest = text;
    while let Some((line, after)) = split_line(rest) {
        if line.trim_end() == "```" {
            return (text.get(..at).unwrap_or(""), after);
        }
        at += rest.len() - after.len();
        rest = after;
    }
    (text, "")
}

fn expected(line: &str) -> Option<Expected<'_>> {
    let (path, rest) = line.split_once(':')?;
    let (number, text) = rest.split_once(": ").unwrap_or((rest, ""));
    Some(Expected { path, line: number.trim_end_matches(':').parse().ok()?, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# some-rule\n\nlevel: forbid, warn\nfixable: yes\nsource: seed 003\n\nIt holds when\nall is well.\n\n## Examples\n\n### Bad: a thing\n\n```yaml file=tools/a.yaml\ntools: {}\n```\n\n```finding\ntools/a.yaml:1: {}\n```\n\n### Good\n\n```yaml file=tools/a.yaml\nx: 1\n```\n";

    #[test]
    fn a_page_is_taken_apart() {
        let page = Page::read(TEXT);
        assert_eq!((page.id, page.fixable, page.source), ("some-rule", true, "seed 003"));
        assert_eq!(page.levels, [Level::Forbid, Level::Warn]);
        assert_eq!(page.summary, "It holds when all is well.");
        let bad = &page.examples[0];
        assert_eq!(bad.files, [ExampleFile { path: "tools/a.yaml", text: "tools: {}\n" }]);
        assert_eq!(bad.findings, [Expected { path: "tools/a.yaml", line: 1, text: "{}" }]);
        assert!(page.examples[1].findings.is_empty());
    }
}
