//! Consuming an approval: the last look at everything, and the one way to `executing`.

use super::door::Deed;
use super::work::{Work, about};
use super::{ActionId, Facts, Ledger, Move, PreImage, Refusal, Rules, State, Step};
use crate::audit::{Datum, Event, Field};
use crate::decide::Code;
use crate::upstream::About;

impl Ledger {
    /// Everything is asked again, the approval is consumed and the execution starts, as one change. What it yields is
    /// worth nothing before a store has taken that change: [`start`](super::start) does both.
    pub(super) fn begin(&self, id: &ActionId, facts: &Facts<'_>, pre_image: Option<&PreImage>) -> Step<Deed> {
        let mut work = Work::on(self);
        let outcome = work.begin(id, facts, pre_image);
        if let Err(refusal) = outcome {
            let mut event = Event::new("action.start_refused")
                .with(Field::Code, Datum::Word(refusal.code()))
                .with(Field::Run, Datum::Id(self.run.clone()));
            if self.actions.contains_key(id) {
                event = event.with(Field::Action, Datum::Id(id.to_string()));
            }
            work.say(event);
        }
        work.finish(outcome)
    }
}

impl Work {
    fn begin(
        &mut self,
        id: &ActionId,
        facts: &Facts<'_>,
        pre_image: Option<&PreImage>,
    ) -> Result<Deed, Refusal> {
        self.tick(facts.now_ms)?;
        self.get(id)?;
        self.expire(facts.now_ms)?;
        match self.get(id)?.state {
            State::Approved => {}
            State::Proposed => return Err(Refusal::NotApproved),
            State::Replay => return Err(Refusal::ReplayNotApprovable),
            State::Expired => return Err(Refusal::Expired),
            _ => return Err(Refusal::ActionClosed),
        }
        if facts.kill_switch.freezes() {
            return Err(Refusal::AiDisabled);
        }
        let rules = self.sound(id, facts)?;
        self.is_listed(id, rules, facts)?;
        self.is_its_turn(id)?;
        if self.lacks(id, rules, facts)? {
            self.shift(id, Move::Reopen, Some(Refusal::NotApproved))?;
            return Err(Refusal::NotApproved);
        }
        self.run(id, rules, pre_image)
    }

    /// Refuses what is to be executed on an outside server that was not just found as it was pinned: this tool, at the
    /// place that the yes is bound to, under the lock in force (THREATS, rug pull).
    fn is_listed(&self, id: &ActionId, rules: &Rules, facts: &Facts<'_>) -> Result<(), Refusal> {
        let proposal = &self.get(id)?.proposal;
        // Either of both says that it is an outside one; whoever proposed it as our own gets no further.
        let Some(server) = rules.server.as_ref().or(proposal.execution.server.as_ref()) else {
            return Ok(());
        };
        if rules.server != proposal.execution.server {
            return Err(Refusal::UpstreamUnseen);
        }
        let about = About {
            address: proposal.execution.address.as_deref(),
            lock: &rules.lock,
            server,
            tool: &proposal.cell.tool,
            upstream: &proposal.execution.upstream,
        };
        match facts.standing.get(id).and_then(|standing| standing.listed.as_ref()) {
            Some(Ok(matched)) if matched.is_of(&about, facts.now_ms) => Ok(()),
            Some(Err(withheld)) if Code::from(withheld) == Code::UpstreamDrift => Err(Refusal::UpstreamDrift),
            _ => Err(Refusal::UpstreamUnseen),
        }
    }

    /// Whether the yeses that were given do not suffice under what is in force now. The strictest step of a batch
    /// stands for all of it, also for what is left of it.
    fn lacks(&self, id: &ActionId, rules: &Rules, facts: &Facts<'_>) -> Result<bool, Refusal> {
        let action = self.get(id)?;
        let mut ids = vec![id.clone()];
        let mut all = vec![rules];
        if let Some(batch) = &action.batch {
            let batch = self.ledger.batches.get(batch).ok_or(Refusal::UnknownAction)?;
            for step in batch.steps.iter().filter(|step| *step != id) {
                if self.get(step)?.state.is_open() {
                    let standing = facts.standing.get(step).ok_or(Refusal::FactsMissing)?;
                    all.push(standing.rules.as_ref().ok_or(Refusal::ToolDisabled)?);
                    ids.push(step.clone());
                }
            }
        }
        Ok(self.missing(&ids, &all, facts)? > 0)
    }

    /// Refuses what leans on something that was not done: nothing runs out of order.
    fn is_its_turn(&self, id: &ActionId) -> Result<(), Refusal> {
        let action = self.get(id)?;
        if action.depends_on.iter().all(|earlier| self.ledger.is_executed(earlier)) {
            return Ok(());
        }
        Err(Refusal::DependencyPending)
    }

    /// Consumes and starts.
    pub(super) fn run(
        &mut self,
        id: &ActionId,
        rules: &Rules,
        pre_image: Option<&PreImage>,
    ) -> Result<Deed, Refusal> {
        let action = self.get(id)?;
        // One of another action or target is refused also where none is asked for: the store would keep it.
        let foreign = pre_image.is_some_and(|image| !image.is_of(action));
        if foreign || action.proposal.snapshot && pre_image.is_none() {
            return Err(Refusal::PreImageMissing);
        }
        let mut event = about("action.consumed", action)
            .with(Field::Approval, Datum::Word(action.approval.max(rules.approval).word()))
            .with(Field::Lock, Datum::Digest(rules.lock.clone()));
        if let Some(image) = pre_image {
            event = event.with(Field::PreImage, Datum::Digest(image.digest().to_owned()));
        }
        self.say(event);
        self.shift(id, Move::Start, None)?;
        Ok(Deed::of(self.get(id)?))
    }
}
