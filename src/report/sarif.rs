//! Findings as SARIF 2.1.0, for code scanning. The types below are the part of the format that is written.
//!
//! What SARIF would obey in a text (links in brackets, placeholders in braces) is escaped as it asks, and paths are URIs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::ci::{Found, Region, RuleText, told};
use super::visible::visible;
use crate::diagnostic::{Applicability, Finding, Fix, Level};
use crate::source::Span;

/// The schema that the log keeps to.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The name of our fingerprints; its number changes with what they are made of.
const FINGERPRINT: &str = "harnesscFinding/v1";
/// What paths are relative to: the repository's root, by the name that platforms know.
const ROOT: &str = "%SRCROOT%";

/// A log of one run.
#[derive(Debug, Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    newline_sequences: [&'static str; 3],
    results: Vec<SarifResult>,
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Text,
    help: Help,
    default_configuration: Configuration,
}

#[derive(Debug, Serialize)]
struct Text {
    text: String,
}

#[derive(Debug, Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: String,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<SarifFix>,
    properties: Grade,
}

/// The level by our own word: SARIF has none for what nobody can lower.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Grade {
    harnessc_level: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: SarifRegion,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRegion {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFix {
    description: Text,
    artifact_changes: Vec<Changed>,
    properties: Reach,
}

/// Whether a person should look before the fix is taken.
#[derive(Debug, Serialize)]
struct Reach {
    applicability: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Changed {
    artifact_location: Artifact,
    replacements: Vec<Replacement>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: SarifRegion,
    inserted_content: Text,
}

/// The log of a run.
pub fn sarif(found: &Found<'_>) -> Log {
    let rules = rules(found);
    let results = found.findings.iter().enumerate();
    let results = results.map(|(at, finding)| result(found, finding, at, &rules)).collect();
    let driver = Driver { name: "harnessc", semantic_version: env!("CARGO_PKG_VERSION"), rules };
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool { driver },
            invocations: [Invocation { execution_successful: true }],
            column_kind: "unicodeCodePoints",
            newline_sequences: ["\r\n", "\n", "\r"],
            results,
        }],
    }
}

/// The rules that ran and those that findings name besides, sorted.
fn rules(found: &Found<'_>) -> Vec<Rule> {
    let mut rules: BTreeMap<&str, Rule> = BTreeMap::new();
    for RuleText { id, level: usual, summary, page } in found.rules {
        let rule = Rule {
            id: (*id).to_owned(),
            short_description: Text { text: (*summary).to_owned() },
            // No placeholder stands in these two, and no reader takes escapes out of them.
            help: Help { text: (*page).to_owned(), markdown: (*page).to_owned() },
            default_configuration: Configuration { level: level(*usual) },
        };
        rules.insert(id, rule);
    }
    for finding in found.findings {
        let id = finding.diagnostic.rule.0;
        rules.entry(id).or_insert_with(|| Rule {
            id: id.to_owned(),
            short_description: Text { text: id.to_owned() },
            help: Help { text: id.to_owned(), markdown: id.to_owned() },
            default_configuration: Configuration { level: level(finding.level) },
        });
    }
    rules.into_values().collect()
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Forbid | Level::Deny => "error",
        Level::Warn => "warning",
        Level::Allow => "none",
    }
}

fn result(found: &Found<'_>, finding: &Finding, at: usize, rules: &[Rule]) -> SarifResult {
    let diagnostic = &finding.diagnostic;
    let id = diagnostic.rule.0;
    let label = Some(escaped(&visible(&diagnostic.primary.text))).filter(|text| !text.is_empty());
    let related = diagnostic.labels.iter().enumerate().map(|(number, label)| {
        let text = Some(escaped(&visible(&label.text))).filter(|text| !text.is_empty());
        location(found, label.span, text, Some(number))
    });
    SarifResult {
        rule_id: id.to_owned(),
        rule_index: rules.binary_search_by(|rule| rule.id.as_str().cmp(id)).unwrap_or_default(),
        level: level(finding.level),
        message: Text { text: escaped(&told(finding)) },
        locations: [location(found, diagnostic.primary.span, label, None)],
        related_locations: related.collect(),
        partial_fingerprints: found
            .fingerprints
            .get(at)
            .map(|own| (FINGERPRINT, own.clone()))
            .into_iter()
            .collect(),
        fixes: diagnostic
            .fixes
            .iter()
            .filter(|fix| fix.creates.is_empty())
            .map(|own| fix(found, own))
            .collect(),
        properties: Grade { harnessc_level: finding.level.word() },
    }
}

fn location(found: &Found<'_>, span: Span, text: Option<String>, id: Option<usize>) -> Location {
    let region = found.region(span);
    Location {
        id,
        physical_location: Physical { artifact_location: artifact(&region.file), region: lines(&region) },
        message: text.map(|text| Text { text }),
    }
}

fn artifact(path: &str) -> Artifact {
    Artifact { uri: uri(path), uri_base_id: ROOT }
}

fn lines(region: &Region) -> SarifRegion {
    SarifRegion {
        start_line: region.line,
        start_column: region.column,
        end_line: region.end_line,
        end_column: region.end_column,
    }
}

fn fix(found: &Found<'_>, fix: &Fix) -> SarifFix {
    let mut files: BTreeMap<String, Vec<(Span, &str)>> = BTreeMap::new();
    for edit in &fix.edits {
        let file = found.region(edit.span).file;
        files.entry(file).or_default().push((edit.span, &edit.replacement));
    }
    let changes = files.into_iter().map(|(file, mut edits)| {
        edits.sort();
        let replacements = edits.into_iter().map(|(span, text)| Replacement {
            deleted_region: lines(&found.region(span)),
            inserted_content: Text { text: text.to_owned() },
        });
        Changed { artifact_location: artifact(&file), replacements: replacements.collect() }
    });
    SarifFix {
        description: Text { text: escaped(&visible(&fix.title)) },
        artifact_changes: changes.collect(),
        properties: Reach {
            applicability: match fix.applicability {
                Applicability::Safe => "safe",
                Applicability::Unsafe => "unsafe",
            },
        },
    }
}

/// A text in which SARIF finds no link and no placeholder.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\\' | '[' | ']' => out.extend(['\\', c]),
            '{' | '}' => out.extend([c, c]),
            _ => out.push(c),
        }
    }
    out
}

/// A path as a relative URI: all but unreserved characters and `/` in percent.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte.into())
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
