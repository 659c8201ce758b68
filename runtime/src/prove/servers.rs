//! A tool of an outside server belongs to a server that the policy lists, and is pinned as published.

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::Lock;

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    for (name, tool) in &lock.tools {
        let Some(server) = &tool.server else { continue };
        let here = || name.clone();
        hold(lock.policy.external_servers.contains(&server.name), here, || {
            format!("`external_servers` does not list its server `{}`", server.name)
        })?;
        hold(server.pinned.digest() == server.pinned_digest, here, || {
            "the pinned text has another digest than the one beside it".to_owned()
        })?;
    }
    Ok(())
}
