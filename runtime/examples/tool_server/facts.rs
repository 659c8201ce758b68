//! Answers: what is shown to whoever answers, what is true at that moment, and the execution that a last yes starts.

use std::collections::BTreeMap;

use harnessc_runtime::actions::{
    Action, ActionId, Answer, Decided, Deed, Ended, Execution, Facts, Ledger, PersonId, PreImage, Refusal,
    Rules, Standing, State, Store as _, Subject, Switch, Voter, execute, keep, start,
};
use harnessc_runtime::audit::{Datum, Event, Field};
use harnessc_runtime::json::{Json, canonical};
use harnessc_runtime::lock::{Pinned, Server, digest_of};
use harnessc_runtime::upstream::Unfit;
use serde_json::{Map, Value, json};

use crate::desk::Desk;
use crate::system::now_ms;
use crate::writes;

/// What is true now, looked up for one answer or one start.
struct Looked {
    kill_switch: Switch,
    now_ms: u64,
    people: BTreeMap<PersonId, Voter>,
    standing: BTreeMap<ActionId, Standing>,
}

impl Looked {
    fn facts(&self) -> Facts<'_> {
        Facts {
            kill_switch: self.kill_switch,
            now_ms: self.now_ms,
            people: &self.people,
            standing: &self.standing,
        }
    }
}

impl Desk {
    /// What an approver is shown. The model's own words about it come last, and are called that.
    pub(crate) fn view(&self, id: &ActionId) -> Result<Value, Refusal> {
        self.with(id, |action| {
            let proposal = action.proposal();
            let input: Value = serde_json::from_str(&proposal.input).unwrap_or_default();
            json!({
                "action": id.as_str(),
                "approval": action.approval().word(),
                "digest": action.digest(),
                "input": proposal.input,
                "person": self.row.person(),
                "preview": action.preview(),
                "state": if self.office.trail().is_over(action) { "over" } else { action.state().code() },
                "target": proposal.target,
                "tool": proposal.cell.tool,
                "working_as": proposal.cell.harness,
                "words_of_the_model": input.get("rationale"),
            })
        })
    }

    /// Takes one answer. After the last yes that was needed, what was approved is carried out.
    pub(crate) fn answer(&mut self, voter: &Voter, bytes: &[u8]) -> Result<&'static str, Refusal> {
        let answer = Answer::parse(bytes)?;
        let Subject::Action(id) = answer.subject.clone() else { return Err(Refusal::UnknownAction) };
        self.is_open_to_answers(&id)?;
        let looked = self.look(&id, Some(voter))?;
        let (organization, run) = self.place();
        let decided = keep(&mut self.office, &organization, &run, |ledger| {
            ledger.decide(&answer, voter, &looked.facts())
        })?;
        match decided {
            // What was approved and could not be started waits for the next answer, and is asked for everything again.
            Decided::AlreadyCounted if self.with(&id, Action::state)? == State::Approved => {
                self.carry_out(&id, Some(voter))
            }
            Decided::AlreadyCounted => Ok("already_counted"),
            Decided::Approved => self.carry_out(&id, Some(voter)),
            Decided::Counted(_) => Ok("counted"),
            Decided::Rejected => Ok("rejected"),
        }
    }

    /// Carries out what was approved and not started when the server went. What is refused is recorded and waits for whoever
    /// said yes to say it again.
    pub(crate) fn take_up(&mut self) {
        let actions = self.office.state().actions.iter().flat_map(Ledger::actions);
        let approved = actions.filter(|action| action.state() == State::Approved);
        for id in approved.map(|action| action.id().clone()).collect::<Vec<_>>() {
            let _ = self.carry_out(&id, None);
        }
    }

    /// Refuses answers to a run that has ended, and to what is over although the state holds it open.
    fn is_open_to_answers(&mut self, id: &ActionId) -> Result<(), Refusal> {
        let over = self.with(id, |action| self.office.trail().is_over(action))?;
        if !over && !self.office.state().ended {
            return Ok(());
        }
        let refused = Event::new("action.vote_refused")
            .with(Field::Action, Datum::Id(id.to_string()))
            .with(Field::Code, Datum::Word(Refusal::ActionClosed.code()))
            .with(Field::Run, Datum::Id(self.row.run().to_owned()));
        self.office.tell(&[refused]).map_err(|_| Refusal::StoreFailed)?;
        Err(Refusal::ActionClosed)
    }

    fn carry_out(&mut self, id: &ActionId, voter: Option<&Voter>) -> Result<&'static str, Refusal> {
        // The store would refuse it too, with less of a reason.
        if self.with(id, |action| self.office.trail().is_over(action))? {
            return Err(Refusal::ActionClosed);
        }
        if let Some(server) = self.with(id, |action| action.proposal().execution.server.clone())? {
            self.see(&server).map_err(|_| Refusal::StoreFailed)?;
        }
        let looked = self.look(id, voter)?;
        let (organization, run) = self.place();
        let pre_image = self.with(id, |action| {
            let proposal = action.proposal();
            proposal.snapshot.then(|| {
                let stands = |input: Json| writes::standing(&self.office.state().records, input.value());
                let body = input(action).map(stands).unwrap_or_default();
                PreImage::new(id.clone(), proposal.target.clone(), body)
            })
        })?;
        let token = start(&mut self.office, &organization, &run, id, &looked.facts(), pre_image.as_ref())?;
        let mut records = self.office.state().records.clone();
        let performed = execute(token, |deed| match &deed.execution().server {
            Some(_) => self.there(&deed, looked.now_ms),
            None => match writes::write(&mut records, &deed) {
                Some(result) => Ended::Done { result: Some(digest_of(result.as_bytes())) },
                None => Ended::Failed,
            },
        });
        // Done once it is on the disk. Where it cannot be written nobody knows, and the action stays as it was started.
        self.office.keep(|state| state.records = records).map_err(|_| Refusal::StoreFailed)?;
        let now_ms = now_ms().unwrap_or(looked.now_ms);
        let (receipt, ended) = (&performed.receipt, performed.result);
        let word = match &ended {
            Ended::Done { .. } => "executed",
            Ended::Failed => "failed",
            Ended::Lost => "unknown",
        };
        keep(&mut self.office, &organization, &run, |ledger| ledger.settle(receipt, ended, now_ms))?;
        Ok(word)
    }

    /// Has an outside server do what was approved. Where it does not say that it did, nobody knows what it did.
    fn there(&mut self, deed: &Deed, now_ms: u64) -> Ended {
        let execution = deed.execution();
        let there = (
            execution.server.as_deref().unwrap_or_default(),
            deed.cell().tool.as_str(),
            execution.upstream.as_str(),
        );
        match self.outside.call(self.locks.in_force(), there, deed.input(), now_ms) {
            Ok(raw) if !says_error(&raw) => Ended::Done { result: Some(digest_of(&raw)) },
            // Nothing was sent.
            Err(Unfit::Rate) => Ended::Failed,
            _ => Ended::Lost,
        }
    }

    fn look(&self, id: &ActionId, voter: Option<&Voter>) -> Result<Looked, Refusal> {
        let now_ms = now_ms().ok_or(Refusal::ClockWentBack)?;
        let (organization, run) = self.place();
        let ledger = self.office.read(&organization, &run)?.ok_or(Refusal::UnknownAction)?;
        let said_yes = ledger.said_yes(id).into_iter().filter_map(|person| self.people.again(person));
        let people = said_yes.chain(voter.cloned()).map(|voter| (voter.person.clone(), voter)).collect();
        let standing = self.with(id, |action| self.standing(action))?;
        let kill_switch = self.kill_switch();
        Ok(Looked { kill_switch, now_ms, people, standing: BTreeMap::from([(id.clone(), standing)]) })
    }

    /// Everything that the digest covers and that could have moved, computed again.
    fn standing(&self, action: &Action) -> Standing {
        let (cell, input) = (&action.proposal().cell, input(action));
        let records = &self.office.state().records;
        let bound = self.locks.in_force().lock().tools.get(&cell.tool).map(|tool| &tool.bind);
        let target: Map<String, Value> = bound
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| Some((name.clone(), self.values.get(value)?.value().clone())))
            .collect();
        let lock = self.locks.in_force().lock();
        let pinned = lock.tools.get(&cell.tool).and_then(|tool| tool.server.as_ref());
        let place = |pinned: &Pinned| Execution {
            address: lock.servers.get(&pinned.name).and_then(Server::address),
            server: Some(pinned.name.clone()),
            upstream: pinned.upstream.clone(),
        };
        let own = || Execution { address: None, server: None, upstream: cell.tool.clone() };
        let look = pinned.and_then(|pinned| self.outside.upstreams.of(&pinned.name));
        Standing {
            execution: pinned.map_or_else(own, place),
            listed: look.map(|look| look.matched(&cell.tool)),
            preview: input
                .as_ref()
                .map(|input| writes::preview(records, &cell.tool, input))
                .unwrap_or_default(),
            rules: Rules::of(self.locks.in_force(), cell),
            target: canonical(&Value::Object(target)).unwrap_or_default(),
            target_valid: input.as_ref().is_some_and(|input| writes::is_there(records, input.value())),
        }
    }

    /// Asks one action of the run.
    pub(crate) fn with<T>(&self, id: &ActionId, ask: impl FnOnce(&Action) -> T) -> Result<T, Refusal> {
        let (organization, run) = self.place();
        let ledger = self.office.read(&organization, &run)?.ok_or(Refusal::UnknownAction)?;
        ledger.action(id).map(ask).ok_or(Refusal::UnknownAction)
    }

    fn place(&self) -> (String, String) {
        (self.row.organization().to_owned(), self.row.run().to_owned())
    }
}

/// Whether a raw result says that it is an error, or cannot be read.
fn says_error(raw: &[u8]) -> bool {
    let read = Json::parse(raw).ok();
    read.is_none_or(|read| read.value().get("isError").is_some_and(|word| *word != Value::Bool(false)))
}

fn input(action: &Action) -> Option<Json> {
    Json::parse(action.proposal().input.as_bytes()).ok()
}
