//! See the page beside this file.

use std::collections::BTreeMap;

use harnessc_runtime::lock::Effect;

use super::engine::authority::names;
use super::engine::schemas::declared_below;
use super::engine::targets;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, Level, RuleId, Sink};
use crate::model::Def;
use crate::model::scalars::SchemaText;
use crate::policy::schema::{self, Origin, Purpose, Shorts};
use crate::policy::{Bound, Tool, VAGUE};
use crate::source::Span;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("unbound-target");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let run = run_types(cx);
    let mut reads = targets::ByServer::new();
    for tool in cx.policy.registry.tools() {
        // Where the input could not be read, nobody knows what could be bound.
        if tool.closed_input.is_none() {
            continue;
        }
        for (input, bound) in &tool.bind {
            sink.extend(never_equal(tool, input, bound, &run));
        }
        sink.extend(around(cx, tool));
        let why = tool.def.unbound.as_ref();
        let said = why.is_some_and(|why| !why.trim().is_empty());
        let tried = !tool.bind.is_empty() || tool.def.bind.is_some() || (tool.def.damaged && why.is_none());
        if !said && !tried {
            match tool.from.filter(|_| tool.effect == Effect::Read && why.is_none()) {
                Some((server, _)) => reads.entry(Some(server)).or_default().push(tool),
                None => sink.push(unbound(cx, tool)),
            }
        }
        if !said {
            sink.extend(targets::beside(ID, cx, tool));
        }
    }
    for tools in reads.values() {
        sink.extend(loose_reads(cx, tools));
    }
    targets::both(ID, cx, sink);
    targets::unsaid(ID, cx, sink);
}

/// The reads of one server that are bound to nothing: after an import, that is most of a list.
fn loose_reads(cx: &Cx<'_>, tools: &[&Tool<'_>]) -> Option<Diagnostic> {
    if let [tool] = tools {
        return Some(unbound(cx, tool));
    }
    let said = "{are} bound to nothing of the run, and {do} not say why";
    let found = targets::together(ID, tools, said, |tool| tool.def.key.span)?;
    let run: Vec<&str> = cx.model.run.iter().map(|field| field.key.value.as_str()).collect();
    let carries = |name: &str| tools.iter().filter(|tool| root_inputs(tool).contains(&name)).count();
    let common = most_carried(tools);
    let help = match (run.iter().find(|field| carries(field) > 0), common) {
        (Some(field), _) => {
            format!("write `bind: {{{field}: run.{field}}}` once, for the {} of them that take it; take out what nobody holds, and give the rest a reason in `unbound`", carries(field))
        }
        (None, Some((input, count))) => format!(
            "{count} of them take `{input}`: where a run is about one, state it under `run:` and write `bind: {{{input}: run.{input}}}` once; take out what nobody holds, and give the rest a reason in `unbound`"
        ),
        (None, None) => "take out what nobody holds, and give the rest a reason in `unbound`".to_owned(),
    };
    Some(found.note("an input that the run does not fix is the model's to choose, so these tools can look outside of what the run is about").help(help))
}

/// The required root input that most of the tools take, where it is more than one of them.
fn most_carried<'a>(tools: &[&'a Tool<'_>]) -> Option<(&'a str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tool in tools {
        let required = tool.closed_input.as_ref().map(schema::required).unwrap_or_default();
        let told = |input: &&str| required.contains(input) && !VAGUE.contains(input);
        for input in root_inputs(tool).into_iter().filter(told) {
            *counts.entry(input).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count > 1).max_by_key(|(name, count)| (*count, std::cmp::Reverse(*name)))
}

fn unbound(cx: &Cx<'_>, tool: &Tool<'_>) -> Diagnostic {
    let key = tool.key();
    let read = tool.effect == Effect::Read;
    let (at, label) = match &tool.def.unbound {
        Some(why) => (why.span, "no reason"),
        None => (tool.def.key.span, "neither `bind` nor `unbound`"),
    };
    let fits: Vec<&str> =
        root_inputs(tool).into_iter().filter(|name| cx.model.run.get(name).is_some()).collect();
    let help = match fits.first() {
        Some(first) => format!("write `bind: {{{first}: run.{first}}}`; the run carries {}", names(fits.iter().copied())),
        None if cx.model.run.is_empty() => {
            "write `unbound:` with the reason, or state under `run:` what a run is about and bind an input to it".to_owned()
        }
        None => format!(
            "write `bind: {{INPUT: run.FIELD}}`, or `unbound:` with the reason; the run carries {}",
            names(cx.model.run.keys())
        ),
    };
    let does = if read { "look" } else { "act" };
    Diagnostic::new(
        ID,
        at,
        format!("`{key}` is bound to nothing of the run, and does not say why"),
        label,
    )
    .level(if read { Level::Warn } else { Level::Deny })
    .note(format!("an input that the run does not fix is the model's to choose, so this tool can {does} outside of what the run is about"))
    .help(help)
}

/// Names of the tree's `bind` that a call can carry at the root although the root does not declare them: nothing ties them.
fn around(cx: &Cx<'_>, tool: &Tool<'_>) -> Option<Diagnostic> {
    let closed = tool.closed_input.as_ref()?;
    let inputs = root_inputs(tool);
    let mut loose = cx.model.bind.iter().filter(|bound| !inputs.contains(&bound.key.as_str()));
    let bound = loose.find(|bound| schema::room_for(closed, &bound.key))?;
    let (key, input) = (tool.key(), &bound.key.value);
    let at = declared_below(tool, input).unwrap_or(tool.def.key.span);
    Some(
        Diagnostic::new(
            ID,
            at,
            format!("`{key}` takes `{input}`, which the tree binds, where no binding reaches it"),
            "not an input at the root",
        )
        .level(Level::Forbid)
        .label(bound.key.span, "bound here, in every tool with a root input of that name")
        .note("a binding ties an input that the root declares; in one of several forms, or under a pattern, the model would choose the value")
        .help(format!("declare `{input}` among the root's `properties`, or do not register the tool as it is published")),
    )
}

fn root_inputs<'a>(tool: &'a Tool<'_>) -> Vec<&'a str> {
    tool.closed_input.as_ref().map_or_else(Vec::new, schema::root_properties)
}

/// Field of the run to where it stands and its type, where it has one.
type RunTypes<'m> = BTreeMap<&'m str, (Span, String)>;

fn run_types<'m>(cx: &Cx<'m>) -> RunTypes<'m> {
    let types = cx.model.types.iter().map(|def| (def.key.value.as_str(), &def.value.0));
    let shorts = Shorts::new(types, &|_| None);
    let typed = |field: &'m Def<SchemaText>| {
        let closed = schema::read(&field.value.0, Origin::Own, Purpose::RunField, &shorts).closed?;
        let word = closed.get("type")?.as_str()?.to_owned();
        Some((field.key.value.as_str(), (field.key.span, word)))
    };
    cx.model.run.iter().filter_map(typed).collect()
}

/// A binding whose two sides are of different types refuses every call.
fn never_equal(tool: &Tool<'_>, input: &str, bound: &Bound<'_>, run: &RunTypes<'_>) -> Option<Diagnostic> {
    let (field_at, theirs) = run.get(bound.field)?;
    let own = schema::root_property(tool.closed_input.as_ref()?, input)?;
    let ours = own.get("type")?.as_str()?;
    let number = |word: &str| matches!(word, "integer" | "number");
    if ours == theirs || (number(ours) && number(theirs)) {
        return None;
    }
    let key = tool.key();
    let at = tool.input.as_ref().map_or(tool.def.key.span, |reading| {
        reading.key_span(&format!("/properties/{input}"))
    });
    Some(
        Diagnostic::new(
            ID,
            at,
            format!("input `{input}` of `{key}` can never equal `run.{}`: it is {ours}, and the run's is {theirs}", bound.field),
            format!("of type {ours}"),
        )
        .level(Level::Deny)
        .label(bound.at, "bound here")
        .label(*field_at, format!("of type {theirs}"))
        .note("a call whose bound input differs from the run's value is refused, so this tool could never be called")
        .help("give both the same type, or bind the input to another field"),
    )
}
