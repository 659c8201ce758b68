//! A batch: a plan whose steps carry exact inputs, answered once and replayed step by step (rows D7; APPROVALS 12).
//!
//! Each step is an action that leans on the one before it, so that order, stopping at the first failure and keeping what
//! was done need no rules of their own.

use serde::{Deserialize, Serialize};

use super::binding::batch_digest;
use super::propose::after;
use super::work::Work;
use super::{ActionId, BatchId, Draft, Ledger, Nonce, Refusal, State, Step};
use crate::audit::{Datum, Event, Field};
use crate::boundary::MAX_PLAN_STEPS;

/// One batch.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Batch {
    pub(super) digest: String,
    pub(super) nonce: Nonce,
    pub(super) steps: Vec<ActionId>,
}

impl Batch {
    /// What one yes to all of it is bound to: every step's digest, in order.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Its steps, in order.
    #[must_use]
    pub fn steps(&self) -> &[ActionId] {
        &self.steps
    }
}

/// A batch on its way in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchDraft {
    /// Its id.
    pub id: BatchId,
    /// Its nonce.
    pub nonce: Nonce,
    /// Its steps, in order, each with its exact input and preview; at most [`MAX_PLAN_STEPS`].
    pub steps: Vec<Draft>,
}

/// How one step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepResult {
    /// The step.
    pub action: ActionId,
    /// The digest of its result, where it has one.
    pub result: Option<String>,
    /// Where it stands.
    pub state: State,
}

/// How far a batch has come: the partial result is kept whatever became of the rest.
pub type BatchResult = Vec<StepResult>;

impl Ledger {
    /// Takes a batch in, whole or not at all. It takes the place of every earlier batch of the run that still waits.
    pub fn propose_batch(&self, batch: BatchDraft, now_ms: u64) -> Step<BatchId> {
        let mut work = Work::on(self);
        let id = batch.id.clone();
        let outcome = work.tick(now_ms).and_then(|()| work.admit_batch(batch, now_ms));
        if let Err(refusal) = outcome {
            work = Work::on(self);
            work.say(
                Event::new("batch.proposal_refused")
                    .with(Field::Batch, Datum::Id(id.to_string()))
                    .with(Field::Code, Datum::Word(refusal.code()))
                    .with(Field::Run, Datum::Id(self.run.clone())),
            );
        }
        work.finish(outcome.map(|()| id))
    }

    /// How far a batch has come, step by step.
    #[must_use]
    pub fn batch_result(&self, id: &BatchId) -> Option<BatchResult> {
        let batch = self.batches.get(id)?;
        let steps = batch.steps.iter().filter_map(|step| self.actions.get(step));
        Some(
            steps
                .map(|action| StepResult {
                    action: action.id.clone(),
                    result: action.result.clone(),
                    state: action.state,
                })
                .collect(),
        )
    }
}

impl Work {
    fn admit_batch(&mut self, batch: BatchDraft, now_ms: u64) -> Result<(), Refusal> {
        let BatchDraft { id, nonce, steps } = batch;
        if steps.is_empty() {
            return Err(Refusal::EmptyBatch);
        }
        if steps.len() > MAX_PLAN_STEPS {
            return Err(Refusal::BatchTooLong);
        }
        if self.ledger.batches.contains_key(&id) {
            return Err(Refusal::DuplicateAction);
        }
        let old: Vec<ActionId> =
            self.ledger.batches.values().flat_map(|batch| batch.steps.iter().cloned()).collect();
        for step in &old {
            self.supersede(step, Refusal::ActionClosed)?;
        }
        // A batch waits no longer than its most urgent step.
        let expires = steps.iter().filter_map(|draft| draft.proposal.expires_after_ms).min();
        let mut ids: Vec<ActionId> = Vec::new();
        let mut digests: Vec<String> = Vec::new();
        for mut draft in steps {
            after(&mut draft, ids.last());
            draft.proposal.expires_after_ms = expires;
            let step = self.admit(draft, State::Proposed, Some(id.clone()), now_ms)?;
            digests.push(self.get(&step)?.digest.clone());
            ids.push(step);
        }
        let digest = batch_digest(&id, nonce, &digests)?;
        self.say(
            Event::new("batch.proposed")
                .with(Field::ActionDigest, Datum::Digest(digest.clone()))
                .with(Field::Batch, Datum::Id(id.to_string()))
                .with(Field::Run, Datum::Id(self.ledger.run.clone())),
        );
        self.ledger.batches.insert(id, Batch { digest, nonce, steps: ids });
        Ok(())
    }
}
