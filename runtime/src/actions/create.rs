//! The create that nobody needs to say yes to, because it can be taken back (seed 000; THREATS "a create that is more
//! than a create").

use std::collections::BTreeSet;

use super::door::Deed;
use super::work::Work;
use super::{ActionId, Draft, Facts, Ledger, Nonce, Proposal, Refusal, Rules, State, Step};
use crate::Bundle;
use crate::audit::{Datum, Event, Field};
use crate::deeds::Deeds;
use crate::lock::{Approval, Effect, Undo, split_deed};

/// Leave for one create. Issued by the boundary, from the lock, and used once. Nobody else can ask for one:
/// ```compile_fail,E0624
/// use harnessc_runtime::Bundle;
/// use harnessc_runtime::actions::{CreatePermit, Proposal};
/// fn forge(bundle: &Bundle, proposal: Proposal) { let _ = CreatePermit::issue(bundle, proposal); }
/// ```
#[derive(Debug)]
#[must_use]
pub struct CreatePermit {
    proposal: Proposal,
}

impl CreatePermit {
    /// Leave for this create, where the lock's own cell is auto, a named and enabled tool takes it back and it is a tool
    /// of our own. Only the boundary asks, for a call that it let through from inside; what a proposal says of itself can
    /// refuse it and never allows it.
    pub(crate) fn issue(bundle: &Bundle, proposal: Proposal) -> Result<Self, Refusal> {
        let lock = bundle.lock();
        let cell = &proposal.cell;
        let rules = Rules::of(bundle, cell).ok_or(Refusal::CreateNotAuto)?;
        let deeds = Deeds::of(lock);
        let deed = deeds.get(&cell.tool, cell.case.as_deref()).ok_or(Refusal::ToolDisabled)?;
        let undone = deed.undo().iter().any(|undo| match undo {
            Undo::By(by) => lock.tools.get(split_deed(by).0).is_some_and(|tool| tool.enabled),
            Undo::None | Undo::Snapshot => false,
        });
        let auto = rules.approval == Approval::Auto && deed.effect() == Effect::Create && rules.enabled;
        let same = proposal.approval == Approval::Auto
            && proposal.effect == Effect::Create
            && proposal.cell_digest == rules.cell_digest;
        let own = deed.tool.server.is_none() && proposal.execution.server.is_none();
        if auto && same && own && undone { Ok(Self { proposal }) } else { Err(Refusal::CreateNotAuto) }
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

#[cfg(test)]
mod tests {
    use super::{Bundle, CreatePermit, Proposal, Refusal, Rules};
    use crate::actions::{Asked, CellRef, Execution, Origins, PersonId};
    use crate::load::{Signers, Trust};
    use crate::lock::{Approval, Effect, Lock, digest, digest_of};
    use crate::prove;

    fn bundle() -> Bundle {
        let mut lock: Lock =
            serde_json::from_str(include_str!("../../tests/suite/common/small.json")).unwrap();
        for part in lock.prompt.as_mut().unwrap().parts.values_mut() {
            part.digest = digest_of(part.text.as_bytes());
        }
        let server = lock.tools.get_mut("tickets.list").unwrap().server.as_mut().unwrap();
        server.pinned_digest = server.pinned.digest();
        lock.effective = prove::table::effective(&lock);
        let trust = Trust {
            allow_gap: false,
            environment: Some("test".to_owned()),
            policy: "small".to_owned(),
            signers: Signers::Unsigned,
        };
        Bundle::load(&digest::write(&lock).unwrap(), &trust, None).unwrap()
    }

    fn proposal(bundle: &Bundle, tool: &str, case: Option<&str>) -> Proposal {
        let cell = CellRef {
            case: case.map(str::to_owned),
            harness: Some("chemist".to_owned()),
            role: "console".to_owned(),
            tool: tool.to_owned(),
        };
        let rules = Rules::of(bundle, &cell).unwrap();
        let asked = Asked {
            approval: rules.approval,
            approvers: rules.approvers,
            cell,
            execution: Execution { address: None, server: None, upstream: tool.to_owned() },
            input: "{}".to_owned(),
            organization: "org-1".to_owned(),
            origins: Origins::person(PersonId::new("ada")),
            run: "run-1".to_owned(),
            target: "{}".to_owned(),
        };
        Proposal::of(bundle, asked).unwrap()
    }

    #[test]
    fn d2_what_is_more_than_a_create_gets_no_permit() {
        let bundle = bundle();
        let permit = |change: fn(&mut Proposal)| {
            let mut proposal = proposal(&bundle, "records.draft", None);
            change(&mut proposal);
            CreatePermit::issue(&bundle, proposal).map(drop)
        };
        assert_eq!(permit(|_| ()), Ok(()));
        for change in [
            (|proposal| proposal.approval = Approval::Confirm) as fn(&mut Proposal),
            |proposal| proposal.effect = Effect::Write,
            |proposal| proposal.execution.server = Some("desk".to_owned()),
            |proposal| proposal.cell_digest.push('0'),
            |proposal| proposal.cell.role = "ghost".to_owned(),
        ] {
            assert_eq!(permit(change), Err(Refusal::CreateNotAuto));
        }
        // Whatever a proposal says of itself, the lock is asked.
        for (tool, case) in [("records.propose", None), ("labels.edit", Some("update"))] {
            let mut forged = proposal(&bundle, tool, case);
            (forged.approval, forged.effect) = (Approval::Auto, Effect::Create);
            assert_eq!(CreatePermit::issue(&bundle, forged).map(drop), Err(Refusal::CreateNotAuto));
        }
    }
}
