//! What one published tool is taken for: a read only where it says so and nothing contradicts it, else a write that asks.

use std::collections::BTreeSet;

use harnessc_runtime::lock::Effect;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::text;
use super::verbs;
use crate::policy::Pinned;
use crate::syntax::{Kind, Node};

/// The inputs that name a tool's deed where it has several, the likeliest first.
const DISCRIMINATORS: [&str; 8] = ["method", "action", "operation", "op", "command", "verb", "mode", "event"];

/// A tool's line in the overlay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Proposal {
    /// Its name as published, which is its key.
    pub name: String,
    /// What it is taken for; with cases, the strongest of them.
    #[serde(serialize_with = "word")]
    #[schemars(with = "String")]
    pub effect: Effect,
    /// Why, in a few words each.
    pub reasons: Vec<String>,
    /// The deeds that one input tells apart.
    pub cases: Option<Cases>,
    /// Its root inputs, and whether each is required.
    #[serde(skip)]
    pub(super) inputs: Vec<(String, bool)>,
}

/// The deeds that one input tells apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cases {
    /// The input.
    pub input: String,
    /// Each of its values with what it is taken for, in the published order.
    pub values: Vec<Case>,
}

/// One value and its deed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Case {
    /// The value.
    pub value: String,
    /// What it is taken for.
    #[serde(serialize_with = "word")]
    #[schemars(with = "String")]
    pub effect: Effect,
}

fn word<S: Serializer>(effect: &Effect, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(effect.word())
}

impl Proposal {
    /// Takes a tool for what it says of itself, at most.
    pub(super) fn of(tool: &Pinned) -> Self {
        let contradiction = contradiction(tool);
        let (read_only, destructive) = (hint(&tool.read_only), hint(&tool.destructive));
        let said_read = read_only == Some(true) && tool.hints().least() == Effect::Read;
        let read = said_read && contradiction.is_none();
        let mut reasons = vec![said(read_only, destructive)];
        if said_read {
            reasons.extend(contradiction.map(|told| format!("but {told}")));
        }
        if destructive == Some(false) && !read {
            reasons.extend(
                verbs::destroys(&tool.name).map(|verb| format!("though its name says {}", text::name(&verb))),
            );
        }
        reasons.extend(odd_hints(tool).into_iter().map(|key| format!("{} is no boolean", text::name(key))));
        let effect = if read { Effect::Read } else { asking(destructive) };
        let cases = if read { None } else { cases(tool, effect) };
        let strongest = cases.iter().flat_map(|cases| &cases.values).map(|case| case.effect).max();
        let effect = strongest.unwrap_or(effect);
        Self { name: tool.name.clone(), effect, reasons, cases, inputs: inputs(tool) }
    }

    /// The same tool where it came up after the first import: it asks, whatever it says, until someone has looked.
    pub(super) fn as_new(tool: &Pinned) -> Self {
        let mut proposal = Self::of(tool);
        if proposal.effect == Effect::Read {
            proposal.effect = asking(hint(&tool.destructive));
            proposal.reasons.push("new in the list, so it asks until someone has looked".to_owned());
        } else {
            proposal.reasons.push("new in the list".to_owned());
        }
        proposal
    }
}

fn hint(stated: &Option<(bool, crate::source::Span)>) -> Option<bool> {
    stated.as_ref().map(|(value, _)| *value)
}

/// What is no read asks; MCP takes what is unsaid for destructive.
fn asking(destructive: Option<bool>) -> Effect {
    if destructive == Some(false) { Effect::Write } else { Effect::Destructive }
}

fn said(read_only: Option<bool>, destructive: Option<bool>) -> String {
    match (read_only, destructive) {
        (Some(true), Some(true)) => "its hints contradict each other: read only, and destructive",
        (Some(true), _) => "hint: read only",
        (_, Some(true)) => "hint: destructive",
        (_, Some(false)) => "hint: not destructive",
        (Some(false), None) => "hint: not read only; of destroying it says nothing",
        (None, None) => "no hint",
    }
    .to_owned()
}

/// What in a tool tells of a deed, whatever its hints say.
fn contradiction(tool: &Pinned) -> Option<String> {
    if let Some(verb) = verbs::in_name(&tool.name) {
        return Some(format!("its name says {}", text::name(&verb)));
    }
    let description = tool.description.as_ref().map_or("", |(text, _)| text);
    if let Some(verb) = verbs::in_description(description) {
        return Some(format!("its description says {}", text::name(&verb)));
    }
    enums(tool).into_iter().find_map(|(input, values)| {
        let deed = values.into_iter().find(|value| verbs::value_is_deed(value))?;
        Some(format!("its input {} can be {}", text::name(input), text::name(deed)))
    })
}

/// Hints that are stated and are no boolean: they count as unsaid.
pub(super) fn odd_hints(tool: &Pinned) -> Vec<&'static str> {
    let Some(annotations) = tool.node.get("annotations") else { return Vec::new() };
    ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
        .into_iter()
        .filter(|key| {
            annotations
                .value
                .get(key)
                .is_some_and(|hint| !matches!(hint.value.kind, Kind::Bool(_) | Kind::Null))
        })
        .collect()
}

/// The root inputs of a published schema, with their schemas.
fn properties(tool: &Pinned) -> Vec<(&str, &Node)> {
    let entry = tool.input.as_deref().and_then(|input| input.get("properties"));
    match entry.map(|entry| &entry.value.kind) {
        Some(Kind::Map(entries)) => {
            entries.iter().map(|entry| (entry.key.value.as_str(), &*entry.value)).collect()
        }
        _ => Vec::new(),
    }
}

fn inputs(tool: &Pinned) -> Vec<(String, bool)> {
    let required = tool.input.as_deref().and_then(|input| input.get("required"));
    let required: BTreeSet<&str> = match required.map(|entry| &entry.value.kind) {
        Some(Kind::List(names)) => names.iter().filter_map(|name| name.text()).collect(),
        _ => BTreeSet::new(),
    };
    properties(tool).into_iter().map(|(name, _)| (name.to_owned(), required.contains(name))).collect()
}

/// The root inputs that are an enum of texts, with their values.
fn enums(tool: &Pinned) -> Vec<(&str, Vec<&str>)> {
    properties(tool)
        .into_iter()
        .filter_map(|(name, schema)| {
            let Kind::List(values) = &schema.get("enum")?.value.kind else { return None };
            let is_text = schema.get("type").is_none_or(|kind| kind.value.text() == Some("string"));
            let texts: Option<Vec<&str>> = values.iter().map(|value| value.text()).collect();
            texts.filter(|texts| is_text && !texts.is_empty()).map(|texts| (name, texts))
        })
        .collect()
}

/// The published values of one root input, where it lists texts.
pub(super) fn published<'t>(tool: &'t Pinned, input: &str) -> Vec<&'t str> {
    enums(tool).into_iter().find(|(name, _)| *name == input).map(|(_, values)| values).unwrap_or_default()
}

/// The cases of a tool that asks: of one input whose values are all verbs.
fn cases(tool: &Pinned, effect: Effect) -> Option<Cases> {
    let enums = enums(tool);
    let (input, values) = DISCRIMINATORS.iter().find_map(|wanted| {
        enums.iter().find(|(name, values)| {
            name.eq_ignore_ascii_case(wanted)
                && values.len() > 1
                && values.iter().all(|value| verbs::is_verb(value) && super::names::is_name(value))
        })
    })?;
    let some_destroys = values.iter().any(|value| verbs::value_destroys(value));
    // The worst deed explains what the tool is taken for; where none stands out, each may be that one.
    let other =
        if effect == Effect::Destructive && !some_destroys { Effect::Destructive } else { Effect::Write };
    let mut told: Vec<Case> = Vec::new();
    for value in values {
        let effect = if verbs::value_destroys(value) { Effect::Destructive } else { other };
        if told.iter().any(|case| case.value == *value) {
            return None;
        }
        told.push(Case { value: (*value).to_owned(), effect });
    }
    Some(Cases { input: (*input).to_owned(), values: told })
}
