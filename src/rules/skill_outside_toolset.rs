//! See the page beside this file.

use std::collections::BTreeMap;

use super::engine::text::{and, count};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::work::Skill;
use crate::policy::{DeedId, Harness};
use crate::source::{Span, Spanned};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("skill-outside-toolset");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for harness in cx.policy.harnesses.values().filter(|harness| !harness.unsure) {
        for name in harness.def.skills.iter().flatten() {
            if let Some(skill) = cx.model.skills.get(name).filter(|skill| !skill.damaged) {
                within(cx, harness, skill, name, sink);
            }
        }
    }
}

fn within(cx: &Cx<'_>, harness: &Harness<'_>, skill: &Def<Skill>, at: &Spanned<String>, sink: &mut Sink) {
    let mut outside = tools_of(cx, skill);
    outside.retain(|id, _| !harness.holds.contains_key(id));
    if outside.is_empty() {
        return;
    }
    let names: Vec<&str> =
        outside.keys().filter_map(|id| cx.policy.registry.deed(*id)).map(|deed| deed.name.as_str()).collect();
    let (key, skill_key, named) = (harness.key(), &skill.key.value, and(names.iter().copied()));
    let finding = Diagnostic::new(
        ID,
        at.span,
        format!("skill `{skill_key}` of harness `{key}` uses {named}, which `{key}` does not hold"),
        format!("{} outside the toolset", count(names.len(), "tool")),
    );
    let mut places: Vec<Span> = outside.into_values().collect();
    places.sort_unstable();
    places.dedup();
    let finding = places.into_iter().fold(finding, |finding, span| finding.label(span, "not held"));
    sink.push(
        finding
            .label(harness.def.key.span, "the harness")
            .note("a skill is instructions for tools that the harness holds; it brings none with it")
            .help(format!("take the skill out of `{key}`, or the tool out of the skill; or add {named} to the toolset if the harness is meant to hold it")),
    );
}

/// Every deed that a skill uses or is called by, with the place that names it.
fn tools_of(cx: &Cx<'_>, skill: &Skill) -> BTreeMap<DeedId, Span> {
    let mut deeds = BTreeMap::new();
    let items = skill.tools.as_ref().map_or(&[][..], |list| list.value.as_slice());
    for listed in cx.policy.lists.follow(&cx.policy.registry, items).0 {
        for id in listed.deeds {
            deeds.entry(id).or_insert(listed.item);
        }
    }
    for tool in skill.tool.iter() {
        for id in cx.policy.registry.named(tool) {
            deeds.entry(id).or_insert(tool.span);
        }
    }
    deeds
}
