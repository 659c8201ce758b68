//! A change under way: the next ledger and what the audit is told of it.

use std::collections::BTreeMap;

use super::binding::{action_digest, batch_digest};
use super::{Action, ActionId, Ledger, Move, Refusal, Rules, State};
use crate::audit::{Datum, Event, Field};

/// What an operation came to. The ledger and the events belong together, also where the outcome is a refusal: a store
/// takes both or neither.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Step<T> {
    /// What the audit is told, in order.
    pub events: Vec<Event>,
    /// The ledger from here on.
    pub ledger: Ledger,
    /// What was asked for, or why not.
    pub outcome: Result<T, Refusal>,
}

pub(super) struct Work {
    pub(super) events: Vec<Event>,
    pub(super) ledger: Ledger,
}

impl Work {
    pub(super) fn on(ledger: &Ledger) -> Self {
        Self { events: Vec::new(), ledger: ledger.clone() }
    }

    pub(super) fn finish<T>(self, outcome: Result<T, Refusal>) -> Step<T> {
        Step { events: self.events, ledger: self.ledger, outcome }
    }

    pub(super) fn say(&mut self, event: Event) {
        self.events.push(event);
    }

    pub(super) fn get(&self, id: &ActionId) -> Result<&Action, Refusal> {
        self.ledger.actions.get(id).ok_or(Refusal::UnknownAction)
    }

    pub(super) fn get_mut(&mut self, id: &ActionId) -> Result<&mut Action, Refusal> {
        self.ledger.actions.get_mut(id).ok_or(Refusal::UnknownAction)
    }

    /// Takes the store's time. A clock that went back denies, or whoever sets it could outlive an expiry.
    pub(super) fn tick(&mut self, now_ms: u64) -> Result<(), Refusal> {
        if now_ms < self.ledger.high_water_ms {
            return Err(Refusal::ClockWentBack);
        }
        self.ledger.high_water_ms = now_ms;
        Ok(())
    }

    /// Moves one action, says so, and ends whatever leaned on an action that can no longer be done.
    pub(super) fn shift(
        &mut self,
        id: &ActionId,
        step: Move,
        because: Option<Refusal>,
    ) -> Result<(), Refusal> {
        if self.shift_one(id, step, because)?.is_dead() { self.end_dependants(id) } else { Ok(()) }
    }

    fn shift_one(&mut self, id: &ActionId, step: Move, because: Option<Refusal>) -> Result<State, Refusal> {
        let action = self.get_mut(id)?;
        let next = action.state.after(step).ok_or(Refusal::ActionClosed)?;
        action.state = next;
        let mut event = about(step.event(), action).with(Field::State, Datum::Word(next.code()));
        if let Some(because) = because {
            event = event.with(Field::Code, Datum::Word(because.code()));
        }
        self.say(event);
        Ok(next)
    }

    /// Ends whatever leaned on an action, and what leaned on that: a list of its own, however long the chain.
    fn end_dependants(&mut self, id: &ActionId) -> Result<(), Refusal> {
        let mut leaning: BTreeMap<ActionId, Vec<ActionId>> = BTreeMap::new();
        for action in self.ledger.actions.values().filter(|action| action.state.is_open()) {
            for earlier in &action.depends_on {
                leaning.entry(earlier.clone()).or_default().push(action.id.clone());
            }
        }
        let mut ends = leaning.remove(id).unwrap_or_default();
        ends.reverse();
        while let Some(next) = ends.pop() {
            if self.get(&next)?.state.is_open() {
                self.shift_one(&next, Move::Supersede, Some(Refusal::DependencyFailed))?;
                ends.extend(leaning.remove(&next).unwrap_or_default().into_iter().rev());
            }
        }
        Ok(())
    }

    /// Ends an action that is still open; one that is not stays as it is.
    pub(super) fn supersede(&mut self, id: &ActionId, because: Refusal) -> Result<(), Refusal> {
        if self.get(id)?.state.is_open() {
            self.shift(id, Move::Supersede, Some(because))?;
        }
        Ok(())
    }

    /// Ends whatever is open and due.
    pub(super) fn expire(&mut self, now_ms: u64) -> Result<(), Refusal> {
        let due: Vec<ActionId> = self
            .ledger
            .actions
            .values()
            .filter(|action| action.is_expired(now_ms))
            .map(|action| action.id.clone())
            .collect();
        for id in due {
            if self.get(&id)?.state.is_open() {
                self.shift(&id, Move::Expire, Some(Refusal::Expired))?;
            }
        }
        Ok(())
    }

    /// Binds an action anew after its approval, its approvers or its preview moved: the stricter of both holds, every
    /// answer so far is void, and people answer to the new digest. The trail keeps what they said.
    pub(super) fn rebind(&mut self, id: &ActionId, rules: &Rules, preview: &str) -> Result<(), Refusal> {
        let action = self.get_mut(id)?;
        action.approval = action.approval.max(rules.approval);
        if !action.approvers.contains(&rules.approvers) {
            action.approvers.push(rules.approvers.clone());
        }
        action.proposal.cell_digest.clone_from(&rules.cell_digest);
        preview.clone_into(&mut action.preview);
        action.votes.clear();
        action.round = action.round.checked_add(1).ok_or(Refusal::Unbindable)?;
        action.digest = action_digest(action)?;
        let event = about("action.rebound", action)
            .with(Field::Approval, Datum::Word(action.approval.word()))
            .with(Field::CellDigest, Datum::Digest(action.proposal.cell_digest.clone()))
            .with(Field::Lock, Datum::Digest(rules.lock.clone()));
        let batch = action.batch.clone();
        self.say(event);
        let mut moved = vec![id.clone()];
        if let Some(id) = batch {
            let Some(batch) = self.ledger.batches.get(&id) else { return Err(Refusal::UnknownAction) };
            moved.clone_from(&batch.steps);
            let digests: Vec<String> =
                batch.steps.iter().filter_map(|step| self.ledger.actions.get(step)).map(digest).collect();
            let digest = batch_digest(&id, batch.nonce, &digests)?;
            self.say(
                Event::new("batch.rebound")
                    .with(Field::ActionDigest, Datum::Digest(digest.clone()))
                    .with(Field::Batch, Datum::Id(id.to_string())),
            );
            if let Some(batch) = self.ledger.batches.get_mut(&id) {
                batch.digest = digest;
            }
        }
        for id in moved {
            self.get_mut(&id)?.votes.clear();
            if self.get(&id)?.state == State::Approved {
                self.shift(&id, Move::Reopen, Some(Refusal::StalePreview))?;
            }
        }
        Ok(())
    }
}

fn digest(action: &Action) -> String {
    action.digest.clone()
}

/// An event about an action: which one, as what it is bound, in which run, by which tool.
pub(super) fn about(name: &'static str, action: &Action) -> Event {
    let cell = &action.proposal.cell;
    let event = Event::new(name)
        .with(Field::Action, Datum::Id(action.id.to_string()))
        .with(Field::ActionDigest, Datum::Digest(action.digest.clone()))
        .with(Field::Run, Datum::Id(action.proposal.run.clone()))
        .with(Field::Tool, Datum::Key(cell.tool.clone()));
    match &cell.case {
        Some(case) => event.with(Field::Case, Datum::Key(case.clone())),
        None => event,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{ActionId, Ledger, Move, Refusal, State, Work};
    use crate::actions::binding::tests::sample;
    use crate::actions::{Batch, BatchId, Facts, Nonce, Standing, Switch};

    #[test]
    fn s6_a_chain_of_any_length_falls_with_its_first_link() {
        let mut ledger = Ledger::new("org-1", "run-1");
        let id = |at: u32| ActionId::new(format!("a{at:06}"));
        for at in 0..100_000 {
            let mut action = sample();
            action.id = id(at);
            action.depends_on = at.checked_sub(1).map(id).into_iter().collect();
            ledger.actions.insert(id(at), action);
        }
        let mut work = Work::on(&ledger);
        work.shift(&id(0), Move::Reject, None).unwrap();
        let ended = |action: &super::Action| action.state == State::Superseded;
        assert_eq!(work.ledger.actions.values().filter(|action| ended(action)).count(), 99_999);
        assert_eq!(work.events.len(), 100_000);
    }

    /// APPROVALS 12: a step whose batch is not there is nobody's to answer, and is not started alone.
    #[test]
    fn approvals_12_a_step_without_its_batch_is_unknown() {
        let mut action = sample();
        (action.batch, action.state) = (Some(BatchId::new("b1")), State::Approved);
        action.digest = super::action_digest(&action).unwrap();
        let (id, rules) = (action.id.clone(), action.clone());
        let standing = Standing {
            execution: rules.proposal.execution.clone(),
            listed: None,
            preview: rules.preview.clone(),
            rules: Some(super::Rules {
                approval: rules.approval,
                approvers: None,
                cell_digest: rules.proposal.cell_digest.clone(),
                deed_digest: rules.proposal.deed_digest.clone(),
                enabled: true,
                lock: rules.proposal.lock.clone(),
                server: None,
            }),
            target: rules.proposal.target.clone(),
            target_valid: true,
        };
        let mut ledger = Ledger::new("org-1", "run-1");
        ledger.actions.insert(id.clone(), action);
        let facts = Facts {
            kill_switch: Switch::Off,
            now_ms: 1,
            people: &std::collections::BTreeMap::new(),
            standing: &[(id.clone(), standing)].into(),
        };
        assert_eq!(ledger.action(&id).map(|action| ledger.shown(action)), Some(None));
        assert_eq!(ledger.begin(&id, &facts, None).outcome.unwrap_err(), Refusal::UnknownAction);
        // With its batch it waits for the yes that nobody gave.
        let steps = vec![id.clone()];
        let batch = Batch { digest: "sha256:b".to_owned(), nonce: Nonce([9; 16]), steps };
        ledger.batches.insert(BatchId::new("b1"), batch);
        assert_eq!(ledger.begin(&id, &facts, None).outcome.unwrap_err(), Refusal::NotApproved);
        assert_eq!(BTreeSet::from_iter(ledger.said_yes(&id)), BTreeSet::new());
    }
}
