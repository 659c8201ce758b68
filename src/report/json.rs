//! Findings for machines: one JSON document. The types below are the format, and its committed schema is made from them.
//!
//! The shape only grows. Paths and replacements are exact; texts for people are made visible first.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use super::place::Place;
use super::visible::{is_hidden, visible, visible_lines};
use crate::diagnostic::{Applicability, Diagnostic, Finding, Fix, Label, Level};
use crate::source::{Position, Sources, Span};

/// What `check --format json` prints.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JsonReport {
    /// The version of this format, 1.
    pub version: u32,
    /// Every finding, in the order of the run.
    pub findings: Vec<JsonFinding>,
    /// How many there are of each weight.
    pub summary: JsonSummary,
    /// With `--baseline`: what was set aside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<JsonBaseline>,
    /// With `--fix`: what was mended, in the order of mending; it is found no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<JsonFixed>,
}

/// What a baseline comes to in this run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JsonBaseline {
    /// Known findings that are not among `findings`.
    pub set_aside: usize,
    /// How many of these are forbidden, which `build` excuses never.
    pub forbidden: usize,
    /// Entries of the baseline that are found no more.
    pub gone: usize,
}

/// One fix that was applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JsonFixed {
    /// The rule that asked for it.
    pub rule: String,
    /// The file that the finding was in, relative to the manifest's folder.
    pub file: String,
    /// What the fix did.
    pub title: String,
}

/// How many findings there are of each weight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JsonSummary {
    /// Those that fail the run: levels `deny` and `forbid`.
    pub deny: usize,
    /// Those that do not.
    pub warn: usize,
}

/// One finding.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JsonFinding {
    /// The rule's name.
    pub rule: String,
    /// `forbid`, `deny` or `warn`.
    pub level: JsonLevel,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The file, relative to the manifest's folder.
    pub file: String,
    /// The place to look at.
    pub range: JsonRange,
    /// What is to be seen in that file, the place itself first where it has a text.
    pub labels: Vec<JsonLabel>,
    /// What is to be seen in other files.
    pub related: Vec<JsonLabel>,
    /// Why it matters.
    pub notes: Vec<String>,
    /// The edit that mends it, said to a person.
    pub help: Option<String>,
    /// The same as edits, where they are plain.
    pub fixes: Vec<JsonFix>,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JsonLevel {
    /// Fails the run; can be neither lowered nor waived.
    Forbid,
    /// Fails the run.
    Deny,
    /// Does not fail the run, unless warnings are denied.
    Warn,
}

/// A place and what is to be seen there.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JsonLabel {
    /// The file, relative to the manifest's folder.
    pub file: String,
    /// The place in it.
    pub range: JsonRange,
    /// A few words.
    pub text: String,
}

/// A part of a file.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct JsonRange {
    /// Its first character.
    pub start: JsonPosition,
    /// One past its last character.
    pub end: JsonPosition,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct JsonPosition {
    /// From 1.
    pub line: usize,
    /// From 1, in Unicode scalar values.
    pub column: usize,
    /// From 0, in bytes of the file.
    pub byte: usize,
}

/// Edits that mend a finding, all or none.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JsonFix {
    /// What the fix does.
    pub title: String,
    /// `safe`, or `unsafe`: a person should look.
    pub applicability: JsonApplicability,
    /// The replacements; they do not overlap.
    pub edits: Vec<JsonEdit>,
    /// Files to write where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub creates: Vec<JsonNewFile>,
}

/// A file that is missing, whole.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JsonNewFile {
    /// Relative to the manifest's folder.
    pub file: String,
    /// Its text, exactly.
    pub text: String,
}

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JsonApplicability {
    /// It keeps what the author meant and widens nothing.
    Safe,
    /// A person should look.
    Unsafe,
}

/// One replacement of text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JsonEdit {
    /// The file, relative to the manifest's folder.
    pub file: String,
    /// What goes; empty for an insertion.
    pub range: JsonRange,
    /// What comes, exactly.
    pub replacement: String,
}

/// Writes the findings as one line of JSON. Characters that act on a terminal or hide are written as `\uXXXX`.
///
/// # Errors
/// Those of `out`.
pub fn json(findings: &[Finding], sources: &Sources, out: &mut impl Write) -> io::Result<()> {
    json_line(&json_report(findings, sources), out)
}

/// Writes any machine format as one line of JSON, what would act on a terminal escaped.
///
/// # Errors
/// Those of `out`.
pub fn json_line(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Inert);
    value.serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// The findings as the format has them.
pub fn json_report(findings: &[Finding], sources: &Sources) -> JsonReport {
    let deny = findings.iter().filter(|finding| finding.level >= Level::Deny).count();
    JsonReport {
        version: 1,
        findings: findings.iter().map(|found| finding(&found.diagnostic, found.level, sources)).collect(),
        summary: JsonSummary { deny, warn: findings.len() - deny },
        baseline: None,
        fixed: Vec::new(),
    }
}

fn finding(diagnostic: &Diagnostic, level: Level, sources: &Sources) -> JsonFinding {
    let primary = &diagnostic.primary;
    let own = Some(primary).filter(|primary| !primary.text.is_empty());
    let (here, elsewhere): (Vec<&Label>, Vec<&Label>) =
        own.into_iter().chain(&diagnostic.labels).partition(|label| label.span.file == primary.span.file);
    JsonFinding {
        rule: diagnostic.rule.0.to_owned(),
        level: match level {
            Level::Forbid => JsonLevel::Forbid,
            Level::Deny => JsonLevel::Deny,
            Level::Warn | Level::Allow => JsonLevel::Warn,
        },
        message: visible(&diagnostic.message).into_owned(),
        file: sources.path(primary.span.file).to_owned(),
        range: range(primary.span, sources),
        labels: here.into_iter().map(|one| label(one, sources)).collect(),
        related: elsewhere.into_iter().map(|one| label(one, sources)).collect(),
        notes: diagnostic.notes.iter().map(|note| visible_lines(note)).collect(),
        help: diagnostic.help.as_deref().map(visible_lines),
        fixes: diagnostic.fixes.iter().map(|one| fix(one, sources)).collect(),
    }
}

fn label(label: &Label, sources: &Sources) -> JsonLabel {
    JsonLabel {
        file: sources.path(label.span.file).to_owned(),
        range: range(label.span, sources),
        text: visible(&label.text).into_owned(),
    }
}

fn fix(fix: &Fix, sources: &Sources) -> JsonFix {
    let edits = fix.edits.iter().map(|edit| JsonEdit {
        file: sources.path(edit.span.file).to_owned(),
        range: range(edit.span, sources),
        replacement: edit.replacement.clone(),
    });
    JsonFix {
        title: visible(&fix.title).into_owned(),
        applicability: match fix.applicability {
            Applicability::Safe => JsonApplicability::Safe,
            Applicability::Unsafe => JsonApplicability::Unsafe,
        },
        edits: edits.collect(),
        creates: fix
            .creates
            .iter()
            .map(|new| JsonNewFile { file: new.path.clone(), text: new.text.clone() })
            .collect(),
    }
}

/// The span's range; the start of the file where the file is not known.
fn range(span: Span, sources: &Sources) -> JsonRange {
    let at = |position: Position, byte| JsonPosition { line: position.line, column: position.column, byte };
    Place::of(span, sources).map_or_else(
        || {
            let start = at(Position { line: 1, column: 1 }, 0);
            JsonRange { start, end: start }
        },
        |place| JsonRange {
            start: at(place.start(), place.range.start),
            end: at(place.end(), place.range.end),
        },
    )
}

/// Compact JSON in which what acts or hides is escaped, so that printing it to a terminal does nothing.
struct Inert;

impl serde_json::ser::Formatter for Inert {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_hidden(*c)) {
            let (before, after) = rest.split_at(at);
            out.write_all(before.as_bytes())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = after.get(c.len_utf8()..).unwrap_or("");
        }
        out.write_all(rest.as_bytes())
    }
}
