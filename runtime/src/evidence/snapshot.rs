//! What a verified draft rests on: the projections that it cites, and no raw response.

use std::collections::{BTreeMap, BTreeSet};

use super::Draft;
use crate::lock::digest_of;

/// A citation that holds: whose, ready, whole, and verbatim.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Observed {
    /// The tool call.
    pub invocation: String,
    /// The words, with the label of an untrusted title where they come out of one.
    pub quote: String,
}

/// The projections that a draft cites, each checked. Only the guard makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    pub(super) observed: BTreeSet<Observed>,
    pub(super) projections: BTreeMap<String, String>,
}

impl Snapshot {
    /// Tool call → the RFC 8785 form of its projection.
    #[must_use]
    pub fn projections(&self) -> &BTreeMap<String, String> {
        &self.projections
    }

    /// Every citation that holds.
    #[must_use]
    pub fn observed(&self) -> &BTreeSet<Observed> {
        &self.observed
    }

    /// `sha256:<64 hex>` over every tool call and its projection.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut bytes = String::new();
        for (invocation, projection) in &self.projections {
            // Each projection by its digest, so that no two snapshots write the same bytes.
            bytes.push_str(&digest_of(invocation.as_bytes()));
            bytes.push_str(&digest_of(projection.as_bytes()));
        }
        digest_of(bytes.as_bytes())
    }
}

/// A draft whose every citation holds. Only the guard makes one.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    pub(super) draft: Draft,
    pub(super) run: String,
    pub(super) snapshot: Snapshot,
}

impl Verified {
    /// The draft.
    #[must_use]
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The run that it was verified for.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// What it rests on.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }
}
