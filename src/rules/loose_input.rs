//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use super::engine::schemas;
use super::engine::text::{key_before, some};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::Tool;
use crate::policy::schema::{Problem, ProblemKind, Reading};
use crate::source::Span;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("loose-input");

/// So many places of one finding are shown; its sentence counts the others.
const PLACES: usize = 4;

const WHY: &str = "what has no bound of its own is as long, as large or as many as a model likes; the default cap of a string is far more than most inputs need";

/// One loose place: what a person calls it, and the fact.
type Place<'a> = (String, &'a Problem);

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let mut types: BTreeMap<&str, (&Tool<'_>, BTreeMap<Span, &Problem>)> = BTreeMap::new();
    for tool in cx.policy.registry.tools() {
        let mut own = Vec::new();
        for (name, problem) in places(tool) {
            match schemas::type_of(cx, problem.span) {
                None => own.push((name, problem)),
                Some(def) => {
                    let (_, found) = types.entry(&def.key.value).or_insert_with(|| (tool, BTreeMap::new()));
                    found.entry(problem.span).or_insert(problem);
                }
            }
        }
        sink.extend(loose(cx, tool, &own));
    }
    for (key, (tool, places)) in types {
        if let Some(def) = cx.model.types.get(key) {
            let places: Vec<&Problem> = places.into_values().collect();
            sink.push(loose_type(key, def.key.span, tool, &places));
        }
    }
}

/// The loose places of what the author wrote: a tool's own input, or what an overlay restates. What a server published is
/// not the author's to bound, and is told nowhere.
fn places<'a>(tool: &'a Tool<'_>) -> Vec<Place<'a>> {
    let mut found = Vec::new();
    if let Some(reading) = tool.input.as_ref().filter(|_| tool.from.is_none()) {
        found.extend(facts(reading).map(|problem| (schemas::path(&problem.pointer), problem)));
    }
    for (name, reading) in &tool.restated {
        let named = |problem: &Problem| schemas::path(&format!("{}{}", schemas::pointer(name), problem.pointer));
        found.extend(facts(reading).map(|problem| (named(problem), problem)));
    }
    found
}

fn facts(reading: &Reading) -> impl Iterator<Item = &Problem> {
    let loose = |kind| matches!(kind, ProblemKind::LooseString | ProblemKind::LooseNumber | ProblemKind::LooseArray);
    reading.problems.iter().filter(move |problem| loose(problem.kind))
}

fn loose(cx: &Cx<'_>, tool: &Tool<'_>, places: &[Place<'_>]) -> Option<Diagnostic> {
    places.first()?;
    let key = tool.key();
    let ours = tool.def.input.as_ref().filter(|input| places.iter().any(|(_, p)| p.span.file == input.0.span.file));
    let at = ours.map_or(tool.def.key.span, |input| key_before(cx, input.0.span, "input"));
    let mut seen = BTreeSet::new();
    let names: Vec<&str> = places
        .iter()
        .map(|(name, _)| if name.is_empty() { "input" } else { name.as_str() })
        .filter(|name| seen.insert(*name))
        .collect();
    let message = format!("`{key}` takes {} without a bound", some(&names));
    let help = mend(places.iter().map(|(_, problem)| *problem));
    let finding = Diagnostic::new(ID, at, message, "loose");
    Some(with_places(finding, places.iter().map(|(_, problem)| *problem)).note(WHY).help(help))
}

fn loose_type(key: &str, at: Span, tool: &Tool<'_>, places: &[&Problem]) -> Diagnostic {
    let message = format!("type `{key}` takes values without a bound, and `{}` takes it as an input", tool.key());
    let help = mend(places.iter().copied());
    let finding = Diagnostic::new(ID, at, message, "loose");
    with_places(finding, places.iter().copied()).label(tool.def.key.span, "takes it as an input").note(WHY).help(help)
}

/// The keywords that are missing, each once.
fn mend<'a>(places: impl Iterator<Item = &'a Problem>) -> String {
    let edits: BTreeSet<&str> = places.filter_map(|problem| problem.help.as_deref()).collect();
    let edits: Vec<&str> = edits.into_iter().collect();
    format!("at these places, {}", edits.join("; "))
}

fn with_places<'a>(finding: Diagnostic, places: impl Iterator<Item = &'a Problem>) -> Diagnostic {
    places.take(PLACES).fold(finding, |finding, problem| finding.label(problem.span, problem.detail.clone()))
}
