//! All actions of one run: the value that is read, changed as a whole and set where its version still stands.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::work::Work;
use super::{Action, ActionId, Batch, BatchId, PersonId, Refusal, Says, State, Step};

/// The actions of one run. Every change of it is a function from one ledger to the next.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ledger {
    pub(super) actions: BTreeMap<ActionId, Action>,
    pub(super) batches: BTreeMap<BatchId, Batch>,
    /// Under the suspicion of an injection: the one tool that may still be proposed.
    pub(super) escalation: Option<String>,
    /// The latest time that the store's clock has shown.
    pub(super) high_water_ms: u64,
    pub(super) organization: String,
    pub(super) run: String,
    pub(super) version: u64,
}

impl Ledger {
    /// The ledger of a run that has proposed nothing.
    #[must_use]
    pub fn new(organization: impl Into<String>, run: impl Into<String>) -> Self {
        Self {
            actions: BTreeMap::new(),
            batches: BTreeMap::new(),
            escalation: None,
            high_water_ms: 0,
            organization: organization.into(),
            run: run.into(),
            version: 0,
        }
    }

    /// One action.
    #[must_use]
    pub fn action(&self, id: &ActionId) -> Option<&Action> {
        self.actions.get(id)
    }

    /// Every action, by id.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        self.actions.values()
    }

    /// One batch.
    #[must_use]
    pub fn batch(&self, id: &BatchId) -> Option<&Batch> {
        self.batches.get(id)
    }

    /// The tenant.
    #[must_use]
    pub fn organization(&self) -> &str {
        &self.organization
    }

    /// The run.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// What a store compares before it sets.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The digest that people are shown for an action: its own, or its batch's. `None`: a step whose batch is missing,
    /// which is never answered alone.
    #[must_use]
    pub fn shown<'a>(&'a self, action: &'a Action) -> Option<&'a str> {
        match &action.batch {
            Some(batch) => self.batches.get(batch).map(Batch::digest),
            None => Some(&action.digest),
        }
    }

    /// The people whom a start must look up again: whoever said yes to what is shown now.
    #[must_use]
    pub fn said_yes(&self, id: &ActionId) -> Vec<&PersonId> {
        let Some(action) = self.actions.get(id) else { return Vec::new() };
        let Some(shown) = self.shown(action) else { return Vec::new() };
        let mut people: Vec<_> = action
            .votes
            .iter()
            .filter(|vote| vote.says == Says::Yes && !vote.contradicted && vote.digest == shown)
            .map(|vote| &vote.person)
            .collect();
        people.sort();
        people.dedup();
        people
    }

    /// Ends what nobody answered in time. Time running out is never a yes.
    pub fn sweep(&self, now_ms: u64) -> Step<()> {
        let mut work = Work::on(self);
        let outcome = work.tick(now_ms).and_then(|()| work.expire(now_ms));
        work.finish(outcome)
    }

    /// Puts the run under the suspicion of an injection: what is open of other deeds is ended, and nothing but the
    /// escalation, one deed, can be proposed from here on (row S8).
    pub fn suspect(&self, escalation: &str) -> Step<()> {
        let mut work = Work::on(self);
        work.ledger.escalation = Some(escalation.to_owned());
        let open: Vec<ActionId> = self
            .actions
            .values()
            .filter(|action| action.state.is_open() && action.proposal.cell.deed() != escalation)
            .map(|action| action.id.clone())
            .collect();
        let outcome = open.iter().try_for_each(|id| work.supersede(id, Refusal::SuspectedInjection));
        work.finish(outcome)
    }

    /// Whether an action of this id was executed.
    pub(super) fn is_executed(&self, id: &ActionId) -> bool {
        self.actions.get(id).is_some_and(|action| action.state == State::Executed)
    }
}
