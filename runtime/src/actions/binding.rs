//! What a yes is bound to: one digest over everything that an approver saw and that would be executed (APPROVALS 14).

use serde_json::{Value, json};

use super::{Action, BatchId, Nonce, Refusal};
use crate::json::Json;

/// `sha256:<64 hex>` over the RFC 8785 form of an action. Whatever stands here cannot move under a yes.
pub(super) fn action_digest(action: &Action) -> Result<String, Refusal> {
    let proposal = &action.proposal;
    digest(&json!({
        "action": action.id.as_str(),
        "case": proposal.cell.case,
        "cell_digest": proposal.cell_digest,
        "execution": {
            "address": proposal.execution.address,
            "server": proposal.execution.server,
            "upstream": proposal.execution.upstream,
        },
        "input": proposal.input,
        "nonce": action.nonce.hex(),
        "organization": proposal.organization,
        "preview": action.preview,
        "requester": proposal.origins,
        "round": action.round,
        "run": proposal.run,
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
