//! Answers: what is shown to whoever answers, what is true at that moment, and the execution that a last yes starts.

use std::collections::BTreeMap;

use harnessc_runtime::actions::{
    Action, ActionId, Answer, Decided, Ended, Execution, Facts, PersonId, PreImage, Refusal, Rules, Standing,
    Store as _, Subject, Switch, Voter, execute, keep, start,
};
use harnessc_runtime::json::{Json, canonical};
use harnessc_runtime::lock::digest_of;
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
                "state": action.state().code(),
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
        let looked = self.look(&id, voter)?;
        let (organization, run) = self.place();
        let decided = keep(&mut self.office, &organization, &run, |ledger| {
            ledger.decide(&answer, voter, &looked.facts())
        })?;
        match decided {
            Decided::AlreadyCounted => Ok("already_counted"),
            Decided::Approved => self.carry_out(&id, voter),
            Decided::Counted(_) => Ok("counted"),
            Decided::Rejected => Ok("rejected"),
        }
    }

    fn carry_out(&mut self, id: &ActionId, voter: &Voter) -> Result<&'static str, Refusal> {
        let looked = self.look(id, voter)?;
        let (organization, run) = self.place();
        let pre_image = self.with(id, |action| {
            let proposal = action.proposal();
            proposal.snapshot.then(|| {
                let body = writes::standing(&self.office.state().records, &input(action));
                PreImage::new(id.clone(), proposal.target.clone(), body)
            })
        })?;
        let token = start(&mut self.office, &organization, &run, id, &looked.facts(), pre_image.as_ref())?;
        let mut records = self.office.state().records.clone();
        let performed = execute(token, |deed| writes::write(&mut records, &deed));
        // Done once it is on the disk. Where it cannot be written nobody knows, and the action stays as it was started.
        self.office.keep(|state| state.records = records).map_err(|_| Refusal::StoreFailed)?;
        let ended = match &performed.result {
            Some(result) => Ended::Done { result: Some(digest_of(result.as_bytes())) },
            None => Ended::Failed,
        };
        let now_ms = now_ms().unwrap_or(looked.now_ms);
        let receipt = &performed.receipt;
        keep(&mut self.office, &organization, &run, |ledger| ledger.settle(receipt, ended, now_ms))?;
        Ok(if performed.result.is_some() { "executed" } else { "failed" })
    }

    fn look(&self, id: &ActionId, voter: &Voter) -> Result<Looked, Refusal> {
        let now_ms = now_ms().ok_or(Refusal::ClockWentBack)?;
        let (organization, run) = self.place();
        let ledger = self.office.read(&organization, &run)?.ok_or(Refusal::UnknownAction)?;
        let said_yes = ledger.said_yes(id).into_iter().filter_map(|person| self.people.again(person));
        let people = said_yes.chain([voter.clone()]).map(|voter| (voter.person.clone(), voter)).collect();
        let standing = self.with(id, |action| self.standing(action))?;
        let kill_switch = self.kill_switch();
        Ok(Looked { kill_switch, now_ms, people, standing: BTreeMap::from([(id.clone(), standing)]) })
    }

    /// Everything that the digest covers and that could have moved, computed again.
    fn standing(&self, action: &Action) -> Standing {
        let (cell, input) = (&action.proposal().cell, input(action));
        let bound = self.locks.in_force().lock().tools.get(&cell.tool).map(|tool| &tool.bind);
        let target: Map<String, Value> = bound
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| Some((name.clone(), self.values.get(value)?.value().clone())))
            .collect();
        Standing {
            execution: Execution { address: None, server: None, upstream: cell.tool.clone() },
            listed: None,
            preview: writes::preview(&self.office.state().records, &cell.tool, &input),
            rules: Rules::of(self.locks.in_force(), cell),
            target: canonical(&Value::Object(target)).unwrap_or_default(),
            target_valid: writes::is_there(&self.office.state().records, &input),
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

fn input(action: &Action) -> Value {
    Json::parse(action.proposal().input.as_bytes()).map_or(Value::Null, |json| json.value().clone())
}
