//! One action and the answers it was given.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{ActionId, Assurance, BatchId, Nonce, PersonId, Proposal, Requester, State};
use crate::lock::Approval;

/// What a person answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Says {
    /// Do not do it.
    No,
    /// Do it.
    Yes,
}

impl Says {
    /// Its stable word.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Yes => "yes",
        }
    }
}

/// One person's answer to what they were shown. It is no token: only all of them together are worth anything.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Vote {
    /// How the person was authenticated.
    pub assurance: Assurance,
    /// When, by the store's clock.
    pub at_ms: u64,
    /// Whether the same person said no later, so that this yes no longer counts.
    pub contradicted: bool,
    /// The digest of what was shown: the action's, or its batch's.
    pub digest: String,
    /// Who.
    pub person: PersonId,
    /// What.
    pub says: Says,
}

/// One action. It is changed by the ledger alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Action {
    pub(super) approval: Approval,
    /// Every list of approvers that was ever in force; whoever says yes is eligible under each. `None`: no list.
    pub(super) approvers: Vec<Option<BTreeSet<String>>>,
    pub(super) batch: Option<BatchId>,
    pub(super) depends_on: BTreeSet<ActionId>,
    pub(super) digest: String,
    pub(super) expires_at_ms: Option<u64>,
    pub(super) id: ActionId,
    pub(super) nonce: Nonce,
    pub(super) preview: String,
    pub(super) proposal: Proposal,
    pub(super) proposed_at_ms: u64,
    pub(super) result: Option<String>,
    /// How often it was bound anew: part of the digest, so that a digest that was void never comes back.
    pub(super) round: u32,
    pub(super) state: State,
    pub(super) votes: Vec<Vote>,
}

impl Action {
    /// The strictest approval that was ever asked for it.
    #[must_use]
    pub fn approval(&self) -> Approval {
        self.approval
    }

    /// The batch it is a step of.
    #[must_use]
    pub fn batch(&self) -> Option<&BatchId> {
        self.batch.as_ref()
    }

    /// What must have been executed before it.
    #[must_use]
    pub fn depends_on(&self) -> &BTreeSet<ActionId> {
        &self.depends_on
    }

    /// `sha256:<64 hex>`: what a yes is bound to (APPROVALS 14).
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// When answers come too late; `None`: never.
    #[must_use]
    pub fn expires_at_ms(&self) -> Option<u64> {
        self.expires_at_ms
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &ActionId {
        &self.id
    }

    /// How many different people must say yes: two where no human asked (APPROVALS 15).
    #[must_use]
    pub fn needed(&self) -> usize {
        match self.proposal.origins.requester {
            Requester::Machine(_) => 2,
            Requester::Person(_) => 1,
        }
    }

    /// The preview as it is shown, never cut short.
    #[must_use]
    pub fn preview(&self) -> &str {
        &self.preview
    }

    /// What was proposed.
    #[must_use]
    pub fn proposal(&self) -> &Proposal {
        &self.proposal
    }

    /// The digest of its result, where it was executed and had one.
    #[must_use]
    pub fn result(&self) -> Option<&str> {
        self.result.as_deref()
    }

    /// Where it stands.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// Every answer that was taken to what is shown now, by person; those that were contradicted do not count.
    #[must_use]
    pub fn votes(&self) -> &[Vote] {
        &self.votes
    }

    pub(super) fn is_expired(&self, now_ms: u64) -> bool {
        self.expires_at_ms.is_some_and(|expires| now_ms >= expires)
    }
}
