//! An answer: a closed shape that says what it answers and to which digest. Whatever else arrives is no answer.

use serde::Deserialize;

use super::{ActionId, BatchId, Refusal, Says};
use crate::json::Json;

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// One action.
    Action(ActionId),
    /// A whole batch.
    Batch(BatchId),
}

/// One answer. Who gives it is no part of it: that is the [`Voter`](super::Voter) whom the server authenticated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The digest that was shown.
    pub digest: String,
    /// Yes or no.
    pub says: Says,
    /// What is answered.
    pub subject: Subject,
}

impl Answer {
    /// Reads `{"subject": {"action": ID}, "digest": "sha256:…", "says": "yes"}`, strictly: an unknown key, a key twice, a
    /// word of another case or a missing part is no answer, and so no yes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        let json = Json::parse(bytes).map_err(|_| Refusal::MalformedAnswer)?;
        serde_json::from_str(json.canonical()).map_err(|_| Refusal::MalformedAnswer)
    }
}
