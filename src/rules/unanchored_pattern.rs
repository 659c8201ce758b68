//! See the page beside this file.

use std::collections::BTreeMap;

use super::engine::schemas::{self, Own, Stands};
use super::{Cx, Found};
use crate::diagnostic::{Applicability, Diagnostic, Level, RuleId, Sink};
use crate::policy::Tool;
use crate::policy::schema::{self, Located, Problem, ProblemKind, Reading};
use crate::source::Span;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("unanchored-pattern");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    // One pattern is one finding, as grave as its gravest use.
    let mut found: BTreeMap<Span, Diagnostic> = BTreeMap::new();
    for own in schemas::own(cx) {
        for problem in patterns(own.reading) {
            let finding = in_tree(cx, &own, problem);
            let graver = found.get(&problem.span).is_none_or(|known| known.level < finding.level);
            if graver {
                found.insert(problem.span, finding);
            }
        }
    }
    sink.extend(found.into_values());
    for tool in cx.policy.registry.tools().filter(|tool| tool.from.is_some()) {
        let Some(reading) = tool.input.as_ref().filter(|_| tool.closed_input.is_some()) else { continue };
        for problem in patterns(reading).filter(|problem| schemas::in_force(tool, problem)) {
            sink.push(pinned(tool, reading, problem));
        }
    }
}

fn patterns(reading: &Reading) -> impl Iterator<Item = &Problem> {
    reading.problems.iter().filter(|problem| problem.kind == ProblemKind::UnanchoredPattern)
}

/// What the pattern decides, where a run's target or a case leans on it.
fn leaned_on(tool: &Tool<'_>, reading: &Reading, problem: &Problem) -> Option<&'static str> {
    let root = &reading.tree;
    let within = |input: &str| {
        let part = root.at(&schemas::pointer(input));
        part.is_some_and(|part| holds(root, part, problem.span, REFERENCES))
    };
    if tool.bind.keys().any(|input| within(input)) {
        return Some("is bound to the run");
    }
    tool.discriminator.filter(|input| within(&input.value)).map(|_| "tells cases apart")
}

/// So many references are followed one after the other.
const REFERENCES: usize = 8;

/// Whether a place lies in a part of a schema or in what it refers to: a shared type stands at one place, whoever uses it.
fn holds(root: &Located, part: &Located, place: Span, references: usize) -> bool {
    let target = part.get("$ref").and_then(Located::text).and_then(|target| target.strip_prefix('#'));
    let target = target.filter(|_| references > 0).and_then(|pointer| root.at(pointer));
    part.span == place
        || target.is_some_and(|target| holds(root, target, place, references - 1))
        || part.items().iter().any(|item| holds(root, item, place, references))
        || part.entries().iter().any(|(_, value)| holds(root, value, place, references))
}

fn in_tree(cx: &Cx<'_>, own: &Own<'_, '_>, problem: &Problem) -> Diagnostic {
    let leans = match &own.stands {
        Stands::Only(_) => Some("narrows a tool"),
        Stands::Input(tool) => leaned_on(tool, own.reading, problem),
        Stands::Restated(tool, input) if tool.bind.contains_key(input) => Some("is bound to the run"),
        _ => None,
    };
    let stands = own.stands.said();
    let mut finding = finding(problem.span, &format!("in {stands}, {}", problem.detail), leans);
    if let Some(related) = problem.related.filter(|related| *related != problem.span) {
        finding = finding.label(related, format!("named here, in {stands}"));
    }
    let written = cx.tree.sources.slice(problem.span);
    let text = own.reading.tree.at(&problem.pointer).and_then(|part| part.text());
    match text.and_then(schema::anchored).filter(|_| !written.contains('\n')) {
        Some(whole) => finding.help(format!("write `{whole}`")).fix(
            "anchor it at both ends",
            Applicability::Unsafe,
            problem.span,
            format!("'{}'", whole.replace('\'', "''")),
        ),
        None => finding.help("let the pattern begin with `^` and end with `$`, in each of its branches"),
    }
}

fn finding(at: Span, message: &str, leans: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::new(ID, at, message, "matches a part");
    let finding = match leans {
        Some(leans) => finding.level(Level::Deny).note(format!("it {leans}, so what it lets through decides what a run can reach")),
        None => finding.level(Level::Warn),
    };
    finding.note("JSON Schema looks for a pattern anywhere in the text: `[a-z]+` passes for any text that holds one small letter")
}

/// A published pattern is not the author's to edit: it is pointed at from the tree's own line.
fn pinned(tool: &Tool<'_>, reading: &Reading, problem: &Problem) -> Diagnostic {
    let (key, path) = (tool.key(), schemas::path(&problem.pointer));
    let message = format!("in the published input `{path}` of `{key}`, {}", problem.detail);
    let at = tool.def.from.as_ref().map_or(tool.def.key.span, |from| from.span);
    finding(at, &message, leaned_on(tool, reading, problem))
        .label(problem.span, "published")
        .help(format!("restate `{path}` below `input: {{properties: …}}` as a list of the values, or waive this beside the overlay"))
}
