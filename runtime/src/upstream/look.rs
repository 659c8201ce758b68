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

use std::cmp::Ordering;
use std::collections::BTreeMap;
#[cfg(feature = "questions")]
use std::collections::BTreeSet;

use super::drift::compare;
use super::{Drift, Listing, Part, Unfit};
use crate::Bundle;
use crate::audit::Event;
use crate::decide::Code;
use crate::lock::{Pinned, Server};

/// How long a look counts, in milliseconds from when its list was asked for. What is older was looked at before another
/// execution, not before this one. A list that takes longer to come has nothing to say ([`Bounds::of_lists`](super::Bounds::of_lists)).
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
        Code::from(self).code()
    }
}

impl From<&Withheld> for Code {
    fn from(withheld: &Withheld) -> Self {
        match withheld {
            Withheld::Drifted(_) => Self::UpstreamDrift,
            Withheld::Unfit(_) | Withheld::Unseen => Self::UpstreamUnseen,
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

    /// What the audit is told: each part of each drift, or that the list could not be used.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        let unfit = self.unfit().map(|unfit| unfit.event(&self.server));
        self.drifts().flat_map(Drift::events).chain(unfit).collect()
    }

    /// What the audit is told that it was not told of the look before.
    fn events_after(&self, before: &Self) -> Vec<Event> {
        let drifts = self.drifts().filter(|drift| !before.drifts().any(|known| known == *drift));
        let unfit = self.unfit().filter(|unfit| before.unfit() != Some(*unfit));
        let unfit = unfit.map(|unfit| unfit.event(&self.server));
        drifts.flat_map(Drift::events).chain(unfit).collect()
    }

    fn unfit(&self) -> Option<Unfit> {
        self.tools.values().find_map(|found| match found {
            Err(Withheld::Unfit(unfit)) => Some(*unfit),
            _ => None,
        })
    }

    /// Withholds what another look of the same time withholds.
    fn withhold(&mut self, other: Self) {
        for (tool, found) in other.tools {
            let own = self.tools.entry(tool).or_insert(Err(Withheld::Unseen));
            match found {
                // Both hold a match: of another address than the other's, neither can be meant.
                Ok(matched) if own.as_ref().is_ok_and(|own| *own != matched) => *own = Err(Withheld::Unseen),
                Err(_) if own.is_ok() => *own = found,
                _ => {}
            }
        }
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

    /// For questions about a policy alone: as if every server listed what was pinned, at any time. No write can be started on
    /// the strength of it, since it yields no [`Matched`]; but the boundary lists every outside tool under it and lets every
    /// outside read pass. No tool server takes it, and without the feature `questions` there is none to take.
    #[cfg(feature = "questions")]
    #[doc(hidden)]
    #[must_use]
    pub fn supposed(bundle: &Bundle) -> Self {
        let tools = bundle.lock().tools.values();
        let servers: BTreeSet<&str> =
            tools.filter_map(|tool| Some(tool.server.as_ref()?.name.as_str())).collect();
        let supposed = |server: &str| Look::of(bundle, server, "", true, 0, |_| Ok(()));
        Self { looks: servers.into_iter().map(|server| (server.to_owned(), supposed(server))).collect() }
    }

    /// Takes a look in. The one that was asked for later stands, whichever was answered first; of two of one time, what either
    /// withholds is withheld. Hands back what the audit is told: what was not found by the look before.
    pub fn take(&mut self, look: Look) -> Vec<Event> {
        let Some(before) = self.looks.get_mut(&look.server) else {
            let events = look.events();
            self.looks.insert(look.server.clone(), look);
            return events;
        };
        let events = look.events_after(before);
        match look.at_ms.cmp(&before.at_ms) {
            Ordering::Less => {}
            Ordering::Equal if look.lock == before.lock => before.withhold(look),
            Ordering::Equal | Ordering::Greater => *before = look,
        }
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
