//! Outside servers in a test: each lists what was pinned. Whether one still does is a question of the day, and none of the
//! policy's.

use harnessc_runtime::actions::Execution;
use harnessc_runtime::decide::Bundle;
use harnessc_runtime::lock::Server;
use harnessc_runtime::upstream::{Bounds, Listing, Look, Matched, Withheld};

/// The address of a server whose policy states none.
const SOMEWHERE: &str = "where the tests are";

/// What carries a tool out.
pub(super) fn execution(bundle: &Bundle, tool: &str) -> Execution {
    let pinned = bundle.lock().tools.get(tool).and_then(|own| own.server.as_ref());
    Execution {
        address: pinned.map(|pinned| address(bundle, &pinned.name)),
        server: pinned.map(|pinned| pinned.name.clone()),
        upstream: pinned.map_or(tool, |pinned| &pinned.upstream).to_owned(),
    }
}

/// A look at the server behind a tool, at this time; nothing for a tool of the policy's own.
pub(super) fn look(bundle: &Bundle, tool: &str, now_ms: u64) -> Option<Result<Matched, Withheld>> {
    let pinned = bundle.lock().tools.get(tool)?.server.as_ref()?;
    let page = format!("{{\"tools\":[{}]}}", pinned.pinned.as_str());
    let listing = Listing::read(&[page.as_bytes()], &Bounds::default());
    let listing = listing.as_ref().map_err(|unfit| *unfit);
    Some(Look::at(bundle, &pinned.name, &address(bundle, &pinned.name), listing, now_ms).matched(tool))
}

fn address(bundle: &Bundle, server: &str) -> String {
    let stated = bundle.lock().servers.get(server).and_then(Server::address);
    stated.unwrap_or_else(|| SOMEWHERE.to_owned())
}
