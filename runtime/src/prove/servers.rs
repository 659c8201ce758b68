//! A tool of an outside server belongs to a server that the policy lists, and is the one that was pinned: its name, its
//! hints and what they leave of its effect are those of the pinned text.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::json::plain;
use crate::lock::{Hints, Lock, Pinned, Tool};

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
        as_published(name, tool, server)?;
    }
    Ok(())
}

fn as_published(name: &str, tool: &Tool, server: &Pinned) -> Result<(), Broken> {
    let here = || name.to_owned();
    let published: BTreeMap<String, &RawValue> =
        serde_json::from_str(server.pinned.as_str()).unwrap_or_default();
    let part = |key: &str| published.get(key).and_then(|part| plain(part.get()).ok()).unwrap_or_default();
    hold(part("name").as_str() == Some(&server.upstream), here, || {
        format!("it is called as `{}`, and the pinned text has another name", server.upstream)
    })?;
    hold(hints(&part("annotations")) == server.hints, here, || {
        "its `hints` are not those of the pinned text".to_owned()
    })?;
    // With cases the hint speaks of the strongest, whose effect is the tool's.
    let least = server.hints.least();
    hold(tool.effect >= least, here, || {
        let (stated, least) = (tool.effect.word(), least.word());
        format!("its effect is `{stated}`, and the hints of its server leave none below `{least}`")
    })
}

/// The hints that annotations state. One that is no boolean says nothing.
fn hints(annotations: &Value) -> Hints {
    let hint = |key: &str| annotations.get(key)?.as_bool();
    Hints {
        destructive: hint("destructiveHint"),
        idempotent: hint("idempotentHint"),
        open_world: hint("openWorldHint"),
        read_only: hint("readOnlyHint"),
    }
}
