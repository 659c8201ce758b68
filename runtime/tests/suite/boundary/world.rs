//! One call with everything around it, each part of which a test can spoil.

use std::collections::BTreeMap;
use std::sync::Arc;

use harnessc_runtime::boundary::validate::Unchecked;
use harnessc_runtime::boundary::{
    Boundary, Bounds, Call, Claims, Compile, Compiled, Conditions, Decided, DeedNames, Ending, InputFault,
    Ledger, Lifecycle, Locks, Mode, NameKey, Overlay, PlanState, RunState, Unreadable,
};
use harnessc_runtime::json::Json;
use harnessc_runtime::lock::{Approvers, Lock, RunLimits, digest};
use harnessc_runtime::prove;
use harnessc_runtime::upstream::{Bounds as Sizes, Listing, Look, MAX_AGE_MS, Upstreams};
use serde_json::Value;

use crate::common::{bundle, seal, small};

pub(crate) const NOW: u64 = 1_700_000_000_000;

/// A validator of the tests' own: required and known members of the root, nothing else.
#[derive(Debug)]
pub(crate) struct Members;

#[derive(Debug)]
struct Ready(Value);

impl Compile for Members {
    fn compile(&self, schema: &str) -> Option<Box<dyn Compiled>> {
        Some(Box::new(Ready(serde_json::from_str(schema).ok()?)))
    }
}

impl Compiled for Ready {
    fn check(&self, input: &Json) -> Result<(), InputFault> {
        let members = input.value().as_object().unwrap();
        let required = self.0["required"].as_array().cloned().unwrap_or_default();
        let missing = required.iter().any(|name| !members.contains_key(name.as_str().unwrap()));
        let closed = self.0.get("unevaluatedProperties") == Some(&Value::Bool(false));
        let unknown = closed && members.keys().any(|name| self.0["properties"].get(name).is_none());
        if missing || unknown { Err(InputFault::new("", "its members")) } else { Ok(()) }
    }
}

/// How a plan stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planned {
    None,
    Proposed,
    Steps(&'static [&'static str]),
    Unreadable,
}

/// What the outside server `desk` listed when it was last looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// As it was pinned, a moment ago.
    AsPinned,
    /// As it was pinned, longer ago than a look counts.
    Stale,
    As(&'static str),
    Never,
}

impl Seen {
    fn upstreams(self, locks: &Locks) -> Upstreams {
        let bundle = locks.in_force();
        let servers = bundle.lock().tools.values().filter_map(|tool| tool.server.as_ref());
        let pinned: Vec<&str> = servers.map(|server| server.pinned.as_str()).collect();
        let (entries, at_ms) = match self {
            Self::Never => return Upstreams::UNSEEN.clone(),
            Self::As(entry) => (entry.to_owned(), NOW),
            Self::AsPinned => (pinned.join(","), NOW),
            Self::Stale => (pinned.join(","), NOW - MAX_AGE_MS - 1),
        };
        let page = format!(r#"{{"tools":[{entries}]}}"#);
        let listing = Listing::read(&[page.as_bytes()], &Sizes::default());
        let mut upstreams = Upstreams::default();
        let stated = bundle.lock().servers["desk"].address();
        let address = stated.as_deref().unwrap_or(ADDRESS);
        upstreams.take(Look::at(bundle, "desk", address, listing.as_ref().map_err(|unfit| *unfit), at_ms));
        upstreams
    }
}

/// How the small lock says that its outside server is reached.
pub(crate) const ADDRESS: &str = "https://desk.example/mcp";

#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) claimed_run: &'static str,
    pub(crate) created: Lock,
    pub(crate) created_held: bool,
    pub(crate) ended: Option<Ending>,
    pub(crate) harness: Option<&'static str>,
    pub(crate) high_water_ms: u64,
    pub(crate) in_force: Lock,
    pub(crate) input: String,
    pub(crate) kill_switch: Result<bool, Unreadable>,
    pub(crate) ledger: Result<Ledger, Unreadable>,
    pub(crate) mode: Mode,
    pub(crate) now_ms: u64,
    pub(crate) overlay: Result<Overlay, Unreadable>,
    pub(crate) permissions: Result<Vec<&'static str>, Unreadable>,
    pub(crate) plan: Planned,
    pub(crate) role: &'static str,
    pub(crate) run: Result<bool, Unreadable>,
    pub(crate) scopes: &'static [&'static str],
    pub(crate) seen: Seen,
    pub(crate) surface: Option<&'static str>,
    pub(crate) tool: &'static str,
    pub(crate) validator: Arc<dyn Compile>,
    pub(crate) values: BTreeMap<String, Json>,
}

impl World {
    /// A scientist's run from outside proposes a record: every gate is open.
    pub(crate) fn open() -> Self {
        let mut in_force = small();
        in_force.limits = Some(harnessc_runtime::lock::Limits {
            run: Some(RunLimits { deadline_ms: Some(60_000), ..RunLimits::default() }),
            ..Default::default()
        });
        let mut created = in_force.clone();
        created.revision = 6;
        Self {
            claimed_run: "run-1",
            created,
            created_held: true,
            ended: None,
            harness: Some("chemist"),
            high_water_ms: NOW,
            in_force,
            input: r#"{"program_id":"PRG-7"}"#.to_owned(),
            kill_switch: Ok(false),
            ledger: Ok(Ledger::default()),
            mode: Mode::Work,
            now_ms: NOW,
            overlay: Ok(Overlay::none().unwrap()),
            permissions: Ok(vec!["records.propose", "records.search", "records.draft", "memory.recall"]),
            plan: Planned::None,
            role: "console",
            run: Ok(true),
            scopes: &[],
            seen: Seen::AsPinned,
            surface: Some("mcp"),
            tool: "records.propose",
            validator: Arc::new(Members),
            values: BTreeMap::from([("program_id".to_owned(), Json::parse(b"\"PRG-7\"").unwrap())]),
        }
    }

    /// The same world with one part changed.
    pub(crate) fn but(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    pub(crate) fn unchecked(&mut self) {
        self.validator = Arc::new(Unchecked);
    }

    /// Both locks, changed alike.
    pub(crate) fn both(&mut self, change: impl Fn(&mut Lock)) {
        for lock in [&mut self.created, &mut self.in_force] {
            change(lock);
            lock.effective = prove::table::effective(lock);
        }
    }

    pub(crate) fn approvers(lock: &mut Lock, confirm: &[&str]) {
        let own = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
        lock.approvals.approvers =
            Some(Approvers { confirm: own(confirm), four_eyes: own(confirm), tools: BTreeMap::new() });
        lock.effective = prove::table::effective(lock);
    }

    pub(crate) fn locks(&self) -> Locks {
        let created = bundle(&self.created);
        let own = created.digest().to_owned();
        let locks = Locks::new(created, Arc::clone(&self.validator)).reloaded(bundle(&self.in_force));
        if self.created_held { locks } else { locks.without(&own) }
    }

    /// Asks once; the ledger keeps what is reserved.
    pub(crate) fn ask(&mut self) -> Decided {
        let locks = self.locks();
        self.ask_of(&locks)
    }

    pub(crate) fn ask_of(&mut self, locks: &Locks) -> Decided {
        let (input, surface, tool) = (self.input.clone(), self.surface, self.tool);
        let call = Call { input: input.as_bytes(), surface, tool };
        self.around(locks, |boundary, run, claims, conditions, ledger| {
            boundary.check(run, claims, &call, conditions, ledger)
        })
    }

    /// Asks with a boundary, the run, its claims, the conditions and the ledger.
    pub(crate) fn around<T>(
        &mut self,
        locks: &Locks,
        ask: impl FnOnce(
            &Boundary<'_>,
            Result<Option<&RunState<'_>>, Unreadable>,
            &Claims<'_>,
            &Conditions<'_>,
            Result<&mut Ledger, Unreadable>,
        ) -> T,
    ) -> T {
        // Sealing and proving a lock takes its time in a debug build.
        let own = match self.created.revision == self.in_force.revision {
            true => locks.in_force().digest().to_owned(),
            false => digest::open(&seal(&self.created)).unwrap().digest,
        };
        let key = NameKey::new([7; 32]);
        let permissions = self
            .permissions
            .as_ref()
            .map(|names| DeedNames::of(names.iter().copied(), locks))
            .map_err(|doubt| *doubt);
        let steps = match self.plan {
            Planned::Steps(names) => DeedNames::of(names.iter().copied(), locks),
            _ => DeedNames::of([], locks),
        };
        let run = RunState {
            acting_user: "person-1",
            harness: self.harness,
            id: "run-1",
            lifecycle: Lifecycle { ended: self.ended, ..Lifecycle::begun(NOW - 1_000) },
            lock: &own,
            mode: self.mode,
            organization: "org-1",
            permissions: permissions.as_ref().map_err(|doubt| *doubt),
            personas: &["scientist"],
            plan: match self.plan {
                Planned::None => Ok(PlanState::None),
                Planned::Proposed => Ok(PlanState::Proposed),
                Planned::Steps(_) => Ok(PlanState::Approved { steps: &steps }),
                Planned::Unreadable => Err(Unreadable),
            },
            requester: "person-2",
            role: self.role,
            values: &self.values,
        };
        let claims = Claims {
            audience: "tools",
            harness: self.harness,
            organization: "org-1",
            role: self.role,
            run: self.claimed_run,
            scopes: self.scopes,
        };
        let upstreams = self.seen.upstreams(locks);
        let conditions = Conditions {
            high_water_ms: self.high_water_ms,
            kill_switch: self.kill_switch,
            now_ms: Ok(self.now_ms),
            overlay: self.overlay.as_ref().map_err(|doubt| *doubt),
            upstreams: &upstreams,
        };
        let boundary = Boundary { audience: "tools", bounds: Bounds::default(), key: &key, locks };
        let ledger = self.ledger.as_mut().map_err(|doubt| *doubt);
        ask(&boundary, self.run.map(|there| there.then_some(&run)), &claims, &conditions, ledger)
    }
}
