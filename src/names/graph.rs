//! The graph of definitions: what reaches what, and what leads back to itself.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use petgraph::graph::{DiGraph, NodeIndex};

use super::{Leads, Names, Reference, Space, Symbol};
use crate::model::harnesses::RefusalRules;
use crate::model::{Model, SECTIONS};
use crate::source::Span;

/// The kinds of definition from which all others are meant to be reachable.
const ROOTS: [Space; 6] =
    [Space::Harness, Space::Persona, Space::Role, Space::Duty, Space::LensReview, Space::RunField];

impl<'m> Names<'m> {
    /// Takes in every reference, in the order of files and text, and finds out where each leads.
    pub(super) fn refer(&mut self, mut references: Vec<Reference<'m>>) {
        self.graph.reserve_edges(references.len());
        // One definition's references stand together.
        let mut last = None;
        for reference in &mut references {
            let from = match last {
                Some((symbol, node)) if symbol == reference.from => node,
                _ => self.node(reference.from),
            };
            last = Some((reference.from, from));
            let to = self.node(reference.to);
            reference.leads = self.leads(reference.to, to);
            self.graph.add_edge(from, to, reference.span);
        }
        self.references = references;
    }

    /// The edges that no name is written for: each harness bears refusals, each section holds its definitions.
    pub(super) fn link(&mut self, model: &'m Model) {
        for harness in &model.harnesses {
            let from = Symbol::new(Space::Harness, &harness.key.value);
            let listed = matches!(harness.refusal_rules, Some(RefusalRules::List(_)));
            for refusal in &model.refusals {
                let optional = refusal.optional.as_ref().is_some_and(|flag| flag.value);
                if !(listed && optional) {
                    self.edge(from, Symbol::new(Space::Refusal, &refusal.key.value), harness.key.span);
                }
            }
        }
        let held: Vec<_> = self.definitions().zip(self.graph.node_indices()).collect();
        for ((symbol, span), node) in held {
            if symbol.within.is_none()
                && let Some(section) = SECTIONS.iter().find(|section| **section == symbol.space.section())
            {
                let section = self.node(Symbol::new(Space::Section, section));
                self.graph.add_edge(section, node, span);
            }
        }
    }

    fn node(&mut self, symbol: Symbol<'m>) -> NodeIndex {
        *self.nodes.entry(symbol).or_insert_with(|| self.graph.add_node(symbol))
    }

    fn edge(&mut self, from: Symbol<'m>, to: Symbol<'m>, span: Span) {
        let (from, to) = (self.node(from), self.node(to));
        self.graph.add_edge(from, to, span);
    }

    /// Everything that some harness, persona, role, duty, lens review or run field leads to, these included.
    pub fn reached(&self) -> BTreeSet<Symbol<'m>> {
        let mut open: Vec<NodeIndex> = self.graph.node_indices().filter(|node| self.is_root(*node)).collect();
        let mut seen = vec![false; self.graph.node_count()];
        let mut first =
            |node: NodeIndex| seen.get_mut(node.index()).is_some_and(|seen| !std::mem::replace(seen, true));
        open.retain(|node| first(*node));
        let mut at = 0;
        while let Some(node) = open.get(at).copied() {
            open.extend(self.graph.neighbors(node).filter(|next| first(*next)));
            at += 1;
        }
        open.into_iter().filter_map(|node| self.graph.node_weight(node).copied()).collect()
    }

    fn is_root(&self, node: NodeIndex) -> bool {
        self.graph.node_weight(node).is_some_and(|symbol| ROOTS.contains(&symbol.space))
    }

    /// The definitions whose own text names this one, in the order of files and text.
    pub fn namers(&self, symbol: Symbol<'m>) -> impl Iterator<Item = Symbol<'m>> {
        let node = self.nodes.get(&symbol).copied();
        let into = node
            .into_iter()
            .flat_map(|node| self.graph.neighbors_directed(node, petgraph::Direction::Incoming));
        into.filter_map(|node| self.graph.node_weight(node).copied())
    }

    /// The definitions that this one's own text names.
    pub fn named_by(&self, symbol: Symbol<'m>) -> impl Iterator<Item = Symbol<'m>> {
        let node = self.nodes.get(&symbol).copied();
        let out = node.into_iter().flat_map(|node| self.graph.neighbors(node));
        out.filter_map(|node| self.graph.node_weight(node).copied())
    }

    /// Every way by which a type, a toolset, a step or what takes a tool back leads to itself: one for each knot, the
    /// shortest, from the reference that stands first. Two tools may take each other back; none takes itself back.
    pub fn cycles(&self) -> Vec<Vec<Reference<'m>>> {
        let knots = |space: Space| matches!(space, Space::Type | Space::Toolset | Space::Step);
        let mut ways: BTreeMap<Symbol<'m>, Vec<&Reference<'m>>> = BTreeMap::new();
        let mut graph: DiGraph<Symbol<'m>, ()> = DiGraph::new();
        let mut nodes: BTreeMap<Symbol<'m>, NodeIndex> = BTreeMap::new();
        for reference in &self.references {
            let same = reference.from.space == reference.to.space && knots(reference.to.space);
            if same && matches!(reference.leads, Leads::To(_)) {
                ways.entry(reference.from).or_default().push(reference);
                let mut node = |symbol| *nodes.entry(symbol).or_insert_with(|| graph.add_node(symbol));
                let (from, to) = (node(reference.from), node(reference.to));
                graph.add_edge(from, to, ());
            }
        }
        let mut cycles: Vec<Vec<Reference<'m>>> = petgraph::algo::kosaraju_scc(&graph)
            .into_iter()
            .filter_map(|knot| {
                let knot: BTreeSet<Symbol<'m>> =
                    knot.into_iter().filter_map(|node| graph.node_weight(node).copied()).collect();
                shortest(&knot, &ways)
            })
            .collect();
        cycles.sort_by_key(|cycle| cycle.first().map(|reference| reference.span));
        cycles
    }
}

/// The shortest way from the first reference of a knot back to its start; nothing where none leads back.
fn shortest<'m>(
    knot: &BTreeSet<Symbol<'m>>,
    ways: &BTreeMap<Symbol<'m>, Vec<&Reference<'m>>>,
) -> Option<Vec<Reference<'m>>> {
    let inside = |symbol: &Symbol<'m>| -> Vec<&Reference<'m>> {
        ways.get(symbol).into_iter().flatten().copied().filter(|way| knot.contains(&way.to)).collect()
    };
    let first = knot.iter().flat_map(inside).min_by_key(|way| way.span)?;
    let mut came: BTreeMap<Symbol<'m>, &Reference<'m>> = BTreeMap::new();
    let mut open = VecDeque::from([first.to]);
    while let Some(symbol) = open.pop_front() {
        if symbol == first.from {
            break;
        }
        for way in inside(&symbol) {
            if way.to != first.to && !came.contains_key(&way.to) {
                came.insert(way.to, way);
                open.push_back(way.to);
            }
        }
    }
    let mut back = Vec::new();
    let mut at = first.from;
    while at != first.to {
        let way = came.get(&at)?;
        back.push(**way);
        at = way.from;
    }
    back.push(*first);
    back.reverse();
    Some(back)
}
