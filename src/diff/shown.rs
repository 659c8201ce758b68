//! What the changed cells show of each deed, harness, role and persona.
//!
//! A cell stands for a field only where the field is what moved it: a name more in a bundle where the cell of that persona and
//! that deed came, a word where a cell turned in the same words. What a field decides beyond one deed no cell shows whole.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::{Approval, Cell, Effect, split_deed};

use super::cells::Found;
use super::change::Aspect;
use super::grade::Delta;
use super::pair::{Differing, Pair};
use super::view::View;

/// What cells are looked up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// The deed.
    Deed,
    /// The tool, whatever the case.
    Tool,
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
/// By surface, scope and effect: whether a cell came to be reached there, or no longer is.
type Reached<'f> = BTreeMap<(Option<&'f str>, Option<&'f str>, Effect), Delta>;
/// By deed, or by harness and deed: the words in which a cell turned.
type Words<'f> = BTreeSet<(&'f str, Aspect, &'f str, &'f str)>;

/// Changed cells, each table of them made when it is first asked for.
pub(super) struct Shown<'f> {
    pair: &'f Pair<'f>,
    found: &'f [Found],
    tables: [OnceCell<Table<'f>>; WAYS],
    reached: OnceCell<Reached<'f>>,
    words: OnceCell<Words<'f>>,
}

impl<'f> Shown<'f> {
    pub(super) fn of(pair: &'f Pair<'f>, found: &'f [Found]) -> Self {
        let (tables, reached, words) = Default::default();
        Self { pair, found, tables, reached, words }
    }

    /// Whether cells were granted or lost as a whole.
    pub(super) fn granted(&self, by: By, key: (&str, &str)) -> Delta {
        self.moved(by, key, Aspect::Call)
    }

    /// In which directions cells differ in this aspect.
    pub(super) fn moved(&self, by: By, key: (&str, &str), aspect: Aspect) -> Delta {
        let own = self.table(by).and_then(|table| table.get(&key)?.get(&aspect));
        own.copied().unwrap_or_default()
    }

    /// Whether cells came to pass the plan gate, or no longer do, or came and went as a whole.
    pub(super) fn exempt(&self, by: By, name: &str) -> Delta {
        self.moved(by, (name, ""), Aspect::Plan).and(self.granted(by, (name, "")))
    }

    /// Whether some cell of the deed turned in these very words.
    pub(super) fn says(&self, deed: &str, one: &Differing) -> bool {
        let key = (deed, one.aspect, one.before.as_str(), one.after.as_str());
        self.words.get_or_init(|| self.turned()).contains(&key)
    }

    /// Whether some cell of the harness and the deed went from one approval to the other.
    pub(super) fn goes(&self, harness: &str, deed: &str, (before, after): (Approval, Approval)) -> bool {
        let own = self.found.iter().filter(|found| found.harness == harness && found.deed == deed);
        let mut all = own.flat_map(|found| found.differing.iter());
        all.any(|one| {
            one.aspect == Aspect::Approval && one.before == before.word() && one.after == after.word()
        })
    }

    /// Whether cells came to be reached, or no longer are, over a surface or none: with one of its scopes by a deed of one
    /// effect, or, where neither is named, in any way.
    pub(super) fn reached(&self, surface: Option<&str>, within: Option<(&str, Effect)>) -> Delta {
        let own = self.reached.get_or_init(|| self.ways()).iter().filter(|((own, scope, effect), _)| {
            let is_within = within.is_none_or(|(name, of)| *scope == Some(name) && *effect == of);
            *own == surface && is_within
        });
        own.fold(Delta::EQUAL, |all, (_, delta)| all.and(*delta))
    }

    /// Whether cells ask for less, or for more, than a tier let them before it moved.
    pub(super) fn leans(&self, effect: Effect, (before, after): (Approval, Approval)) -> Delta {
        let mut all = Delta::EQUAL;
        for found in self.found {
            let moved =
                found.differing.iter().filter(|one| matches!(one.aspect, Aspect::Approval | Aspect::Call));
            let moved = moved.fold(Delta::EQUAL, |all, one| all.and(one.delta));
            let (old, new) = self.cells(found);
            let is_below = |view: &View<'_>, cell: Option<&Cell>, tier| {
                let deed = view.deeds.get(&found.deed).filter(|deed| deed.effect() == effect);
                deed.and(cell).is_some_and(|cell| cell.approval < tier)
            };
            all.wider |= moved.wider && is_below(&self.pair.after, new, before);
            all.tighter |= moved.tighter && is_below(&self.pair.before, old, after);
        }
        all
    }

    /// The cells that the persona was granted before, and is after.
    fn cells(&self, found: &Found) -> (Option<&'f Cell>, Option<&'f Cell>) {
        let of = |view: &View<'f>| {
            view.row(&found.harness, &found.role).iter().find(|cell| cell.deed == found.deed)
        };
        let call = found.differing.iter().find(|one| one.aspect == Aspect::Call).map(|one| one.delta);
        let old = of(&self.pair.before).filter(|_| call.is_none_or(|call| call.tighter));
        let new = of(&self.pair.after).filter(|_| call.is_none_or(|call| call.wider));
        (old, new)
    }

    fn ways(&self) -> Reached<'f> {
        let mut all = Reached::new();
        for found in self.found {
            let (old, new) = self.cells(found);
            for way in &self.pair.ways {
                let effect = |view: &View<'f>, cell: Option<&'f Cell>| {
                    let deed = view.deeds.get(&found.deed)?;
                    view.asks(cell?, deed, way).map(|_| deed.effect())
                };
                let (delta, effect) = match (effect(&self.pair.before, old), effect(&self.pair.after, new)) {
                    (None, Some(effect)) => (Delta::WIDER, effect),
                    (Some(effect), None) => (Delta::TIGHTER, effect),
                    _ => continue,
                };
                let known = all.entry((way.surface.as_deref(), way.scope.as_deref(), effect)).or_default();
                *known = known.and(delta);
            }
        }
        all
    }

    fn turned(&self) -> Words<'f> {
        let all = self.found.iter().flat_map(|found| {
            let words = |one: &'f Differing| {
                (found.deed.as_str(), one.aspect, one.before.as_str(), one.after.as_str())
            };
            found.differing.iter().map(words)
        });
        all.collect()
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
            By::Deed => [(deed, "")].into(),
            By::Tool => [(split_deed(deed).0, "")].into(),
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
