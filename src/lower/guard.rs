//! What the policy is called, what it was read from, and which of its checks were in force.

use std::collections::BTreeMap;

use harnessc_runtime::lock::Policy;

use super::values::{names, required, sorted, text, value};
use crate::model::Model;
use crate::model::manifest::EDITION;
use crate::tree::Tree;

/// The revision of a tree without a release line: its first.
const FIRST_REVISION: u64 = 1;

pub(super) fn policy(model: &Model) -> Policy {
    let none = crate::model::manifest::PolicyTable::default();
    let stated = model.manifest.policy.as_ref().unwrap_or(&none);
    Policy {
        edition: value(stated.edition.as_ref()).unwrap_or(EDITION),
        environment: text(stated.environment.as_ref()),
        external_servers: sorted(
            stated.external_servers.as_ref().map_or_else(Vec::new, |list| names(&list.0)),
        ),
        harness_version: text(stated.harness_version.as_ref()),
        name: required(stated.name.as_ref()),
        prompt_version: text(stated.prompt_version.as_ref()),
    }
}

/// Revision and predecessor; an empty predecessor is that of the first revision: none.
pub(super) fn release_line(model: &Model) -> (u64, Option<String>) {
    let Some(stated) = &model.manifest.release else { return (FIRST_REVISION, None) };
    let predecessor = text(stated.predecessor.as_ref()).filter(|digest| !digest.is_empty());
    (value(stated.revision.as_ref()).unwrap_or(FIRST_REVISION), predecessor)
}

/// Every source with its digest in the lock's notation.
pub(super) fn sources(tree: &Tree) -> BTreeMap<String, String> {
    tree.digests().into_iter().map(|(path, hex)| (path, format!("sha256:{hex}"))).collect()
}
