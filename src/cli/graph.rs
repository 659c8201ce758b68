//! `harnessc graph`: personas, harnesses, skills, plans and tools, and what leads where, to be drawn.

use clap::{Args, ValueEnum};

use super::Format;
use super::outcome::{Said, Trouble};
use super::session::{Session, Under};
use crate::report::{Graph, dot, mermaid, svg};

#[derive(Debug, Args)]
pub(super) struct GraphArgs {
    /// How it is drawn
    #[arg(value_enum, default_value_t = Drawn::Dot)]
    drawn: Drawn,
    /// Only what leads to this harness, tool, persona, skill or plan, and what it leads to; KIND:KEY names one of several
    #[arg(long, value_name = "KEY")]
    focus: Option<String>,
    #[command(flatten)]
    under: Under,
}

/// How a graph is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Drawn {
    /// For Graphviz
    Dot,
    /// For a fence in Markdown
    Mermaid,
    /// A picture
    Svg,
}

pub(super) fn run(session: &Session, args: &GraphArgs) -> Result<Said, Trouble> {
    let lock = match session.lock_or_findings(&args.under, "drawn")? {
        Ok(lock) => lock,
        Err(said) => return Ok(said),
    };
    let mut said = Said::default();
    let mut graph = Graph::of(&lock);
    if let Some(name) = &args.focus {
        let known = graph.nodes.iter().map(|node| node.key.as_str());
        let unknown = || Trouble::unknown("node", name, known, "`harnessc graph --format short` lists them");
        graph = graph.focus(name).ok_or_else(unknown)?;
    }
    match (session.global.format, args.drawn) {
        (Format::Json, _) => said.json(&graph),
        (Format::Short, _) => {
            for node in &graph.nodes {
                said.line(crate::report::visible(&format!(
                    "{}:{} {}",
                    node.kind.word(),
                    node.key,
                    node.title
                )));
            }
        }
        (_, Drawn::Dot) => said.out = dot(&graph),
        (_, Drawn::Mermaid) => said.out = mermaid(&graph),
        (_, Drawn::Svg) => said.out = svg(&graph, true),
    }
    Ok(said)
}
