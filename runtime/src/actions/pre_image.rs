//! What stood there before an overwrite or a delete (row D9): kept in the transaction that starts the execution, so that
//! no execution is without one, and restorable as a proposal of its own.

use serde::{Deserialize, Serialize};

use super::{Action, ActionId, Refusal};
use crate::lock::digest_of;

/// The state of a target before an execution. The audit sees its digest alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PreImage {
    action: ActionId,
    body: Vec<u8>,
    digest: String,
    target: String,
}

impl PreImage {
    /// What stands at a target now.
    #[must_use]
    pub fn new(action: ActionId, target: impl Into<String>, body: Vec<u8>) -> Self {
        let digest = digest_of(&body);
        Self { action, body, digest, target: target.into() }
    }

    /// The action that overwrites it.
    #[must_use]
    pub fn action(&self) -> &ActionId {
        &self.action
    }

    /// `sha256:<64 hex>` of the bytes.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The target it stood at.
    #[must_use]
    pub fn target(&self) -> &str {
        &self.target
    }

    pub(super) fn is_of(&self, action: &Action) -> bool {
        self.action == action.id && self.target == action.proposal.target && self.restorable()
    }

    fn restorable(&self) -> bool {
        digest_of(&self.body) == self.digest
    }
}

/// The bytes to put back at a target. Putting them back is a write like any other: the server proposes it, a person says
/// yes. Refused where the image is of another target or its bytes are not those that were kept.
pub fn restore<'a>(image: &'a PreImage, target: &str) -> Result<&'a [u8], Refusal> {
    if image.target != target {
        return Err(Refusal::TargetMismatch);
    }
    if image.restorable() { Ok(&image.body) } else { Err(Refusal::PreImageMissing) }
}
