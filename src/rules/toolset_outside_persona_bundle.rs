//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use super::engine::authority::{behind, names, said, short, written};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::people::Persona;
use crate::policy::{DeedId, Harness};
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("toolset-outside-persona-bundle");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for harness in cx.policy.harnesses.values() {
        sink.extend(bare(cx, harness));
        for ((_, lacking), deeds) in outside(cx, harness) {
            sink.push(finding(cx, harness, &lacking, &deeds));
        }
    }
}

/// Personas that a harness names although their runs wear none.
fn bare<'a>(cx: &'a Cx<'_>, harness: &'a Harness<'_>) -> impl Iterator<Item = Diagnostic> + 'a {
    personas(harness).filter_map(move |name| {
        let none = cx.model.personas.get(name)?.harness.as_ref()?;
        let key = harness.key();
        Some(
            Diagnostic::new(
                ID,
                name.span,
                format!("harness `{key}` is for persona `{}`, whose runs wear no harness", name.value),
                format!("named by `{key}`"),
            )
            .label(none.span, "`harness: none`")
            .note("a run without a harness holds its persona's reads and nothing else, so nobody of that kind could wear this one")
            .help(format!("take `{}` out of the `personas` of `{key}`, or take `harness: none` out of the persona", name.value)),
        )
    })
}

/// Deeds that some personas lack: those of one tool that the same personas lack belong together.
fn outside<'m>(
    cx: &Cx<'m>,
    harness: &Harness<'m>,
) -> BTreeMap<(&'m str, Vec<&'m str>), BTreeSet<DeedId>> {
    let worn_by: BTreeSet<&str> = personas(harness).map(|name| name.value.as_str()).collect();
    let mut outside: BTreeMap<(&str, Vec<&str>), BTreeSet<DeedId>> = BTreeMap::new();
    for id in harness.holds.keys() {
        let lacks = |name: &&str| {
            let bundle = cx.policy.personas.get(*name);
            bundle.is_some_and(|bundle| !bundle.unsure && !bundle.deeds.contains(id))
        };
        let lacking: Vec<&str> = worn_by.iter().copied().filter(lacks).collect();
        if let (false, Some(deed)) = (lacking.is_empty(), cx.policy.registry.deed(*id)) {
            outside.entry((deed.tool, lacking)).or_default().insert(*id);
        }
    }
    outside
}

fn personas<'m>(harness: &Harness<'m>) -> impl Iterator<Item = &'m Spanned<String>> {
    harness.def.personas.iter().flat_map(|list| list.iter())
}

fn finding(cx: &Cx<'_>, harness: &Harness<'_>, lacking: &[&str], deeds: &BTreeSet<DeedId>) -> Diagnostic {
    let (key, what) = (harness.key(), said(cx, deeds));
    let who = names(lacking.iter().copied());
    let verb = if lacking.len() == 1 { "does" } else { "do" };
    let first = deeds.first().copied();
    let at = first.map_or(harness.def.key.span, |id| harness.points_at(id));
    let mut finding = Diagnostic::new(
        ID,
        at,
        format!("harness `{key}` holds {what}, which {who} {verb} not hold"),
        format!("held by `{key}`"),
    );
    let mention = first.and_then(|id| harness.holds.get(&id)).and_then(|hold| hold.at.first());
    if let Some((span, text)) = mention.and_then(behind) {
        finding = finding.label(span, text);
    }
    for def in lacking.iter().filter_map(|name| cx.model.personas.get(name)) {
        finding = finding.label(bundle_at(cx, def), format!("the bundle of `{}` is without it", def.key.value));
    }
    finding
        .note("a harness is worn by a person and lends nobody a tool that the person does not hold")
        .help(help(cx, key, lacking, deeds))
}

fn bundle_at(cx: &Cx<'_>, persona: &Def<Persona>) -> crate::source::Span {
    let key = persona.key.span;
    persona.bundle.as_ref().map_or(key, |bundle| short(cx, bundle.span, key))
}

fn help(cx: &Cx<'_>, harness: &str, lacking: &[&str], deeds: &BTreeSet<DeedId>) -> String {
    let it = if written(cx, deeds).len() == 1 { "it" } else { "them" };
    let who = names(lacking.iter().copied());
    format!(
        "take {it} out of `{harness}`, or take {who} out of its `personas`; only where every such person is meant to \
         have {it}, add {it} to the bundle"
    )
}
