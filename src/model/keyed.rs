//! Definitions under their keys, as a section holds them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::keys::name_key;
use super::read::{Read, wrong_type};
use crate::diagnostic::Sink;
use crate::source::{Span, Spanned};
use crate::syntax::{Entry, Kind, Node};

/// A definition and the key it stands under.
#[derive(Clone, Debug)]
pub struct Def<T> {
    /// The key, where it is written.
    pub key: Spanned<String>,
    /// The whole value.
    pub span: Span,
    /// What was read.
    pub value: T,
    /// Whether a part of it could not be read: what leans on that part is then not judged, since the fault is already said.
    pub damaged: bool,
}

impl<T> std::ops::Deref for Def<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Definitions under their keys, in the order of files by path and then of the text.
#[derive(Clone, Debug)]
pub struct Keyed<T> {
    defs: Vec<Def<T>>,
    index: BTreeMap<String, usize>,
    lost: Vec<Spanned<String>>,
}

impl<T> Default for Keyed<T> {
    fn default() -> Self {
        Self { defs: Vec::new(), index: BTreeMap::new(), lost: Vec::new() }
    }
}

impl<T> Keyed<T> {
    /// The definition under `key`.
    pub fn get(&self, key: &str) -> Option<&Def<T>> {
        self.index.get(key).and_then(|at| self.defs.get(*at))
    }

    /// All, in the order of files by path and then of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Def<T>> {
        self.defs.iter()
    }

    /// All, by key.
    pub fn sorted(&self) -> impl Iterator<Item = &Def<T>> {
        self.index.values().filter_map(|at| self.defs.get(*at))
    }

    /// The keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.index.keys().map(String::as_str)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.defs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.defs.is_empty()
    }

    /// The same, to be changed.
    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Def<T>> {
        self.defs.iter_mut()
    }

    /// The keys whose definition could not be read at all: a name that leads there is not unknown.
    pub fn lost(&self) -> &[Spanned<String>] {
        &self.lost
    }

    /// Takes a definition in; a key that is already there stays as it is.
    pub fn insert(&mut self, def: Def<T>) {
        if !self.index.contains_key(&def.key.value) {
            self.index.insert(def.key.value.clone(), self.defs.len());
            self.defs.push(def);
        }
    }
}

impl<'a, T> IntoIterator for &'a Keyed<T> {
    type Item = &'a Def<T>;
    type IntoIter = std::slice::Iter<'a, Def<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Read> Read for Keyed<T> {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        let Kind::Map(entries) = &node.kind else {
            wrong_type(node, "a mapping", sink);
            return None;
        };
        Some(read_entries(entries, name_key, sink))
    }
}

/// Reads each entry under its key; `check` says whether a key may stand.
pub(crate) fn read_entries<T: Read>(
    entries: &[Entry],
    check: fn(&Spanned<String>, &mut Sink),
    sink: &mut Sink,
) -> Keyed<T> {
    /// Room for more definitions than this is not made before they are read.
    const FORESEEN: usize = 1_000;
    let mut keyed = Keyed::default();
    keyed.defs.reserve(entries.len().min(FORESEEN));
    for entry in entries {
        check(&entry.key, sink);
        let before = sink.len();
        if let Some(value) = T::read(&entry.value, sink) {
            let damaged = sink.len() > before;
            keyed.insert(Def { key: entry.key.clone(), span: entry.value.span, value, damaged });
        } else {
            keyed.lost.push(entry.key.clone());
        }
    }
    keyed
}
