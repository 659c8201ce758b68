//! The release policy (row E8): one of four things leaves, once.

use std::collections::BTreeSet;

use super::{Ended, RunContext, SafeFallback, Texts};
use crate::audit::{Datum, Event, Field};
use crate::boundary::Ending;
use crate::evidence::{Checked, Issue, Judged, Observed, Opinion, Verified};
use crate::json::Json;
use crate::lock::Lock;
use crate::timeline::Kind;

/// Technical failures, by the codes that callers see. There is no text beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Technical {
    /// The audit trail takes no records.
    AuditUnavailable,
    /// The evidence does not carry an answer, and the policy lets no fallback out.
    EvidenceFailed,
    /// Something of ours failed.
    Internal,
    /// The model failed and nothing stands behind it.
    ModelUnavailable,
    /// No engine of the policy's order can answer.
    NoEngine,
    /// The rules failed.
    RulesFailed,
    /// A tool that the run cannot do without failed or is disabled.
    ToolFailed,
}

impl Technical {
    /// Every failure.
    pub const ALL: [Self; 7] = [
        Self::AuditUnavailable,
        Self::EvidenceFailed,
        Self::Internal,
        Self::ModelUnavailable,
        Self::NoEngine,
        Self::RulesFailed,
        Self::ToolFailed,
    ];

    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::AuditUnavailable => "audit_unavailable",
            Self::EvidenceFailed => "evidence_failed",
            Self::Internal => "internal",
            Self::ModelUnavailable => "model_unavailable",
            Self::NoEngine => "no_engine",
            Self::RulesFailed => "rules_failed",
            Self::ToolFailed => "tool_failed",
        }
    }
}

/// What a run came to.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// The last check of the evidence, and no repair left.
    Evidence(&'a Checked),
    /// The run's query as the person asked it, a verified draft and what the judge said of both.
    Judged(&'a str, &'a Verified, &'a Judged),
    /// A failure that is no fault of the answer.
    Technical(Technical),
}

/// What leaves.
#[derive(Clone, Debug, PartialEq)]
pub enum Released {
    /// A stable code and nothing beside it.
    Failure(Technical),
    /// A bounded fallback.
    Fallback(SafeFallback),
    /// Nothing: the run had ended, was cancelled, or its time was over.
    Nothing(Ending),
    /// The agent's draft, as it was verified.
    Supported(Json),
}

/// Ends the run and says what leaves it, with what the trail and the timeline are told. Called a second time, nothing
/// leaves. `lock` is the one that the run was created under. A draft is released only with an opinion that is about it; a
/// judge that gave no answer that counts is as one that said no.
pub fn release(
    context: &mut RunContext,
    lock: &Lock,
    texts: &Texts,
    outcome: &Outcome<'_>,
    now_ms: u64,
) -> (Released, Vec<Event>) {
    let released = decide(context.run(), lock, texts, outcome);
    let terminal = match released {
        Released::Failure(_) => Ending::Failed,
        Released::Fallback(_) | Released::Supported(_) | Released::Nothing(_) => Ending::Completed,
    };
    match context.end(terminal, now_ms) {
        Ended::Now(ended, event) if ended == terminal => {
            let told = told(context.run(), &released);
            (released, vec![told, event])
        }
        Ended::Now(ended, event) => (Released::Nothing(ended), vec![event]),
        Ended::Already(ended, event) => (Released::Nothing(ended), vec![event]),
        Ended::OtherRun => (Released::Failure(Technical::Internal), Vec::new()),
    }
}

fn decide(run: &str, lock: &Lock, texts: &Texts, outcome: &Outcome<'_>) -> Released {
    let fallback = |code, stage, issues: &[Issue], observed: &BTreeSet<Observed>| {
        SafeFallback::build(lock.release.as_ref(), code, stage, issues, observed, texts)
            .map_or(Released::Failure(Technical::EvidenceFailed), Released::Fallback)
    };
    match outcome {
        Outcome::Technical(technical) => Released::Failure(*technical),
        // What was found in another run's evidence never leaves this one: a mistake of ours.
        Outcome::Evidence(checked) if checked.run != run => Released::Failure(Technical::Internal),
        Outcome::Evidence(checked) => {
            let code = checked.issues.first().map_or("evidence_failed", |issue| issue.code.code());
            fallback(code, Kind::Evidence, &checked.issues, &checked.observed)
        }
        // An opinion about another draft or query, or a draft of another run, is a mistake of ours.
        Outcome::Judged(query, verified, judged)
            if !judged.is_about(query, verified) || verified.run() != run =>
        {
            Released::Failure(Technical::Internal)
        }
        Outcome::Judged(_, verified, judged) => {
            let observed = verified.snapshot().observed();
            match judged.opinion() {
                // The policy asks for a judge, and nobody asked one: a mistake of ours.
                Opinion::NotAsked if asks_a_judge(lock) => Released::Failure(Technical::Internal),
                Opinion::NotAsked | Opinion::Supported => {
                    Released::Supported(verified.draft().json().clone())
                }
                Opinion::Degraded(code) => fallback(*code, Kind::Semantic, &[], observed),
                Opinion::Unsupported(issues) => fallback("unsupported", Kind::Semantic, issues, observed),
            }
        }
    }
}

fn asks_a_judge(lock: &Lock) -> bool {
    lock.evidence.as_ref().is_some_and(|evidence| evidence.semantic.is_some())
}

fn told(run: &str, released: &Released) -> Event {
    let event = Event::new("agent_run.released").with(Field::Run, Datum::Id(run.to_owned()));
    match released {
        Released::Failure(technical) => event
            .with(Field::Code, Datum::Word(technical.code()))
            .with(Field::Status, Datum::Word("technical_failure")),
        Released::Fallback(fallback) => {
            size(event, fallback.json()).with(Field::Status, Datum::Word("unsupported"))
        }
        Released::Nothing(_) => event.with(Field::Status, Datum::Word("nothing")),
        Released::Supported(json) => size(event, json).with(Field::Status, Datum::Word("supported")),
    }
}

fn size(event: Event, json: &Json) -> Event {
    event.with(Field::Bytes, Datum::Number(u64::try_from(json.canonical().len()).unwrap_or(u64::MAX)))
}
