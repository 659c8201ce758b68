//! Whether an action is still what was shown: everything its digest covers, computed again.

use super::binding::action_digest;
use super::work::{Work, about};
use super::{ActionId, Facts, Refusal, Rules, Standing};
use crate::audit::{Datum, Field};

impl Work {
    /// The rules in force for an action that is still what was shown. Where its deed, its place of execution, its target
    /// or its bytes moved, it is ended; where its approval, its approvers or its preview moved, it is bound anew and
    /// every yes so far is void.
    pub(super) fn sound<'f>(&mut self, id: &ActionId, facts: &Facts<'f>) -> Result<&'f Rules, Refusal> {
        let standing = facts.standing.get(id).ok_or(Refusal::FactsMissing)?;
        let rules = standing.rules.as_ref().filter(|rules| rules.enabled).ok_or(Refusal::ToolDisabled)?;
        if !standing.target_valid {
            return Err(Refusal::TargetMismatch);
        }
        if let Some(part) = self.moved(id, standing, rules)? {
            self.stale(id, part)?;
            self.supersede(id, Refusal::StalePreview)?;
            return Err(Refusal::StalePreview);
        }
        let action = self.get(id)?;
        let part = if rules.cell_digest != action.proposal.cell_digest {
            "cell"
        } else if standing.preview != action.preview {
            "preview"
        } else {
            return Ok(rules);
        };
        self.stale(id, part)?;
        self.rebind(id, rules, &standing.preview)?;
        Err(Refusal::StalePreview)
    }

    /// The first part that moved and cannot be bound anew.
    fn moved(
        &self,
        id: &ActionId,
        standing: &Standing,
        rules: &Rules,
    ) -> Result<Option<&'static str>, Refusal> {
        let action = self.get(id)?;
        let proposal = &action.proposal;
        Ok(if action_digest(action)? != action.digest {
            Some("record")
        } else if rules.deed_digest != proposal.deed_digest {
            Some("deed")
        } else if standing.execution != proposal.execution {
            Some("execution")
        } else if standing.target != proposal.target {
            Some("target")
        } else {
            None
        })
    }

    fn stale(&mut self, id: &ActionId, part: &'static str) -> Result<(), Refusal> {
        let event = about("action.stale", self.get(id)?).with(Field::Part, Datum::Word(part));
        self.say(event);
        Ok(())
    }
}
