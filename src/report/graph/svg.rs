//! A graph as a picture: one column for each kind, tools in the order of their names, the others near what they lead to.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Edge, Graph, Node, NodeKind};
use crate::report::columns;
use crate::report::html::Text;

const ROW: usize = 26;
const HEIGHT: usize = 20;
const TOP: usize = 64;
/// Tenths of a pixel that a letter takes.
const LETTER: usize = 73;
const GAP: usize = 150;
const SWEEPS: usize = 6;

/// The picture's own style; for light and dark.
pub(in crate::report) const CSS: &str = "\
svg.graph{--ink:#1d2126;--faint:#9aa1ab;--paper:#fff;--persona:#fde9c8;--harness:#d6e6fb;--skill:#e6dff5;--plan:#e6dff5;--tool:#e4efe2;--auto:#3a7d44;--confirm:#b36b00;--eyes:#b3261e;font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--paper)}\
@media(prefers-color-scheme:dark){svg.graph{--ink:#e6e8eb;--faint:#626a75;--paper:#15181c;--persona:#4a3a17;--harness:#1d3557;--skill:#3a2f57;--plan:#3a2f57;--tool:#1f3a26;--auto:#6fbf7b;--confirm:#e0a040;--eyes:#f2847c}}\
svg.graph text{fill:var(--ink)}svg.graph .head{font-weight:600}\
svg.graph rect{stroke:var(--faint);fill:var(--paper)}svg.graph .persona rect{fill:var(--persona)}svg.graph .harness rect{fill:var(--harness)}svg.graph .skill rect{fill:var(--skill)}svg.graph .plan rect{fill:var(--plan)}svg.graph .tool rect{fill:var(--tool)}\
svg.graph path{fill:none;stroke:var(--faint);stroke-width:1;opacity:.55}svg.graph .auto{stroke:var(--auto)}svg.graph .confirm{stroke:var(--confirm)}svg.graph .four_eyes{stroke:var(--eyes);stroke-width:1.8}\
svg.graph g:hover>path{opacity:1;stroke-width:2.4}svg.graph g:hover>rect{stroke:var(--ink);stroke-width:1.5}";

struct Placed<'g> {
    node: &'g Node,
    x: usize,
    y: usize,
    width: usize,
}

/// The picture. With `alone` it is a file of its own and carries its style.
pub fn svg(graph: &Graph, alone: bool) -> String {
    let rows = ordered(graph);
    let tallest = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let mut places: BTreeMap<usize, Placed<'_>> = BTreeMap::new();
    let mut heads = Vec::new();
    let mut x = 12;
    for column in rows.iter().filter(|column| !column.is_empty()) {
        let own = |at: &usize| graph.nodes.get(*at);
        let width = column.iter().filter_map(own).map(width).max().unwrap_or(0);
        let kind = column.first().and_then(own).map_or(NodeKind::Tool, |node| node.kind);
        heads.push((x, heading(kind)));
        for (row, at) in column.iter().enumerate() {
            // Short columns are spread over the height of the tallest.
            let y = TOP + (2 * row + 1) * tallest * ROW / (2 * column.len());
            let Some(node) = own(at) else { continue };
            places.insert(*at, Placed { node, x, y, width });
        }
        x += width + GAP;
    }
    let (wide, high) = (x.saturating_sub(GAP) + 12, TOP + tallest * ROW + 12);
    let mut out = format!(
        "<svg class=\"graph\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" width=\"{wide}\" height=\"{high}\" role=\"img\" aria-label=\"{}\">\n",
        Text(&format!("{}: who wears which harness, and which tools it holds", graph.policy))
    );
    if alone {
        let _ = writeln!(out, "<style>{CSS}</style>");
    }
    legend(&mut out);
    for (x, text) in heads {
        let _ = writeln!(out, "<text class=\"head\" x=\"{x}\" y=\"52\">{text}</text>");
    }
    // A node's group holds what leads away from it, so that pointing at it shows that.
    let mut leads: BTreeMap<usize, Vec<&Edge>> = BTreeMap::new();
    graph.edges.iter().for_each(|edge| leads.entry(edge.from).or_default().push(edge));
    for (at, place) in &places {
        group(place, leads.get(at).map_or(&[], Vec::as_slice), &places, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

fn legend(out: &mut String) {
    out.push_str("<g>");
    for (number, (class, text)) in
        [("auto", "auto"), ("confirm", "confirm"), ("four_eyes", "four eyes")].into_iter().enumerate()
    {
        let x = 12 + number * 120;
        let _ = write!(
            out,
            "<path class=\"{class}\" style=\"opacity:1;stroke-width:3\" d=\"M{x} 20H{}\"/><text x=\"{}\" y=\"24\">{text}</text>",
            x + 28,
            x + 34
        );
    }
    out.push_str("</g>\n");
}

fn heading(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Persona => "personas",
        NodeKind::Harness => "harnesses",
        NodeKind::Skill | NodeKind::Plan => "skills and plans",
        NodeKind::Tool => "tools",
    }
}

fn width(node: &Node) -> usize {
    columns(&crate::report::visible(&node.key)) * LETTER / 10 + 18
}

fn group(place: &Placed<'_>, leads: &[&Edge], places: &BTreeMap<usize, Placed<'_>>, out: &mut String) {
    let Placed { node, x, y, width } = place;
    let _ = write!(out, "<g class=\"{}\"><title>{}</title>", node.kind.word(), Text(&node.title));
    for edge in leads {
        let Some(end) = places.get(&edge.to) else { continue };
        let (from, to) = (x + width, end.x);
        let bend = to.saturating_sub(from) / 2;
        let _ = write!(
            out,
            "<path class=\"{}\" d=\"M{from} {y}C{} {y} {} {} {to} {}\"/>",
            edge.approval.unwrap_or("leads"),
            from + bend,
            to.saturating_sub(bend),
            end.y,
            end.y
        );
    }
    let _ = writeln!(
        out,
        "<rect x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"{HEIGHT}\" rx=\"5\"/><text x=\"{}\" y=\"{}\">{}</text></g>",
        y.saturating_sub(HEIGHT / 2),
        x + 9,
        y + 4,
        Text(&node.key)
    );
}

/// The nodes of each column, from top to bottom.
fn ordered(graph: &Graph) -> [Vec<usize>; 4] {
    let column = |kinds: &[NodeKind]| -> Vec<usize> {
        let nodes = graph.nodes.iter().enumerate();
        nodes.filter(|(_, node)| kinds.contains(&node.kind)).map(|(at, _)| at).collect()
    };
    let mut rows = [
        column(&[NodeKind::Persona]),
        column(&[NodeKind::Harness]),
        column(&[NodeKind::Skill, NodeKind::Plan]),
        column(&[NodeKind::Tool]),
    ];
    let mut near: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for edge in &graph.edges {
        near.entry(edge.from).or_default().push(edge.to);
        near.entry(edge.to).or_default().push(edge.from);
    }
    for _ in 0..SWEEPS {
        let mut place: BTreeMap<usize, usize> = BTreeMap::new();
        for column in &rows {
            let scale = |row: usize| (2 * row + 1) * 10_000 / (2 * column.len());
            place.extend(column.iter().enumerate().map(|(row, at)| (*at, scale(row))));
        }
        let middle = |at: &usize| {
            let ends: Vec<usize> =
                near.get(at).into_iter().flatten().filter_map(|end| place.get(end).copied()).collect();
            ends.iter().sum::<usize>().checked_div(ends.len()).unwrap_or(0)
        };
        for column in rows.iter_mut().take(3) {
            column.sort_by_key(|at| (middle(at), *at));
        }
    }
    rows
}
