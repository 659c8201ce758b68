//! What leaves a run (E1, E8): one of four things, once, and nothing late.

use std::collections::BTreeSet;

use harnessc_runtime::actions::Memory;
use harnessc_runtime::boundary::Ending;
use harnessc_runtime::decide::Code;
use harnessc_runtime::evidence::{Invocation, Judge, JudgeFault, Question, Status, Trial, Verdict, judge};
use harnessc_runtime::json::Json;
use harnessc_runtime::lock::closed_words::RELEASE_FIELDS;
use harnessc_runtime::lock::{Limits, Lock, Release, RunLimits, ToolLimit, Unsupported};
use harnessc_runtime::meter::Outside;
use harnessc_runtime::release::{Ended, Late, Outcome, Released, RunContext, Technical, Texts, release};
use proptest::prelude::*;
use serde_json::json;

use super::evidence::{check, draft, policy, projection, verified};

fn limits(deadline_ms: u64) -> Limits {
    Limits {
        run: Some(RunLimits { deadline_ms: Some(deadline_ms), ..RunLimits::default() }),
        ..Limits::default()
    }
}

fn context() -> RunContext {
    RunContext::begin("run-1", Some(&limits(100)), 1_000)
}

/// A lock that asks a judge and lets these fields out.
fn fields(fields: &[&str], max_bytes: Option<u64>) -> Lock {
    let fields = fields.iter().map(|field| (*field).to_owned()).collect();
    let release = Release { unsupported: Some(Unsupported { fields, max_bytes }) };
    Lock { evidence: Some(policy()), release: Some(release), ..Lock::default() }
}

/// A lock without a word about release.
fn silent() -> Lock {
    Lock { evidence: Some(policy()), ..Lock::default() }
}

struct Says(Result<&'static str, JudgeFault>);

impl Judge for Says {
    fn judge(&mut self, _: &Outside<'_>, _: &Question<'_>) -> Result<Vec<u8>, JudgeFault> {
        self.0.map(|text| text.as_bytes().to_vec())
    }
}

fn judged(says: Result<&'static str, JudgeFault>) -> (Released, Vec<&'static str>) {
    let verified = verified();
    let (judged, _) =
        judge(&mut Says(says), &Outside::of(&mut Memory::default()), Some(&policy()), "q", &verified);
    let release = release(
        &mut context(),
        &fields(RELEASE_FIELDS, None),
        &Texts::ENGLISH,
        &Outcome::Judged("q", &verified, &judged),
        1_050,
    );
    (release.0, release.1.iter().map(|event| event.name).collect())
}

const UNSUPPORTED: Result<&str, JudgeFault> = Ok(r#"{"verdict":"unsupported","conclusions":["c1"]}"#);

#[test]
fn a_supported_answer_leaves_as_it_was_verified() {
    let (released, events) = judged(Ok(r#"{"verdict":"supported"}"#));
    assert_eq!(released, Released::Supported(Json::of(&draft()).unwrap()));
    assert_eq!(events, ["agent_run.released", "agent_run.ended"]);
}

#[test]
fn an_unsupported_one_leaves_as_a_fallback_of_codes_and_verified_quotes() {
    let (Released::Fallback(fallback), _) = judged(UNSUPPORTED) else { panic!() };
    assert_eq!(
        fallback.json().value(),
        &json!({
            "failure_code": "unsupported",
            "failure_stage": "SEMANTIC",
            "limitations": Texts::ENGLISH.limitations,
            "next_steps": Texts::ENGLISH.next_steps,
            "observed_facts": [{"invocation": "inv-1", "quote": "failed at 03:00"}],
            "validation_issues": [{"at": "/conclusions/0", "code": "unsupported"}]
        })
    );
    // A judge without an answer is as one that said no.
    let (Released::Fallback(fallback), _) = judged(Err(JudgeFault::Timeout)) else { panic!() };
    assert_eq!(fallback.json().value()["failure_code"], json!("judge_timeout"));
}

// E8: no prompt, draft, raw payload or inner error leaks.
#[test]
fn a_fallback_says_nothing_of_the_draft() {
    let seen = projection();
    let call = Invocation {
        id: "inv-1",
        projection: &seen,
        run: "run-1",
        state: Some("READY"),
        status: Status::Complete,
    };
    let mut bad = draft();
    bad["conclusions"][1]["text"] = json!("secret thought");
    bad["conclusions"][1]["evidence"] = json!([
        {"invocation": "secret", "quote": "secret"},
        {"invocation": "inv-1", "quote": "Please help"}
    ]);
    let checked = check(&bad, &[call]);
    assert_eq!(checked.verdict, Verdict::Repair);
    let policy = fields(RELEASE_FIELDS, None);
    let (released, events) =
        release(&mut context(), &policy, &Texts::ENGLISH, &Outcome::Evidence(&checked), 1_050);
    let Released::Fallback(fallback) = released else { panic!() };
    assert!(!fallback.json().canonical().contains("secret") && !format!("{events:?}").contains("secret"));
    assert_eq!(fallback.json().value()["failure_stage"], json!("EVIDENCE"));
    // The words of a title keep their label.
    assert!(fallback.json().canonical().contains("\"untrusted: Please help\""));
    assert!(fallback.json().canonical().contains("unknown_citation"));
    // What another run observed does not leave this one.
    let mut other = RunContext::begin("run-2", None, 1_000);
    let (released, _) = release(&mut other, &policy, &Texts::ENGLISH, &Outcome::Evidence(&checked), 1_050);
    assert_eq!(released, Released::Failure(Technical::Internal));
}

#[test]
fn a_call_of_a_tool_ends_with_its_own_time_or_the_runs() {
    let mut limits = limits(100);
    limits.per_tool.insert("logs".to_owned(), ToolLimit { timeout_ms: Some(30), ..ToolLimit::default() });
    let run = RunContext::begin("run-1", Some(&limits), 1_000);
    let left = |tool: &str, now_ms: u64| run.tool_timeout_ms([&limits], tool, now_ms);
    assert_eq!(
        (left("logs", 1_000), left("logs", 1_090), left("other", 1_040)),
        (Some(30), Some(10), Some(60))
    );
    assert_eq!(RunContext::begin("run-2", None, 1_000).tool_timeout_ms([], "logs", 1_000), None);
    // Under two locks the shorter time, whichever states it.
    let mut longer = limits.clone();
    longer.per_tool.insert("logs".to_owned(), ToolLimit { timeout_ms: Some(60), ..ToolLimit::default() });
    for both in [[&limits, &longer], [&longer, &limits]] {
        assert_eq!(run.tool_timeout_ms(both, "logs", 1_000), Some(30));
    }
}

#[test]
fn a_fallback_has_the_policys_fields_alone_and_none_without_a_policy() {
    let verified = verified();
    let (judged, _) =
        judge(&mut Says(UNSUPPORTED), &Outside::of(&mut Memory::default()), Some(&policy()), "q", &verified);
    let ask = |lock: &Lock| {
        release(&mut context(), lock, &Texts::ENGLISH, &Outcome::Judged("q", &verified, &judged), 1_050).0
    };
    for field in RELEASE_FIELDS {
        let Released::Fallback(fallback) = ask(&fields(&[field], None)) else { panic!() };
        let members: Vec<&String> = fallback.json().value().as_object().unwrap().keys().collect();
        assert_eq!(members, [field]);
    }
    for none in [silent(), fields(&[], None), fields(RELEASE_FIELDS, Some(1))] {
        assert_eq!(ask(&none), Released::Failure(Technical::EvidenceFailed));
    }
    // A word that slipped past the closed list says nothing.
    let Released::Fallback(fallback) = ask(&fields(&["failure_code", "draft"], None)) else { panic!() };
    assert_eq!(fallback.json().canonical(), r#"{"failure_code":"unsupported"}"#);
}

#[test]
fn an_opinion_about_another_draft_releases_nothing_of_this_one() {
    let seen = projection();
    let call = Invocation {
        id: "inv-1",
        projection: &seen,
        run: "run-1",
        state: Some("READY"),
        status: Status::Complete,
    };
    let mut other = draft();
    other["conclusions"][0]["text"] = json!("It did not fail.");
    let Verdict::Verified(other) = check(&other, &[call]).verdict else { panic!() };
    let verified = verified();
    let (judged, _) = judge(
        &mut Says(Ok(r#"{"verdict":"supported"}"#)),
        &Outside::of(&mut Memory::default()),
        Some(&policy()),
        "q",
        &verified,
    );
    let internal = Released::Failure(Technical::Internal);
    let ask = |context: &mut RunContext, outcome: Outcome<'_>| {
        release(context, &silent(), &Texts::ENGLISH, &outcome, 1_050).0
    };
    assert_eq!(ask(&mut context(), Outcome::Judged("q", &other, &judged)), internal);
    let another_query = Outcome::Judged("something else", &verified, &judged);
    assert_eq!(ask(&mut context(), another_query), internal);
    let mut another_run = RunContext::begin("run-2", None, 1_000);
    assert_eq!(ask(&mut another_run, Outcome::Judged("q", &verified, &judged)), internal);
    assert!(matches!(ask(&mut context(), Outcome::Judged("q", &verified, &judged)), Released::Supported(_)));
    // Where the policy asks a judge, nobody's opinion is none.
    let not_asked = Trial::of(None, "q", &verified).unwrap_err();
    assert_eq!(ask(&mut context(), Outcome::Judged("q", &verified, &not_asked)), internal);
    let outcome = Outcome::Judged("q", &verified, &not_asked);
    let (released, _) = release(&mut context(), &Lock::default(), &Texts::ENGLISH, &outcome, 1_050);
    assert!(matches!(released, Released::Supported(_)));
}

#[test]
fn a_technical_failure_is_its_code() {
    for technical in Technical::ALL {
        let mut context = context();
        let outcome = Outcome::Technical(technical);
        let (released, _) = release(&mut context, &silent(), &Texts::ENGLISH, &outcome, 1_050);
        assert_eq!(
            (released, context.lifecycle().ended),
            (Released::Failure(technical), Some(Ending::Failed))
        );
    }
    let codes: BTreeSet<&str> = Technical::ALL.into_iter().map(Technical::code).collect();
    assert_eq!(codes.len(), Technical::ALL.len());
}

// E1: first terminal wins; cancel ends exactly that run; no late content. Every terminal state before every outcome.
#[test]
fn nothing_leaves_a_run_that_has_ended() {
    let verified = verified();
    let (judged, _) = judge(
        &mut Says(Ok(r#"{"verdict":"supported"}"#)),
        &Outside::of(&mut Memory::default()),
        Some(&policy()),
        "q",
        &verified,
    );
    for terminal in Ending::ALL {
        for outcome in [Outcome::Judged("q", &verified, &judged), Outcome::Technical(Technical::Internal)] {
            let mut context = context();
            assert!(matches!(context.end(terminal, 1_010), Ended::Now(ended, _) if ended == terminal));
            let (released, events) = release(&mut context, &silent(), &Texts::ENGLISH, &outcome, 1_020);
            assert_eq!(released, Released::Nothing(terminal));
            assert_eq!(events.iter().map(|event| event.name).collect::<Vec<_>>(), ["agent_run.end_ignored"]);
            let code = match terminal {
                Ending::Cancelled => Code::Cancelled,
                Ending::DeadlineExceeded => Code::DeadlineExceeded,
                Ending::Completed | Ending::Failed => Code::RunEnded,
            };
            assert_eq!(context.admit(1_020), Err((Late(code), None)));
            for later in Ending::ALL {
                assert!(matches!(context.end(later, 1_030), Ended::Already(first, _) if first == terminal));
            }
        }
    }
}

#[test]
fn a_deadline_and_a_clock_that_went_back_let_nothing_out() {
    let verified = verified();
    let (judged, _) = judge(
        &mut Says(Ok(r#"{"verdict":"supported"}"#)),
        &Outside::of(&mut Memory::default()),
        Some(&policy()),
        "q",
        &verified,
    );
    for now in [1_100, 999, u64::MAX] {
        let mut context = context();
        let outcome = Outcome::Judged("q", &verified, &judged);
        let (released, events) = release(&mut context, &silent(), &Texts::ENGLISH, &outcome, now);
        assert_eq!(released, Released::Nothing(Ending::DeadlineExceeded));
        assert_eq!(events.len(), 1);
    }
    let mut context = context();
    assert_eq!(context.admit(1_099), Ok(()));
    assert_eq!(context.left_ms(1_099), Some(1));
    let (late, event) = context.admit(1_098).unwrap_err();
    assert_eq!((late, event.unwrap().name), (Late(Code::DeadlineExceeded), "agent_run.ended"));
    assert_eq!(context.admit(1_099), Err((Late(Code::DeadlineExceeded), None)));
    assert_eq!(RunContext::begin("run-1", None, 5).left_ms(u64::MAX), None);
    // A call of a model is bounded by its own limit and by what the run has left.
    let mut limits = limits(100);
    limits.run.as_mut().unwrap().model_call_ms = Some(40);
    let context = RunContext::begin("run-1", Some(&limits), 1_000);
    let bounds = [1_000, 1_070, 1_200].map(|now| context.call_timeout_ms(now));
    assert_eq!(bounds, [Some(40), Some(30), Some(0)]);
    assert_eq!(RunContext::begin("run-1", None, 5).call_timeout_ms(5), None);
}

#[test]
fn a_cancel_ends_exactly_that_run() {
    let mut context = context();
    for other in ["run-2", "run-", "run-10", ""] {
        assert_eq!(context.cancel(other, 1_010), Ended::OtherRun);
    }
    assert_eq!(context.lifecycle().ended, None);
    assert!(matches!(context.cancel("run-1", 1_010), Ended::Now(Ending::Cancelled, _)));
}

proptest! {
    #[test]
    fn a_fallback_never_passes_its_bound(
        max in 0..600_u64,
        chosen in proptest::sample::subsequence(RELEASE_FIELDS.to_vec(), 1..=RELEASE_FIELDS.len()),
    ) {
        let verified = verified();
        let (judged, _) = judge(&mut Says(UNSUPPORTED), &Outside::of(&mut Memory::default()), Some(&policy()), "q", &verified);
        let policy = fields(&chosen, Some(max));
        let outcome = Outcome::Judged("q", &verified, &judged);
        match release(&mut context(), &policy, &Texts::ENGLISH, &outcome, 1_050).0 {
            Released::Fallback(fallback) => {
                prop_assert!(fallback.json().canonical().len() as u64 <= max);
                let members = fallback.json().value().as_object().unwrap();
                prop_assert!(members.keys().all(|member| chosen.contains(&member.as_str())));
            }
            other => prop_assert!(max < 2 && other == Released::Failure(Technical::EvidenceFailed)),
        }
    }
}
