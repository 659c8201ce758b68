//! What comes in: owned facts of a call that the gates let through and that a person must say yes to.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{ActionId, Nonce, PersonId, Rules};
use crate::Bundle;
use crate::deeds::Deeds;
use crate::lock::{Approval, Effect, Undo, deed_name};

/// The cell an action came from: where its rules are looked up again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CellRef {
    /// The tool's case.
    pub case: Option<String>,
    /// The harness on the run row; `None`: none.
    pub harness: Option<String>,
    /// The run role.
    pub role: String,
    /// The tool.
    pub tool: String,
}

impl CellRef {
    /// The deed's name.
    #[must_use]
    pub fn deed(&self) -> String {
        deed_name(&self.tool, self.case.as_deref())
    }
}

/// What is executed, and where: from the server's own configuration, never from a caller.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Execution {
    /// How the server behind it is launched, or its address; `None`: this process.
    pub address: Option<String>,
    /// The outside server's key; `None`: a tool of our own.
    pub server: Option<String>,
    /// The tool's name there.
    pub upstream: String,
}

/// Who asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Requester {
    /// A service, a schedule, a run: no human, so two different people answer.
    Machine(String),
    /// A person.
    Person(PersonId),
}

/// Everybody whose wish this is. None of them can be the second pair of eyes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Origins {
    /// The person the run acts for.
    pub acting_for: Option<PersonId>,
    /// Who created the run.
    pub created_by: Option<PersonId>,
    /// Who asked.
    pub requester: Requester,
    /// Who wrote the schedule that created it.
    pub scheduled_by: Option<PersonId>,
    /// Who set it off.
    pub triggered_by: Option<PersonId>,
}

impl Origins {
    /// A person asked for themselves.
    #[must_use]
    pub fn person(person: PersonId) -> Self {
        Self {
            acting_for: Some(person.clone()),
            created_by: Some(person.clone()),
            requester: Requester::Person(person),
            scheduled_by: None,
            triggered_by: None,
        }
    }

    /// Whether it is this person's own wish in any way.
    #[must_use]
    pub fn include(&self, person: &PersonId) -> bool {
        let asked = matches!(&self.requester, Requester::Person(requester) if requester == person);
        asked
            || [&self.acting_for, &self.created_by, &self.scheduled_by, &self.triggered_by]
                .into_iter()
                .any(|origin| origin.as_ref() == Some(person))
    }
}

/// What the boundary knows of a call that becomes a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The approval that the verdict asks for; from outside never less than a confirmation.
    pub approval: Approval,
    /// The personas that the verdict names; `None`: any authenticated person.
    pub approvers: Option<BTreeSet<String>>,
    /// The cell.
    pub cell: CellRef,
    /// What would be executed.
    pub execution: Execution,
    /// The canonical input bytes that were validated.
    pub input: String,
    /// The tenant.
    pub organization: String,
    /// Whose wish it is.
    pub origins: Origins,
    /// The run.
    pub run: String,
    /// The bound target, canonical JSON.
    pub target: String,
}

/// A proposal: plain data, complete.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Proposal {
    /// The approval asked for.
    pub approval: Approval,
    /// The personas that may say yes; `None`: any authenticated person.
    pub approvers: Option<BTreeSet<String>>,
    /// The cell.
    pub cell: CellRef,
    /// [`Bundle::cell_digest`] of the cell.
    pub cell_digest: String,
    /// [`Bundle::deed_digest`]: the cell without who says yes, and how strictly.
    pub deed_digest: String,
    /// What it does to the world.
    pub effect: Effect,
    /// What would be executed.
    pub execution: Execution,
    /// How long answers are waited for; `None`: until they come.
    pub expires_after_ms: Option<u64>,
    /// The canonical input bytes.
    pub input: String,
    /// The lock in force.
    pub lock: String,
    /// How many actions the run may propose, those that took another's place included; `None`: any number.
    pub max_actions: Option<u64>,
    /// The tenant.
    pub organization: String,
    /// Whose wish it is.
    pub origins: Origins,
    /// The run.
    pub run: String,
    /// Whether a pre-image must be kept (`undo: snapshot`, row D9).
    pub snapshot: bool,
    /// The bound target, canonical JSON.
    pub target: String,
}

impl Proposal {
    /// Fills in what the lock says of the cell. `None`: the cell grants nothing.
    #[must_use]
    pub fn of(bundle: &Bundle, asked: Asked) -> Option<Self> {
        let rules = Rules::of(bundle, &asked.cell)?;
        let deeds = Deeds::of(bundle.lock());
        let deed = deeds.get(&asked.cell.tool, asked.cell.case.as_deref())?;
        Some(Self {
            approval: asked.approval.max(rules.approval),
            approvers: asked.approvers,
            cell_digest: rules.cell_digest,
            deed_digest: rules.deed_digest,
            effect: deed.effect(),
            execution: asked.execution,
            expires_after_ms: bundle.lock().approvals.expires_after_ms,
            input: asked.input,
            lock: rules.lock,
            max_actions: bundle.lock().approvals.max_actions_per_run,
            organization: asked.organization,
            origins: asked.origins,
            run: asked.run,
            snapshot: deed.undo().contains(&Undo::Snapshot),
            target: asked.target,
            cell: asked.cell,
        })
    }
}

/// A proposal on its way into the ledger, with what the server issued for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Actions of the same run that must have been executed first.
    pub depends_on: BTreeSet<ActionId>,
    /// The action's id.
    pub id: ActionId,
    /// Its nonce.
    pub nonce: Nonce,
    /// The preview, exactly as it is shown. Computed without writing.
    pub preview: String,
    /// What is proposed.
    pub proposal: Proposal,
    /// Open actions of the same run whose place it takes.
    pub supersedes: BTreeSet<ActionId>,
}
