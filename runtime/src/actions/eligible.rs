//! Who may say yes: one function, asked by every door (APPROVALS 11).

use std::collections::BTreeSet;

use super::{Action, Facts, Refusal, Rules, Says, Voter};
use crate::lock::Approval;

/// What is asked of whoever says yes to some actions together: the strictest of each, and all of their lists.
pub(super) struct Terms<'a> {
    actions: Vec<&'a Action>,
    approval: Approval,
    lists: Vec<&'a BTreeSet<String>>,
}

impl<'a> Terms<'a> {
    /// The stricter of what was asked then and what is asked now, of each action.
    pub(super) fn of(actions: &[(&'a Action, &'a Rules)]) -> Self {
        let mut terms = Self { actions: Vec::new(), approval: Approval::Confirm, lists: Vec::new() };
        for (action, rules) in actions {
            terms.approval = terms.approval.max(action.approval).max(rules.approval);
            terms.lists.extend(action.approvers.iter().chain([&rules.approvers]).flatten());
            terms.actions.push(action);
        }
        terms
    }

    /// How many different people must say yes.
    pub(super) fn needed(&self) -> usize {
        self.actions.iter().map(|action| action.needed()).max().unwrap_or(usize::MAX)
    }

    /// Whether this person may be one of them. There is no word for an admin here, and so no exception for one.
    pub(super) fn admit(&self, voter: &Voter) -> Result<(), Refusal> {
        for action in &self.actions {
            voter.is_somebody(&action.proposal.organization)?;
        }
        if !voter.independent {
            return Err(Refusal::RightThroughRun);
        }
        if self.lists.iter().any(|list| list.is_disjoint(&voter.personas)) {
            return Err(Refusal::ApproverNotEligible);
        }
        let own = self.actions.iter().any(|action| action.proposal.origins.include(&voter.person));
        if self.approval == Approval::FourEyes && own {
            return Err(Refusal::FourEyes);
        }
        Ok(())
    }

    /// How many different people have said yes to what is shown under this digest and may still, looked up again.
    pub(super) fn yeses(&self, action: &Action, shown: &str, facts: &Facts<'_>) -> usize {
        let people: BTreeSet<_> = action
            .votes
            .iter()
            .filter(|vote| vote.says == Says::Yes && !vote.contradicted && vote.digest == shown)
            .filter_map(|vote| facts.people.get(&vote.person).filter(|voter| voter.person == vote.person))
            .filter(|voter| self.admit(voter).is_ok())
            .map(|voter| &voter.person)
            .collect();
        people.len()
    }
}
