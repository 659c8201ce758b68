//! The lock, numbered: built once when it loads, so that a decision looks names up and tests bits.

use std::collections::HashMap;
use std::ops::Range;

use super::bits::{Bits, Ranked};
use crate::deeds::{Deed, Deeds};
use crate::lock::{Approval, Effect, Lock, NO_HARNESS, Origin, Surface};
use crate::prove::table;

#[derive(Clone, Debug)]
pub(crate) struct Index {
    /// By deed number.
    approvers: Vec<Approvers>,
    deeds: Vec<DeedEntry>,
    harnesses: HashMap<String, HarnessEntry>,
    /// What each persona's bundle holds.
    personas: HashMap<String, Bits>,
    roles: HashMap<String, RoleEntry>,
    surfaces: HashMap<String, SurfaceEntry>,
    tools: HashMap<String, ToolEntry>,
}

#[derive(Clone, Debug)]
pub(crate) struct ToolEntry {
    pub(crate) deeds: Range<usize>,
    pub(crate) enabled: bool,
    /// Whether the tool names its surfaces.
    pub(crate) on_surfaces: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct DeedEntry {
    pub(crate) case: Option<String>,
    pub(crate) effect: Effect,
    pub(crate) number: usize,
}

/// Who may say yes to a deed where an outside origin or the overlay asks for more than its cell. Kept beside the deeds,
/// which every call reads.
#[derive(Clone, Debug)]
struct Approvers {
    confirm: Option<Vec<String>>,
    four_eyes: Option<Vec<String>>,
    /// Of those of `four_eyes`, whoever may also confirm: what a cell asks for still holds where more is asked for.
    raised: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
pub(crate) struct HarnessEntry {
    /// By role number: where in the stored list each deed's cell stands.
    pub(crate) cells: Vec<Ranked<u32>>,
    /// Exempt from the plan gate.
    pub(crate) exempt: Bits,
    pub(crate) held: Bits,
    /// The cells with a narrowing, by role and deed number.
    pub(crate) narrowed: Vec<(usize, usize)>,
    /// Its place in the order of the lock's harnesses.
    pub(crate) number: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct RoleEntry {
    pub(crate) grants: Bits,
    pub(crate) number: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct SurfaceEntry {
    /// The scopes of the turn that resumes after a yes.
    pub(crate) after_approval: Option<Vec<String>>,
    /// Deeds of the tools that name this surface.
    pub(crate) named: Bits,
    pub(crate) outside: bool,
    /// Scope → its effects; `None`: this surface knows no scopes.
    pub(crate) scopes: Option<HashMap<String, Effects>>,
    /// The step cap of each scope that states one.
    pub(crate) steps: HashMap<String, u64>,
}

/// A set of effects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effects(u8);

impl Effects {
    pub(crate) const ALL: Self = Self(0b1111);

    pub(crate) fn with(self, effect: Effect) -> Self {
        Self(self.0 | 1 << effect as u8)
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn contains(self, effect: Effect) -> bool {
        self.0 >> (effect as u8) & 1 == 1
    }
}

impl Index {
    pub(crate) fn of(lock: &Lock) -> Self {
        let deeds = Deeds::of(lock);
        let roles = lock.roles.iter().enumerate().map(|(number, (key, role))| {
            let granted = deeds.iter().enumerate().filter(|(_, deed)| table::grants(role, deed));
            (key.clone(), RoleEntry { grants: granted.map(|(number, _)| number).collect(), number })
        });
        let personas = lock.personas.iter().map(|(key, persona)| {
            let held = persona.bundle.iter().flat_map(|name| deeds.range(name));
            (key.clone(), held.collect())
        });
        Self {
            personas: personas.collect(),
            approvers: deeds.iter().map(|deed| approvers(lock, deed)).collect(),
            deeds: deeds.iter().enumerate().map(|(number, deed)| entry(number, deed)).collect(),
            harnesses: table::holders(lock, &deeds)
                .into_iter()
                .enumerate()
                .map(|(at, (key, held))| {
                    let held = held.iter().filter_map(|held| number(&deeds, &held.deed)).collect();
                    (key.to_owned(), HarnessEntry { number: at, ..harness(lock, &deeds, key, held) })
                })
                .collect(),
            roles: roles.collect(),
            surfaces: lock.surfaces.iter().map(|(key, s)| (key.clone(), surface(&deeds, key, s))).collect(),
            tools: tools(&deeds),
        }
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&ToolEntry> {
        self.tools.get(name)
    }

    /// The personas that may say yes to a deed whose cell has one approval and which needs a stricter one; `None`: nobody
    /// needs to, or anyone may.
    pub(crate) fn approvers(&self, deed: &DeedEntry, cell: Approval, raised: Approval) -> Option<&[String]> {
        let approvers = self.approvers.get(deed.number)?;
        match (cell, raised) {
            (_, Approval::Auto) => None,
            (_, Approval::Confirm) => approvers.confirm.as_deref(),
            (Approval::Confirm, Approval::FourEyes) => approvers.raised.as_deref(),
            (_, Approval::FourEyes) => approvers.four_eyes.as_deref(),
        }
    }

    /// Every deed by number.
    pub(crate) fn all_deeds(&self) -> &[DeedEntry] {
        &self.deeds
    }

    /// Every harness, in no order.
    pub(crate) fn harnesses(&self) -> impl Iterator<Item = &HarnessEntry> {
        self.harnesses.values()
    }

    /// The entry of a harness, or of runs without one.
    pub(crate) fn harness(&self, key: Option<&str>) -> Option<&HarnessEntry> {
        self.harnesses.get(key.unwrap_or(NO_HARNESS))
    }

    pub(crate) fn role(&self, key: &str) -> Option<&RoleEntry> {
        self.roles.get(key)
    }

    pub(crate) fn surface(&self, key: &str) -> Option<&SurfaceEntry> {
        self.surfaces.get(key)
    }

    /// What the bundle of a persona holds.
    pub(crate) fn persona(&self, key: &str) -> Option<&Bits> {
        self.personas.get(key)
    }

    /// Whether some surface states scopes.
    pub(crate) fn has_scopes(&self) -> bool {
        self.surfaces.values().any(|surface| surface.scopes.is_some())
    }

    pub(crate) fn deeds(&self, tool: &ToolEntry) -> &[DeedEntry] {
        self.deeds.get(tool.deeds.clone()).unwrap_or_default()
    }

    /// The deeds that a name stands for: one, or all cases of a tool.
    pub(crate) fn named(&self, name: &str) -> Range<usize> {
        let (tool, case) = crate::lock::split_deed(name);
        let Some(entry) = self.tool(tool) else { return 0..0 };
        match case {
            None => entry.deeds.clone(),
            Some(case) => self.deed(entry, Some(case)).map_or(0..0, |deed| deed.number..deed.number + 1),
        }
    }

    /// A tool's deed of this case.
    pub(crate) fn deed(&self, tool: &ToolEntry, case: Option<&str>) -> Option<&DeedEntry> {
        let deeds = self.deeds(tool);
        let at = deeds.binary_search_by(|deed| deed.case.as_deref().cmp(&case)).ok()?;
        deeds.get(at)
    }
}

fn number(deeds: &Deeds<'_>, deed: &Deed<'_>) -> Option<usize> {
    deeds.index(deed.tool_name, deed.case_name)
}

fn entry(number: usize, deed: &Deed<'_>) -> DeedEntry {
    DeedEntry { case: deed.case_name.map(str::to_owned), effect: deed.effect(), number }
}

fn approvers(lock: &Lock, deed: &Deed<'_>) -> Approvers {
    let of = |approval| deed.approvers(&lock.approvals, approval).map(<[String]>::to_vec);
    let (confirm, four_eyes) = (of(Approval::Confirm), of(Approval::FourEyes));
    let raised = both(confirm.as_deref(), four_eyes.as_deref());
    Approvers { confirm, four_eyes, raised }
}

/// The personas of both lists; no list is every authenticated person.
fn both(one: Option<&[String]>, other: Option<&[String]>) -> Option<Vec<String>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.iter().filter(|key| other.contains(key)).cloned().collect()),
        (one, other) => one.or(other).map(<[String]>::to_vec),
    }
}

fn tools(deeds: &Deeds<'_>) -> HashMap<String, ToolEntry> {
    let mut tools: HashMap<String, ToolEntry> = HashMap::new();
    for (number, deed) in deeds.iter().enumerate() {
        let entry = tools.entry(deed.tool_name.to_owned()).or_insert_with(|| ToolEntry {
            deeds: number..number,
            enabled: deed.tool.enabled,
            on_surfaces: deed.tool.surfaces.is_some(),
        });
        entry.deeds.end = number + 1;
    }
    tools
}

fn harness(lock: &Lock, deeds: &Deeds<'_>, key: &str, held: Bits) -> HarnessEntry {
    let skills = lock.harnesses.get(key).map_or(&[][..], |harness| &harness.skills);
    let of_skills = skills.iter().filter_map(|skill| lock.skills.get(skill)?.tool.as_ref());
    let exempt = lock.approvals.always_allowed.iter().chain(of_skills).flat_map(|name| deeds.range(name));
    let row = lock.effective.get(key);
    let mut narrowed = Vec::new();
    let cells = lock.roles.keys().enumerate().map(|(role, key)| {
        let cells = row.and_then(|row| row.get(key)).map_or(&[][..], Vec::as_slice);
        let numbers = deeds.along(cells.iter().map(|cell| cell.deed.as_str()));
        let mut places = Vec::with_capacity(cells.len());
        for ((place, cell), number) in (0_u32..).zip(cells).zip(numbers) {
            let Some(number) = number else { continue };
            places.push((number, place));
            if !cell.only.is_empty() {
                narrowed.push((role, number));
            }
        }
        Ranked::new(places)
    });
    HarnessEntry { cells: cells.collect(), exempt: exempt.collect(), held, narrowed, number: 0 }
}

fn surface(deeds: &Deeds<'_>, key: &str, surface: &Surface) -> SurfaceEntry {
    let names = |deed: &Deed<'_>| deed.tool.surfaces.iter().flatten().any(|name| name == key);
    let scopes = surface.scopes.as_ref().map(|scopes| {
        let effects =
            |effects: &[Effect]| effects.iter().fold(Effects::default(), |set, effect| set.with(*effect));
        scopes.iter().map(|(key, scope)| (key.clone(), effects(&scope.effects))).collect()
    });
    let steps = surface.scopes.iter().flatten();
    SurfaceEntry {
        after_approval: surface.after_approval.clone(),
        named: deeds.iter().enumerate().filter(|(_, deed)| names(deed)).map(|(number, _)| number).collect(),
        outside: surface.origin == Some(Origin::Outside),
        scopes,
        steps: steps.filter_map(|(key, scope)| Some((key.clone(), scope.steps?))).collect(),
    }
}
