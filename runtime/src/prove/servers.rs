//! A tool of an outside server belongs to a server that the policy states and lists, and is the one that was pinned: its
//! name, its hints and what they leave of its effect are those of the pinned text. A server's list is one of the sources,
//! and its address reads one way and holds no password.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::{Broken, hold, in_force};
use crate::deeds::Deeds;
use crate::json::as_written;
use crate::lock::{Hints, Lock, Pinned, Server, Tool};
use crate::upstream::{HEADER_KEY, asks_for_headers};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    stated(lock)?;
    for (name, tool) in &lock.tools {
        let Some(server) = &tool.server else { continue };
        let here = || name.clone();
        hold(lock.servers.contains_key(&server.name), here, || {
            format!("its server `{}` is none of `servers`", server.name)
        })?;
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

/// Every server that may serve is stated; where it is reached and what is pinned of it can be read by anyone.
fn stated(lock: &Lock) -> Result<(), Broken> {
    for name in &lock.policy.external_servers {
        hold(
            lock.servers.contains_key(name),
            || name.clone(),
            || "`external_servers` lists it, and it is none of `servers`".to_owned(),
        )?;
    }
    for (key, server) in &lock.servers {
        let place = || format!("servers/{key}");
        let is_source = lock.sources.contains_key(&server.tools);
        hold(is_source || !in_force(lock, "vendored-drift", place), place, || {
            format!("its pinned list `{}` is none of the sources", server.tools)
        })?;
        hold(server.url.as_deref().is_none_or(Server::is_plain), place, || {
            "its `url` is not written `scheme://host…`, so that not every reader takes it apart alike"
                .to_owned()
        })?;
        let holds = server.url.as_deref().is_some_and(Server::holds_credentials);
        hold(!holds, place, || "its `url` holds a name or a password".to_owned())?;
    }
    Ok(())
}

fn as_published(name: &str, tool: &Tool, server: &Pinned) -> Result<(), Broken> {
    let here = || name.to_owned();
    let published: BTreeMap<String, &RawValue> =
        serde_json::from_str(server.pinned.as_str()).unwrap_or_default();
    let part =
        |key: &str| published.get(key).and_then(|part| as_written(part.get()).ok()).unwrap_or_default();
    hold(part("name").as_str() == Some(&server.upstream), here, || {
        format!("it is called as `{}`, and the pinned text has another name", server.upstream)
    })?;
    // Only a text that spells the key, or one that could spell anything, is read.
    let text = server.pinned.as_str();
    let spells = |at: usize| text.as_bytes().get(at..).is_some_and(|rest| starts(rest, "-mcp-header"));
    let may_ask = text.contains('\\') || text.match_indices('-').any(|(at, _)| spells(at));
    let asks = may_ask && asks_for_headers(&part("inputSchema"));
    hold(!asks, here, || format!("its published input asks for a header of its own (`{HEADER_KEY}`)"))?;
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

fn starts(bytes: &[u8], word: &str) -> bool {
    bytes.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
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
