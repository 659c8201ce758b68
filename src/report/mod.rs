//! Findings and tables, shown: to a person, to a line-reading tool, to a machine.
//!
//! One file per format. Nothing here decides what is a finding or how grave it is, and nothing prints: each format
//! writes to what it is given. A text of the author's reaches no output before `visible` has seen it.

mod authority;
mod authority_page;
mod bridge;
mod ci;
mod diff;
mod github;
mod graph;
mod html;
mod human;
mod json;
mod junit;
mod lines;
mod markdown;
mod place;
mod refit;
mod sarif;
mod short;
mod site;
mod snippet;
mod summary;
mod table;
mod visible;
mod window;
mod wrap;

pub use authority::{Line, Tone, authority, field_name, headline, turned};
pub use authority_page::authority_page;
pub use bridge::Bridge;
pub use ci::{Found, RuleText};
pub use github::{github, github_error};
pub use graph::{Edge, Graph, Node, NodeKind, dot, mermaid, svg};
pub use html::is_own;
pub use human::{Look, human, told};
pub use json::{
    JsonBaseline, JsonEdit, JsonFinding, JsonFix, JsonFixed, JsonLabel, JsonNewFile, JsonPosition, JsonRange,
    JsonReport, JsonSummary, json, json_line, json_report,
};
pub use junit::{Case, junit, junit_cases};
pub use markdown::{MAX_BYTES as MAX_COMMENT_BYTES, escaped, markdown};
pub use sarif::{Log as SarifLog, sarif};
pub use short::short;
pub use site::{Audited, single_page, site};
pub use summary::summary;
pub use table::Table;
pub use visible::{columns, visible};
pub use wrap::wrap;

#[cfg(test)]
mod tests;
