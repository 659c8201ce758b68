//! The outside servers of the lock: looked at before each use, called within their bounds.
//!
//! A server is started as the lock says (`servers.<key>.command`), its program found on the path; one that has an address
//! alone is not served here, and all of its tools stay withheld.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::Bundle;
use harnessc_runtime::audit::Event;
use harnessc_runtime::lock::Server;
use harnessc_runtime::upstream::{Bounds, Listing, Look, Rate, Unfit, Upstreams};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::line::Line;

/// Nobody waits longer for an outside server than this.
const TIMEOUT_MS: u64 = 3_000;

/// So many calls go to one server in a minute.
const CALLS: (usize, u64) = (60, 60_000);

/// So many pages are read of a list.
const PAGES: usize = 100;

/// Where a list goes on.
#[derive(Deserialize)]
struct Page {
    #[serde(rename = "nextCursor")]
    next: Option<String>,
}

/// What is known of the outside servers, and the lines to them.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    lines: BTreeMap<String, Line>,
    rates: BTreeMap<String, Rate>,
    /// The last look at each.
    pub(crate) upstreams: Upstreams,
}

impl Outside {
    /// The servers that the lock's tools come from.
    pub(crate) fn servers(bundle: &Bundle) -> BTreeSet<String> {
        let tools = bundle.lock().tools.values();
        tools.filter_map(|tool| Some(tool.server.as_ref()?.name.clone())).collect()
    }

    /// Looks at a server: what it lists now against what the lock in force pins. Hands back what is new, for the audit.
    pub(crate) fn look(&mut self, bundle: &Bundle, server: &str, now_ms: u64) -> Vec<Event> {
        let stated = bundle.lock().servers.get(server);
        let address = stated.and_then(Server::address).unwrap_or_default();
        let listing = self.list(bundle, server);
        let look = Look::at(bundle, server, &address, listing.as_ref().map_err(|unfit| *unfit), now_ms);
        self.upstreams.take(look)
    }

    /// Calls a tool there: the canonical input, and the raw result.
    pub(crate) fn call(
        &mut self,
        bundle: &Bundle,
        (server, tool, upstream): (&str, &str, &str),
        input: &str,
        now_ms: u64,
    ) -> Result<Vec<u8>, Unfit> {
        let (most, window_ms) = CALLS;
        self.rates.entry(server.to_owned()).or_insert_with(|| Rate::new(most, window_ms)).take(now_ms)?;
        let arguments: Value = serde_json::from_str(input).map_err(|_| Unfit::Unreadable)?;
        let bounds = bounds().within([bundle.lock()], tool);
        let params = json!({"arguments": arguments, "name": upstream});
        self.ask(bundle, server, "tools/call", &params, &bounds)
    }

    fn list(&mut self, bundle: &Bundle, server: &str) -> Result<Listing, Unfit> {
        let bounds = bounds();
        let (mut pages, mut params) = (Vec::new(), json!({}));
        while pages.len() < PAGES {
            let page = self.ask(bundle, server, "tools/list", &params, &bounds)?;
            let next = serde_json::from_slice::<Page>(&page).map_err(|_| Unfit::Unreadable)?.next;
            pages.push(page);
            let Some(cursor) = next else { break };
            params = json!({"cursor": cursor});
        }
        let pages: Vec<&[u8]> = pages.iter().map(Vec::as_slice).collect();
        Listing::read(&pages, &bounds)
    }

    /// One question to a server, which is started where it is not running. After a failure it is ended.
    fn ask(
        &mut self,
        bundle: &Bundle,
        server: &str,
        method: &str,
        params: &Value,
        bounds: &Bounds,
    ) -> Result<Vec<u8>, Unfit> {
        let mut line = match self.lines.remove(server) {
            Some(line) => line,
            None => {
                let stated = bundle.lock().servers.get(server).ok_or(Unfit::Unreadable)?;
                Line::open(&stated.command, bounds)?
            }
        };
        let answer = line.ask(method, params, bounds)?;
        self.lines.insert(server.to_owned(), line);
        Ok(answer)
    }
}

fn bounds() -> Bounds {
    Bounds { timeout_ms: TIMEOUT_MS, ..Bounds::default() }
}
