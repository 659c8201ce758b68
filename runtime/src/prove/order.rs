//! What the lock keeps sorted is sorted, each once, and its digests look like digests: a list has one spelling.

use std::borrow::Cow;

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::digest::is_digest;
use crate::lock::{Lock, Mention, NO_HARNESS, NO_HARNESS_WORD, RoleTools};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    for (key, harness) in &lock.harnesses {
        hold(
            !key.is_empty() && ![NO_HARNESS, NO_HARNESS_WORD].contains(&key.as_str()),
            || key.clone(),
            || "this key stands for runs without a harness".to_owned(),
        )?;
        sorted(key, "toolset", harness.toolset.iter().map(Mention::deed_name))?;
        sorted(key, "personas", plain(&harness.personas))?;
    }
    for (key, persona) in &lock.personas {
        sorted(key, "bundle", plain(&persona.bundle))?;
    }
    for (key, role) in &lock.roles {
        if let RoleTools::List(names) = &role.tools {
            sorted(key, "tools", plain(names))?;
        }
    }
    sorted("approvals", "always_allowed", plain(&lock.approvals.always_allowed))?;
    let digests = lock.sources.iter().map(|(file, digest)| (file.as_str(), digest));
    let predecessor = lock.predecessor.iter().map(|digest| ("predecessor", digest));
    for (place, digest) in digests.chain(predecessor) {
        hold(is_digest(digest), || place.to_owned(), || format!("`{digest}` is no sha256 digest"))?;
    }
    Ok(())
}

fn plain(names: &[String]) -> impl Iterator<Item = Cow<'_, str>> {
    names.iter().map(|name| Cow::Borrowed(name.as_str()))
}

fn sorted<'a>(place: &str, list: &str, names: impl Iterator<Item = Cow<'a, str>>) -> Result<(), Broken> {
    let mut previous: Option<Cow<'a, str>> = None;
    for name in names {
        let after = previous.as_ref().is_none_or(|previous| *previous < name);
        hold(
            after,
            || format!("{place}/{name}"),
            || format!("`{list}` is sorted and names each deed once, and this one stands out of place"),
        )?;
        previous = Some(name);
    }
    Ok(())
}
