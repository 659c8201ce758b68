//! A graph for Mermaid, which GitHub and GitLab draw in a comment.

use std::fmt::Write as _;

use super::{Graph, NodeKind};
use crate::report::visible;

/// The text of a `mermaid` fence.
pub fn mermaid(graph: &Graph) -> String {
    let mut out = "flowchart LR\n".to_owned();
    for kind in [NodeKind::Persona, NodeKind::Harness, NodeKind::Skill, NodeKind::Plan, NodeKind::Tool] {
        for (at, node) in graph.nodes.iter().enumerate().filter(|(_, node)| node.kind == kind) {
            let label = escaped(&node.key);
            let (open, close) = match kind {
                NodeKind::Persona => ("([", "])"),
                NodeKind::Harness => ("[", "]"),
                NodeKind::Skill | NodeKind::Plan => ("[[", "]]"),
                NodeKind::Tool => ("(", ")"),
            };
            let _ = writeln!(out, "  n{at}{open}\"{label}\"{close}:::{}", kind.word());
        }
    }
    for edge in &graph.edges {
        let arrow = match edge.approval {
            Some("confirm") => "-. confirm .->",
            Some("four_eyes") => "== four eyes ==>",
            _ => "-->",
        };
        let _ = writeln!(out, "  n{} {arrow} n{}", edge.from, edge.to);
    }
    out.push_str("  classDef persona fill:#fde9c8,stroke:#b98a2f,color:#222\n");
    out.push_str("  classDef harness fill:#d6e6fb,stroke:#3f6fb5,color:#222\n");
    out.push_str("  classDef skill fill:#e6dff5,stroke:#7a5fb0,color:#222\n");
    out.push_str("  classDef plan fill:#e6dff5,stroke:#7a5fb0,color:#222\n");
    out.push_str("  classDef tool fill:#e4efe2,stroke:#4f8a4a,color:#222\n");
    out
}

/// A label in which nothing is Mermaid's, Markdown's or HTML's: all but letters, digits and a few marks as entities.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '.' | ',' | '-' | '_' | '/' => out.push(c),
            _ if c.is_alphanumeric() => out.push(c),
            _ => {
                let _ = write!(out, "#{};", u32::from(c));
            }
        }
    }
    out
}
