//! Pending actions from the outside: a desk with a store, people and a lock, and what it takes to get a write through.

mod approvals;
mod approvals_more;
mod batches;
pub(crate) mod cells;

mod creates;
mod rows;
mod trail;

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::Bundle;
use harnessc_runtime::actions::{
    ActionId, Answer, Asked, Assurance, BatchId, CellRef, Decided, Deed, Draft, Ended, Execution, Facts,
    Ledger, Memory, Nonce, Origins, PersonId, PreImage, Proposal, Receipt, Refusal, Rules, Says, Standing,
    State, Step, Store, Subject, Switch, Voter, execute, keep, start,
};
use harnessc_runtime::lock::{Approval, Lock};

use crate::common::{bundle, small};

pub(super) const ORG: &str = "org-1";
pub(super) const RUN: &str = "run-1";

/// A server in small: everything that is looked up, as the test sets it.
pub(super) struct Desk {
    pub(super) bundle: Bundle,
    pub(super) kill_switch: Switch,
    pub(super) now_ms: u64,
    pub(super) origins: Origins,
    pub(super) people: BTreeMap<PersonId, Voter>,
    pub(super) standing: BTreeMap<ActionId, Standing>,
    pub(super) store: Memory,
}

pub(super) fn person(name: &str) -> PersonId {
    PersonId::new(name)
}

pub(super) fn id(name: &str) -> ActionId {
    ActionId::new(name)
}

pub(super) fn voter(name: &str, personas: &[&str]) -> Voter {
    Voter {
        authenticated: Assurance::Session,
        human: true,
        independent: true,
        organization: ORG.to_owned(),
        person: person(name),
        personas: personas.iter().map(|key| (*key).to_owned()).collect(),
    }
}

/// Ada asks; Lee and Kim lead, Sam is a scientist, Root is an administrator and holds no persona.
pub(super) fn desk() -> Desk {
    let people = [
        voter("ada", &["lead", "scientist"]),
        voter("kim", &["lead"]),
        voter("lee", &["lead"]),
        voter("root", &[]),
        voter("sam", &["scientist"]),
    ];
    Desk {
        bundle: bundle(&small()),
        kill_switch: Switch::Off,
        now_ms: 1_000,
        origins: Origins::person(person("ada")),
        people: people.into_iter().map(|voter| (voter.person.clone(), voter)).collect(),
        standing: BTreeMap::new(),
        store: Memory::default(),
    }
}

impl Desk {
    pub(super) fn cell(tool: &str, case: Option<&str>) -> CellRef {
        CellRef {
            case: case.map(str::to_owned),
            harness: Some(if tool == "records.erase" { "lead" } else { "chemist" }.to_owned()),
            role: "console".to_owned(),
            tool: tool.to_owned(),
        }
    }

    pub(super) fn proposal(&self, tool: &str, case: Option<&str>) -> Proposal {
        let cell = Self::cell(tool, case);
        let rules = Rules::of(&self.bundle, &cell).unwrap();
        let asked = Asked {
            approval: rules.approval,
            approvers: rules.approvers,
            cell,
            execution: Execution { address: None, server: None, upstream: tool.to_owned() },
            input: "{\"program_id\":\"P-1\"}".to_owned(),
            organization: ORG.to_owned(),
            origins: self.origins.clone(),
            run: RUN.to_owned(),
            target: "{\"program_id\":\"P-1\"}".to_owned(),
        };
        Proposal::of(&self.bundle, asked).unwrap()
    }

    pub(super) fn draft(&self, name: &str, tool: &str, case: Option<&str>) -> Draft {
        Draft {
            depends_on: BTreeSet::new(),
            id: id(name),
            nonce: Nonce([7; 16]),
            preview: "before: none".to_owned(),
            proposal: self.proposal(tool, case),
            supersedes: BTreeSet::new(),
        }
    }

    /// Takes a draft in; what is true of it now is what is true of it then, until a test says otherwise.
    pub(super) fn take(&mut self, draft: Draft) -> Result<ActionId, Refusal> {
        self.stands(&draft);
        let now = self.now_ms;
        keep(&mut self.store, ORG, RUN, |ledger| ledger.propose(draft, now))
    }

    pub(super) fn stands(&mut self, draft: &Draft) {
        let standing = Standing {
            execution: draft.proposal.execution.clone(),
            listed: None,
            preview: draft.preview.clone(),
            rules: Rules::of(&self.bundle, &draft.proposal.cell),
            target: draft.proposal.target.clone(),
            target_valid: true,
        };
        self.standing.insert(draft.id.clone(), standing);
    }

    /// A write that one lead or scientist confirms.
    pub(super) fn confirm(&mut self, name: &str) -> ActionId {
        self.take(self.draft(name, "records.propose", None)).unwrap()
    }

    /// A write that needs a second pair of eyes: a lead who did not ask.
    pub(super) fn four_eyes(&mut self, name: &str) -> ActionId {
        self.take(self.draft(name, "labels.edit", Some("update"))).unwrap()
    }

    pub(super) fn ledger(&self) -> Ledger {
        self.store.read(ORG, RUN).unwrap().unwrap_or_else(|| Ledger::new(ORG, RUN))
    }

    pub(super) fn state(&self, action: &ActionId) -> State {
        self.ledger().action(action).unwrap().state()
    }

    pub(super) fn answer(&self, action: &ActionId, says: Says) -> Answer {
        let ledger = self.ledger();
        let digest =
            ledger.action(action).map(|action| ledger.shown(action).unwrap().to_owned()).unwrap_or_default();
        Answer { digest, says, subject: Subject::Action(action.clone()) }
    }

    pub(super) fn answer_batch(&self, batch: &BatchId, says: Says) -> Answer {
        let digest = self.ledger().batch(batch).unwrap().digest().to_owned();
        Answer { digest, says, subject: Subject::Batch(batch.clone()) }
    }

    pub(super) fn decide(&mut self, answer: &Answer, voter: &Voter) -> Result<Decided, Refusal> {
        let Self { kill_switch, now_ms, people, standing, store, .. } = self;
        let facts = Facts { kill_switch: *kill_switch, now_ms: *now_ms, people, standing };
        keep(store, ORG, RUN, |ledger| ledger.decide(answer, voter, &facts))
    }

    pub(super) fn says(&mut self, who: &str, says: Says, action: &ActionId) -> Result<Decided, Refusal> {
        let (answer, voter) = (self.answer(action, says), self.people[&person(who)].clone());
        self.decide(&answer, &voter)
    }

    pub(super) fn yes(&mut self, who: &str, action: &ActionId) -> Result<Decided, Refusal> {
        self.says(who, Says::Yes, action)
    }

    pub(super) fn no(&mut self, who: &str, action: &ActionId) -> Result<Decided, Refusal> {
        self.says(who, Says::No, action)
    }

    /// Starts and performs; hands back what the write was given, and the receipt.
    pub(super) fn run(&mut self, action: &ActionId) -> Result<(String, Receipt), Refusal> {
        let image = PreImage::new(action.clone(), "{\"program_id\":\"P-1\"}", b"as it was".to_vec());
        self.run_with(action, Some(&image))
    }

    pub(super) fn run_with(
        &mut self,
        action: &ActionId,
        image: Option<&PreImage>,
    ) -> Result<(String, Receipt), Refusal> {
        let Self { kill_switch, now_ms, people, standing, store, .. } = self;
        let facts = Facts { kill_switch: *kill_switch, now_ms: *now_ms, people, standing };
        let token = start(store, ORG, RUN, action, &facts, image)?;
        let performed = execute(token, |deed: Deed| deed.input().to_owned());
        Ok((performed.result, performed.receipt))
    }

    pub(super) fn settle(&mut self, receipt: &Receipt, ended: Ended) -> Result<(), Refusal> {
        let now = self.now_ms;
        keep(&mut self.store, ORG, RUN, |ledger| ledger.settle(receipt, ended, now))
    }

    pub(super) fn done(&mut self, action: &ActionId) {
        let (_, receipt) = self.run(action).unwrap();
        self.settle(&receipt, Ended::Done { result: None }).unwrap();
    }

    pub(super) fn keep<T>(&mut self, step: impl FnOnce(&Ledger) -> Step<T>) -> Result<T, Refusal> {
        keep(&mut self.store, ORG, RUN, step)
    }

    /// Puts another lock in force: everything that stands is looked up anew.
    pub(super) fn relock(&mut self, change: impl Fn(&mut Lock)) {
        let mut lock = small();
        change(&mut lock);
        lock.effective = harnessc_runtime::prove::table::effective(&lock);
        self.bundle = bundle(&lock);
        let ledger = self.ledger();
        for action in ledger.actions() {
            if let Some(standing) = self.standing.get_mut(action.id()) {
                standing.rules = Rules::of(&self.bundle, &action.proposal().cell);
            }
        }
    }

    /// Raises an approval at run time, without a new lock.
    pub(super) fn raise(&mut self, action: &ActionId, cell: &CellRef) {
        let standing = self.standing.get_mut(action).unwrap();
        let rules = standing.rules.take();
        standing.rules = rules.map(|rules| rules.raised(&self.bundle, cell, Approval::FourEyes));
    }

    pub(super) fn events(&self, name: &str) -> usize {
        self.store.trail().iter().filter(|event| event.name == name).count()
    }
}
