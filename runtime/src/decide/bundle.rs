//! A lock in force and the runs under it: list and call ask the same table.

use std::sync::Arc;

use super::bits::Bits;
use super::gates::{self, Facts, approval};
use super::index::{CellsEntry, DeedEntry, Effects, HarnessEntry, Index, RoleEntry, SurfaceEntry, ToolEntry};
use super::{Call, DeedSet, Gate, Person, Plan, RunRow, Tighter, Verdict};
use crate::load::{Held, LoadError, Loaded, Trust, load};
use crate::lock::{Approval, Cell, Lock, NO_HARNESS, Tool};

/// A lock in force: loaded, proved and numbered.
#[derive(Clone, Debug)]
pub struct Bundle {
    digest: Arc<str>,
    index: Index,
    lock: Lock,
}

impl Bundle {
    /// Loads, proves and numbers a lock. Where it is refused, the caller's last good one stays in force.
    pub fn load(bytes: &[u8], trust: &Trust, held: Option<&Held>) -> Result<Self, LoadError> {
        let Loaded { digest, lock } = load(bytes, trust, held)?;
        let index = Index::of(&lock);
        Ok(Self { digest: digest.into(), index, lock })
    }

    /// `sha256:<64 hex>` of the lock in force.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The lock in force.
    #[must_use]
    pub fn lock(&self) -> &Lock {
        &self.lock
    }

    /// What to hold when the next lock is loaded.
    #[must_use]
    pub fn held(&self) -> Held {
        Held { digest: self.digest.to_string(), revision: self.lock.revision }
    }

    /// The input of a tool that tells its cases apart.
    #[must_use]
    pub fn discriminator(&self, tool: &str) -> Option<&str> {
        self.lock.tools.get(tool)?.cases.as_ref().map(|cases| cases.input.as_str())
    }

    /// Deeds by name; the name of a tool with cases stands for all of them, an unknown name for none.
    #[must_use]
    pub fn deeds<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> DeedSet {
        let bits = names.into_iter().flat_map(|name| self.index.named(name)).collect();
        DeedSet { bits, lock: self.digest.clone() }
    }

    /// A person by the names of what they may do.
    #[must_use]
    pub fn person<'n>(&self, permissions: impl IntoIterator<Item = &'n str>) -> Person {
        Person(self.deeds(permissions))
    }

    /// A person who may do what a persona's bundle holds.
    #[must_use]
    pub fn persona(&self, key: &str) -> Option<Person> {
        let persona = self.lock.personas.get(key)?;
        Some(self.person(persona.bundle.iter().map(String::as_str)))
    }

    /// Whether a person may do exactly what the bundles of these personas hold; everything, where the policy states none.
    pub(crate) fn is_as_personas(&self, person: &Person, personas: &[&str]) -> bool {
        if self.lock.personas.is_empty() {
            return (0..self.index.count()).all(|deed| person.0.bits.contains(deed));
        }
        // Looked up once: a union asks each of them for every word.
        let bundles: Vec<&Bits> = personas.iter().filter_map(|key| self.index.persona(key)).collect();
        person.0.bits.is_union(bundles.iter().copied())
    }

    /// A person who may do everything, where the policy states no personas and so checks none.
    #[must_use]
    pub fn anyone(&self) -> Option<Person> {
        self.lock.personas.is_empty().then(|| self.person(self.lock.tools.keys().map(String::as_str)))
    }

    /// Looks the row's names up once; the run then answers any number of questions.
    #[must_use]
    pub fn run<'a>(&'a self, row: &RunRow<'a>) -> Run<'a> {
        let role = self.index.role(row.role);
        let harness = self.index.harness(row.harness).filter(|_| row.harness != Some(NO_HARNESS));
        let surface = match row.surface {
            None => From::Nowhere,
            Some(key) => self.index.surface(key).map_or(From::Unknown, From::Surface),
        };
        Run {
            bundle: self,
            cells: harness.zip(role).and_then(|(harness, entry)| {
                let stored = self.lock.effective.get(row.harness.unwrap_or(NO_HARNESS))?.get(row.role)?;
                Some(Cells { entry: harness.cells.get(entry.number)?, stored })
            }),
            effects: surface.effects(row.scopes, self.index.has_scopes()),
            harness,
            kill_switch: None,
            person: self.own(&row.person.0),
            plan: match row.plan {
                Plan::None => Covered::All,
                Plan::Proposed => Covered::Exempt,
                Plan::Approved { steps } => self.own(steps).map_or(Covered::Exempt, Covered::Steps),
            },
            read_only: row.read_only || row.harness.is_none(),
            role,
            surface,
            tighter: None,
        }
    }

    /// The numbers behind the names.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// What the run is shown, by tool name. The server adds `plan.propose`, which no registry lists.
    #[must_use]
    pub fn tools_list<'a>(&'a self, row: &RunRow<'a>) -> Vec<Listed<'a>> {
        self.run(row).list()
    }

    /// What becomes of a call.
    #[must_use]
    pub fn check_call<'a>(&'a self, row: &RunRow<'a>, call: &Call<'_>) -> Verdict<'a> {
        self.run(row).check(call)
    }

    /// A set that was made under this lock; another one's numbers mean other deeds.
    fn own<'a>(&self, set: &'a DeedSet) -> Option<&'a DeedSet> {
        Some(set).filter(|set| set.lock == self.digest)
    }
}

/// A run, its names looked up.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    bundle: &'a Bundle,
    pub(super) cells: Option<Cells<'a>>,
    pub(super) effects: Effects,
    pub(super) harness: Option<&'a HarnessEntry>,
    pub(super) kill_switch: Option<bool>,
    pub(super) person: Option<&'a DeedSet>,
    pub(super) plan: Covered<'a>,
    pub(super) read_only: bool,
    pub(super) role: Option<&'a RoleEntry>,
    pub(super) surface: From<'a>,
    pub(super) tighter: Option<&'a Tighter>,
}

/// What one harness grants one role, by deed number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells<'a> {
    entry: &'a CellsEntry,
    stored: &'a [Cell],
}

impl<'a> Cells<'a> {
    pub(super) fn get(&self, deed: usize) -> Option<&'a Cell> {
        self.stored.get(*self.entry.places.get(deed)? as usize)
    }

    /// The approval of a deed's cell, which is read only where it is not auto.
    pub(super) fn approval(&self, deed: usize) -> Option<Approval> {
        if self.entry.auto.contains(deed) {
            return Some(Approval::Auto);
        }
        self.get(deed).map(|cell| cell.approval)
    }
}

/// Where a call stands before its input is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing<'a> {
    /// The first closed gate up to the plan's.
    pub(crate) closed: Option<Gate>,
    /// The deed, where the call names one.
    pub(crate) deed: Option<DeedEntry<'a>>,
    /// The tool, where the registry has it.
    pub(crate) tool: Option<ToolEntry>,
}

/// The surface a call comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum From<'a> {
    Nowhere,
    Surface(&'a SurfaceEntry),
    Unknown,
}

impl From<'_> {
    /// The effects that the granted scopes cover; a scope that the surface does not know covers none. Where some
    /// surface states scopes, a call over none is granted none.
    fn effects(self, granted: &[&str], some_has_scopes: bool) -> Effects {
        let scopes = match self {
            Self::Surface(SurfaceEntry { scopes: Some(scopes), .. }) => scopes,
            Self::Nowhere if some_has_scopes => return Effects::default(),
            Self::Surface(_) | Self::Nowhere | Self::Unknown => return Effects::ALL,
        };
        granted
            .iter()
            .filter_map(|scope| scopes.get(*scope))
            .fold(Effects::default(), |all, one| all.union(*one))
    }
}

/// What the run's plan covers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Covered<'a> {
    All,
    Exempt,
    Steps(&'a DeedSet),
}

/// A tool that a run is shown.
#[derive(Clone, Debug)]
pub struct Listed<'a> {
    /// What each held deed grants, by case; one cell for a tool without cases.
    pub cells: Vec<&'a Cell>,
    /// The held cases, sorted; empty for a tool without cases.
    pub cases: Vec<&'a str>,
    /// The tool's name.
    pub name: &'a str,
    /// Its definition; [`input`](Self::input) is its input as this run may use it.
    pub tool: &'a Tool,
}

/// One gate's answer, whatever the others say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The gate.
    pub gate: Gate,
    /// Whether it is open; `None`: the boundary asks it, or it has nothing to ask since the tool is unknown.
    pub open: Option<bool>,
}

impl<'a> Run<'a> {
    /// What the run is shown, by tool name.
    #[must_use]
    pub fn list(&self) -> Vec<Listed<'a>> {
        self.bundle.lock.tools.iter().filter_map(|(name, tool)| self.listed(name, tool)).collect()
    }

    /// What the run is shown of one tool: what [`list`](Self::list) says of it.
    #[must_use]
    pub fn shown(&self, name: &str) -> Option<Listed<'a>> {
        let (name, tool) = self.bundle.lock.tools.get_key_value(name)?;
        self.listed(name, tool)
    }

    fn listed(&self, name: &'a str, tool: &'a Tool) -> Option<Listed<'a>> {
        let entry = self.bundle.index.tool(name)?;
        let mut listed = Listed { cells: Vec::new(), cases: Vec::new(), name, tool };
        for deed in self.bundle.index.deeds(entry) {
            let open = gates::closed_to_list(&Facts { deed, name, run: self, tool: entry }).is_none();
            let cell = self.cells.and_then(|cells| cells.get(deed.number)).filter(|_| open);
            if let Some(cell) = cell {
                listed.cells.push(cell);
                listed.cases.extend(deed.case);
            }
        }
        Some(listed).filter(|listed| !listed.cells.is_empty())
    }

    /// What becomes of a call. Allocates nothing.
    #[must_use]
    pub fn check(&self, call: &Call<'_>) -> Verdict<'a> {
        let standing = self.standing(call);
        standing.closed.map_or_else(|| self.approval(call, &standing), deny)
    }

    /// The gates up to the plan's. Allocates nothing.
    pub(crate) fn standing(&self, call: &Call<'_>) -> Standing<'a> {
        let Some(tool) = self.bundle.index.tool(call.tool) else {
            return Standing { closed: Some(Gate::Known), deed: None, tool: None };
        };
        let deed = self.bundle.index.deed(tool, call.case);
        let closed = match deed {
            Some(deed) => gates::closed_to_call(&Facts { deed, name: call.tool, run: self, tool }),
            None => self.closed_to_any(call.tool, tool),
        };
        Standing { closed, deed, tool: Some(tool) }
    }

    /// The first gate that is closed to a plan as a whole.
    pub(crate) fn closed_to_plans(&self) -> Option<Gate> {
        gates::closed_to_plans(self)
    }

    /// Who must say yes to a call whose other gates are open.
    pub(crate) fn approval(&self, call: &Call<'_>, standing: &Standing<'a>) -> Verdict<'a> {
        let (Some(deed), Some(tool)) = (standing.deed, standing.tool) else { return deny(Gate::Input) };
        approval::verdict(&Facts { deed, name: call.tool, run: self, tool })
    }

    /// Who may say yes where more is asked for than the cell of the deed says.
    pub(super) fn approvers(
        &self,
        deed: DeedEntry<'_>,
        cell: Approval,
        raised: Approval,
    ) -> Option<&'a [String]> {
        self.bundle.index.approvers().get(deed.number, cell, raised)
    }

    /// What the cell of a deed grants.
    pub(crate) fn cell(&self, deed: DeedEntry<'_>) -> Option<&'a Cell> {
        self.cells.and_then(|cells| cells.get(deed.number))
    }

    /// The numbers of harness and role, which name the cell together with the deed's.
    pub(crate) fn place(&self) -> Option<(usize, usize)> {
        Some((self.harness?.number, self.role?.number))
    }

    /// The surface that the call came over, where the policy knows it.
    pub(crate) fn surface(&self) -> Option<&'a SurfaceEntry> {
        match self.surface {
            From::Surface(surface) => Some(surface),
            From::Nowhere | From::Unknown => None,
        }
    }

    /// The run while the kill switch is on or off.
    #[must_use]
    pub fn with_kill_switch(self, on: bool) -> Self {
        Self { kill_switch: Some(on), ..self }
    }

    /// The run under what stands over the lock at run time.
    #[must_use]
    pub fn under(self, tighter: &'a Tighter) -> Self {
        Self { tighter: Some(tighter), ..self }
    }

    /// For a call that names none of the tool's cases: the gate that every one of them ends at or before. Whoever
    /// holds no case learns nothing of what the cases are.
    fn closed_to_any(&self, name: &str, tool: ToolEntry) -> Option<Gate> {
        let mut last = None;
        for deed in self.bundle.index.deeds(tool) {
            let closed = gates::closed_to_call(&Facts { deed, name, run: self, tool });
            closed?;
            last = last.max(closed);
        }
        last
    }

    /// Every gate's own answer, in order, for a person who asks why.
    #[must_use]
    pub fn trace(&self, call: &Call<'_>) -> Vec<Answer> {
        let tool = self.bundle.index.tool(call.tool);
        let deed = tool.and_then(|tool| self.bundle.index.deed(tool, call.case));
        let facts = tool.zip(deed).map(|(tool, deed)| Facts { deed, name: call.tool, run: self, tool });
        let own: Vec<(Gate, bool)> =
            facts.as_ref().map(|facts| gates::answers(facts).collect()).unwrap_or_default();
        let open = |gate| match gate {
            Gate::Known => Some(tool.is_some()),
            Gate::Input => tool.map(|_| deed.is_some()),
            Gate::Approval => facts.as_ref().map(|facts| approval::verdict(facts) == Verdict::Allow),
            Gate::KillSwitch if self.kill_switch.is_none() => None,
            gate => own.iter().find(|(own, _)| *own == gate).map(|(_, open)| *open),
        };
        Gate::ALL.into_iter().map(|gate| Answer { gate, open: open(gate) }).collect()
    }
}

fn deny<'a>(gate: Gate) -> Verdict<'a> {
    Verdict::Deny(gate.into())
}
