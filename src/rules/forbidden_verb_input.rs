//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::Effect;
use harnessc_runtime::words::words;

use super::engine::enum_texts::{EnumText, enum_texts, left_by};
use super::engine::refusals::{Verb, verbs};
use super::engine::text::word_at;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::refusals::Refusal;
use crate::policy::{Harness, Hold, Tool};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("forbidden-verb-input");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let refusals: Vec<(&Def<Refusal>, Vec<Verb<'_>>)> =
        cx.model.refusals.iter().map(|refusal| (refusal, verbs(refusal))).filter(|(_, v)| !v.is_empty()).collect();
    if refusals.is_empty() {
        return;
    }
    let forms: BTreeSet<&str> = refusals.iter().flat_map(|(_, verbs)| verbs).flat_map(Verb::forms).collect();
    let held = held_with_values(cx);
    for tool in cx.policy.registry.tools() {
        let Some(harnesses) = held.get(tool.key()) else { continue };
        for value in values(tool) {
            let said = words(&value.text);
            // Most values bear no verb that any refusal forbids.
            if !said.iter().any(|word| forms.contains(word.lower.as_str())) {
                continue;
            }
            for (refusal, verbs) in &refusals {
                let Some(verb) = verbs.iter().find(|verb| verb.in_words(&said)) else { continue };
                let reached = harnesses.iter().find(|(harness, holds)| {
                    harness.refusals.iter().any(|borne| borne.key.value == refusal.key.value)
                        && holds.iter().any(|hold| reaches(cx, hold, &value))
                });
                if let Some((harness, _)) = reached {
                    let said = format!("refusal `{}` forbids it", refusal.key.value);
                    sink.push(found(cx, tool, harness, &value, verb).label(verb.at, said));
                }
            }
        }
    }
}

type Holders<'a> = Vec<(&'a Harness<'a>, Vec<&'a Hold<'a>>)>;

/// Tool to the harnesses that hold a deed of it that is no read, each with those holds.
fn held_with_values<'a>(cx: &'a Cx<'_>) -> BTreeMap<&'a str, Holders<'a>> {
    let mut held: BTreeMap<&str, Holders<'_>> = BTreeMap::new();
    for harness in cx.policy.harnesses.values() {
        let mut own: BTreeMap<&str, Vec<&Hold<'_>>> = BTreeMap::new();
        for (id, hold) in &harness.holds {
            if let Some(deed) = cx.policy.registry.deed(*id).filter(|deed| deed.effect != Effect::Read) {
                own.entry(deed.tool).or_default().push(hold);
            }
        }
        for (tool, holds) in own {
            held.entry(tool).or_default().push((harness, holds));
        }
    }
    held
}

/// The texts that a tool's input lists. The values that tell its cases apart are names of deeds, which `forbidden-verb` reads.
fn values(tool: &Tool<'_>) -> Vec<EnumText> {
    let of_cases = tool.discriminator.map(|input| input.value.as_str());
    let mut values = tool.input.as_ref().map_or_else(Vec::new, |input| enum_texts(&input.tree));
    values.retain(|value| root_input(value).is_none_or(|input| !tool.restated.contains_key(input)));
    for (input, reading) in &tool.restated {
        values.extend(enum_texts(&reading.tree).into_iter().map(|mut value| {
            value.path.splice(0..0, ["properties".to_owned(), input.clone()]);
            value
        }));
    }
    values.retain(|value| of_cases.is_none() || root_input(value) != of_cases);
    values
}

/// The root input that a value belongs to, where it belongs to one alone.
fn root_input(value: &EnumText) -> Option<&str> {
    match value.path.as_slice() {
        [properties, input, ..] if properties == "properties" => Some(input),
        _ => None,
    }
}

/// Whether a call may still state the value once the harness has narrowed the input.
fn reaches(cx: &Cx<'_>, hold: &Hold<'_>, value: &EnumText) -> bool {
    let Some(input) = root_input(value) else { return true };
    let within = value.path.get(2..).unwrap_or_default();
    hold.only.get(input).into_iter().flatten().all(|narrowing| {
        left_by(cx.model, &narrowing.value.0, within).is_none_or(|left| left.contains(&value.text))
    })
}

fn found(cx: &Cx<'_>, tool: &Tool<'_>, harness: &Harness<'_>, value: &EnumText, verb: &Verb<'_>) -> Diagnostic {
    let (key, base) = (tool.key(), verb.base);
    let message = format!(
        "an input of `{key}` takes `{}`, which bears the verb `{base}`, and harness `{}` refuses that",
        value.text,
        harness.key()
    );
    let place = word_at(cx, value.span, |word| verb.is_form(word));
    let pinned = tool.from.is_some() && value.span.file != tool.def.key.span.file;
    let finding = if pinned {
        Diagnostic::new(ID, tool.def.key.span, message, "held as published").label(place, "the verb")
    } else {
        Diagnostic::new(ID, place, message, "the verb")
    };
    let at = tool.deeds.iter().find(|id| harness.holds.contains_key(id));
    let finding = match at {
        Some(id) => finding.label(harness.points_at(*id), format!("`{}` holds it", harness.key())),
        None => finding,
    };
    finding
        .note("a value of the input can do what the tool's name does not say")
        .help(format!("narrow the input in the harness: `{{tool: {key}, only: …}}` without that value"))
}
