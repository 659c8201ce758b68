//! How an execution ended. A failure changes nothing and ends what leaned on it; silence is never taken for either.

use super::door::Receipt;
use super::work::{Work, about};
use super::{ActionId, Ledger, Move, Refusal, State, Step, Voter};
use crate::audit::{Datum, Event, Field};

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ended {
    /// It was done.
    Done {
        /// The digest of what it handed back.
        result: Option<String>,
    },
    /// It was not done, and nothing was changed.
    Failed,
    /// Nobody can say: the other side went away, or time ran out.
    Lost,
}

impl Ledger {
    /// Reports how an execution ended.
    pub fn settle(&self, receipt: &Receipt, ended: Ended, now_ms: u64) -> Step<()> {
        let mut work = Work::on(self);
        let outcome = work.settle(receipt, ended, now_ms);
        if let Err(refusal) = outcome {
            work.late(receipt.action(), refusal);
        }
        work.finish(outcome)
    }

    /// After a crash or a restart: whatever was started and has no end is unknown. Nothing is tried again; a person
    /// finds out ([`found`](Self::found)).
    pub fn recover(&self, now_ms: u64) -> Step<Vec<ActionId>> {
        let mut work = Work::on(self);
        work.ledger.high_water_ms = work.ledger.high_water_ms.max(now_ms);
        let lost: Vec<ActionId> = self
            .actions
            .values()
            .filter(|action| action.state == State::Executing)
            .map(|action| action.id.clone())
            .collect();
        let outcome = lost.iter().try_for_each(|id| work.shift(id, Move::Lose, None));
        work.finish(outcome.map(|()| lost))
    }

    /// A person found out how an unknown execution ended.
    pub fn found(&self, id: &ActionId, done: bool, voter: &Voter, now_ms: u64) -> Step<()> {
        let mut work = Work::on(self);
        let outcome = work.found(id, done, voter, now_ms);
        if let Err(refusal) = outcome {
            work.late(id, refusal);
        }
        work.finish(outcome)
    }
}

impl Work {
    fn settle(&mut self, receipt: &Receipt, ended: Ended, now_ms: u64) -> Result<(), Refusal> {
        // An end is taken whatever the clock shows: it happened.
        self.ledger.high_water_ms = self.ledger.high_water_ms.max(now_ms);
        if receipt.organization != self.ledger.organization || receipt.run != self.ledger.run {
            return Err(Refusal::UnknownAction);
        }
        let action = self.get_mut(&receipt.action)?;
        if action.state != State::Executing || action.digest != receipt.digest {
            return Err(Refusal::NotExecuting);
        }
        match ended {
            Ended::Done { result } => {
                action.result = result;
                self.shift(&receipt.action, Move::Succeed, None)
            }
            Ended::Failed => self.shift(&receipt.action, Move::Fail, None),
            Ended::Lost => self.shift(&receipt.action, Move::Lose, None),
        }
    }

    fn found(&mut self, id: &ActionId, done: bool, voter: &Voter, now_ms: u64) -> Result<(), Refusal> {
        voter.is_somebody(&self.ledger.organization)?;
        if !voter.independent {
            return Err(Refusal::RightThroughRun);
        }
        let action = self.get(id)?;
        if action.state != State::Unknown {
            return Err(Refusal::NotUnknown);
        }
        if action.approvers.iter().flatten().any(|list| list.is_disjoint(&voter.personas)) {
            return Err(Refusal::ApproverNotEligible);
        }
        self.ledger.high_water_ms = self.ledger.high_water_ms.max(now_ms);
        let event = about("action.looked_into", self.get(id)?)
            .with(Field::Assurance, Datum::Word(voter.authenticated.code()))
            .with(Field::DecidedBy, Datum::Id(voter.person.to_string()));
        self.say(event);
        self.shift(id, if done { Move::FindDone } else { Move::FindUndone }, None)
    }

    fn late(&mut self, id: &ActionId, refusal: Refusal) {
        let mut event = Event::new("action.end_refused")
            .with(Field::Code, Datum::Word(refusal.code()))
            .with(Field::Run, Datum::Id(self.ledger.run.clone()));
        if self.ledger.actions.contains_key(id) {
            event = event.with(Field::Action, Datum::Id(id.to_string()));
        }
        self.say(event);
    }
}
