//! The evidence guard (row E6): no model, one pass over the draft, every citation held against this run's own tool calls.

use std::collections::{BTreeMap, BTreeSet};

use super::quote::verbatim;
use super::{Citation, Draft, Issue, IssueCode, Observed, Snapshot, Verified};
use crate::audit::{Datum, Event, Field};
use crate::json::Json;
use crate::lock;

/// How a tool call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// It ended, and its projection is whole.
    Complete,
    /// It ended, and its result was cut.
    Cut,
    /// It failed.
    Failed,
}

/// One tool call, as it can be cited: its projection and nothing else of its result.
#[derive(Clone, Copy, Debug)]
pub struct Invocation<'a> {
    /// Its id, issued by the server.
    pub id: &'a str,
    /// What the agent was shown of its result.
    pub projection: &'a Json,
    /// The run that it belongs to.
    pub run: &'a str,
    /// The state that what it read was in, where the tool says so (`evidence.ready_states`).
    pub state: Option<&'a str>,
    /// How it ended.
    pub status: Status,
}

/// Whom the draft has to be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject<'a> {
    /// The analysis, issued by the server.
    pub analysis_id: &'a str,
    /// The run.
    pub run: &'a str,
}

/// What follows from a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It is not carried, and no repair is left.
    Failed,
    /// It is not carried; the agent may repair it, and is told the issues.
    Repair,
    /// Every conclusion is carried.
    Verified(Box<Verified>),
}

/// One check.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// What the timeline and the trail are told.
    pub event: Event,
    /// What is wrong, sorted; empty where it is verified.
    pub issues: Vec<Issue>,
    /// The citations that hold, whatever the verdict: what a safe fallback may still say.
    pub observed: BTreeSet<Observed>,
    /// The run that it was checked for.
    pub run: String,
    /// What follows.
    pub verdict: Verdict,
}

/// How often a draft is repaired where `evidence` states nothing: not at all.
pub const UNSTATED_REPAIRS: u64 = 0;

/// The guard of one run: it counts the repairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    checks: u64,
    ready: Vec<String>,
    repairs_left: u64,
}

impl Guard {
    /// The guard that `evidence` states. Without `repairs` nothing is repaired; without `ready_states` no state is asked for.
    #[must_use]
    pub fn of(evidence: Option<&lock::Evidence>) -> Self {
        Self {
            checks: 0,
            ready: evidence.map(|evidence| evidence.ready_states.clone()).unwrap_or_default(),
            repairs_left: evidence.and_then(|evidence| evidence.repairs).unwrap_or(UNSTATED_REPAIRS),
        }
    }

    /// Checks a draft, the first one or a repaired one, against every tool call that the server knows by the cited ids.
    pub fn check(&mut self, subject: Subject<'_>, draft: &[u8], invocations: &[Invocation<'_>]) -> Checked {
        self.checks = self.checks.saturating_add(1);
        let mut pass = Pass::new(self, subject, invocations);
        let draft = match Draft::read(draft) {
            Ok(draft) => {
                pass.draft(&draft);
                Some(draft)
            }
            Err(issue) => {
                pass.issues.insert(issue);
                None
            }
        };
        let Pass { issues, observed, projections, .. } = pass;
        let issues: Vec<Issue> = issues.into_iter().collect();
        let verdict = match draft.filter(|_| issues.is_empty()) {
            Some(draft) => {
                let snapshot = Snapshot { observed: observed.clone(), projections };
                Verdict::Verified(Box::new(Verified { draft, run: subject.run.to_owned(), snapshot }))
            }
            None if self.repairs_left > 0 => {
                self.repairs_left -= 1;
                Verdict::Repair
            }
            None => Verdict::Failed,
        };
        let event = self.event(subject, &issues, &verdict);
        Checked { event, issues, observed, run: subject.run.to_owned(), verdict }
    }

    fn event(&self, subject: Subject<'_>, issues: &[Issue], verdict: &Verdict) -> Event {
        let status = match verdict {
            Verdict::Failed => "failed",
            Verdict::Repair => "repair",
            Verdict::Verified(_) => "verified",
        };
        let event = Event::new("evidence.checked")
            .with(Field::Attempt, Datum::Number(self.checks))
            .with(Field::Issues, Datum::Number(u64::try_from(issues.len()).unwrap_or(u64::MAX)))
            .with(Field::Run, Datum::Id(subject.run.to_owned()))
            .with(Field::Status, Datum::Word(status));
        match issues.first() {
            Some(first) => event.with(Field::Code, Datum::Word(first.code.code())),
            None => event,
        }
    }
}

/// One pass over one draft.
struct Pass<'a> {
    /// By id; nothing where two calls bear the same one, since nobody can say which is meant.
    calls: BTreeMap<&'a str, Option<&'a Invocation<'a>>>,
    issues: BTreeSet<Issue>,
    observed: BTreeSet<Observed>,
    projections: BTreeMap<String, String>,
    ready: &'a [String],
    subject: Subject<'a>,
}

impl<'a> Pass<'a> {
    fn new(guard: &'a Guard, subject: Subject<'a>, invocations: &'a [Invocation<'a>]) -> Self {
        let mut calls = BTreeMap::new();
        for call in invocations {
            calls.entry(call.id).and_modify(|held| *held = None).or_insert(Some(call));
        }
        Self {
            calls,
            issues: BTreeSet::new(),
            observed: BTreeSet::new(),
            projections: BTreeMap::new(),
            ready: &guard.ready,
            subject,
        }
    }

    fn draft(&mut self, draft: &Draft) {
        if draft.analysis_id != self.subject.analysis_id {
            self.issues.insert(Issue::new(IssueCode::AnalysisId, "/analysis_id"));
        }
        if draft.conclusions.is_empty() {
            self.issues.insert(Issue::new(IssueCode::Uncited, "/conclusions"));
        }
        let mut before = BTreeSet::new();
        for (at, conclusion) in draft.conclusions.iter().enumerate() {
            let place = format!("/conclusions/{at}");
            if conclusion.evidence.is_empty() && conclusion.from.is_empty() {
                self.issues.insert(Issue::new(IssueCode::Uncited, place.clone()));
            }
            // What a conclusion rests on stands before it: so every chain ends at a citation, and none in itself.
            for (index, _) in conclusion.from.iter().enumerate().filter(|(_, id)| !before.contains(id)) {
                self.issues.insert(Issue::new(IssueCode::Dangling, format!("{place}/from/{index}")));
            }
            for (index, citation) in conclusion.evidence.iter().enumerate() {
                let place = format!("{place}/evidence/{index}");
                if let Err(issue) = self.citation(citation, place) {
                    self.issues.insert(issue);
                }
            }
            before.insert(&conclusion.id);
        }
    }

    fn citation(&mut self, citation: &Citation, place: String) -> Result<(), Issue> {
        let at = |member: &str| format!("{place}/{member}");
        let call = self.calls.get(citation.invocation.as_str()).copied().flatten();
        let call = call.ok_or_else(|| Issue::new(IssueCode::UnknownCitation, at("invocation")))?;
        let ready = |state: &str| self.ready.iter().any(|ready| ready == state);
        let code = if call.run != self.subject.run {
            Some(IssueCode::Ownership)
        } else if call.status != Status::Complete {
            Some(IssueCode::EvidenceStatus)
        } else if !self.ready.is_empty() && !call.state.is_some_and(ready) {
            Some(IssueCode::NotReady)
        } else {
            None
        };
        if let Some(code) = code {
            return Err(Issue::new(code, at("invocation")));
        }
        let quote = verbatim(call.projection.value(), &citation.quote);
        let quote = quote.ok_or_else(|| Issue::new(IssueCode::Quote, at("quote")))?;
        self.observed.insert(Observed { invocation: citation.invocation.clone(), quote });
        self.projections.insert(citation.invocation.clone(), call.projection.canonical().to_owned());
        Ok(())
    }
}
