//! What the lock that stands differs in from the one the sources give.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::load;
use harnessc_runtime::lock::{Cell, Lock};

use super::class::{Class, parts};
use super::words;

/// So many changed cells are named; the others are counted.
pub const MAX_CELLS: usize = 10;

/// What became of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SourceChange {
    /// It is there and was not.
    Added,
    /// Its digest is another.
    Changed,
    /// It was there and is not.
    Removed,
}

/// One cell of the effective table that changed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct CellChange {
    /// The harness; `-` for runs without one.
    pub harness: String,
    /// The role.
    pub role: String,
    /// The deed: `tool`, or `tool/case`.
    pub deed: String,
    /// What the lock that stands grants; absent: nothing.
    pub before: Option<String>,
    /// What the sources grant; absent: nothing.
    pub after: Option<String>,
}

/// What two locks differ in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Sources by path.
    pub sources: BTreeMap<String, SourceChange>,
    /// Parts of the lock with their class, authority first.
    pub parts: Vec<(&'static str, Class)>,
    /// The first changed cells, by harness, role and deed; at most [`MAX_CELLS`].
    pub cells: Vec<CellChange>,
    /// How many cells changed in all.
    pub cell_count: usize,
    /// Why the lock that stands could not be read, where it could not. Then nothing else is known.
    pub unreadable: Option<String>,
}

impl Difference {
    /// Whether what a run may do differs, as far as can be told: a lock that cannot be read counts as different.
    pub fn authority(&self) -> bool {
        self.unreadable.is_some() || self.has(Class::Authority)
    }

    /// Whether some part of this class differs.
    pub fn has(&self, class: Class) -> bool {
        self.parts.iter().any(|(_, own)| *own == class)
    }
}

/// What `built` differs in from the lock in `committed`; nothing where the bytes are those of `built`.
pub fn compare(committed: &[u8], built: &Lock, bytes: &[u8]) -> Option<Difference> {
    if committed == bytes {
        return None;
    }
    Some(match load::read(committed) {
        Ok(loaded) => between(&loaded.lock, built),
        Err(error) => compare_unreadable(error.to_string()),
    })
}

/// The difference to a lock that could not be read, for this reason.
pub fn compare_unreadable(why: String) -> Difference {
    Difference { unreadable: Some(why), ..Difference::default() }
}

fn between(before: &Lock, after: &Lock) -> Difference {
    let changed = parts(before).into_iter().zip(parts(after)).filter(|(old, new)| old.content != new.content);
    let cells = cells(before, after);
    Difference {
        sources: sources(&before.sources, &after.sources),
        parts: changed.map(|(old, _)| (old.name, old.class)).collect(),
        cell_count: cells.len(),
        cells: cells.into_iter().take(MAX_CELLS).collect(),
        unreadable: None,
    }
}

fn sources(
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
) -> BTreeMap<String, SourceChange> {
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = paths.into_iter().filter_map(|path| {
        let change = match (before.get(path), after.get(path)) {
            (None, _) => SourceChange::Added,
            (_, None) => SourceChange::Removed,
            (Some(old), Some(new)) if old != new => SourceChange::Changed,
            _ => return None,
        };
        Some((path.clone(), change))
    });
    changed.collect()
}

pub(super) type Cells<'a> = BTreeMap<(&'a str, &'a str, &'a str), &'a Cell>;

fn cells(before: &Lock, after: &Lock) -> Vec<CellChange> {
    let (old, new) = (table(before), table(after));
    let keys: BTreeSet<_> = old.keys().chain(new.keys()).copied().collect();
    let changed = keys.into_iter().filter(|key| old.get(key) != new.get(key));
    changed
        .map(|key| CellChange {
            harness: key.0.to_owned(),
            role: key.1.to_owned(),
            deed: key.2.to_owned(),
            before: old.get(&key).map(|cell| words::granted(cell)),
            after: new.get(&key).map(|cell| words::granted(cell)),
        })
        .collect()
}

/// The cells by harness, role and deed.
pub(super) fn table(lock: &Lock) -> Cells<'_> {
    let rows = lock.effective.iter().flat_map(|(harness, roles)| {
        roles.iter().flat_map(move |(role, cells)| {
            cells.iter().map(move |cell| ((harness.as_str(), role.as_str(), cell.deed.as_str()), cell))
        })
    });
    rows.collect()
}
