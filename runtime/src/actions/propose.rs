//! From a proposal to a pending action.

use std::collections::BTreeSet;

use super::binding::action_digest;
use super::work::{Work, about};
use super::{Action, ActionId, BatchId, Draft, Ledger, Refusal, Requester, State, Step};
use crate::audit::{Datum, Event, Field};
use crate::lock::{Approval, digest_of};

impl Ledger {
    /// Takes a proposal in. It waits for answers and does nothing.
    pub fn propose(&self, draft: Draft, now_ms: u64) -> Step<ActionId> {
        self.take_in(draft, State::Proposed, now_ms)
    }

    /// Takes in what a replay would have done. It is there to be read and can never be approved (row S7).
    pub fn replay(&self, draft: Draft, now_ms: u64) -> Step<ActionId> {
        self.take_in(draft, State::Replay, now_ms)
    }

    fn take_in(&self, draft: Draft, state: State, now_ms: u64) -> Step<ActionId> {
        let mut work = Work::on(self);
        let (tool, harness) = (draft.proposal.cell.tool.clone(), draft.proposal.cell.harness.clone());
        let outcome = work.tick(now_ms).and_then(|()| work.admit(draft, state, None, now_ms));
        if let Err(refusal) = outcome {
            // Nothing of a refused proposal stays but that there was one.
            work = Work::on(self);
            work.say(refused(self, &tool, harness, refusal));
        }
        work.finish(outcome)
    }
}

fn refused(ledger: &Ledger, tool: &str, harness: Option<String>, refusal: Refusal) -> Event {
    let event = Event::new("action.proposal_refused")
        .with(Field::Code, Datum::Word(refusal.code()))
        .with(Field::Run, Datum::Id(ledger.run.clone()))
        .with(Field::Tool, Datum::Key(tool.to_owned()));
    harness.into_iter().fold(event, |event, harness| event.with(Field::Harness, Datum::Key(harness)))
}

impl Work {
    /// Checks a draft against the run and makes it an action in this state.
    pub(super) fn admit(
        &mut self,
        draft: Draft,
        state: State,
        batch: Option<BatchId>,
        now_ms: u64,
    ) -> Result<ActionId, Refusal> {
        self.fits(&draft, state)?;
        let Draft { depends_on, id, nonce, preview, proposal, supersedes } = draft;
        for old in &supersedes {
            self.get(old)?;
            self.supersede(old, Refusal::ActionClosed)?;
        }
        let asked = if state == State::Approved { Approval::Auto } else { Approval::Confirm };
        let mut action = Action {
            approval: proposal.approval.max(asked),
            approvers: vec![proposal.approvers.clone()],
            batch,
            depends_on,
            digest: String::new(),
            expires_at_ms: proposal.expires_after_ms.map(|after| now_ms.saturating_add(after)),
            id: id.clone(),
            nonce,
            preview,
            proposal,
            proposed_at_ms: now_ms,
            result: None,
            round: 0,
            state,
            votes: Vec::new(),
        };
        action.digest = action_digest(&action)?;
        self.say(proposed(&action));
        for earlier in &action.depends_on {
            let event = about("action.leans_on", &action);
            self.events.push(event.with(Field::DependsOn, Datum::Id(earlier.to_string())));
        }
        self.ledger.actions.insert(id.clone(), action);
        Ok(id)
    }

    fn fits(&self, draft: &Draft, state: State) -> Result<(), Refusal> {
        let (ledger, proposal) = (&self.ledger, &draft.proposal);
        if proposal.organization != ledger.organization || proposal.run != ledger.run {
            return Err(Refusal::UnknownAction);
        }
        if ledger.actions.contains_key(&draft.id) {
            return Err(Refusal::DuplicateAction);
        }
        if ledger.escalation.as_ref().is_some_and(|only| *only != proposal.cell.deed()) {
            return Err(Refusal::SuspectedInjection);
        }
        for earlier in &draft.depends_on {
            if self.get(earlier)?.state.is_dead() {
                return Err(Refusal::DependencyFailed);
            }
        }
        // Whatever was put before people counts, however it ended and whatever took its place: otherwise a run could ask
        // without end by taking back what it asked.
        let counted = ledger.actions.values().filter(|action| action.state != State::Replay);
        let full = proposal.max_actions.is_some_and(|max| counted.count() as u64 >= max);
        if full && state != State::Replay {
            return Err(Refusal::ActionCap);
        }
        Ok(())
    }
}

/// Everything that is known of the proposal without a word of its payload.
fn proposed(action: &Action) -> Event {
    let proposal = &action.proposal;
    let origins = &proposal.origins;
    let requester = match &origins.requester {
        Requester::Machine(id) => id.clone(),
        Requester::Person(person) => person.to_string(),
    };
    let event = about("action.proposed", action)
        .with(Field::Approval, Datum::Word(action.approval.word()))
        .with(Field::CellDigest, Datum::Digest(proposal.cell_digest.clone()))
        .with(Field::Effect, Datum::Word(proposal.effect.word()))
        .with(Field::Input, Datum::Digest(digest_of(proposal.input.as_bytes())))
        .with(Field::Lock, Datum::Digest(proposal.lock.clone()))
        .with(Field::Needed, Datum::Number(action.needed() as u64))
        .with(Field::Requester, Datum::Id(requester))
        .with(Field::Role, Datum::Key(proposal.cell.role.clone()))
        .with(Field::State, Datum::Word(action.state.code()));
    let more = [
        (Field::ActingUser, origins.acting_for.as_ref().map(|person| Datum::Id(person.to_string()))),
        (Field::Batch, action.batch.as_ref().map(|batch| Datum::Id(batch.to_string()))),
        (Field::ExpiresAt, action.expires_at_ms.map(Datum::Number)),
        (Field::Harness, proposal.cell.harness.clone().map(Datum::Key)),
    ];
    more.into_iter().fold(event, |event, (field, datum)| match datum {
        Some(datum) => event.with(field, datum),
        None => event,
    })
}

/// The drafts of a batch lean on each other in their order.
pub(super) fn after(draft: &mut Draft, previous: Option<&ActionId>) {
    let previous: BTreeSet<ActionId> = previous.into_iter().cloned().collect();
    draft.depends_on.extend(previous);
}
