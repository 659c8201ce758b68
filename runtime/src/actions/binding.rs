//! What a yes is bound to: one digest over everything that an approver saw and that would be executed (APPROVALS 14).

use serde_json::{Value, json};

use super::{Action, BatchId, Nonce, Refusal};
use crate::json::Json;

/// `sha256:<64 hex>` over the RFC 8785 form of an action. Whatever stands here cannot move under a yes.
pub(super) fn action_digest(action: &Action) -> Result<String, Refusal> {
    let proposal = &action.proposal;
    digest(&json!({
        "action": action.id.as_str(),
        "approval": action.approval.word(),
        "approvers": action.approvers,
        "batch": action.batch.as_ref().map(BatchId::as_str),
        "case": proposal.cell.case,
        "cell_digest": proposal.cell_digest,
        "deed_digest": proposal.deed_digest,
        "depends_on": action.depends_on,
        "effect": proposal.effect.word(),
        "execution": {
            "address": proposal.execution.address,
            "server": proposal.execution.server,
            "upstream": proposal.execution.upstream,
        },
        // As text: a number of this size is not every reader's.
        "expires_at_ms": action.expires_at_ms.map(|at| at.to_string()),
        "harness": proposal.cell.harness,
        "input": proposal.input,
        "nonce": action.nonce.hex(),
        "organization": proposal.organization,
        "preview": action.preview,
        "requester": proposal.origins,
        "role": proposal.cell.role,
        "round": action.round,
        "run": proposal.run,
        "snapshot": proposal.snapshot,
        "target": proposal.target,
        "tool": proposal.cell.tool,
    }))
}

/// `sha256:<64 hex>` over a batch: its steps' digests, in order.
pub(super) fn batch_digest(id: &BatchId, nonce: Nonce, steps: &[String]) -> Result<String, Refusal> {
    digest(&json!({"batch": id.as_str(), "nonce": nonce.hex(), "steps": steps}))
}

fn digest(value: &Value) -> Result<String, Refusal> {
    Json::of(value).map(|json| json.digest()).map_err(|_| Refusal::Unbindable)
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::action_digest;
    use crate::actions::{
        Action, ActionId, BatchId, CellRef, Execution, Nonce, Origins, PersonId, Proposal, State,
    };
    use crate::lock::{Approval, Effect};

    type Alter<'a> = &'a dyn Fn(&mut Action);

    /// Fields that no yes is bound to.
    const EXEMPT: [(&str, &str); 10] = [
        ("digest", "it is the digest"),
        ("proposal.approval", "the action's own, at least as strict, is bound"),
        ("proposal.approvers", "the action's own lists, this one among them, are bound"),
        ("proposal.expires_after_ms", "the time that follows from it is bound"),
        ("proposal.lock", "a new lock that leaves the cell as it was voids nothing"),
        ("proposal.max_actions", "it bounds what may be proposed, and is spent once it was"),
        ("proposed_at_ms", "the time that answers come too late is bound"),
        ("result", "it is not there before the execution"),
        ("state", "it moves with the answers"),
        ("votes", "they are the answers, each bound to the digest"),
    ];

    pub(in crate::actions) fn sample() -> Action {
        let proposal = Proposal {
            approval: Approval::Confirm,
            approvers: None,
            cell: CellRef {
                case: None,
                harness: None,
                role: "console".to_owned(),
                tool: "records.propose".to_owned(),
            },
            cell_digest: "sha256:c".to_owned(),
            deed_digest: "sha256:d".to_owned(),
            effect: Effect::Write,
            execution: Execution::default(),
            expires_after_ms: None,
            input: "{}".to_owned(),
            lock: "sha256:l".to_owned(),
            max_actions: None,
            organization: "org-1".to_owned(),
            origins: Origins::person(PersonId::new("ada")),
            run: "run-1".to_owned(),
            snapshot: false,
            target: "{}".to_owned(),
        };
        Action {
            approval: Approval::Confirm,
            approvers: vec![None],
            batch: None,
            depends_on: BTreeSet::new(),
            digest: String::new(),
            expires_at_ms: None,
            id: ActionId::new("a1"),
            nonce: Nonce([7; 16]),
            preview: "before: none".to_owned(),
            proposal,
            proposed_at_ms: 0,
            result: None,
            round: 0,
            state: State::Proposed,
            votes: Vec::new(),
        }
    }

    /// Every field by name; those of the proposal, its cell, its execution and its origins one by one.
    fn fields(at: &str, value: &Value, into: &mut BTreeSet<String>) {
        for (name, value) in value.as_object().unwrap() {
            let name = format!("{at}{name}");
            let parts = ["proposal", "proposal.cell", "proposal.execution", "proposal.origins"];
            if parts.contains(&name.as_str()) {
                fields(&format!("{name}."), value, into);
            } else {
                into.insert(name);
            }
        }
    }

    #[test]
    fn approvals_14_every_field_of_an_action_moves_its_digest_or_is_exempt_for_a_reason() {
        let other = || Some(PersonId::new("kim"));
        let altered: [(&str, Alter); 31] = [
            ("approval", &|a| a.approval = Approval::FourEyes),
            ("approvers", &|a| a.approvers.push(Some(BTreeSet::from(["lead".to_owned()])))),
            ("batch", &|a| a.batch = Some(BatchId::new("b1"))),
            ("depends_on", &|a| a.depends_on.extend([ActionId::new("a0")])),
            ("expires_at_ms", &|a| a.expires_at_ms = Some(u64::MAX)),
            ("id", &|a| a.id = ActionId::new("a2")),
            ("nonce", &|a| a.nonce = Nonce([8; 16])),
            ("preview", &|a| a.preview.push('.')),
            ("round", &|a| a.round = 1),
            ("proposal.cell.case", &|a| a.proposal.cell.case = Some("update".to_owned())),
            ("proposal.cell.harness", &|a| a.proposal.cell.harness = Some("lead".to_owned())),
            ("proposal.cell.role", &|a| a.proposal.cell.role.push('x')),
            ("proposal.cell.tool", &|a| a.proposal.cell.tool.push('x')),
            ("proposal.cell_digest", &|a| a.proposal.cell_digest.push('0')),
            ("proposal.deed_digest", &|a| a.proposal.deed_digest.push('0')),
            ("proposal.effect", &|a| a.proposal.effect = Effect::Create),
            ("proposal.execution.address", &|a| a.proposal.execution.address = Some("x".to_owned())),
            ("proposal.execution.server", &|a| a.proposal.execution.server = Some("x".to_owned())),
            ("proposal.execution.upstream", &|a| a.proposal.execution.upstream.push('x')),
            ("proposal.input", &|a| a.proposal.input.push(' ')),
            ("proposal.organization", &|a| a.proposal.organization.push('x')),
            ("proposal.origins.acting_for", &|a| a.proposal.origins.acting_for = other()),
            ("proposal.origins.created_by", &|a| a.proposal.origins.created_by = other()),
            ("proposal.origins.requester", &|a| {
                a.proposal.origins.requester = crate::actions::Requester::Machine("ada".to_owned());
            }),
            ("proposal.origins.scheduled_by", &|a| a.proposal.origins.scheduled_by = other()),
            ("proposal.origins.triggered_by", &|a| a.proposal.origins.triggered_by = other()),
            ("proposal.run", &|a| a.proposal.run.push('x')),
            ("proposal.snapshot", &|a| a.proposal.snapshot = true),
            ("proposal.target", &|a| a.proposal.target.push(' ')),
            // Two ways in which a list of nobody and no list could be taken for each other.
            ("approvers", &|a| a.approvers = vec![Some(BTreeSet::new())]),
            ("approvers", &|a| a.approvers = Vec::new()),
        ];
        let before = action_digest(&sample()).unwrap();
        let mut seen: BTreeSet<String> = EXEMPT.iter().map(|(name, _)| (*name).to_owned()).collect();
        for (name, alter) in altered {
            let mut action = sample();
            alter(&mut action);
            assert_ne!(action_digest(&action).unwrap(), before, "{name}");
            seen.insert(name.to_owned());
        }
        let mut all = BTreeSet::new();
        fields("", &serde_json::to_value(sample()).unwrap(), &mut all);
        assert_eq!(seen, all);
    }
}
