//! The semantic guard (row E7): one isolated turn of a judge over query, draft and snapshot; once more with the same input
//! where it failed; then a safe degradation.
//!
//! The judge is handed a [`Question`] and nothing else: it has no tools, no memory and no store, and it changes no report.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Issue, IssueCode, Verified};
use crate::audit::{Datum, Event, Field};
use crate::json::Json;
use crate::lock::{self, digest_of};
use crate::meter::Outside;

/// The most attempts, whatever a policy states: the first, and one more with the same input.
const MAX_ATTEMPTS: u64 = 2;

/// All that a judge is told.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    query: &'a str,
    verified: &'a Verified,
}

impl<'a> Question<'a> {
    /// What the person asked, as they asked it. Data, not instructions.
    #[must_use]
    pub fn query(&self) -> &'a str {
        self.query
    }

    /// The whole draft in its canonical form.
    #[must_use]
    pub fn draft(&self) -> &'a str {
        self.verified.draft().json().canonical()
    }

    /// The verified snapshot: projections alone.
    #[must_use]
    pub fn snapshot(&self) -> &'a super::Snapshot {
        self.verified.snapshot()
    }

    /// `sha256:<64 hex>` over all three.
    #[must_use]
    pub fn digest(&self) -> String {
        let parts =
            [digest_of(self.query.as_bytes()), digest_of(self.draft().as_bytes()), self.snapshot().digest()];
        digest_of(parts.concat().as_bytes())
    }
}

/// Whoever judges: usually a model, called once without tools.
pub trait Judge {
    /// The judge's answer, as it came: `{"verdict": "supported"}`, or `"unsupported"` with the ids of `conclusions`.
    /// `outside` says that no transaction waits for it (row S1).
    ///
    /// # Errors
    /// Where no answer came.
    fn judge(&mut self, outside: &Outside<'_>, question: &Question<'_>) -> Result<Vec<u8>, JudgeFault>;
}

/// Why a judge gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JudgeFault {
    /// A budget does not cover the call. It is not tried again.
    Budget,
    /// It failed.
    Error,
    /// It took too long.
    Timeout,
}

impl JudgeFault {
    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Budget => "judge_budget",
            Self::Error => "judge_error",
            Self::Timeout => "judge_timeout",
        }
    }
}

/// What a judge came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// No answer that counts, with the code of the last attempt: the run degrades safely.
    Degraded(&'static str),
    /// The policy asks no judge.
    NotAsked,
    /// The evidence carries the draft.
    Supported,
    /// It does not, at these places.
    Unsupported(Vec<Issue>),
}

/// An opinion about one question. Only a [`Trial`] makes one, so that no opinion can be said of another draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    opinion: Opinion,
    /// [`Question::digest`] of what was asked.
    question: String,
}

impl Judged {
    /// The opinion.
    #[must_use]
    pub fn opinion(&self) -> &Opinion {
        &self.opinion
    }

    /// Whether it is about this draft on this evidence, as an answer to this query.
    #[must_use]
    pub fn is_about(&self, query: &str, verified: &Verified) -> bool {
        self.question == Question { query, verified }.digest()
    }
}

/// The judging of one draft, attempt by attempt, for servers whose judge answers later.
#[derive(Debug)]
pub struct Trial<'a> {
    attempt: u64,
    attempts: u64,
    question: Question<'a>,
}

/// What comes next in a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The same question is asked again.
    Again(Event),
    /// The trial is over.
    Over(Event, Judged),
}

impl<'a> Trial<'a> {
    /// The trial that `evidence.semantic` states.
    ///
    /// # Errors
    /// Where the policy asks no judge: the opinion that says so.
    pub fn of(
        evidence: Option<&lock::Evidence>,
        query: &'a str,
        verified: &'a Verified,
    ) -> Result<Self, Judged> {
        let question = Question { query, verified };
        match evidence.and_then(|evidence| evidence.semantic) {
            Some(semantic) => {
                Ok(Self { attempt: 0, attempts: semantic.attempts.clamp(1, MAX_ATTEMPTS), question })
            }
            None => Err(Self { attempt: 0, attempts: 0, question }.over(Opinion::NotAsked)),
        }
    }

    /// The question, the same at every attempt.
    #[must_use]
    pub fn question(&self) -> &Question<'a> {
        &self.question
    }

    /// What follows from an answer.
    pub fn answer(&mut self, answer: Result<&[u8], JudgeFault>) -> Turn {
        self.attempt = self.attempt.saturating_add(1);
        let fault = match answer.map(|bytes| self.read(bytes)) {
            Ok(Some(opinion)) => {
                let word = if opinion == Opinion::Supported { "supported" } else { "unsupported" };
                return Turn::Over(self.event(word), self.over(opinion));
            }
            Ok(None) => "judge_invalid_output",
            Err(fault) => fault.code(),
        };
        let event = self.event("failed").with(Field::Code, Datum::Word(fault));
        if self.attempt < self.attempts && answer != Err(JudgeFault::Budget) {
            return Turn::Again(event);
        }
        Turn::Over(event, self.over(Opinion::Degraded(fault)))
    }

    /// An answer in the one form that counts. An unsupported one names conclusions of this draft.
    fn read(&self, bytes: &[u8]) -> Option<Opinion> {
        let json = Json::parse(bytes).ok()?;
        let members = json.value().as_object()?;
        let named = members.get("conclusions");
        match (members.get("verdict")?.as_str()?, named, members.len()) {
            ("supported", None, 1) => Some(Opinion::Supported),
            ("unsupported", Some(Value::Array(ids)), 2) => {
                let issues: Option<BTreeSet<Issue>> = ids.iter().map(|id| self.issue(id.as_str()?)).collect();
                Some(Opinion::Unsupported(issues.filter(|issues| !issues.is_empty())?.into_iter().collect()))
            }
            _ => None,
        }
    }

    fn issue(&self, id: &str) -> Option<Issue> {
        let conclusions = &self.question.verified.draft().conclusions;
        let at = conclusions.iter().position(|conclusion| conclusion.id == id)?;
        Some(Issue::new(IssueCode::Unsupported, format!("/conclusions/{at}")))
    }

    fn event(&self, status: &'static str) -> Event {
        Event::new("semantic.judged")
            .with(Field::Attempt, Datum::Number(self.attempt))
            .with(Field::Run, Datum::Id(self.question.verified.run().to_owned()))
            .with(Field::Status, Datum::Word(status))
    }

    fn over(&self, opinion: Opinion) -> Judged {
        Judged { opinion, question: self.question.digest() }
    }
}

/// Judges a draft to the end, with a judge that answers at once. One event for each attempt.
pub fn judge(
    judge: &mut dyn Judge,
    outside: &Outside<'_>,
    evidence: Option<&lock::Evidence>,
    query: &str,
    verified: &Verified,
) -> (Judged, Vec<Event>) {
    let mut events = Vec::new();
    let mut trial = match Trial::of(evidence, query, verified) {
        Ok(trial) => trial,
        Err(judged) => return (judged, events),
    };
    loop {
        let answer = judge.judge(outside, trial.question());
        match trial.answer(answer.as_deref().map_err(|fault| *fault)) {
            Turn::Again(event) => events.push(event),
            Turn::Over(event, judged) => {
                events.push(event);
                return (judged, events);
            }
        }
    }
}
