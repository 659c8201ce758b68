//! A graph in the language of Graphviz.

use std::fmt::Write as _;

use super::{Graph, Node, NodeKind};
use crate::report::visible;

/// The text for `dot -Tsvg`.
pub fn dot(graph: &Graph) -> String {
    let mut out = format!("digraph {} {{\n  rankdir=LR;\n  ranksep=2;\n", quoted(&graph.policy));
    out.push_str("  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\"];\n");
    for kind in [NodeKind::Persona, NodeKind::Harness, NodeKind::Skill, NodeKind::Plan, NodeKind::Tool] {
        let own: Vec<&Node> = graph.nodes.iter().filter(|node| node.kind == kind).collect();
        if own.is_empty() {
            continue;
        }
        let colour = match kind {
            NodeKind::Persona => "#fde9c8",
            NodeKind::Harness => "#d6e6fb",
            NodeKind::Skill | NodeKind::Plan => "#e6dff5",
            NodeKind::Tool => "#e4efe2",
        };
        let _ = writeln!(out, "  {{\n    rank=same;\n    node [fillcolor=\"{colour}\"];");
        for node in own {
            let _ = writeln!(
                out,
                "    {} [label={}, tooltip={}];",
                id(node),
                quoted(&node.key),
                quoted(&node.title)
            );
        }
        out.push_str("  }\n");
    }
    for edge in &graph.edges {
        let (Some(from), Some(to)) = (graph.nodes.get(edge.from), graph.nodes.get(edge.to)) else { continue };
        let style = match edge.approval {
            Some("confirm") => " [color=\"#b36b00\", tooltip=\"confirm\"]",
            Some("four_eyes") => " [color=\"#b3261e\", penwidth=2, tooltip=\"four eyes\"]",
            Some(_) => " [color=\"#3a7d44\", tooltip=\"auto\"]",
            None => " [color=\"#8a8f98\"]",
        };
        let _ = writeln!(out, "  {} -> {}{style};", id(from), id(to));
    }
    out.push_str("}\n");
    out
}

fn id(node: &Node) -> String {
    quoted(&format!("{}:{}", node.kind.word(), node.key))
}

/// A quoted text; a backslash would begin an escape of Graphviz's own.
fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(text).replace('\\', "\\\\").replace('"', "\\\""))
}
