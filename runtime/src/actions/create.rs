//! The create that nobody needs to say yes to, because it can be taken back (seed 000; THREATS "a create that is more
//! than a create").

use std::collections::BTreeSet;

use super::door::Deed;
use super::work::Work;
use super::{ActionId, Draft, Facts, Ledger, Nonce, Proposal, Refusal, State, Step};
use crate::Bundle;
use crate::audit::{Datum, Event, Field};
use crate::deeds::Deeds;
use crate::lock::{Approval, Effect, Undo, split_deed};

/// Leave for one create. Issued from the lock alone, used once.
#[derive(Debug)]
#[must_use]
pub struct CreatePermit {
    proposal: Proposal,
}

impl CreatePermit {
    /// Leave for this create, where its cell is auto, a named and enabled tool takes it back, it is a tool of our own
    /// and the call came from inside.
    pub fn issue(bundle: &Bundle, proposal: Proposal, outside: bool) -> Result<Self, Refusal> {
        let lock = bundle.lock();
        let cell = &proposal.cell;
        let deeds = Deeds::of(lock);
        let deed = deeds.get(&cell.tool, cell.case.as_deref()).ok_or(Refusal::ToolDisabled)?;
        let undone = deed.undo().iter().any(|undo| match undo {
            Undo::By(by) => lock.tools.get(split_deed(by).0).is_some_and(|tool| tool.enabled),
            Undo::None | Undo::Snapshot => false,
        });
        let auto = proposal.approval == Approval::Auto && proposal.effect == Effect::Create;
        let own = deed.tool.server.is_none() && proposal.execution.server.is_none() && !outside;
        if auto && own && undone && deed.effect() == Effect::Create && deed.tool.enabled {
            Ok(Self { proposal })
        } else {
            Err(Refusal::CreateNotAuto)
        }
    }

    pub(super) fn organization(&self) -> &str {
        &self.proposal.organization
    }

    pub(super) fn run(&self) -> &str {
        &self.proposal.run
    }
}

impl Ledger {
    /// Takes a create in and starts it, as one change.
    pub(super) fn begin_create(
        &self,
        permit: CreatePermit,
        id: ActionId,
        nonce: Nonce,
        facts: &Facts<'_>,
    ) -> Step<Deed> {
        let mut work = Work::on(self);
        let tool = permit.proposal.cell.tool.clone();
        let outcome = work.begin_create(permit, id, nonce, facts);
        if let Err(refusal) = outcome {
            work = Work::on(self);
            work.say(
                Event::new("action.start_refused")
                    .with(Field::Code, Datum::Word(refusal.code()))
                    .with(Field::Run, Datum::Id(self.run.clone()))
                    .with(Field::Tool, Datum::Key(tool)),
            );
        }
        work.finish(outcome)
    }
}

impl Work {
    fn begin_create(
        &mut self,
        permit: CreatePermit,
        id: ActionId,
        nonce: Nonce,
        facts: &Facts<'_>,
    ) -> Result<Deed, Refusal> {
        self.tick(facts.now_ms)?;
        if facts.kill_switch.freezes() {
            return Err(Refusal::AiDisabled);
        }
        let standing = facts.standing.get(&id).ok_or(Refusal::FactsMissing)?;
        let draft = Draft {
            depends_on: BTreeSet::new(),
            id,
            nonce,
            preview: standing.preview.clone(),
            proposal: permit.proposal,
            supersedes: BTreeSet::new(),
        };
        let id = self.admit(draft, State::Approved, None, facts.now_ms)?;
        let rules = self.sound(&id, facts)?;
        if rules.approval != Approval::Auto {
            return Err(Refusal::CreateNotAuto);
        }
        self.run(&id, rules, None)
    }
}
