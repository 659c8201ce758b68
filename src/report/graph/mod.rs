//! What a lock connects, to be drawn: personas, the harnesses they wear, skills, plans, tools.

mod dot;
mod mermaid;
mod svg;

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::{Approval, Lock, NO_HARNESS, split_deed};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs as Walk, Reversed};
use schemars::JsonSchema;
use serde::Serialize;

pub use dot::dot;
pub use mermaid::mermaid;
pub(super) use svg::CSS as SVG_CSS;
pub use svg::svg;

/// What a node stands for, from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// A persona.
    Persona,
    /// A harness; `-` stands for runs without one.
    Harness,
    /// A skill.
    Skill,
    /// A plan template.
    Plan,
    /// A tool.
    Tool,
}

impl NodeKind {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Persona => "persona",
            Self::Harness => "harness",
            Self::Skill => "skill",
            Self::Plan => "plan",
            Self::Tool => "tool",
        }
    }
}

/// One definition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its key.
    pub key: String,
    /// What a person reads.
    pub title: String,
}

/// One connection, between nodes by their place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Edge {
    /// Who wears, carries or holds.
    pub from: usize,
    /// What is worn, carried or held.
    pub to: usize,
    /// Where a harness holds a tool: the strictest approval that it asks there, `auto`, `confirm` or `four_eyes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<&'static str>,
}

/// What `graph --format json` prints. Nodes are sorted by kind and key, edges by their ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Graph {
    /// The version of this format, 1.
    pub version: u32,
    /// The policy's name.
    pub policy: String,
    /// The definitions.
    pub nodes: Vec<Node>,
    /// What leads where.
    pub edges: Vec<Edge>,
}

type Name<'a> = (NodeKind, &'a str);

impl Graph {
    /// The whole of a lock.
    pub fn of(lock: &Lock) -> Self {
        let mut edges: BTreeMap<(Name<'_>, Name<'_>), Option<Approval>> = BTreeMap::new();
        for key in lock.personas.iter().filter(|(_, own)| !own.harness).map(|(key, _)| key) {
            edges.insert(((NodeKind::Persona, key), (NodeKind::Harness, NO_HARNESS)), None);
        }
        for (key, harness) in &lock.harnesses {
            let own = (NodeKind::Harness, key.as_str());
            edges.extend(
                harness.personas.iter().map(|worn| (((NodeKind::Persona, worn.as_str()), own), None)),
            );
            edges.extend(harness.skills.iter().map(|skill| ((own, (NodeKind::Skill, skill.as_str())), None)));
            edges.extend(
                harness.plan_templates.iter().map(|plan| ((own, (NodeKind::Plan, plan.as_str())), None)),
            );
        }
        for (key, skill) in &lock.skills {
            let tools = skill.tools.iter().chain(&skill.tool);
            edges.extend(tools.map(|deed| (((NodeKind::Skill, key.as_str()), tool(deed)), None)));
        }
        for (key, plan) in &lock.plan_templates {
            let steps = plan.steps.iter();
            edges.extend(steps.map(|step| (((NodeKind::Plan, key.as_str()), tool(&step.tool)), None)));
        }
        for (key, roles) in &lock.effective {
            for cell in roles.values().flatten() {
                let place = edges.entry(((NodeKind::Harness, key.as_str()), tool(&cell.deed))).or_default();
                *place = (*place).max(Some(cell.approval));
            }
        }
        Self::made(lock, &edges)
    }

    fn made(lock: &Lock, edges: &BTreeMap<(Name<'_>, Name<'_>), Option<Approval>>) -> Self {
        let mut nodes: BTreeSet<Node> = BTreeSet::new();
        let mut add = |kind, key: &str, title: &str| {
            nodes.insert(Node { kind, key: key.to_owned(), title: title.to_owned() });
        };
        lock.personas.iter().for_each(|(key, own)| add(NodeKind::Persona, key, &own.title));
        lock.harnesses.iter().for_each(|(key, own)| add(NodeKind::Harness, key, &own.title));
        lock.skills.iter().for_each(|(key, own)| add(NodeKind::Skill, key, &own.title));
        lock.plan_templates.iter().for_each(|(key, own)| add(NodeKind::Plan, key, &own.title));
        lock.tools.iter().for_each(|(key, own)| add(NodeKind::Tool, key, &own.title));
        if lock.effective.contains_key(NO_HARNESS) {
            add(NodeKind::Harness, NO_HARNESS, "runs without a harness");
        }
        let nodes: Vec<Node> = nodes.into_iter().collect();
        let at = |(kind, key): Name<'_>| {
            nodes.binary_search_by(|node| (node.kind, node.key.as_str()).cmp(&(kind, key))).ok()
        };
        let edges = edges.iter().filter_map(|((from, to), approval)| {
            Some(Edge { from: at(*from)?, to: at(*to)?, approval: approval.map(Approval::word) })
        });
        let edges = edges.collect();
        Self { version: 1, policy: lock.policy.name.clone(), nodes, edges }
    }

    /// What leads to the nodes of this key and what they lead to; `KIND:KEY` names one of several. Nothing where no node
    /// is called so.
    pub fn focus(&self, name: &str) -> Option<Self> {
        let is_meant = |node: &Node| match name.split_once(':') {
            Some((kind, key)) => node.kind.word() == kind && node.key == key,
            None => node.key == name,
        };
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let indices: Vec<NodeIndex> = self.nodes.iter().map(|_| graph.add_node(())).collect();
        for edge in &self.edges {
            if let (Some(from), Some(to)) = (indices.get(edge.from), indices.get(edge.to)) {
                graph.add_edge(*from, *to, ());
            }
        }
        let mut kept = BTreeSet::new();
        for (index, _) in indices.iter().zip(&self.nodes).filter(|(_, node)| is_meant(node)) {
            let mut down = Walk::new(&graph, *index);
            while let Some(next) = down.next(&graph) {
                kept.insert(next.index());
            }
            let mut up = Walk::new(&graph, *index);
            while let Some(next) = up.next(Reversed(&graph)) {
                kept.insert(next.index());
            }
        }
        (!kept.is_empty()).then(|| self.only(&kept))
    }

    fn only(&self, kept: &BTreeSet<usize>) -> Self {
        let places: BTreeMap<usize, usize> = kept.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        let edge =
            |edge: &Edge| Some(Edge { from: *places.get(&edge.from)?, to: *places.get(&edge.to)?, ..*edge });
        Self {
            version: self.version,
            policy: self.policy.clone(),
            nodes: kept.iter().filter_map(|at| self.nodes.get(*at).cloned()).collect(),
            edges: self.edges.iter().filter_map(edge).collect(),
        }
    }
}

fn tool(deed: &str) -> Name<'_> {
    (NodeKind::Tool, split_deed(deed).0)
}
