//! The digest of one cell's content: what an approval is bound to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Bundle;
use crate::deeds::Deed;
use crate::lock::{
    Approval, Cell, Effect, Lock, NO_HARNESS, Pinned, Preview, RawJson, Returns, Server, Tool, Undo,
};
use crate::lock::{digest_of, text};

/// All that an approver's yes depends on, its fields in the order of their names.
#[derive(Serialize)]
struct Content<'a> {
    address: Option<String>,
    approval: Option<Approval>,
    approvers: Option<&'a [String]>,
    bind: &'a BTreeMap<String, String>,
    deed: &'a str,
    discriminator: Option<&'a str>,
    effect: Effect,
    expires_after_ms: Option<u64>,
    input: &'a RawJson,
    only: &'a BTreeMap<String, RawJson>,
    output: Option<&'a RawJson>,
    pinned_digest: Option<&'a str>,
    preview: Preview,
    returns: Returns,
    server: Option<&'a str>,
    undo: &'a [Undo],
    upstream: Option<&'a str>,
}

impl Bundle {
    /// `sha256:<64 hex>` over the content of one cell; `None` where it grants nothing. Computed when asked for.
    /// `harness` is `None` for runs without one, `deed` a deed name.
    #[must_use]
    pub fn cell_digest(&self, harness: Option<&str>, role: &str, deed: &str) -> Option<String> {
        cell_digest(self.lock(), harness, role, deed)
    }

    /// [`cell_digest`](Self::cell_digest) without who says yes and how strictly: whether it is still the same deed, where
    /// its approval alone was tightened.
    #[must_use]
    pub fn deed_digest(&self, harness: Option<&str>, role: &str, deed: &str) -> Option<String> {
        digest(self.lock(), harness, role, deed, |content| Content {
            approval: None,
            approvers: None,
            ..content
        })
    }
}

/// `sha256:<64 hex>` over the content of one cell of a lock, proved or not; `None` where it grants nothing.
#[must_use]
pub fn cell_digest(lock: &Lock, harness: Option<&str>, role: &str, deed: &str) -> Option<String> {
    digest(lock, harness, role, deed, |content| content)
}

fn digest<'a>(
    lock: &'a Lock,
    harness: Option<&str>,
    role: &str,
    deed: &str,
    part: impl Fn(Content<'a>) -> Content<'a>,
) -> Option<String> {
    let cells = lock.effective.get(harness.unwrap_or(NO_HARNESS))?.get(role)?;
    let cell = cells.iter().find(|cell| cell.deed == deed)?;
    let deed = Deed::in_lock(lock, deed)?;
    let content = content(cell, deed.tool, deed.effect(), deed.undo(), deed.preview());
    let server = deed.tool.server.as_ref().and_then(|server| lock.servers.get(&server.name));
    let address = server.and_then(Server::address);
    let content = Content { address, expires_after_ms: lock.approvals.expires_after_ms, ..content };
    let content = part(content);
    let json = serde_json::to_string(&content).ok()?;
    Some(digest_of(text::compact(&json).as_bytes()))
}

fn content<'a>(
    cell: &'a Cell,
    tool: &'a Tool,
    effect: Effect,
    undo: &'a [Undo],
    preview: Preview,
) -> Content<'a> {
    let server = |of: fn(&Pinned) -> &String| tool.server.as_ref().map(|server| of(server).as_str());
    Content {
        address: None,
        approval: Some(cell.approval),
        approvers: cell.approvers.as_deref(),
        bind: &tool.bind,
        deed: &cell.deed,
        discriminator: tool.cases.as_ref().map(|cases| cases.input.as_str()),
        effect,
        expires_after_ms: None,
        input: &tool.input,
        only: &cell.only,
        output: tool.output.as_ref(),
        pinned_digest: server(|server| &server.pinned_digest),
        preview,
        returns: tool.returns,
        server: server(|server| &server.name),
        undo,
        upstream: server(|server| &server.upstream),
    }
}
