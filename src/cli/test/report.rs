//! `test` for machines, and its coverage for a person.

use std::collections::BTreeSet;
use std::path::Path;

use harnessc_runtime::decide::Gate;
use schemars::JsonSchema;
use serde::Serialize;

use super::failure;
use crate::cli::outcome::Said;
use crate::cli::style;
use crate::report::{self as shown, Look};
use crate::rules::Cx;
use crate::source::{Sources, Span, disk};
use crate::trial::{Coverage, Failure, Outcome, Share};
use crate::why::Accepts;

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
    /// The tool or deed; of an answer that found nothing proposed, the one that was called last. Empty where the test cannot be asked, or
    /// nothing was called.
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
    /// What closed the gate, or why the ledger of pending actions refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// In a sequence: the step that came out otherwise, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
    /// Of a near miss that passes: where the policy lets through what should have kept it out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    let_through: Vec<JsonPlace>,
}

/// A place that lets an input through.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonPlace {
    /// The input.
    input: String,
    /// The JSON pointer into the tool's input schema.
    pointer: String,
    /// The file, relative to the manifest's folder.
    file: String,
    /// The line, from 1.
    line: usize,
    /// What is to be seen there.
    text: String,
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
    /// The same gates by their own words: `plan` for what denies as `plan_violation`.
    gate_words: JsonShare,
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
        let step = self.step.map_or_else(String::new, |step| format!("step {step}, "));
        format!(
            "line {line}: {step}{tool} in {harness}, role {role}{persona}: expected {expected}, got {got}{reason}"
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

/// Gates by their usual codes, as machines have read them from the first.
fn by_codes(gates: &Share) -> JsonShare {
    let code = |word: &String| {
        let gate = Gate::ALL.iter().find(|gate| gate.word() == word.as_str());
        gate.map_or_else(|| word.clone(), |gate| gate.code().to_owned())
    };
    let coded = |words: &BTreeSet<String>| words.iter().map(code).collect();
    (&Share { reached: coded(&gates.reached), missed: coded(&gates.missed) }).into()
}

pub(super) fn report(cx: &Cx<'_>, outcomes: &[Outcome<'_>], coverage: &Coverage) -> TestReport {
    let tests: Vec<JsonTest> = outcomes.iter().map(|outcome| test(cx, outcome)).collect();
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
            gates: by_codes(&coverage.gates),
            gate_words: (&coverage.gates).into(),
            codes: (&coverage.codes).into(),
        },
        mutation: None,
    }
}

fn test(cx: &Cx<'_>, outcome: &Outcome<'_>) -> JsonTest {
    let (key, sources) = (&outcome.test.key, &cx.tree.sources);
    let place = |(input, accepts): (&str, Accepts)| JsonPlace {
        input: input.to_owned(),
        pointer: accepts.pointer,
        file: sources.path(accepts.at.span.file).to_owned(),
        line: line(sources, accepts.at.span),
        text: accepts.at.text,
    };
    let reason = |failure: &Failure| match (failure.gate, failure.detail.as_str()) {
        (Some(gate), "") => Some(gate.usual().reason().to_owned()),
        (Some(gate), detail) => Some(format!("{} ({detail})", gate.usual().reason())),
        (None, "") => None,
        (None, detail) => Some(detail.to_owned()),
    };
    let failures = outcome.failures.iter().map(|failure| JsonFailure {
        line: line(sources, failure.at),
        tool: failure.tool.clone(),
        harness: failure.harness.clone(),
        role: failure.role.clone(),
        persona: failure.persona.clone(),
        expected: failure.expected.clone(),
        got: failure.got.clone(),
        reason: reason(failure),
        step: failure.step,
        let_through: failure::let_through(cx, failure).into_iter().map(place).collect(),
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
