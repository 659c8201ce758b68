//! One test, asked: a call, a matrix, an exact list.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::decide::{Bundle, Gate};
use harnessc_runtime::lock::{Lock, NO_HARNESS, deed_name};
use serde_json::Value;

use super::ask::{ask, ask_deed, with_run};
use super::coverage::Reached;
use super::decision::{Decision, Word};
use super::row::{Row, rows};
use super::stand::Stand;
use super::{near_miss, sequence};
use crate::lower::json::plain;
use crate::model::Def;
use crate::model::tests::{Exactly, Test, TestCall, TestRun, Tests};
use crate::names::PLAN_TOOL;
use crate::source::{Span, Spanned};

/// Something that a test expected and that is not so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where it is expected.
    pub at: Span,
    /// What was expected: a word, or a sentence.
    pub expected: String,
    /// What is so.
    pub got: String,
    /// The gate that is closed, where one is.
    pub gate: Option<Gate>,
    /// What exactly closed it; may be empty.
    pub detail: String,
    /// The harness, where the run wears one.
    pub harness: Option<String>,
    /// The role.
    pub role: String,
    /// The persona, where there is one.
    pub persona: Option<String>,
    /// The tool or deed; empty where the whole test is at fault.
    pub tool: String,
    /// The surface, where the call comes over one.
    pub surface: Option<String>,
    /// The scopes granted there.
    pub scopes: Vec<String>,
    /// Whether the run reads alone.
    pub read_only: bool,
    /// In a sequence: the step, from 1.
    pub step: Option<usize>,
    /// Of a near miss that passes: the inputs that should have kept it out.
    pub passed: Vec<Passed>,
    /// What the expectation is about.
    pub about: About,
}

/// An input that a test expected to be refused for, and was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Its name, where the test has it.
    pub input: Spanned<String>,
    /// Whether it was left out, rather than given another value.
    pub left_out: bool,
}

/// What an expectation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The test as a whole: it cannot be asked.
    Test,
    /// A tool or deed.
    Deed,
    /// An answer to what was proposed; of the deed that was, or of none.
    Answer,
}

/// What came of a test.
#[derive(Debug)]
pub struct Outcome<'m> {
    /// The test.
    pub test: &'m Def<Test>,
    /// What is not as expected, in the order of the text.
    pub failures: Vec<Failure>,
    /// The decisions that it pins, those that failed among them.
    pub reached: Vec<Reached>,
}

/// Every test whose name holds `filter`, in the order of files and text.
pub fn run<'m>(stand: &Stand, tests: &'m Tests, filter: Option<&str>) -> Vec<Outcome<'m>> {
    let chosen = tests.0.iter().filter(|test| filter.is_none_or(|text| test.key.value.contains(text)));
    chosen.map(|test| judge(stand, test, false)).collect()
}

/// Asks one test. With `early` the first failure ends it.
pub fn judge<'m>(stand: &Stand, test: &'m Def<Test>, early: bool) -> Outcome<'m> {
    let bundle = stand.bundle();
    let mut bench = Bench { bundle, stand, early, failures: Vec::new(), reached: Vec::new() };
    let none = TestRun::default();
    let run = test.run.as_ref().unwrap_or(&none);
    if let Some(failure) = unasked(bundle.lock(), test, run) {
        bench.failures.push(failure);
    } else {
        if let (Some(call), Some(expect)) = (&test.call, &test.expect) {
            bench.call(test, run, call, expect);
        }
        for line in test.matrix.iter().flatten() {
            bench.line(run, line);
        }
        if let Some(exactly) = &test.exactly {
            bench.exactly(test, run, exactly);
        }
        if let Some(steps) = &test.sequence {
            for row in rows(bundle.lock(), run, None) {
                sequence::judge(&mut bench, &row, steps);
            }
        }
    }
    Outcome { test, failures: bench.failures, reached: bench.reached }
}

/// Why a test cannot be asked at all.
fn unasked(lock: &Lock, test: &Def<Test>, run: &TestRun) -> Option<Failure> {
    if run.role.is_none() && lock.roles.len() > 1 {
        let roles: Vec<&str> = lock.roles.keys().map(String::as_str).collect();
        let got = format!("the policy has the roles {}", roles.join(", "));
        return Some(plain_failure(test.key.span, "`run.role` says which role asks", &got));
    }
    let named = run.harness.is_some() || test.matrix.is_some();
    if !named {
        let got = "the test names no harness; `none` stands for a run without one";
        return Some(plain_failure(test.key.span, "`run.harness` says who asks", got));
    }
    nobody(lock, test, run)
}

/// A test for runs that there are not holds under every policy.
fn nobody(lock: &Lock, test: &Def<Test>, run: &TestRun) -> Option<Failure> {
    let is_asked = match &test.matrix {
        Some(_) if run.harness.is_none() => true,
        _ => !rows(lock, run, None).is_empty(),
    };
    let got = "every persona of this policy wears a harness, so that no run is without one; `run.persona` names one all the same";
    (!is_asked).then(|| plain_failure(test.key.span, "a run that there can be", got))
}

fn plain_failure(at: Span, expected: &str, got: &str) -> Failure {
    Failure {
        at,
        expected: expected.to_owned(),
        got: got.to_owned(),
        gate: None,
        detail: String::new(),
        harness: None,
        role: String::new(),
        persona: None,
        tool: String::new(),
        surface: None,
        scopes: Vec::new(),
        read_only: false,
        step: None,
        passed: Vec::new(),
        about: About::Test,
    }
}

/// A test under way.
pub(super) struct Bench<'b> {
    bundle: &'b Bundle,
    pub(super) stand: &'b Stand,
    early: bool,
    failures: Vec<Failure>,
    reached: Vec<Reached>,
}

impl Bench<'_> {
    pub(super) fn is_done(&self) -> bool {
        self.early && !self.failures.is_empty()
    }

    pub(super) fn ask(&self, row: &Row<'_>, tool: &str, input: Option<&Value>) -> Decision {
        ask(self.stand, row, tool, input)
    }

    pub(super) fn fail(&mut self, at: Span, row: &Row<'_>, tool: &str, expected: String, got: &Decision) {
        self.failures.push(Failure {
            at,
            expected,
            got: got.word.to_string(),
            gate: got.gate,
            detail: got.detail.clone(),
            harness: row.harness.map(str::to_owned),
            role: row.role.to_owned(),
            persona: row.persona.map(str::to_owned),
            tool: tool.to_owned(),
            surface: row.surface.map(str::to_owned),
            scopes: row.scopes.iter().map(|scope| (*scope).to_owned()).collect(),
            read_only: row.read_only,
            step: None,
            passed: Vec::new(),
            about: About::Deed,
        });
    }

    /// Says of the last failure what is so, where the word alone does not.
    pub(super) fn got(&mut self, got: String) {
        if let Some(last) = self.failures.last_mut() {
            last.got = got;
        }
    }

    /// Says of the last failure in which step of a sequence it came out so, and what that step was about.
    pub(super) fn in_step(&mut self, step: usize, got: String, about: About) {
        if let Some(last) = self.failures.last_mut() {
            (last.step, last.got, last.about) = (Some(step), got, about);
        }
    }

    /// Says of the last failure which inputs should have kept the call out, where it passed.
    pub(super) fn let_through(&mut self, word: Word, inputs: Vec<Passed>) {
        if let Some(last) = self.failures.last_mut().filter(|_| word.is_granted()) {
            last.passed = inputs;
        }
    }

    /// Says of the last failure that no call was made, and why.
    pub(super) fn uncalled(&mut self, why: String) {
        if let Some(last) = self.failures.last_mut() {
            last.gate = None;
            last.got = why;
        }
    }

    /// Notes what a test pins.
    pub(super) fn reach(&mut self, row: &Row<'_>, deed: &str, got: &Decision, called: bool) {
        self.reached.push(Reached {
            harness: row.harness.unwrap_or(NO_HARNESS).to_owned(),
            deed: deed.to_owned(),
            word: got.word,
            gate: got.gate,
            called,
        });
    }

    fn call(&mut self, test: &Def<Test>, run: &TestRun, call: &TestCall, expect: &Spanned<String>) {
        let Some(tool) = call.tool.as_ref().map(|tool| tool.value.as_str()) else { return };
        let input =
            call.input.as_ref().map_or_else(|| Value::Object(serde_json::Map::new()), |raw| plain(&raw.0));
        let expected = Word::read(&expect.value);
        for row in rows(self.bundle.lock(), run, None) {
            let got = self.ask(&row, tool, Some(&input));
            self.reach(&row, &self.deed(tool, &input), &got, true);
            if Some(got.word) != expected {
                self.fail(expect.span, &row, tool, expect.value.clone(), &got);
            } else if got.word.is_granted() {
                self.terms(test, &row, tool, &got);
                near_miss::judge(self, test, &row, tool, &input);
            }
            if self.is_done() {
                return;
            }
        }
    }

    /// Who may say yes, and for how long.
    fn terms(&mut self, test: &Def<Test>, row: &Row<'_>, tool: &str, got: &Decision) {
        if let Some(stated) = &test.approvers {
            let wanted: BTreeSet<&str> = stated.iter().map(|name| name.value.as_str()).collect();
            let own: BTreeSet<&str> = got.approvers.iter().flatten().map(String::as_str).collect();
            if wanted != own {
                self.fail(stated.span, row, tool, format!("the approvers {}", list(&wanted)), got);
                self.got(match (&got.approvers, got.word) {
                    (Some(_), _) => format!("those who may say yes are {}", list(&own)),
                    (None, Word::Granted(harnessc_runtime::lock::Approval::Auto)) => {
                        "nobody is asked, since it is `auto`".to_owned()
                    }
                    (None, _) => "any authenticated person may say yes".to_owned(),
                });
            }
        }
        if let Some(stated) = &test.expires_after {
            let own = self.bundle.lock().approvals.expires_after_ms;
            if own != Some(stated.value.0) {
                self.fail(
                    stated.span,
                    row,
                    tool,
                    format!("a proposal to stand {}", hours(stated.value.0)),
                    got,
                );
                self.got(own.map_or_else(
                    || "a proposal never expires".to_owned(),
                    |own| format!("a proposal stands {}", hours(own)),
                ));
            }
        }
    }

    /// A line of a matrix: every harness, and runs without one; a cell that is left out is denied.
    fn line(&mut self, run: &TestRun, line: &Def<crate::model::tests::Matrix>) {
        let lock = self.bundle.lock();
        let cells: BTreeMap<&str, _> =
            line.value.0.iter().map(|cell| (cell.key.value.as_str(), cell)).collect();
        let stated = run.harness.as_ref().map(|key| key.value.as_str());
        let keys = lock.effective.keys().map(String::as_str);
        for key in keys.filter(|key| {
            stated.is_none_or(|stated| stated == *key || stated == "none" && *key == NO_HARNESS)
        }) {
            let cell = cells.get(key).or_else(|| cells.get("none").filter(|_| key == NO_HARNESS));
            let expected = cell.map(|cell| cell.value.value.word());
            let at = cell.map_or(line.key.span, |cell| cell.value.span);
            for row in rows(lock, run, Some(key)) {
                for (deed, got) in self.answers(&row, self.deeds(&line.key.value)) {
                    self.reach(&row, &deed, &got, false);
                    let own = got.word.is_granted().then(|| got.word.written());
                    if own != expected {
                        let wanted = expected.map_or_else(|| "denied".to_owned(), str::to_owned);
                        self.fail(at, &row, &deed, wanted, &got);
                    }
                    if self.is_done() {
                        return;
                    }
                }
            }
        }
    }

    fn exactly(&mut self, test: &Def<Test>, run: &TestRun, exactly: &Exactly) {
        let mut wanted: BTreeMap<String, (&'static str, Span)> = BTreeMap::new();
        let lists =
            [("auto", &exactly.auto), ("confirm", &exactly.confirm), ("four_eyes", &exactly.four_eyes)];
        for (word, list) in lists {
            // The server itself offers it; no registry lists it.
            for name in list.iter().flatten().filter(|name| name.value != PLAN_TOOL) {
                wanted.extend(self.deeds(&name.value).into_iter().map(|deed| (deed, (word, name.span))));
            }
        }
        for row in rows(self.bundle.lock(), run, None) {
            for (deed, got) in self.answers(&row, all_deeds(self.bundle.lock())) {
                self.reach(&row, &deed, &got, false);
                let own = got.word.is_granted().then(|| got.word.written());
                let expected = wanted.get(&deed);
                if own != expected.map(|(word, _)| *word) {
                    let at = expected.map_or(test.key.span, |(_, span)| *span);
                    let expected = expected.map_or("denied", |(word, _)| word).to_owned();
                    self.fail(at, &row, &deed, expected, &got);
                }
                if self.is_done() {
                    return;
                }
            }
        }
    }

    /// What comes of each deed for one run.
    fn answers(&self, row: &Row<'_>, deeds: Vec<String>) -> Vec<(String, Decision)> {
        with_run(self.bundle, row, |run| {
            let asked = |deed: &str| ask_deed(self.bundle, row, run, deed);
            deeds.into_iter().map(|deed| (asked(&deed), deed)).map(|(got, deed)| (deed, got)).collect()
        })
    }

    /// The deed that a call is about.
    pub(super) fn deed(&self, tool: &str, input: &Value) -> String {
        let case = self.bundle.discriminator(tool).and_then(|key| input.get(key)?.as_str());
        deed_name(tool, case)
    }

    /// The deeds of a name: of a tool with cases all, as they stand in the lock.
    fn deeds(&self, name: &str) -> Vec<String> {
        deeds(self.bundle.lock(), name)
    }
}

/// The deeds of a name; a name that the lock does not know is its own.
pub(super) fn deeds(lock: &Lock, name: &str) -> Vec<String> {
    match lock.tools.get(name).and_then(|tool| tool.cases.as_ref()) {
        Some(cases) => cases.by.keys().map(|case| deed_name(name, Some(case))).collect(),
        None => vec![name.to_owned()],
    }
}

/// Every deed of a lock.
pub(super) fn all_deeds(lock: &Lock) -> Vec<String> {
    lock.tools.keys().flat_map(|tool| deeds(lock, tool)).collect()
}

fn list(names: &BTreeSet<&str>) -> String {
    if names.is_empty() {
        return "nobody".to_owned();
    }
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn hours(ms: u64) -> String {
    let (hour, minute) = (3_600_000, 60_000);
    if ms.is_multiple_of(hour) {
        format!("{} h", ms / hour)
    } else if ms.is_multiple_of(minute) {
        format!("{} min", ms / minute)
    } else {
        format!("{ms} ms")
    }
}
