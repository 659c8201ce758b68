//! An outside server: what it lists now, what was found when somebody last looked, and which lock pins what.

use std::collections::BTreeMap;

use harnessc_runtime::Bundle;
use harnessc_runtime::actions::{CellRef, Execution};
use harnessc_runtime::lock::{Lock, Pinned};
use harnessc_runtime::prove;
use harnessc_runtime::upstream::{self, Bounds, Listing, MAX_AGE_MS, Matched, Unfit, Withheld};
use serde_json::{Value, json};

use crate::blind::Blind;
use crate::common::{bundle, raw, small};
use crate::world::{EXPIRES, Env};

const ADDRESS: &str = "https://desk.example/mcp";
const HARNESS: &str = "chemist";
const ROLE: &str = "console";
const SERVER: &str = "desk";
/// The tool of each action, ours and the server's name of it.
const TOOLS: [(&str, &str); 2] = [("records.propose", "propose"), ("records.revise", "revise")];

/// Whether the two writes are our own or an outside server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Inside,
    Outside,
}

/// What the server answers when it is asked for its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Lists {
    /// Both tools as they were when they were looked at.
    AsPinned,
    /// The tool of this action is another one.
    Other(usize),
    /// Nothing in time.
    Silent,
}

impl Lists {
    pub(crate) const ALL: [Self; 4] = [Self::AsPinned, Self::Other(0), Self::Other(1), Self::Silent];
}

/// The last look at the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Look {
    pub(crate) at: u64,
    /// Which rules were in force then.
    pub(crate) epoch: usize,
    pub(crate) lists: Lists,
}

impl Look {
    /// A look now, under what is in force now.
    pub(crate) fn now(env: Env, lists: Lists) -> Self {
        Self { at: env.now, epoch: env.epoch, lists }
    }

    /// Too old to count at this time, by the model's own clock: five seconds.
    pub(crate) fn is_old(self, now: u64) -> bool {
        now - self.at > 5_000
    }
}

/// A time at which a look that was taken at 0 counts no more.
pub(crate) const LATER: u64 = MAX_AGE_MS + 1;

/// What three locks say of both tools, and what every look at the server finds.
pub(crate) struct Outside {
    deeds: [[String; 2]; 3],
    found: BTreeMap<(usize, Look), Result<Matched, Withheld>>,
    locks: [String; 3],
}

impl Outside {
    pub(crate) fn new() -> Self {
        let bundles = [0, 1, 2].map(|epoch| bundle(&lock(epoch)));
        let deed = |bundle: &Bundle, action: usize| {
            bundle.deed_digest(Some(HARNESS), ROLE, TOOLS[action].0).unwrap()
        };
        let mut found = BTreeMap::new();
        for lists in Lists::ALL {
            let listing = listing(lists);
            let listing = listing.as_ref().map_err(|unfit| *unfit);
            for ((epoch, bundle), at) in
                bundles.iter().enumerate().flat_map(|one| [0, LATER, EXPIRES].map(|at| (one, at)))
            {
                let look = upstream::Look::at(bundle, SERVER, ADDRESS, listing, at);
                let of = |action: usize| ((action, Look { at, epoch, lists }), look.matched(TOOLS[action].0));
                found.extend([of(0), of(1)]);
            }
        }
        Self {
            deeds: bundles.each_ref().map(|bundle| [deed(bundle, 0), deed(bundle, 1)]),
            found,
            locks: bundles.each_ref().map(|bundle| bundle.digest().to_owned()),
        }
    }

    pub(crate) fn cell(action: usize) -> CellRef {
        CellRef {
            case: None,
            harness: Some(HARNESS.to_owned()),
            role: ROLE.to_owned(),
            tool: TOOLS[action].0.to_owned(),
        }
    }

    /// Where the write is done, or what a guard takes for a place of our own.
    pub(crate) fn execution(action: usize, blind: Option<Blind>) -> Execution {
        let theirs = blind != Some(Blind::Outside);
        Execution {
            address: theirs.then(|| ADDRESS.to_owned()),
            server: theirs.then(|| SERVER.to_owned()),
            upstream: TOOLS[action].1.to_owned(),
        }
    }

    pub(crate) fn server(blind: Option<Blind>) -> Option<String> {
        Self::execution(0, blind).server
    }

    pub(crate) fn lock(&self, epoch: usize) -> String {
        self.locks[epoch].clone()
    }

    pub(crate) fn deed_digest(&self, action: usize, epoch: usize) -> String {
        self.deeds[epoch][action].clone()
    }

    /// What a start of this action is handed of the last look: what it found of the tool of `of`.
    pub(crate) fn listed(
        &self,
        action: usize,
        of: usize,
        env: Env,
        blind: Option<Blind>,
    ) -> Option<Result<Matched, Withheld>> {
        let found = self.found[&(of, lied(env, blind)?)].clone();
        let mixed = blind == Some(Blind::Tool) && of != action && found.is_ok();
        Some(if mixed { self.found[&(action, Look::now(env, Lists::AsPinned))].clone() } else { found })
    }
}

fn listing(lists: Lists) -> Result<Listing, Unfit> {
    let tools = [0, 1].map(|action| entry(action, lists == Lists::Other(action)));
    match lists {
        Lists::Silent => Err(Unfit::Timeout),
        _ => Listing::read(&[json!({"tools": tools}).to_string().as_bytes()], &Bounds::default()),
    }
}

/// The last look, or what a blinded guard takes for it.
fn lied(env: Env, blind: Option<Blind>) -> Option<Look> {
    let Some(look) = env.look else {
        return (blind == Some(Blind::Looked)).then(|| Look::now(env, Lists::AsPinned));
    };
    Some(match (blind, look.lists) {
        (Some(Blind::Drift), Lists::Other(_)) | (Some(Blind::Silence), Lists::Silent) => {
            Look { lists: Lists::AsPinned, ..look }
        }
        (Some(Blind::Freshness), _) => Look { at: env.now, ..look },
        (Some(Blind::LookedUnder), _) => Look { epoch: env.epoch, ..look },
        _ => look,
    })
}

/// A tool as the server publishes it: as it was looked at first, or another one under its name.
fn entry(action: usize, other: bool) -> Value {
    let field = if other { "everything" } else { "program_id" };
    json!({
        "annotations": {"readOnlyHint": false},
        "inputSchema": {"properties": {field: {"type": "string"}}, "type": "object"},
        "name": TOOLS[action].1,
    })
}

/// The lock of an epoch. The second has other approvals and the same pins; the third pins what the server made of its tools.
fn lock(epoch: usize) -> Lock {
    let mut lock = small();
    lock.revision += epoch as u64;
    let (first, second) = (TOOLS[0].0, TOOLS[1].0);
    lock.tools.insert(second.to_owned(), lock.tools[first].clone());
    for (action, (name, upstream)) in TOOLS.into_iter().enumerate() {
        let pinned = raw(&entry(action, epoch == 2).to_string());
        lock.tools.get_mut(name).unwrap().server = Some(Pinned {
            hints: harnessc_runtime::lock::Hints { read_only: Some(false), ..Default::default() },
            name: SERVER.to_owned(),
            pinned_digest: pinned.digest(),
            pinned,
            upstream: upstream.to_owned(),
        });
    }
    lock.servers.get_mut(SERVER).unwrap().url = Some(ADDRESS.to_owned());
    let toolset = &mut lock.harnesses.get_mut(HARNESS).unwrap().toolset;
    let mention = toolset.iter().find(|mention| mention.tool == first).unwrap().clone();
    toolset.push(harnessc_runtime::lock::Mention { tool: second.to_owned(), ..mention });
    toolset.sort_by(|a, b| (&a.tool, &a.case).cmp(&(&b.tool, &b.case)));
    for persona in lock.personas.values_mut().filter(|persona| persona.harness) {
        persona.bundle.push(second.to_owned());
        persona.bundle.sort();
    }
    lock.effective = prove::table::effective(&lock);
    lock
}
