//! A sequence: calls, batches, answers of people, time and suspicion, step by step; what they come to is the scene's.

use harnessc_runtime::actions::Refusal;
use harnessc_runtime::lock::Approval;
use serde_json::Value;

use super::boundary::MAX_ACTIONS;
use super::decision::{Decision, Word};
use super::judge::{About, Bench};
use super::row::Row;
use super::scene::{Asking, Scene};
use crate::lower::json::plain;
use crate::model::tests::{BatchStep, TestCall, TestStep};
use crate::source::{Span, Spanned};

/// What came of a step, as against what was expected of it.
struct Came {
    at: Span,
    expected: String,
    deed: String,
    got: Result<Decision, &'static str>,
    about: About,
}

impl Came {
    fn word(&self) -> &'static str {
        match &self.got {
            Ok(decision) => decision.word.written(),
            Err(word) => word,
        }
    }
}

/// Plays the steps for one run; the first that does not come out as expected ends it, since the others lean on it.
pub(super) fn judge(bench: &mut Bench<'_>, row: &Row<'_>, steps: &[Spanned<TestStep>]) {
    let mut scene = Scene::new(row);
    for (at, step) in steps.iter().enumerate() {
        let Some(came) = wrong(bench, row, &mut scene, step) else { continue };
        let word = came.word().to_owned();
        let decision = came.got.unwrap_or_else(refused_by_ledger);
        bench.fail(came.at, row, &came.deed, came.expected, &decision);
        bench.in_step(at + 1, word, came.about);
        return;
    }
}

/// Where the ledger and no gate refuses: no gate is closed, and what is told is the ledger's reason.
fn refused_by_ledger(word: &'static str) -> Decision {
    let refusal = Refusal::ALL.iter().find(|refusal| refusal.code() == word);
    let detail = match refusal {
        Some(Refusal::ActionCap) => format!("{}: `{MAX_ACTIONS}` is used up", Refusal::ActionCap.reason()),
        Some(refusal) => refusal.reason().to_owned(),
        None => String::new(),
    };
    Decision { word: Word::Granted(Approval::Auto), gate: None, detail, approvers: None }
}

/// What came of a step, where that is not what it expects.
fn wrong(bench: &mut Bench<'_>, row: &Row<'_>, scene: &mut Scene, step: &Spanned<TestStep>) -> Option<Came> {
    if let Some(after) = &step.after {
        scene.pass(after.value.0);
    } else if let Some(tool) = &step.suspect {
        let refusal = scene.suspect(tool).err()?;
        return Some(refused(tool.span, "to be taken", tool.value.clone(), refusal));
    } else if let Some(call) = &step.call {
        return of_call(bench, row, scene, step, call);
    } else if let Some(calls) = &step.batch {
        return of_batch(bench, row, scene, step, calls);
    } else if let (Some(says), Some(by), Some(expect)) = (&step.decide, &step.by, &step.expect) {
        let about = step.about.as_ref().map(|name| name.value.as_str());
        let (deed, word) = scene.decide(bench.stand.bundle(), row, says.value, by, about);
        let (at, expected) = (expect.span, expect.value.clone());
        return differs(Came { at, expected, deed, got: Err(word), about: About::Answer });
    }
    None
}

/// A call; where a person must say yes first, it is taken in as a proposal.
fn of_call(
    bench: &mut Bench<'_>,
    row: &Row<'_>,
    scene: &mut Scene,
    step: &TestStep,
    call: &TestCall,
) -> Option<Came> {
    let expect = step.expect.as_ref()?;
    let asking = asked(bench, row, scene, call);
    let mut came = Came {
        at: expect.span,
        expected: expect.value.clone(),
        deed: asking.deed.clone(),
        got: Ok(asking.got.clone()),
        about: About::Deed,
    };
    if asking.waits() {
        let replay = step.replay.as_ref().is_some_and(|flag| flag.value);
        let name = step.r#as.as_ref().map(|name| name.value.as_str());
        let leans: Vec<&str> = step.depends_on.iter().flatten().map(|name| name.value.as_str()).collect();
        if let Err(refusal) = scene.propose(bench.stand.bundle(), row, &asking, name, &leans, replay) {
            came.got = Err(refusal.code());
        }
    }
    differs(came)
}

/// Calls that are put before people together: each is asked alone first, and must wait for a yes.
fn of_batch(
    bench: &mut Bench<'_>,
    row: &Row<'_>,
    scene: &mut Scene,
    step: &Spanned<TestStep>,
    calls: &[Spanned<BatchStep>],
) -> Option<Came> {
    let mut all: Vec<(Asking, Option<&str>)> = Vec::new();
    for own in calls {
        let (Some(call), Some(expect)) = (&own.call, &own.expect) else { continue };
        let asking = asked(bench, row, scene, call);
        let came = Came {
            at: expect.span,
            expected: expect.value.clone(),
            deed: asking.deed.clone(),
            got: Ok(asking.got.clone()),
            about: About::Deed,
        };
        if let Some(wrong) = differs(came) {
            return Some(wrong);
        }
        all.push((asking, own.r#as.as_ref().map(|name| name.value.as_str())));
    }
    let deed = all.first().map(|(asking, _)| asking.deed.clone()).unwrap_or_default();
    let name = step.r#as.as_ref().map(|name| name.value.as_str());
    let taken = scene.propose_batch(bench.stand.bundle(), row, &all, name);
    match (taken, &step.expect) {
        (Ok(()), None) => None,
        (Err(refusal), None) => Some(refused(step.span, "its batch to be taken in", deed, refusal)),
        (taken, Some(expect)) => {
            let word = taken.map_or_else(Refusal::code, |()| "taken in");
            let (at, expected) = (expect.span, expect.value.clone());
            differs(Came { at, expected, deed, got: Err(word), about: About::Deed })
        }
    }
}

fn refused(at: Span, expected: &str, deed: String, refusal: Refusal) -> Came {
    Came { at, expected: expected.to_owned(), deed, got: Err(refusal.code()), about: About::Deed }
}

fn differs(came: Came) -> Option<Came> {
    (came.word() != came.expected).then_some(came)
}

/// What the boundary says to a call.
fn asked(bench: &mut Bench<'_>, row: &Row<'_>, scene: &mut Scene, call: &TestCall) -> Asking {
    let tool = call.tool.as_ref().map_or("", |tool| tool.value.as_str());
    let input =
        call.input.as_ref().map_or_else(|| Value::Object(serde_json::Map::new()), |raw| plain(&raw.0));
    let got = bench.ask(row, tool, Some(&input));
    let deed = bench.deed(tool, &input);
    bench.reach(row, &deed, &got, true);
    scene.called(&deed);
    Asking { deed, got, input }
}
