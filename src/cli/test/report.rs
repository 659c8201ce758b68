//! `test` for machines, and its coverage for a person.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::outcome::Said;
use crate::cli::style;
use crate::report::{self as shown, Look};
use crate::source::{Sources, Span, disk};
use crate::trial::{Coverage, Outcome, Share};

/// What `test --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::cli) struct TestReport {
    /// The version of this format, 1.
    version: u32,
    /// Every test that was asked, in the order of files and text.
    tests: Vec<JsonTest>,
    /// How many came out as expected, and how many did not.
    summary: JsonSummary,
    /// What the tests reach.
    coverage: JsonCoverage,
    /// With `--mutate`: what became of the weakened policies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mutation: Option<super::mutation::JsonMutation>,
}

/// One test.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonTest {
    /// Its name.
    name: String,
    /// The file, relative to the manifest's folder.
    file: String,
    /// The line of its name, from 1.
    line: usize,
    /// Whether everything is as expected.
    passed: bool,
    /// What is not.
    failures: Vec<JsonFailure>,
}

/// Something that is not as expected.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonFailure {
    /// The line where it is expected, from 1.
    line: usize,
    /// The tool or deed; empty where the test cannot be asked, or where an answer found nothing proposed.
    tool: String,
    /// The harness; absent for a run without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    harness: Option<String>,
    /// The role.
    role: String,
    /// The persona, where the policy has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    persona: Option<String>,
    /// What was expected: an approval, a denial code, or a sentence.
    expected: String,
    /// What is so.
    got: String,
    /// What closed the gate, where one is closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// How many tests came out as expected.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonSummary {
    /// As expected.
    passed: usize,
    /// Not.
    failed: usize,
}

/// What the tests reach.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonCoverage {
    /// Harnesses; `-` stands for runs without one.
    harnesses: JsonShare,
    /// Tools that some test sees granted, of those that some run may be granted.
    tools: JsonShare,
    /// Harness and deed, for every deed that a harness holds.
    held: JsonShare,
    /// Harness and deed, held or not.
    cells: JsonShare,
    /// Gates that some test sees closed, by their usual codes.
    gates: JsonShare,
    /// Denial codes that some call states.
    codes: JsonShare,
}

/// How much of something is reached.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonShare {
    /// How many there are.
    total: usize,
    /// How many are reached.
    reached: usize,
    /// Those that are not, sorted.
    missed: Vec<String>,
}

impl TestReport {
    /// The tests as cases of JUnit; `folder` is the manifest's.
    pub(super) fn cases(&self, folder: &Path) -> Vec<shown::Case> {
        let folder = disk::from_repository(folder);
        let case = |test: &JsonTest| {
            let short = match test.failures.len() {
                0 => None,
                1 => Some("1 decision is not as expected".to_owned()),
                count => Some(format!("{count} decisions are not as expected")),
            };
            let full: Vec<String> = test.failures.iter().map(JsonFailure::said).collect();
            shown::Case {
                class: format!("{folder}{}", test.file),
                name: test.name.clone(),
                at: Some((format!("{folder}{}", test.file), test.line)),
                failure: short.map(|short| (short, full.join("\n"))),
                note: None,
            }
        };
        self.tests.iter().map(case).collect()
    }
}

impl JsonFailure {
    fn said(&self) -> String {
        let harness = self.harness.as_deref().unwrap_or("no harness");
        let persona = self.persona.as_ref().map_or_else(String::new, |key| format!(", persona {key}"));
        let reason = self.reason.as_ref().map_or_else(String::new, |why| format!(": {why}"));
        let Self { line, tool, role, expected, got, .. } = self;
        if role.is_empty() {
            return format!("line {line}: the test cannot be asked: {got}; {expected}");
        }
        let tool = if tool.is_empty() { "an answer" } else { tool };
        format!(
            "line {line}: {tool} in {harness}, role {role}{persona}: expected {expected}, got {got}{reason}"
        )
    }
}

impl From<&Share> for JsonShare {
    fn from(share: &Share) -> Self {
        Self {
            total: share.total(),
            reached: share.reached.len(),
            missed: share.missed.iter().cloned().collect(),
        }
    }
}

pub(super) fn report(sources: &Sources, outcomes: &[Outcome<'_>], coverage: &Coverage) -> TestReport {
    let tests: Vec<JsonTest> = outcomes.iter().map(|outcome| test(sources, outcome)).collect();
    let failed = tests.iter().filter(|test| !test.passed).count();
    TestReport {
        version: 1,
        summary: JsonSummary { passed: tests.len() - failed, failed },
        tests,
        coverage: JsonCoverage {
            harnesses: (&coverage.harnesses).into(),
            tools: (&coverage.tools).into(),
            held: (&coverage.granted).into(),
            cells: (&coverage.cells).into(),
            gates: (&coverage.gates).into(),
            codes: (&coverage.codes).into(),
        },
        mutation: None,
    }
}

fn test(sources: &Sources, outcome: &Outcome<'_>) -> JsonTest {
    let key = &outcome.test.key;
    let failures = outcome.failures.iter().map(|failure| JsonFailure {
        line: line(sources, failure.at),
        tool: failure.tool.clone(),
        harness: failure.harness.clone(),
        role: failure.role.clone(),
        persona: failure.persona.clone(),
        expected: failure.expected.clone(),
        got: failure.got.clone(),
        reason: failure.gate.map(|gate| match failure.detail.as_str() {
            "" => gate.usual().reason().to_owned(),
            detail => format!("{} ({detail})", gate.usual().reason()),
        }),
    });
    JsonTest {
        name: key.value.clone(),
        file: sources.path(key.span.file).to_owned(),
        line: line(sources, key.span),
        passed: outcome.failures.is_empty(),
        failures: failures.collect(),
    }
}

/// The line of a place, from 1.
pub(super) fn line(sources: &Sources, at: Span) -> usize {
    sources.get(at.file).map_or(0, |file| file.lines().position(&file.text, at.range().start).line)
}

/// So many names of what is missed are shown.
const SHOWN: usize = 12;

/// What the tests reach, for a person.
pub(super) fn coverage(coverage: &Coverage, look: Look, said: &mut Said) {
    let rows = [
        ("harnesses", &coverage.harnesses),
        ("tools granted somewhere", &coverage.tools),
        ("cells that a harness holds", &coverage.granted),
        ("all cells, harness by tool", &coverage.cells),
        ("gates seen closed", &coverage.gates),
        ("denial codes stated", &coverage.codes),
    ];
    for (name, share) in rows {
        let total = share.total();
        let percent = (share.reached.len() * 1000).checked_div(total).unwrap_or(1000);
        said.line(format!(
            "{name:<28} {:>5} of {total:<5} {:>3}.{} %",
            share.reached.len(),
            percent / 10,
            percent % 10
        ));
        let missed: Vec<&str> = share.missed.iter().map(String::as_str).collect();
        for name in missed.iter().take(SHOWN) {
            said.line(format!("  {}", style::dim(look, &format!("not reached: {}", shown::visible(name)))));
        }
        if missed.len() > SHOWN {
            let more = format!("  and {} more; `--format json` lists all", missed.len() - SHOWN);
            said.line(style::dim(look, &more));
        }
    }
}
