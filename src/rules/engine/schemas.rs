//! Every schema that the tree's authors write, with what it is called and where a fault of it belongs.
//!
//! It gathers readings; what a problem weighs is each rule's to say.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::Def;
use crate::model::scalars::SchemaText;
use crate::policy::schema::{self, NarrowFault, Origin, Problem, Purpose, Reading, Shorts};
use crate::policy::{Tool, mentions, section_keys};
use crate::rules::Cx;
use crate::source::Span;
use crate::syntax::Node;

/// Where a schema stands.
pub(crate) enum Stands<'a, 'm> {
    /// A definition of `types:`.
    Type(&'a str),
    /// A field of `run:`.
    RunField(&'a str),
    /// The input of a tool of our own.
    Input(&'a Tool<'m>),
    /// An input that an overlay restates.
    Restated(&'a Tool<'m>, &'a str),
    /// The output that a tool states.
    Output(&'a Tool<'m>),
    /// The value of an input in `only`.
    Only(&'a str),
}

impl Stands<'_, '_> {
    /// What a sentence calls it, after "in".
    pub(crate) fn said(&self) -> String {
        match self {
            Self::Type(key) => format!("type `{key}`"),
            Self::RunField(key) => format!("field `{key}` of the run"),
            Self::Input(tool) => format!("the input of `{}`", tool.key()),
            Self::Restated(tool, input) => format!("input `{input}` of `{}`", tool.key()),
            Self::Output(tool) => format!("the output of `{}`", tool.key()),
            Self::Only(input) => format!("the narrowing of `{input}`"),
        }
    }
}

/// A schema of the tree, read.
pub(crate) struct Own<'a, 'm> {
    pub(crate) stands: Stands<'a, 'm>,
    pub(crate) reading: &'a Reading,
}

/// Every schema that the tree's authors write, types first: what lies in a type's text is found there before a user of it.
pub(crate) fn own<'a, 'm>(cx: &'a Cx<'m>) -> Vec<Own<'a, 'm>> {
    let readings = &cx.policy.readings;
    let mut found = Vec::new();
    let mut take = |stands, reading: Option<&'a Reading>| {
        found.extend(reading.map(|reading| Own { stands, reading }));
    };
    for def in cx.model.types.sorted() {
        take(Stands::Type(&def.key.value), readings.of_type(&def.value));
    }
    for def in cx.model.run.sorted() {
        take(Stands::RunField(&def.key.value), readings.run_field(&def.value));
    }
    for only in mentions(cx.model).flat_map(|mention| mention.only.iter().flatten()) {
        take(Stands::Only(&only.key.value), readings.narrowing(&only.value));
    }
    for tool in cx.policy.registry.tools() {
        found.extend(of_tool(tool));
    }
    found
}

fn of_tool<'a, 'm>(tool: &'a Tool<'m>) -> Vec<Own<'a, 'm>> {
    let as_read = |stands, reading| Own { stands, reading };
    let input = tool.input.as_ref().filter(|_| tool.from.is_none());
    let output = tool.output.as_ref().filter(|_| tool.def.output.is_some());
    let restated = tool.restated.iter().map(|(name, reading)| as_read(Stands::Restated(tool, name), reading));
    let input = input.map(|reading| as_read(Stands::Input(tool), reading));
    let output = output.map(|reading| as_read(Stands::Output(tool), reading));
    input.into_iter().chain(restated).chain(output).collect()
}

/// Reads a schema of the tree's authors.
pub(crate) fn read(cx: &Cx<'_>, node: &Arc<Node>, purpose: Purpose) -> Reading {
    let keys = |section: &str| section_keys(cx.model, section);
    let types = cx.model.types.iter().map(|def| (def.key.value.as_str(), &def.value.0));
    schema::read(node, Origin::Own, purpose, &Shorts::new(types, &keys))
}

/// The type in whose text a place lies.
pub(crate) fn type_of<'a>(cx: &'a Cx<'_>, place: Span) -> Option<&'a Def<SchemaText>> {
    cx.model.types.iter().find(|def| {
        let text = def.value.0.span;
        text.file == place.file && text.start <= place.start && place.end <= text.end
    })
}

/// Whether a problem of a published input still stands: what an overlay restates is no longer in force.
pub(crate) fn in_force(tool: &Tool<'_>, problem: &Problem) -> bool {
    !tool.restated.keys().any(|name| {
        let rest = problem.pointer.strip_prefix(&pointer(name));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// The JSON pointer of a root property.
pub(crate) fn pointer(name: &str) -> String {
    format!("/properties/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The name by which a person knows a place: `filter.kind`, `ids[]`; empty at the root.
pub(crate) fn path(pointer: &str) -> String {
    let mut path = String::new();
    let mut steps = pointer.split('/').skip(1);
    while let Some(step) = steps.next() {
        match step {
            "properties" => {
                let name = steps.next().unwrap_or("").replace("~1", "/").replace("~0", "~");
                path = if path.is_empty() { name } else { format!("{path}.{name}") };
            }
            "items" => path.push_str("[]"),
            _ => {}
        }
    }
    path
}

/// One fault of an `only`.
pub(crate) struct Narrowing<'a, 'm> {
    pub(crate) tool: &'a Tool<'m>,
    pub(crate) only: &'a Def<SchemaText>,
    pub(crate) fault: NarrowFault,
}

/// What is wrong between each `only` and the tool it narrows, beside the faults of its schemas.
pub(crate) fn narrowings<'a, 'm>(cx: &'a Cx<'m>) -> Vec<Narrowing<'a, 'm>> {
    let mut found = Vec::new();
    for mention in mentions(cx.model).filter(|mention| mention.only.is_some()) {
        let Some(tool) = mention.tool.as_ref().and_then(|name| tool_of(cx, name)) else { continue };
        let Some(closed) = &tool.closed_input else { continue };
        let stated: BTreeMap<&str, &Def<SchemaText>> =
            mention.only.iter().flatten().map(|only| (only.key.value.as_str(), only)).collect();
        let readable = stated.iter().filter_map(|(name, only)| {
            let reading = cx.policy.readings.narrowing(&only.value)?;
            Some(((*name).to_owned(), reading.closed.clone()?))
        });
        for fault in schema::narrow(closed, &readable.collect()) {
            if let Some(only) = stated.get(fault.input.as_str()) {
                found.push(Narrowing { tool, only, fault });
            }
        }
    }
    found
}

/// The tool that `tool` or `tool/case` names.
pub(crate) fn tool_of<'a, 'm>(cx: &'a Cx<'m>, written: &str) -> Option<&'a Tool<'m>> {
    let name = written.split_once('/').map_or(written, |(tool, _)| tool);
    cx.policy.registry.tool(name)
}

/// Where an input of a tool is declared.
pub(crate) fn declared(tool: &Tool<'_>, input: &str) -> Option<Span> {
    if let Some(restated) = tool.restated.get(input) {
        return Some(restated.span(""));
    }
    Some(tool.input.as_ref()?.key_span(&pointer(input)))
}

/// Where an input that is not at the root of a tool's schema is declared first.
pub(crate) fn declared_below(tool: &Tool<'_>, input: &str) -> Option<Span> {
    let reading = tool.input.as_ref()?;
    let original = reading.original();
    let found = schema::input_names(&original);
    found.into_iter().find(|(_, name)| *name == input).map(|(pointer, _)| reading.key_span(&pointer))
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn places_are_named_as_a_person_would() {
        assert_eq!(path(""), "");
        assert_eq!(path("/properties/filter/properties/kind"), "filter.kind");
        assert_eq!(path("/properties/ids/items/anyOf/1"), "ids[]");
        assert_eq!(path("/properties/a~1b"), "a/b");
    }
}
