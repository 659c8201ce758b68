//! A sequence: calls, answers of people and time, on the runtime's own ledger of pending actions.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::actions::{
    ActionId, Answer, Asked, Assurance, CellRef, Decided, Draft, Ended, Facts, Memory, Nonce, Origins,
    PersonId, PreImage, Proposal, Refusal, Rules, Says as RuntimeSays, Standing, Store, Subject, Switch,
    Voter, execute, keep, start,
};
use harnessc_runtime::decide::Bundle;
use harnessc_runtime::json::Json;
use harnessc_runtime::lock::{Approval, split_deed};
use serde_json::Value;

use super::decision::{Decision, Word};
use super::judge::Bench;
use super::outside;
use super::row::Row;
use crate::lower::json::plain;
use crate::model::tests::{Answered, Answerer, Says, TestCall, TestStep};
use crate::source::Spanned;

const ORGANIZATION: &str = "organization";
const RUN: &str = "run";
/// The person that the run acts for, as a test names them.
const REQUESTER: &str = "requester";

/// A run with its store, its clock and the people who answered.
#[derive(Default)]
struct Scene {
    now_ms: u64,
    store: Memory,
    people: BTreeMap<PersonId, Voter>,
    standing: BTreeMap<ActionId, Standing>,
    last: Option<ActionId>,
    /// The deed that was proposed last.
    deed: Option<String>,
}

/// Plays the steps for one run; the first that does not come out as expected ends it, since the others lean on it.
pub(super) fn judge(bench: &mut Bench<'_>, row: &Row<'_>, steps: &[Spanned<TestStep>]) {
    let mut scene = Scene { now_ms: 1_000, ..Scene::default() };
    for step in steps {
        if let Some(after) = &step.after {
            scene.now_ms = scene.now_ms.saturating_add(after.value.0);
            continue;
        }
        let Some(expect) = &step.expect else { continue };
        let (tool, got) = match (&step.call, &step.decide, &step.by) {
            (Some(call), ..) => scene.call(bench, row, call),
            (None, Some(says), Some(by)) => {
                let deed = scene.deed.clone().unwrap_or_default();
                (deed, scene.decide(bench.stand.bundle(), row, says.value, by))
            }
            _ => continue,
        };
        let word = match &got {
            Ok(decision) => decision.word.to_string(),
            Err(word) => (*word).to_owned(),
        };
        if word != expect.value {
            let decision = got.unwrap_or_else(|_| granted());
            bench.fail(expect.span, row, &tool, expect.value.clone(), &decision);
            bench.got(word);
            if step.call.is_none() {
                bench.of_answer();
            }
            return;
        }
    }
}

fn granted() -> Decision {
    Decision { word: Word::Granted(Approval::Auto), gate: None, detail: String::new(), approvers: None }
}

impl Scene {
    /// A call; where a person must say yes first, it is taken in as a proposal.
    fn call(
        &mut self,
        bench: &mut Bench<'_>,
        row: &Row<'_>,
        call: &TestCall,
    ) -> (String, Result<Decision, &'static str>) {
        let tool = call.tool.as_ref().map_or("", |tool| tool.value.as_str());
        let input =
            call.input.as_ref().map_or_else(|| Value::Object(serde_json::Map::new()), |raw| plain(&raw.0));
        let got = bench.ask(row, tool, Some(&input));
        let deed = bench.deed(tool, &input);
        bench.reach(row, &deed, &got, true);
        let Word::Granted(approval) = got.word else { return (deed, Ok(got)) };
        if approval != Approval::Auto
            && let Err(refusal) = self.propose(bench, row, &deed, &input, &got, approval)
        {
            return (deed, Err(refusal.code()));
        }
        (deed, Ok(got))
    }

    fn propose(
        &mut self,
        bench: &Bench<'_>,
        row: &Row<'_>,
        deed: &str,
        input: &Value,
        got: &Decision,
        approval: Approval,
    ) -> Result<(), Refusal> {
        let bundle = bench.stand.bundle();
        let (tool, case) = split_deed(deed);
        let cell = CellRef {
            case: case.map(str::to_owned),
            harness: row.harness.map(str::to_owned),
            role: row.role.to_owned(),
            tool: tool.to_owned(),
        };
        let execution = outside::execution(bundle, tool);
        let bind = bundle.lock().tools.get(tool).map(|own| own.bind.clone()).unwrap_or_default();
        let target: serde_json::Map<String, Value> =
            bind.keys().filter_map(|name| Some((name.clone(), input.get(name)?.clone()))).collect();
        let canonical =
            |value: &Value| Json::of(value).map(|json| json.canonical().to_owned()).unwrap_or_default();
        let rules = Rules::of(bundle, &cell);
        let asked = Asked {
            approval,
            approvers: got.approvers.as_ref().map(|names| names.iter().cloned().collect()),
            cell,
            execution: execution.clone(),
            input: canonical(input),
            organization: ORGANIZATION.to_owned(),
            origins: Origins::person(PersonId::new(REQUESTER)),
            run: RUN.to_owned(),
            target: canonical(&Value::Object(target)),
        };
        let Some(proposal) = Proposal::of(bundle, asked) else { return Err(Refusal::NotApproved) };
        let id = ActionId::new(format!("action-{}", self.standing.len() + 1));
        let preview = "as it was shown".to_owned();
        let standing = Standing {
            execution,
            listed: None,
            preview: preview.clone(),
            rules,
            target: proposal.target.clone(),
            target_valid: true,
        };
        let draft = Draft {
            depends_on: BTreeSet::new(),
            id: id.clone(),
            nonce: Nonce([0; 16]),
            preview,
            proposal,
            supersedes: BTreeSet::new(),
        };
        let now = self.now_ms;
        keep(&mut self.store, ORGANIZATION, RUN, |ledger| ledger.propose(draft, now))?;
        self.standing.insert(id.clone(), standing);
        self.last = Some(id);
        self.deed = Some(deed.to_owned());
        Ok(())
    }

    /// An answer to what was proposed last; the last yes that was required starts and ends the action.
    fn decide(
        &mut self,
        bundle: &Bundle,
        row: &Row<'_>,
        says: Says,
        by: &Answerer,
    ) -> Result<Decision, &'static str> {
        let Some(id) = self.last.clone() else { return Err(Answered::NothingProposed.word()) };
        let voter = voter(row, by);
        self.people.insert(voter.person.clone(), voter.clone());
        // Whoever starts something looks at the server again.
        let tool = self.store.read(ORGANIZATION, RUN).ok().flatten();
        let tool = tool.as_ref().and_then(|own| Some(own.action(&id)?.proposal().cell.tool.clone()));
        if let (Some(standing), Some(tool)) = (self.standing.get_mut(&id), tool) {
            standing.listed = outside::look(bundle, &tool, self.now_ms);
        }
        Err(self.answered(&id, says, &voter).unwrap_or_else(Refusal::code))
    }

    fn answered(&mut self, id: &ActionId, says: Says, voter: &Voter) -> Result<&'static str, Refusal> {
        let ledger = self.store.read(ORGANIZATION, RUN).ok().flatten();
        let digest =
            ledger.as_ref().and_then(|own| Some(own.shown(own.action(id)?)?.to_owned())).unwrap_or_default();
        let says = match says {
            Says::Yes => RuntimeSays::Yes,
            Says::No => RuntimeSays::No,
        };
        let answer = Answer { digest, says, subject: Subject::Action(id.clone()) };
        let Self { now_ms, people, standing, store, .. } = self;
        let facts = Facts { kill_switch: Switch::Off, now_ms: *now_ms, people, standing };
        match keep(store, ORGANIZATION, RUN, |ledger| ledger.decide(&answer, voter, &facts))? {
            Decided::Counted(_) | Decided::AlreadyCounted => return Ok(Answered::Waiting.word()),
            Decided::Rejected => return Ok(Answered::Rejected.word()),
            Decided::Approved => {}
        }
        let target = facts.standing.get(id).map_or("", |standing| standing.target.as_str());
        let image = PreImage::new(id.clone(), target, Vec::new());
        let token = start(store, ORGANIZATION, RUN, id, &facts, Some(&image))?;
        let performed = execute(token, |_| ());
        let ended = Ended::Done { result: None };
        keep(store, ORGANIZATION, RUN, |ledger| ledger.settle(&performed.receipt, ended, *now_ms))?;
        Ok(Answered::Executed.word())
    }
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
