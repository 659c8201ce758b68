//! A collection that is not closed yet, and how large a closed one is.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::event::Collection;
use crate::diagnostic::Sink;
use crate::source::{FileId, Span, Spanned};
use crate::syntax::{Entry, Kind, Node, duplicate_key};

/// A node, and how large it is where every alias below is followed.
#[derive(Clone)]
pub(super) struct Measured {
    pub(super) node: Arc<Node>,
    /// Nodes, itself among them; saturating.
    pub(super) size: u64,
    /// Collections on the longest way down, itself among them.
    pub(super) height: usize,
}

impl Measured {
    pub(super) fn leaf(node: Arc<Node>) -> Self {
        Self { node, size: 1, height: 0 }
    }
}

/// The key whose value comes next.
pub(super) enum Key {
    Ready(Spanned<String>),
    /// Its value is read for findings and then passed over.
    Dropped,
}

/// An open collection.
pub(super) struct Frame {
    pub(super) collection: Collection,
    pub(super) anchor: Option<usize>,
    pub(super) items: Vec<Arc<Node>>,
    pub(super) entries: Vec<Entry>,
    pub(super) key: Option<Key>,
    pub(super) size: u64,
    height: usize,
    flow: bool,
    start: usize,
    end: usize,
    seen: BTreeMap<String, Span>,
}

/// Up to so many keys are compared one by one; beyond, they are looked up.
const FEW: usize = 16;

/// Empty vectors that had room for a closed collection's children: the next one opened grows in them, and keeps of its own no
/// more memory than its children take.
#[derive(Default)]
pub(super) struct Spare {
    items: Vec<Vec<Arc<Node>>>,
    entries: Vec<Vec<Entry>>,
}

/// The children, in a vector that has room for them alone; the one they grew in is kept for the next collection.
fn settled<T>(mut children: Vec<T>, spare: &mut Vec<Vec<T>>) -> Vec<T> {
    if children.is_empty() {
        return Vec::new();
    }
    let mut settled = Vec::with_capacity(children.len());
    settled.append(&mut children);
    spare.push(children);
    settled
}

impl Frame {
    pub(super) fn new(
        collection: Collection,
        flow: bool,
        anchor: Option<usize>,
        range: Range<usize>,
        spare: &mut Spare,
    ) -> Self {
        let (items, entries) = match collection {
            Collection::Sequence => (spare.items.pop().unwrap_or_default(), Vec::new()),
            Collection::Mapping => (Vec::new(), spare.entries.pop().unwrap_or_default()),
        };
        Self {
            collection,
            anchor,
            items,
            entries,
            key: None,
            size: 1,
            height: 0,
            flow,
            start: range.start,
            end: range.end,
            seen: BTreeMap::new(),
        }
    }

    /// Whether the next child is a key.
    pub(super) fn wants_key(&self) -> bool {
        self.collection == Collection::Mapping && self.key.is_none()
    }

    /// Counts a child of that size and height in; `place` is where it stands, which is not its own span where it came by an
    /// alias.
    pub(super) fn grow(&mut self, size: u64, height: usize, place: Span) {
        self.size = self.size.saturating_add(size);
        self.height = self.height.max(height);
        self.reach(place);
    }

    /// The collection goes at least to the end of `place`.
    pub(super) fn reach(&mut self, place: Span) {
        self.end = self.end.max(place.end as usize);
    }

    /// Takes a key, or tells where the same one stands already.
    pub(super) fn admit(&mut self, key: Spanned<String>, sink: &mut Sink) -> Key {
        let first = if self.seen.is_empty() {
            self.entries.iter().find(|entry| entry.key.value == key.value).map(|entry| entry.key.span)
        } else {
            self.seen.get(&key.value).copied()
        };
        if let Some(first) = first {
            sink.push(duplicate_key(&key, first));
            return Key::Dropped;
        }
        if !self.seen.is_empty() {
            self.seen.insert(key.value.clone(), key.span);
        } else if self.entries.len() >= FEW {
            self.seen = self.entries.iter().map(|entry| (entry.key.value.clone(), entry.key.span)).collect();
            self.seen.insert(key.value.clone(), key.span);
        }
        Key::Ready(key)
    }

    /// The closed collection. `end` is the end of its last token, which counts where that is a bracket.
    pub(super) fn into_node(self, file: FileId, end: usize, spare: &mut Spare) -> Measured {
        let end = if self.flow { end.max(self.end) } else { self.end };
        // A large tree holds most of its memory here.
        let kind = match self.collection {
            Collection::Sequence => Kind::List(settled(self.items, &mut spare.items)),
            Collection::Mapping => Kind::Map(settled(self.entries, &mut spare.entries)),
        };
        let node = Node { span: Span::new(file, self.start..end), kind };
        Measured { node: Arc::new(node), size: self.size, height: self.height + 1 }
    }
}
