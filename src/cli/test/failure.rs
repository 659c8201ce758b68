//! A failed test as a finding: what was expected, what is so, and the lines of the policy that decided it.

use harnessc_runtime::decide::{Bundle, Gate};
use harnessc_runtime::lock::{Lock, split_deed};

use crate::diagnostic::{Diagnostic, Finding, Level, RuleId};
use crate::model::Def;
use crate::model::tests::{Answered, Test, TestRun};
use crate::rules::Cx;
use crate::trial::{About, Failure, Outcome, Passed, rows};
use crate::why::{self, Accepts};

const FAILED_TEST: RuleId = RuleId("failed-test");

/// So many failures of one test are shown; the others are counted.
const SHOWN: usize = 5;

/// The failures of all tests, in their order.
pub(super) fn findings(cx: &Cx<'_>, bundle: &Bundle, outcomes: &[Outcome<'_>]) -> Vec<Finding> {
    outcomes.iter().flat_map(|outcome| of_test(cx, bundle, outcome)).collect()
}

fn of_test(cx: &Cx<'_>, bundle: &Bundle, outcome: &Outcome<'_>) -> Vec<Finding> {
    let folded = folded(&outcome.failures);
    let more = folded.len().saturating_sub(SHOWN);
    let shown = folded.iter().take(SHOWN);
    let mut found: Vec<Diagnostic> =
        shown.map(|failures| finding(cx, bundle, outcome.test, failures)).collect();
    if let Some(last) = found.last_mut().filter(|_| more > 0) {
        last.notes.push(match more {
            1 => "one more decision of this test is not as expected".to_owned(),
            more => format!("{more} more decisions of this test are not as expected"),
        });
    }
    found.into_iter().map(|diagnostic| Finding { diagnostic, level: Level::Deny }).collect()
}

/// Failures that differ in the persona alone, together; in the order of the first of each.
fn folded(failures: &[Failure]) -> Vec<Vec<&Failure>> {
    let mut folded: Vec<Vec<&Failure>> = Vec::new();
    for failure in failures {
        let same =
            |own: &&Failure| Failure { persona: failure.persona.clone(), ..(*own).clone() } == *failure;
        match folded.iter_mut().find(|all| all.first().is_some_and(same)) {
            Some(all) => all.push(failure),
            None => folded.push(vec![failure]),
        }
    }
    folded
}

/// One finding of failures that differ in the persona alone.
fn finding(cx: &Cx<'_>, bundle: &Bundle, test: &Def<Test>, failures: &[&Failure]) -> Diagnostic {
    let name = &test.key.value;
    let Some(failure) = failures.first() else {
        return Diagnostic::new(FAILED_TEST, test.key.span, format!("the test `{name}` failed"), "");
    };
    if failure.about == About::Test {
        let message = format!("the test `{name}` cannot be asked: {}", failure.got);
        return Diagnostic::new(FAILED_TEST, failure.at, message, failure.expected.clone());
    }
    let expected = expected(failure);
    let message = format!("{}; the test expects {expected}", came(failure));
    let mut found = Diagnostic::new(FAILED_TEST, failure.at, message, format!("expected {expected}"))
        .note(format!("asked by {}, in the test `{name}`", who(failures, failure)));
    if let Some(gate) = failure.gate {
        let detail = if failure.detail.is_empty() { String::new() } else { format!(" ({})", failure.detail) };
        found = found.note(format!("the gate that refuses says: {}{detail}", gate.usual().reason()));
    } else if !failure.detail.is_empty() {
        found = found.note(format!("the ledger of pending actions says: {}", failure.detail));
    }
    for (input, accepts) in let_through(cx, failure) {
        let pointer = &accepts.pointer;
        let note = format!("`{input}` is let through by `{pointer}` in the input of `{}`", failure.tool);
        if !found.notes.contains(&note) {
            found = found.note(note);
        }
        found.labels.push(accepts.at);
    }
    for label in failures.iter().flat_map(|own| deciding(cx, bundle, test, own)) {
        if label.span != failure.at && !found.labels.contains(&label) {
            found.labels.push(label);
        }
    }
    found.help(help(bundle.lock(), failure))
}

/// Of a near miss that passes: each input that should have kept it out, with every place that lets it through.
pub(super) fn let_through<'f>(cx: &Cx<'_>, failure: &'f Failure) -> Vec<(&'f str, Accepts)> {
    let places = |passed: &'f Passed| {
        let input = passed.input.value.as_str();
        let all = why::accepts(cx, failure.harness.as_deref(), &failure.tool, input, passed.left_out);
        all.into_iter().map(move |one| (input, one))
    };
    failure.passed.iter().flat_map(places).collect()
}

/// A single word, of an approval or a denial, as against a part of a sentence.
fn is_word(text: &str) -> bool {
    !text.contains(' ')
}

/// What is expected, so that it can stand behind "expects".
fn expected(failure: &Failure) -> String {
    match failure.expected.as_str() {
        "denied" => "it to be denied".to_owned(),
        word if is_word(word) => format!("`{word}`"),
        part if part.starts_with("to be ") => format!("it {part}"),
        part => part.to_owned(),
    }
}

/// What came of it: a word, words that begin with one, or a sentence of its own.
fn came(failure: &Failure) -> String {
    let tool = &failure.tool;
    let step = failure.step.map_or_else(String::new, |step| format!("step {step}: "));
    let nothing = failure.got == Answered::NothingProposed.word();
    let subject = match failure.about {
        About::Answer if tool.is_empty() => format!("{step}the answer"),
        About::Answer if nothing => format!("{step}the answer behind `{tool}`"),
        About::Answer => format!("{step}the answer about `{tool}`"),
        About::Test | About::Deed => format!("{step}`{tool}`"),
    };
    match failure.got.as_str() {
        word if is_word(word) => format!("{subject} comes out as `{word}`"),
        part if part.starts_with('`') => format!("{subject} comes out as {part}"),
        sentence => format!("{subject}: {sentence}"),
    }
}

/// Who asked: "the role `console` of `toxicologist`, for the personas `lead` and `scientist`".
fn who(failures: &[&Failure], failure: &Failure) -> String {
    let harness = failure.harness.as_ref();
    let harness = harness.map_or_else(|| "a run without a harness".to_owned(), |key| format!("`{key}`"));
    let personas: Vec<String> =
        failures.iter().filter_map(|own| own.persona.as_ref()).map(|key| format!("`{key}`")).collect();
    let persona = match personas.split_last() {
        None => String::new(),
        Some((one, [])) => format!(", for the persona {one}"),
        Some((last, others)) => format!(", for the personas {} and {last}", others.join(", ")),
    };
    let place =
        failure.surface.as_ref().map_or_else(String::new, |key| format!(", over the surface `{key}`"));
    format!("the role `{}` of {harness}{persona}{place}", failure.role)
}

/// The lines of the policy behind the gate, or behind the approval where none is closed.
fn deciding(
    cx: &Cx<'_>,
    bundle: &Bundle,
    test: &Def<Test>,
    failure: &Failure,
) -> Vec<crate::diagnostic::Label> {
    let none = TestRun::default();
    let run = test.run.as_ref().unwrap_or(&none);
    let of = rows(bundle.lock(), run, failure.harness.as_deref());
    let row = of.iter().find(|row| row.persona.map(str::to_owned) == failure.persona);
    let gate = failure.gate.unwrap_or(Gate::Approval);
    let lines = row.map_or_else(Vec::new, |row| why::lines(cx, bundle, row, &failure.tool));
    lines.into_iter().find(|line| line.gate == gate).map_or_else(Vec::new, |line| line.at)
}

fn help(lock: &Lock, failure: &Failure) -> String {
    let propose =
        "put a call before the answer that becomes a proposal: one that is `confirm` or `four_eyes`";
    let nothing = failure.got == Answered::NothingProposed.word();
    let Some(why) = why_line(lock, failure) else {
        return match (nothing, failure.tool.as_str()) {
            (true, _) => propose.to_owned(),
            (false, "") => "if the policy is right, let the test say so".to_owned(),
            (false, tool) => format!(
                "the policy has no `{tool}`: if that is right, let the test say so; if not, call what there is"
            ),
        };
    };
    if nothing {
        format!("{propose}; `{why}` shows why nobody is asked")
    } else if is_word(&failure.got) {
        format!("if the policy is right, let the test say so; if the test is, `{why}` shows what to change")
    } else {
        format!("`{why}` shows the lines behind it")
    }
}

/// The command that shows the gates behind a failure, to be pasted as it is; nothing where it would know no such tool.
fn why_line(lock: &Lock, failure: &Failure) -> Option<String> {
    let tool = known(lock, &failure.tool)?;
    let harness = failure.harness.as_deref().unwrap_or("none");
    let option = |name: &str, key: &Option<String>| {
        key.as_ref().map_or_else(String::new, |key| format!(" --{name} {key}"))
    };
    // Unsaid, `why` asks over a surface that serves the tool, with all its scopes.
    let nowhere = failure.surface.is_none() && !lock.surfaces.is_empty();
    let surface = if nowhere { " --surface none".to_owned() } else { option("surface", &failure.surface) };
    let stated = failure.surface.as_ref().and_then(|key| lock.surfaces.get(key)?.scopes.as_ref());
    let scopes: String = match failure.scopes.as_slice() {
        [] if stated.is_some() => " --scope none".to_owned(),
        scopes => scopes.iter().map(|scope| format!(" --scope {scope}")).collect(),
    };
    let more = option("persona", &failure.persona) + &surface + &scopes;
    let reads = if failure.read_only { " --read-only" } else { "" };
    Some(format!("harnessc why {harness} {tool} --role {}{more}{reads}", failure.role))
}

/// A deed as `why` knows it: of a case that there is not, the tool.
fn known<'f>(lock: &Lock, deed: &'f str) -> Option<&'f str> {
    let (name, case) = split_deed(deed);
    let tool = lock.tools.get(name)?;
    let has = |case: &str| tool.cases.as_ref().is_some_and(|cases| cases.by.contains_key(case));
    Some(if case.is_none_or(has) { deed } else { name })
}
