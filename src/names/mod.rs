//! Definitions and references, and the graph of them.
//!
//! Follows every name once; says nothing about what the named things come to. Findings are the rules' to make: here are
//! the facts they are made of, each in the order of files and text.

mod define;
mod follow;
mod graph;
mod schema;
mod symbol;

use std::collections::{BTreeMap, BTreeSet};

use petgraph::graph::{DiGraph, NodeIndex};

use crate::model::Model;
use crate::source::Span;
pub use symbol::{Space, Symbol};

/// The tool that the server itself offers; no registry lists it.
pub const PLAN_TOOL: &str = "plan.propose";

/// Where a reference leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leads {
    /// To a definition; this is its key's place.
    To(Span),
    /// To a definition that could not be read, which is said already.
    Lost,
    /// To nothing.
    Nowhere,
}

/// One name that is written to mean a definition.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'m> {
    /// The definition in which it stands.
    pub from: Symbol<'m>,
    /// What it names.
    pub to: Symbol<'m>,
    /// The name's exact bytes; of a quoted name, the quotes too.
    pub span: Span,
    /// Where it leads.
    pub leads: Leads,
}

/// Every name of a tree, followed.
#[derive(Debug, Default)]
pub struct Names<'m> {
    /// Every name that is defined or meant, the definitions first.
    graph: DiGraph<Symbol<'m>, Span>,
    nodes: BTreeMap<Symbol<'m>, NodeIndex>,
    /// Of each definition, in the order of nodes, its key's place.
    places: Vec<Span>,
    lost: BTreeSet<Symbol<'m>>,
    references: Vec<Reference<'m>>,
}

impl<'m> Names<'m> {
    /// Follows every reference of a model.
    pub fn resolve(model: &'m Model) -> Self {
        let mut names = Self::default();
        names.define(model);
        let mut references = follow::references(model);
        references.sort_by_key(|reference| (reference.span, reference.to));
        names.refer(references);
        names.link(model);
        names
    }

    fn leads(&self, to: Symbol<'m>, node: NodeIndex) -> Leads {
        if let Some(span) = self.places.get(node.index()) {
            return Leads::To(*span);
        }
        let said = to.within.is_some_and(|within| self.misses(to.space, within));
        if said || to.space == Space::Other || self.lost.contains(&to) { Leads::Lost } else { Leads::Nowhere }
    }

    /// Whether what holds the named thing is itself unknown, so that only the holder is worth a finding.
    fn misses(&self, space: Space, within: &str) -> bool {
        space.holder().is_some_and(|holder| self.defined(Symbol::new(holder, within)).is_none())
    }

    /// Every reference, in the order of files and text.
    pub fn references(&self) -> &[Reference<'m>] {
        &self.references
    }

    /// Every reference to a definition, in the order of files and text.
    pub fn to(&self, symbol: Symbol<'_>) -> impl Iterator<Item = &Reference<'m>> {
        self.references.iter().filter(move |reference| reference.to == symbol)
    }

    /// Every definition with its key's place, in the order of sections and then of files and text.
    pub fn definitions(&self) -> impl Iterator<Item = (Symbol<'m>, Span)> {
        self.graph.node_weights().copied().zip(self.places.iter().copied())
    }

    /// Where a definition's key stands.
    pub fn defined(&self, symbol: Symbol<'_>) -> Option<Span> {
        self.places.get(self.nodes.get(&symbol)?.index()).copied()
    }

    /// The keys of a space, sorted; of one that lies within a definition, those of that one.
    pub fn keys(&self, space: Space, within: Option<&str>) -> BTreeSet<&'m str> {
        let here =
            |symbol: &Symbol<'m>| symbol.space == space && (within.is_none() || symbol.within == within);
        self.definitions().map(|(symbol, _)| symbol).filter(here).map(|symbol| symbol.key).collect()
    }
}
