//! The lock, numbered: built once when it loads, so that a decision looks names up and tests bits.

use std::collections::HashMap;
use std::ops::Range;

use super::approvers::Approvers;
use super::bits::{Bits, Ranked};
use super::names::{Found, Names};
use crate::deeds::{Deed, Deeds};
use crate::lock::{Approval, Effect, Lock, NO_HARNESS, Origin, Surface};
use crate::prove::table;

#[derive(Clone, Debug)]
pub(crate) struct Index {
    approvers: Approvers,
    /// By deed number. A tool without cases is decided upon without a look at it.
    deeds: Vec<StoredDeed>,
    harnesses: Keyed<HarnessEntry>,
    /// What each persona's bundle holds.
    personas: Keyed<Bits>,
    roles: Keyed<RoleEntry>,
    surfaces: Keyed<SurfaceEntry>,
    tools: Names,
}

/// Values by key.
#[derive(Clone, Debug)]
struct Keyed<T> {
    names: Names,
    values: Vec<T>,
}

impl<T> Keyed<T> {
    fn of<'k>(entries: impl Iterator<Item = (&'k str, T)>) -> Self {
        let (keys, values): (Vec<&str>, Vec<T>) = entries.unzip();
        let numbered = keys.into_iter().zip(0..).map(|(key, number)| (key, Found { marks: 0, number }));
        Self { names: Names::new(numbered), values }
    }

    fn get(&self, key: &str) -> Option<&T> {
        self.values.get(self.names.get(key)?.number as usize)
    }
}

/// A tool as the table of names has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolEntry {
    pub(crate) enabled: bool,
    /// The number of its first deed; those of its cases follow in their order.
    pub(crate) first: usize,
    /// Whether the tool names its surfaces.
    pub(crate) on_surfaces: bool,
    /// The effect of its one deed; `None`: it has cases.
    whole: Option<Effect>,
}

/// A deed of a tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeedEntry<'a> {
    pub(crate) case: Option<&'a str>,
    pub(crate) effect: Effect,
    pub(crate) number: usize,
}

#[derive(Clone, Debug)]
struct StoredDeed {
    case: Option<String>,
    effect: Effect,
    /// How many deeds the tool has from this one on.
    left: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct HarnessEntry {
    /// By role number.
    pub(crate) cells: Vec<CellsEntry>,
    /// Exempt from the plan gate.
    pub(crate) exempt: Bits,
    pub(crate) held: Bits,
    /// The cells with a narrowing, by role and deed number.
    pub(crate) narrowed: Vec<(usize, usize)>,
    /// Its place in the order of the lock's harnesses.
    pub(crate) number: usize,
}

/// The cells of one harness and role, by deed number.
#[derive(Clone, Debug)]
pub(crate) struct CellsEntry {
    /// Those whose cell asks nobody: most calls need to know no more of it.
    pub(crate) auto: Bits,
    /// Where in the stored list each deed's cell stands.
    pub(crate) places: Ranked<u32>,
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
        let roles = lock.roles.iter().zip(0..).map(|((key, role), number)| {
            let granted = deeds.iter().enumerate().filter(|(_, deed)| table::grants(role, deed));
            (key.as_str(), RoleEntry { grants: granted.map(|(number, _)| number).collect(), number })
        });
        let harnesses = table::holders(lock, &deeds).into_iter().enumerate().map(|(at, (key, held))| {
            let held = held.iter().filter_map(|held| number(&deeds, &held.deed)).collect();
            (key, HarnessEntry { number: at, ..harness(lock, &deeds, key, held) })
        });
        let personas = lock.personas.iter().map(|(key, persona)| {
            let held = persona.bundle.iter().flat_map(|name| deeds.range(name));
            (key.as_str(), held.collect::<Bits>())
        });
        Self {
            approvers: Approvers::new(lock, &deeds),
            deeds: stored(&deeds),
            harnesses: Keyed::of(harnesses),
            personas: Keyed::of(personas),
            roles: Keyed::of(roles),
            surfaces: Keyed::of(lock.surfaces.iter().map(|(key, s)| (key.as_str(), surface(&deeds, key, s)))),
            tools: tools(&deeds),
        }
    }

    pub(crate) fn tool(&self, name: &str) -> Option<ToolEntry> {
        self.tools.get(name).map(ToolEntry::of)
    }

    pub(super) fn approvers(&self) -> &Approvers {
        &self.approvers
    }

    /// How many deeds there are.
    pub(crate) fn count(&self) -> usize {
        self.deeds.len()
    }

    /// Every harness.
    pub(crate) fn harnesses(&self) -> impl Iterator<Item = &HarnessEntry> {
        self.harnesses.values.iter()
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
        self.surfaces.values.iter().any(|surface| surface.scopes.is_some())
    }

    /// The deeds of a tool, in the order of its cases.
    pub(crate) fn deeds(&self, tool: ToolEntry) -> impl Iterator<Item = DeedEntry<'_>> {
        let numbers = self.numbers(tool);
        let stored = self.deeds.get(numbers.clone()).unwrap_or_default();
        numbers.zip(stored).map(|(number, deed)| DeedEntry {
            case: deed.case.as_deref(),
            effect: deed.effect,
            number,
        })
    }

    /// The numbers of a tool's deeds.
    fn numbers(&self, tool: ToolEntry) -> Range<usize> {
        let left =
            if tool.whole.is_some() { 1 } else { self.deeds.get(tool.first).map_or(0, |deed| deed.left) };
        tool.first..tool.first + left
    }

    /// The deeds that a name stands for: one, or all cases of a tool.
    pub(crate) fn named(&self, name: &str) -> Range<usize> {
        let (tool, case) = crate::lock::split_deed(name);
        let Some(entry) = self.tool(tool) else { return 0..0 };
        match case {
            None => self.numbers(entry),
            Some(case) => self.deed(entry, Some(case)).map_or(0..0, |deed| deed.number..deed.number + 1),
        }
    }

    /// A tool's deed of this case.
    pub(crate) fn deed(&self, tool: ToolEntry, case: Option<&str>) -> Option<DeedEntry<'_>> {
        if let Some(effect) = tool.whole {
            return case.is_none().then_some(DeedEntry { case: None, effect, number: tool.first });
        }
        let deeds = self.deeds.get(self.numbers(tool))?;
        let at = deeds.binary_search_by(|deed| deed.case.as_deref().cmp(&case)).ok()?;
        let deed = deeds.get(at)?;
        Some(DeedEntry { case: deed.case.as_deref(), effect: deed.effect, number: tool.first + at })
    }
}

impl ToolEntry {
    const ENABLED: u16 = 1;
    const ON_SURFACES: u16 = 2;
    const WHOLE: u16 = 4;
    /// Where the effect of a tool without cases stands.
    const EFFECT: u16 = 3;

    fn of(Found { marks, number }: Found) -> Self {
        let effect = Effect::ALL.get(usize::from(marks >> Self::EFFECT)).copied();
        Self {
            enabled: marks & Self::ENABLED != 0,
            first: number as usize,
            on_surfaces: marks & Self::ON_SURFACES != 0,
            whole: effect.filter(|_| marks & Self::WHOLE != 0),
        }
    }

    /// The marks that [`of`](Self::of) reads.
    fn marks(deed: &Deed<'_>) -> u16 {
        let flag = |on: bool, flag: u16| if on { flag } else { 0 };
        flag(deed.tool.enabled, Self::ENABLED)
            | flag(deed.tool.surfaces.is_some(), Self::ON_SURFACES)
            | flag(deed.case_name.is_none(), Self::WHOLE)
            | (deed.effect() as u16) << Self::EFFECT
    }
}

fn number(deeds: &Deeds<'_>, deed: &Deed<'_>) -> Option<usize> {
    deeds.index(deed.tool_name, deed.case_name)
}

fn stored(deeds: &Deeds<'_>) -> Vec<StoredDeed> {
    let mut stored: Vec<StoredDeed> = Vec::new();
    let mut after: Option<(&str, usize)> = None;
    for deed in deeds.iter().rev() {
        let left = after.filter(|(tool, _)| *tool == deed.tool_name).map_or(0, |(_, left)| left) + 1;
        after = Some((deed.tool_name, left));
        stored.push(StoredDeed { case: deed.case_name.map(str::to_owned), effect: deed.effect(), left });
    }
    stored.reverse();
    stored
}

/// Each tool under its first deed's number, since of a name that comes twice the first counts.
fn tools(deeds: &Deeds<'_>) -> Names {
    let named = deeds.iter().zip(0..);
    Names::new(named.map(|(deed, number)| (deed.tool_name, Found { marks: ToolEntry::marks(deed), number })))
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
        let mut auto = Bits::default();
        for ((place, cell), number) in (0_u32..).zip(cells).zip(numbers) {
            let Some(number) = number else { continue };
            places.push((number, place));
            if cell.approval == Approval::Auto {
                auto.insert(number);
            }
            if !cell.only.is_empty() {
                narrowed.push((role, number));
            }
        }
        CellsEntry { auto, places: Ranked::new(places) }
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
