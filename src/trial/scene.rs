//! A run with its store, its clock and the people who answer: the runtime's own ledger of pending actions.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::actions::{
    ActionId, Answer, Asked, Assurance, BatchDraft, BatchId, CellRef, Decided, Draft, Ended, Facts, Ledger,
    Memory, Nonce, Origins, PersonId, PreImage, Proposal, Refusal, Rules, Says as RuntimeSays, Standing,
    Store, Subject, Switch, Voter, execute, keep, start,
};
use harnessc_runtime::decide::Bundle;
use harnessc_runtime::json::Json;
use harnessc_runtime::lock::{Approval, split_deed};
use serde_json::Value;

use super::decision::{Decision, Word};
use super::outside;
use super::row::Row;
use crate::model::tests::{Answered, Answerer, Says};

const ORGANIZATION: &str = "organization";
const RUN: &str = "run";
/// The person that the run acts for, as a test names them.
const REQUESTER: &str = "requester";
const NONCE: Nonce = Nonce([0; 16]);

/// A call with what the boundary said to it.
pub(super) struct Asking {
    pub(super) deed: String,
    pub(super) got: Decision,
    pub(super) input: Value,
}

impl Asking {
    /// Whether it waits for a person.
    pub(super) fn waits(&self) -> bool {
        matches!(self.got.word, Word::Granted(approval) if approval != Approval::Auto)
    }
}

/// What was put before people: an action or a batch of them.
#[derive(Clone)]
struct Proposed {
    subject: Subject,
    /// The deed, of a batch that of its first step.
    deed: String,
}

/// A run under way.
pub(super) struct Scene {
    now_ms: u64,
    store: Memory,
    switch: Switch,
    people: BTreeMap<PersonId, Voter>,
    standing: BTreeMap<ActionId, Standing>,
    /// By the name that the test gives it.
    named: BTreeMap<String, Proposed>,
    last: Option<Proposed>,
    /// The deed that was called last.
    called: String,
    /// How many proposals were made, refused ones among them.
    made: usize,
}

impl Scene {
    /// A run that has done nothing yet.
    pub(super) fn new(row: &Row<'_>) -> Self {
        Self {
            now_ms: 1_000,
            store: Memory::default(),
            switch: if row.kill_switch { Switch::On } else { Switch::Off },
            people: BTreeMap::new(),
            standing: BTreeMap::new(),
            named: BTreeMap::new(),
            last: None,
            called: String::new(),
            made: 0,
        }
    }

    /// Time passes.
    pub(super) fn pass(&mut self, ms: u64) {
        self.now_ms = self.now_ms.saturating_add(ms);
    }

    /// A deed was called, whatever came of it.
    pub(super) fn called(&mut self, deed: &str) {
        deed.clone_into(&mut self.called);
    }

    /// The run comes under the suspicion of an injection.
    pub(super) fn suspect(&mut self, escalation: &str) -> Result<(), Refusal> {
        keep(&mut self.store, ORGANIZATION, RUN, |ledger| ledger.suspect(escalation))
    }

    /// Takes a call in as a proposal; a replay's is there to be read.
    pub(super) fn propose(
        &mut self,
        bundle: &Bundle,
        row: &Row<'_>,
        asking: &Asking,
        name: Option<&str>,
        leans: &[&str],
        replay: bool,
    ) -> Result<(), Refusal> {
        let id = ActionId::new(self.id(name));
        let (mut draft, standing) = draft(bundle, row, asking, id.clone())?;
        draft.depends_on = leans.iter().flat_map(|name| self.actions(name)).collect();
        let now = self.now_ms;
        keep(&mut self.store, ORGANIZATION, RUN, |ledger| {
            if replay { ledger.replay(draft, now) } else { ledger.propose(draft, now) }
        })?;
        self.standing.insert(id.clone(), standing);
        self.keep(name, Proposed { subject: Subject::Action(id), deed: asking.deed.clone() });
        Ok(())
    }

    /// Takes calls in together.
    pub(super) fn propose_batch(
        &mut self,
        bundle: &Bundle,
        row: &Row<'_>,
        calls: &[(Asking, Option<&str>)],
        name: Option<&str>,
    ) -> Result<(), Refusal> {
        let batch = BatchId::new(self.id(name));
        let (mut steps, mut standings, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for (asking, name) in calls {
            let id = ActionId::new(self.id(*name));
            let (draft, standing) = draft(bundle, row, asking, id.clone())?;
            steps.push(draft);
            standings.push((id.clone(), standing));
            let own = Proposed { subject: Subject::Action(id), deed: asking.deed.clone() };
            parts.extend(name.map(|name| (name.to_owned(), own)));
        }
        let now = self.now_ms;
        let draft = BatchDraft { id: batch.clone(), nonce: NONCE, steps };
        keep(&mut self.store, ORGANIZATION, RUN, |ledger| ledger.propose_batch(draft, now))?;
        self.standing.extend(standings);
        self.named.extend(parts);
        let deed = calls.first().map(|(asking, _)| asking.deed.clone()).unwrap_or_default();
        self.keep(name, Proposed { subject: Subject::Batch(batch), deed });
        Ok(())
    }

    /// An answer, to what is named or else was proposed last: the deed that it is about, and what came of it. The last yes
    /// that was required starts and ends what it was said to.
    pub(super) fn decide(
        &mut self,
        bundle: &Bundle,
        row: &Row<'_>,
        says: Says,
        by: &Answerer,
        about: Option<&str>,
    ) -> (String, &'static str) {
        let proposed = about.map_or_else(|| self.last.clone(), |name| self.named.get(name).cloned());
        let Some(Proposed { subject, deed }) = proposed else {
            return (self.called.clone(), Answered::NothingProposed.word());
        };
        let voter = voter(row, by);
        self.people.insert(voter.person.clone(), voter.clone());
        let ids = self.ids(&subject);
        // Whoever starts something looks at the server again.
        for id in &ids {
            let tool = self.ledger().and_then(|own| Some(own.action(id)?.proposal().cell.tool.clone()));
            if let (Some(standing), Some(tool)) = (self.standing.get_mut(id), tool) {
                standing.listed = outside::look(bundle, &tool, self.now_ms);
            }
        }
        (deed, self.answered(subject, &ids, says, &voter).unwrap_or_else(Refusal::code))
    }

    fn answered(
        &mut self,
        subject: Subject,
        ids: &[ActionId],
        says: Says,
        voter: &Voter,
    ) -> Result<&'static str, Refusal> {
        let ledger = self.ledger();
        let shown = ledger.as_ref().and_then(|own| own.shown(own.action(ids.first()?)?));
        let digest = shown.unwrap_or_default().to_owned();
        let says = match says {
            Says::Yes => RuntimeSays::Yes,
            Says::No => RuntimeSays::No,
        };
        let answer = Answer { digest, says, subject };
        let Self { now_ms, people, standing, store, switch, .. } = self;
        let facts = Facts { kill_switch: *switch, now_ms: *now_ms, people, standing };
        match keep(store, ORGANIZATION, RUN, |ledger| ledger.decide(&answer, voter, &facts))? {
            Decided::Counted(_) => return Ok(Answered::Waiting.word()),
            Decided::AlreadyCounted => return Ok(Answered::AlreadyCounted.word()),
            Decided::Rejected => return Ok(Answered::Rejected.word()),
            Decided::Approved => {}
        }
        for id in ids {
            let target = facts.standing.get(id).map_or("", |standing| standing.target.as_str());
            let image = PreImage::new(id.clone(), target, Vec::new());
            let token = start(store, ORGANIZATION, RUN, id, &facts, Some(&image))?;
            let performed = execute(token, |_| ());
            let ended = Ended::Done { result: None };
            keep(store, ORGANIZATION, RUN, |ledger| ledger.settle(&performed.receipt, ended, *now_ms))?;
        }
        Ok(Answered::Executed.word())
    }

    fn ledger(&self) -> Option<Ledger> {
        self.store.read(ORGANIZATION, RUN).ok().flatten()
    }

    /// The id of the next proposal. One name is one id, so that what is delivered twice is seen to be.
    fn id(&mut self, name: Option<&str>) -> String {
        self.made += 1;
        name.map_or_else(|| format!("action-{}", self.made), |name| format!("as-{name}"))
    }

    fn keep(&mut self, name: Option<&str>, proposed: Proposed) {
        self.named.extend(name.map(|name| (name.to_owned(), proposed.clone())));
        self.last = Some(proposed);
    }

    /// The actions of a name; of one that nothing was proposed under, an id that the ledger does not know.
    fn actions(&self, name: &str) -> Vec<ActionId> {
        match self.named.get(name) {
            Some(proposed) => self.ids(&proposed.subject),
            None => vec![ActionId::new(format!("as-{name}"))],
        }
    }

    fn ids(&self, subject: &Subject) -> Vec<ActionId> {
        match subject {
            Subject::Action(id) => vec![id.clone()],
            Subject::Batch(id) => {
                let steps = self.ledger().and_then(|own| Some(own.batch(id)?.steps().to_vec()));
                steps.unwrap_or_default()
            }
        }
    }
}

/// A call as it is put before people, and what is true of it as long as nothing moves.
fn draft(
    bundle: &Bundle,
    row: &Row<'_>,
    asking: &Asking,
    id: ActionId,
) -> Result<(Draft, Standing), Refusal> {
    let Word::Granted(approval) = asking.got.word else { return Err(Refusal::NotApproved) };
    let (tool, case) = split_deed(&asking.deed);
    let cell = CellRef {
        case: case.map(str::to_owned),
        harness: row.harness.map(str::to_owned),
        role: row.role.to_owned(),
        tool: tool.to_owned(),
    };
    let execution = outside::execution(bundle, tool);
    let bind = bundle.lock().tools.get(tool).map(|own| own.bind.clone()).unwrap_or_default();
    let target: serde_json::Map<String, Value> =
        bind.keys().filter_map(|name| Some((name.clone(), asking.input.get(name)?.clone()))).collect();
    let canonical =
        |value: &Value| Json::of(value).map(|json| json.canonical().to_owned()).unwrap_or_default();
    let rules = Rules::of(bundle, &cell);
    let asked = Asked {
        approval,
        approvers: asking.got.approvers.as_ref().map(|names| names.iter().cloned().collect()),
        cell,
        execution: execution.clone(),
        input: canonical(&asking.input),
        organization: ORGANIZATION.to_owned(),
        origins: Origins::person(PersonId::new(REQUESTER)),
        run: RUN.to_owned(),
        target: canonical(&Value::Object(target)),
    };
    let proposal = Proposal::of(bundle, asked).ok_or(Refusal::NotApproved)?;
    let preview = "as it was shown".to_owned();
    let standing = Standing {
        execution,
        listed: None,
        preview: preview.clone(),
        rules,
        target: proposal.target.clone(),
        target_valid: true,
    };
    let (depends_on, supersedes) = (BTreeSet::new(), BTreeSet::new());
    Ok((Draft { depends_on, id, nonce: NONCE, preview, proposal, supersedes }, standing))
}

/// Who answers: a signed-in person with the persona that is stated; the requester has the run's.
fn voter(row: &Row<'_>, by: &Answerer) -> Voter {
    let person = by.person.as_ref().map_or("", |name| name.value.as_str());
    let own = row.persona.filter(|_| person == REQUESTER);
    let persona = by.persona.as_ref().map(|name| name.value.as_str()).or(own);
    Voter {
        authenticated: Assurance::Session,
        human: true,
        independent: true,
        organization: ORGANIZATION.to_owned(),
        person: PersonId::new(person),
        personas: persona.into_iter().map(str::to_owned).collect(),
    }
}
