//! Answers of people: taken once, from whoever may, about exactly what is there now.

use std::collections::{BTreeMap, BTreeSet};

use super::eligible::Terms;
use super::work::{Work, about};
use super::{
    ActionId, Answer, Facts, Ledger, Move, PersonId, Refusal, Rules, Says, State, Step, Subject, Vote, Voter,
};
use crate::audit::{Datum, Event, Field};

/// What an answer came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decided {
    /// The same answer was taken before, and counts once.
    AlreadyCounted,
    /// It was the last yes that was required. Nothing has been executed.
    Approved,
    /// It counts; this many more people must say yes.
    Counted(usize),
    /// It was a no, which ends it, also after a yes of the same person.
    Rejected,
}

impl Ledger {
    /// Takes one answer. Every door asks this function: a page, an API, a tool, a command line.
    pub fn decide(&self, answer: &Answer, voter: &Voter, facts: &Facts<'_>) -> Step<Decided> {
        let mut work = Work::on(self);
        let outcome = work.decide(answer, voter, facts);
        if let Err(refusal) = outcome {
            work.refused(answer, voter, refusal);
        }
        work.finish(outcome)
    }

    /// The actions that an answer is about, in order.
    fn answered(&self, subject: &Subject) -> Result<Vec<ActionId>, Refusal> {
        match subject {
            Subject::Action(id) => {
                let action = self.actions.get(id).ok_or(Refusal::UnknownAction)?;
                if action.batch.is_some() { Err(Refusal::PartOfBatch) } else { Ok(vec![id.clone()]) }
            }
            Subject::Batch(id) => {
                let batch = self.batches.get(id).ok_or(Refusal::UnknownAction)?;
                Ok(batch.steps.clone())
            }
        }
    }
}

impl Work {
    fn decide(&mut self, answer: &Answer, voter: &Voter, facts: &Facts<'_>) -> Result<Decided, Refusal> {
        voter.is_somebody(&self.ledger.organization)?;
        let ids = self.ledger.answered(&answer.subject)?;
        let before = self.before(&ids, answer, voter);
        if answer.says == Says::No && before.contains(&Some(Says::No)) {
            return Ok(Decided::AlreadyCounted);
        }
        if before.iter().any(|says| *says != Some(answer.says)) {
            self.contradict(&ids, answer, voter)?;
            // A no goes on to end what it still can, also after that person's yes.
            let ends = ids.iter().any(|id| self.get(id).is_ok_and(|action| action.state.is_open()));
            if answer.says == Says::Yes || !ends {
                return Err(Refusal::ContradictingAnswer);
            }
        }
        let waits = ids.iter().any(|id| self.get(id).is_ok_and(|action| action.state == State::Proposed));
        if answer.says == Says::Yes && !before.is_empty() && !waits {
            return Ok(Decided::AlreadyCounted);
        }
        self.tick(facts.now_ms)?;
        let open = self.open(&ids, facts.now_ms)?;
        if open.iter().any(|id| self.get(id).is_ok_and(|a| self.ledger.shown(a) != Some(&answer.digest))) {
            return Err(Refusal::StalePreview);
        }
        match answer.says {
            Says::No => self.reject(&open, answer, voter),
            Says::Yes => self.accept(&open, answer, voter, facts),
        }
    }

    /// What this person said before to the same digest; `None` for a yes that a no of theirs took away.
    fn before(&self, ids: &[ActionId], answer: &Answer, voter: &Voter) -> BTreeSet<Option<Says>> {
        let actions = ids.iter().filter_map(|id| self.ledger.actions.get(id));
        let votes = actions.flat_map(|action| &action.votes);
        votes
            .filter(|vote| vote.person == voter.person && vote.digest == answer.digest)
            .map(|vote| Some(vote.says).filter(|_| !vote.contradicted))
            .collect()
    }

    /// Of two answers that contradict each other no yes counts, and it never comes back. A no stands.
    fn contradict(&mut self, ids: &[ActionId], answer: &Answer, voter: &Voter) -> Result<(), Refusal> {
        for id in ids {
            let action = self.get_mut(id)?;
            let mut withdrawn = false;
            for vote in &mut action.votes {
                if vote.person == voter.person
                    && vote.digest == answer.digest
                    && vote.says == Says::Yes
                    && !vote.contradicted
                {
                    vote.contradicted = true;
                    withdrawn = true;
                }
            }
            if !withdrawn {
                continue;
            }
            let event = about("action.vote_withdrawn", action)
                .with(Field::DecidedBy, Datum::Id(voter.person.to_string()));
            self.say(event);
            let action = self.get(id)?;
            if action.state == State::Approved && self.ledger.said_yes(id).len() < action.needed() {
                self.shift(id, Move::Reopen, Some(Refusal::ContradictingAnswer))?;
            }
        }
        Ok(())
    }

    /// The actions among these that are still open, those whose time ran out ended first.
    fn open(&mut self, ids: &[ActionId], now_ms: u64) -> Result<Vec<ActionId>, Refusal> {
        self.expire(now_ms)?;
        let mut open = Vec::new();
        let mut why = Refusal::ActionClosed;
        for id in ids {
            match self.get(id)?.state {
                state if state.is_open() => open.push(id.clone()),
                State::Replay => why = Refusal::ReplayNotApprovable,
                State::Expired => why = Refusal::Expired,
                _ => {}
            }
        }
        if open.is_empty() { Err(why) } else { Ok(open) }
    }

    /// One no ends it, all of it, whatever the others said. Whose wish it was may always take it back.
    fn reject(&mut self, open: &[ActionId], answer: &Answer, voter: &Voter) -> Result<Decided, Refusal> {
        let mut own = true;
        let mut admitted = Ok(());
        for id in open {
            let action = self.get(id)?;
            own &= action.proposal.origins.include(&voter.person);
            admitted = admitted.and(may_end(action, voter));
        }
        if !own {
            admitted?;
        }
        for id in open {
            self.record(id, answer, voter, None)?;
        }
        // From the last step, so that none is ended for the sake of another.
        for id in open.iter().rev() {
            self.shift(id, Move::Reject, None)?;
        }
        Ok(Decided::Rejected)
    }

    fn accept(
        &mut self,
        open: &[ActionId],
        answer: &Answer,
        voter: &Voter,
        facts: &Facts<'_>,
    ) -> Result<Decided, Refusal> {
        let mut rules: Vec<&Rules> = Vec::new();
        for id in open {
            rules.push(self.sound(id, facts)?);
            self.not_ahead(id)?;
        }
        self.terms(open, &rules)?.admit(voter)?;
        for (id, rules) in open.iter().zip(&rules) {
            self.record(id, answer, voter, Some(rules))?;
        }
        let mut people: BTreeMap<PersonId, Voter> = facts.people.clone();
        people.insert(voter.person.clone(), voter.clone());
        let facts = Facts { people: &people, ..*facts };
        let missing = self.missing(open, &rules, &facts)?;
        if missing > 0 {
            return Ok(Decided::Counted(missing));
        }
        for id in open {
            if self.get(id)?.state == State::Proposed {
                self.shift(id, Move::Approve, None)?;
            }
        }
        Ok(Decided::Approved)
    }

    /// Refuses a yes to what leans on something that was not done. Steps of one batch are answered together.
    fn not_ahead(&self, id: &ActionId) -> Result<(), Refusal> {
        let action = self.get(id)?;
        for earlier in &action.depends_on {
            let earlier = self.get(earlier)?;
            if earlier.state.is_dead() {
                return Err(Refusal::DependencyFailed);
            }
            let together = action.batch.is_some() && earlier.batch == action.batch;
            if earlier.state != State::Executed && !together {
                return Err(Refusal::DependencyPending);
            }
        }
        Ok(())
    }

    pub(super) fn terms<'a>(&'a self, ids: &[ActionId], rules: &[&'a Rules]) -> Result<Terms<'a>, Refusal> {
        let mut pairs = Vec::new();
        for (id, rules) in ids.iter().zip(rules) {
            pairs.push((self.get(id)?, *rules));
        }
        Ok(Terms::of(&pairs))
    }

    /// How many people must still say yes: the most that any of these actions lacks.
    pub(super) fn missing(
        &self,
        ids: &[ActionId],
        rules: &[&Rules],
        facts: &Facts<'_>,
    ) -> Result<usize, Refusal> {
        let terms = self.terms(ids, rules)?;
        let mut least = usize::MAX;
        for id in ids {
            let action = self.get(id)?;
            let shown = self.ledger.shown(action).ok_or(Refusal::UnknownAction)?;
            least = least.min(terms.yeses(action, shown, facts));
        }
        Ok(terms.needed().saturating_sub(least))
    }

    /// Keeps an answer, once.
    fn record(
        &mut self,
        id: &ActionId,
        answer: &Answer,
        voter: &Voter,
        rules: Option<&Rules>,
    ) -> Result<(), Refusal> {
        let at_ms = self.ledger.high_water_ms;
        let action = self.get_mut(id)?;
        let same = |vote: &Vote| {
            vote.person == voter.person && vote.digest == answer.digest && vote.says == answer.says
        };
        if action.votes.iter().any(same) {
            return Ok(());
        }
        action.votes.push(Vote {
            assurance: voter.authenticated,
            at_ms,
            contradicted: false,
            digest: answer.digest.clone(),
            person: voter.person.clone(),
            says: answer.says,
        });
        action.votes.sort_by(|a, b| a.person.cmp(&b.person));
        let lock = rules.map_or(&action.proposal.lock, |rules| &rules.lock).clone();
        let event = about("action.vote", action)
            .with(Field::ActionDigest, Datum::Digest(answer.digest.clone()))
            .with(Field::Answer, Datum::Word(answer.says.code()))
            .with(Field::Assurance, Datum::Word(voter.authenticated.code()))
            .with(Field::DecidedBy, Datum::Id(voter.person.to_string()))
            .with(Field::Lock, Datum::Digest(lock));
        self.say(event);
        Ok(())
    }

    /// Says that an answer was refused. Whoever is not authenticated is not named.
    fn refused(&mut self, answer: &Answer, voter: &Voter, refusal: Refusal) {
        let mut event = Event::new("action.vote_refused")
            .with(Field::Answer, Datum::Word(answer.says.code()))
            .with(Field::Assurance, Datum::Word(voter.authenticated.code()))
            .with(Field::Code, Datum::Word(refusal.code()))
            .with(Field::Run, Datum::Id(self.ledger.run.clone()));
        match &answer.subject {
            Subject::Action(id) if self.ledger.actions.contains_key(id) => {
                event = event.with(Field::Action, Datum::Id(id.to_string()));
            }
            Subject::Batch(id) if self.ledger.batches.contains_key(id) => {
                event = event.with(Field::Batch, Datum::Id(id.to_string()));
            }
            // What the ledger does not know was not issued by the server, and is not repeated.
            Subject::Action(_) | Subject::Batch(_) => {}
        }
        if !matches!(refusal, Refusal::NotAuthenticated | Refusal::UnknownAction) {
            event = event.with(Field::DecidedBy, Datum::Id(voter.person.to_string()));
        }
        self.say(event);
    }
}

/// Whether this person may end an action that is not their own.
fn may_end(action: &super::Action, voter: &Voter) -> Result<(), Refusal> {
    if !voter.independent {
        return Err(Refusal::RightThroughRun);
    }
    if action.approvers.iter().flatten().any(|list| list.is_disjoint(&voter.personas)) {
        return Err(Refusal::ApproverNotEligible);
    }
    Ok(())
}
