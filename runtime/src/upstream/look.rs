//! One look at an outside server: which of its tools are still what was pinned.
//!
//! A write there is started with a [`Matched`] alone, and only a look yields one. It cannot be made by hand,
//! ```compile_fail,E0451
//! use harnessc_runtime::upstream::Matched;
//! fn forge(tool: String) -> Matched { Matched { tool, ..unimplemented!() } }
//! ```
//! nor read from a file or a message:
//! ```compile_fail,E0277
//! use harnessc_runtime::upstream::Matched;
//! fn forge(text: &str) -> Matched { serde_json::from_str(text).unwrap() }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::drift::compare;
use super::{Drift, Listing, Part, Unfit};
use crate::Bundle;
use crate::audit::Event;
use crate::lock::{Pinned, Server};

/// How long a look counts, in milliseconds. What is older was looked at before another execution, not before this one.
pub const MAX_AGE_MS: u64 = 5_000;

/// A tool that was found as it was pinned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Matched {
    address: String,
    at_ms: u64,
    lock: String,
    pinned_digest: String,
    server: String,
    tool: String,
    upstream: String,
}

impl Matched {
    /// When the list was fetched.
    #[must_use]
    pub fn at_ms(&self) -> u64 {
        self.at_ms
    }

    /// The digest of the pinned entry that it matched.
    #[must_use]
    pub fn pinned_digest(&self) -> &str {
        &self.pinned_digest
    }

    /// Whether it speaks, now, of this tool at this place under this lock.
    pub(crate) fn is_of(&self, about: &About<'_>, now_ms: u64) -> bool {
        is_fresh(self.at_ms, now_ms)
            && self.lock == about.lock
            && self.server == about.server
            && self.tool == about.tool
            && self.upstream == about.upstream
            && Some(self.address.as_str()) == about.address
    }
}

/// What is about to be executed, and where.
pub(crate) struct About<'a> {
    pub(crate) address: Option<&'a str>,
    pub(crate) lock: &'a str,
    pub(crate) server: &'a str,
    pub(crate) tool: &'a str,
    pub(crate) upstream: &'a str,
}

fn is_fresh(at_ms: u64, now_ms: u64) -> bool {
    now_ms.checked_sub(at_ms).is_some_and(|age| age <= MAX_AGE_MS)
}

/// Why a tool of an outside server is withheld.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Withheld {
    /// It is not what was pinned.
    Drifted(Drift),
    /// Its list could not be used.
    Unfit(Unfit),
    /// Nobody looked, not in time, or not under the lock in force.
    Unseen,
}

impl Withheld {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Drifted(_) => "upstream_drift",
            Self::Unfit(_) | Self::Unseen => "upstream_unseen",
        }
    }
}

/// What one look at one server found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    address: String,
    at_ms: u64,
    lock: String,
    server: String,
    /// Nobody looked: the pins stand for the list, and no [`Matched`] comes of it.
    supposed: bool,
    tools: BTreeMap<String, Result<Matched, Withheld>>,
}

impl Look {
    /// Compares every tool that the lock in force has of a server with what the server lists now. `address` is how it was
    /// launched or reached for this list, from the server's own configuration; `listing` what came, or why it is not used;
    /// `at_ms` when it was asked for, by the store's clock.
    #[must_use]
    pub fn at(
        bundle: &Bundle,
        server: &str,
        address: &str,
        listing: Result<&Listing, Unfit>,
        at_ms: u64,
    ) -> Self {
        let stated = bundle.lock().servers.get(server).and_then(Server::address);
        let moved = stated.is_some_and(|stated| stated != address);
        Self::of(bundle, server, address, false, at_ms, |(name, pinned)| {
            let listing = listing.map_err(Withheld::Unfit)?;
            let mut parts = compare(pinned, listing.of(&pinned.upstream).flatten());
            if moved {
                parts.insert(Part::Address);
            }
            if parts.is_empty() {
                return Ok(());
            }
            Err(Withheld::Drifted(Drift { parts, server: server.to_owned(), tool: name.to_owned() }))
        })
    }

    fn of(
        bundle: &Bundle,
        server: &str,
        address: &str,
        supposed: bool,
        at_ms: u64,
        found: impl Fn((&str, &Pinned)) -> Result<(), Withheld>,
    ) -> Self {
        let mut tools = BTreeMap::new();
        for (name, tool) in &bundle.lock().tools {
            let Some(pinned) = tool.server.as_ref().filter(|pinned| pinned.name == server) else { continue };
            let matched = || Matched {
                address: address.to_owned(),
                at_ms,
                lock: bundle.digest().to_owned(),
                pinned_digest: pinned.pinned_digest.clone(),
                server: server.to_owned(),
                tool: name.clone(),
                upstream: pinned.upstream.clone(),
            };
            tools.insert(name.clone(), found((name, pinned)).map(|()| matched()));
        }
        Self {
            address: address.to_owned(),
            at_ms,
            lock: bundle.digest().to_owned(),
            server: server.to_owned(),
            supposed,
            tools,
        }
    }

    /// How the server was reached.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Every tool that is not what was pinned.
    pub fn drifts(&self) -> impl Iterator<Item = &Drift> {
        self.tools.values().filter_map(|found| match found {
            Err(Withheld::Drifted(drift)) => Some(drift),
            _ => None,
        })
    }

    /// What the audit is told: each drift, or that the list could not be used.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        let unfit = self.tools.values().find_map(|found| match found {
            Err(Withheld::Unfit(unfit)) => Some(unfit.event(&self.server)),
            _ => None,
        });
        self.drifts().map(Drift::event).chain(unfit).collect()
    }

    /// The tool as it was found, to start a write with.
    ///
    /// # Errors
    /// Where it is withheld, or is none of this server.
    pub fn matched(&self, tool: &str) -> Result<Matched, Withheld> {
        if self.supposed {
            return Err(Withheld::Unseen);
        }
        self.tools.get(tool).cloned().unwrap_or(Err(Withheld::Unseen))
    }
}

/// The last look at each outside server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Upstreams {
    looks: BTreeMap<String, Look>,
}

impl Upstreams {
    /// No server was looked at: every tool of one is withheld.
    pub const UNSEEN: &'static Self = &Self { looks: BTreeMap::new() };

    /// For questions about a policy: as if every server listed what was pinned. Nothing can be executed on the strength of
    /// it, since it yields no [`Matched`].
    #[must_use]
    pub fn supposed(bundle: &Bundle) -> Self {
        let tools = bundle.lock().tools.values();
        let servers: BTreeSet<&str> =
            tools.filter_map(|tool| Some(tool.server.as_ref()?.name.as_str())).collect();
        let supposed = |server: &str| Look::of(bundle, server, "", true, 0, |_| Ok(()));
        Self { looks: servers.into_iter().map(|server| (server.to_owned(), supposed(server))).collect() }
    }

    /// Takes a look in, in the place of the one before. Hands back what the audit is told: what is new.
    pub fn take(&mut self, look: Look) -> Vec<Event> {
        let before = self.looks.get(&look.server).map(Look::events);
        let events = look
            .events()
            .into_iter()
            .filter(|event| before.as_ref().is_none_or(|before| !before.contains(event)));
        let events = events.collect();
        self.looks.insert(look.server.clone(), look);
        events
    }

    /// The last look at a server.
    #[must_use]
    pub fn of(&self, server: &str) -> Option<&Look> {
        self.looks.get(server)
    }

    /// Whether a tool of an outside server may be shown and called now, under the lock of this digest.
    ///
    /// # Errors
    /// Why it is withheld.
    pub fn shows(&self, lock: &str, server: &str, tool: &str, now_ms: u64) -> Result<(), Withheld> {
        let in_time = |look: &&Look| look.lock == lock && (look.supposed || is_fresh(look.at_ms, now_ms));
        let look = self.looks.get(server).filter(in_time);
        let found = look.and_then(|look| look.tools.get(tool)).ok_or(Withheld::Unseen)?;
        found.as_ref().map(drop).map_err(Clone::clone)
    }
}
