//! What the changed cells show of each deed, harness, role and persona: what no cell shows has to be said by itself.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::split_deed;

use super::cells::Found;
use super::change::Aspect;
use super::grade::Delta;
use super::pair::Pair;

/// What cells are looked up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// All of them together.
    All,
    /// The deed.
    Deed,
    /// The tool, whatever the case.
    Tool,
    /// The deed's effect, in either lock.
    Effect,
    /// The harness.
    Harness,
    /// The harness and the deed.
    HarnessDeed,
    /// The harness and the persona.
    HarnessPersona,
    /// The persona.
    Persona,
    /// The persona and the deed.
    PersonaDeed,
    /// The role.
    Role,
    /// The role and the deed.
    RoleDeed,
    /// The role and the deed's effect.
    RoleEffect,
}

/// So many ways of looking cells up.
const WAYS: usize = By::RoleEffect as usize + 1;

type Table<'f> = BTreeMap<(&'f str, &'f str), BTreeMap<Aspect, Delta>>;

/// Changed cells, each table of them made when it is first asked for.
pub(super) struct Shown<'f> {
    pair: &'f Pair<'f>,
    found: &'f [Found],
    tables: [OnceCell<Table<'f>>; WAYS],
}

impl<'f> Shown<'f> {
    pub(super) fn of(pair: &'f Pair<'f>, found: &'f [Found]) -> Self {
        Self { pair, found, tables: Default::default() }
    }

    /// What of a difference no such cell shows, by one of these aspects or by being granted or lost as a whole.
    pub(super) fn rest(&self, by: By, key: (&str, &str), aspects: &[Aspect], delta: Delta) -> Delta {
        let shown = self.table(by).and_then(|table| table.get(&key));
        let shown = shown.map_or(Delta::EQUAL, |shown| {
            let own = aspects.iter().chain(&[Aspect::Call]).filter_map(|aspect| shown.get(aspect));
            own.fold(Delta::EQUAL, |all, one| all.and(*one))
        });
        Delta {
            wider: delta.wider && !shown.wider,
            tighter: delta.tighter && !shown.tighter,
            altered: delta.altered && shown == Delta::EQUAL,
        }
    }

    fn table(&self, by: By) -> Option<&Table<'f>> {
        Some(self.tables.get(by as usize)?.get_or_init(|| self.made(by)))
    }

    fn made(&self, by: By) -> Table<'f> {
        let mut table = Table::new();
        for found in self.found {
            for key in self.keys(by, found) {
                let own = table.entry(key).or_default();
                for one in found.differing.iter() {
                    let known = own.entry(one.aspect).or_default();
                    *known = known.and(one.delta);
                }
            }
        }
        table
    }

    fn keys(&self, by: By, found: &'f Found) -> BTreeSet<(&'f str, &'f str)> {
        let (harness, role, deed) = (found.harness.as_str(), found.role.as_str(), found.deed.as_str());
        let persona = found.persona.as_deref().unwrap_or_default();
        let effects = || {
            let deeds =
                [&self.pair.before, &self.pair.after].into_iter().filter_map(|view| view.deeds.get(deed));
            deeds.map(|deed| deed.effect().word())
        };
        match by {
            By::All => [("", "")].into(),
            By::Deed => [(deed, "")].into(),
            By::Tool => [(split_deed(deed).0, "")].into(),
            By::Effect => effects().map(|effect| (effect, "")).collect(),
            By::Harness => [(harness, "")].into(),
            By::HarnessDeed => [(harness, deed)].into(),
            By::HarnessPersona => [(harness, persona)].into(),
            By::Persona => [(persona, "")].into(),
            By::PersonaDeed => [(persona, deed)].into(),
            By::Role => [(role, "")].into(),
            By::RoleDeed => [(role, deed)].into(),
            By::RoleEffect => effects().map(|effect| (role, effect)).collect(),
        }
    }
}
