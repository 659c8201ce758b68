//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use super::engine::authority::{names, said, short};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::harnesses::Harness as Stated;
use crate::policy::{DeedId, Harness};
use crate::source::Span;

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("neutral-harness-drift");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let neutral: Vec<&Harness<'_>> =
        cx.policy.harnesses.values().filter(|harness| cx.model.personas.get(harness.key()).is_some()).collect();
    for harness in &neutral {
        sink.extend(tools(cx, harness));
    }
    skills(&neutral, sink);
}

/// What the bundle has and the harness has not, and the other way round where no narrower rule says so.
fn tools(cx: &Cx<'_>, harness: &Harness<'_>) -> Option<Diagnostic> {
    let key = harness.key();
    let bundle = cx.policy.personas.get(key).filter(|bundle| !bundle.unsure && !harness.unsure)?;
    let held: BTreeSet<DeedId> = harness.holds.keys().copied().collect();
    let missing: BTreeSet<DeedId> = bundle.deeds.difference(&held).copied().collect();
    let worn = harness.def.personas.iter().flat_map(|list| list.iter()).any(|name| name.value == key);
    let extra: BTreeSet<DeedId> =
        if worn { BTreeSet::new() } else { held.difference(&bundle.deeds).copied().collect() };
    let what = match (missing.is_empty(), extra.is_empty()) {
        (true, true) => return None,
        (false, true) => format!("lacks {} of that persona's bundle", said(cx, &missing)),
        (true, false) => format!("holds {} beyond that persona's bundle", said(cx, &extra)),
        (false, false) => {
            format!("lacks {} of that persona's bundle and holds {} beyond it", said(cx, &missing), said(cx, &extra))
        }
    };
    let at = harness.def.toolset.as_ref().map_or(harness.def.key.span, |toolset| {
        short(cx, toolset.span(), harness.def.key.span)
    });
    let mut finding = Diagnostic::new(
        ID,
        at,
        format!("harness `{key}` bears the name of a persona and {what}"),
        "not what the persona holds",
    );
    if let Some(persona) = cx.model.personas.get(key) {
        let bundle = persona.bundle.as_ref().map_or(persona.key.span, |b| short(cx, b.span, persona.key.span));
        finding = finding.label(bundle, format!("what `{key}` holds"));
    }
    Some(
        finding
            .note("whoever falls back to the harness of their persona expects all of the persona's tools and no others")
            .help(if worn && only(harness, key) {
                format!("write `toolset: persona_bundle`, or give `{key}` another name if it is meant to be narrower")
            } else {
                format!("write `personas: [{key}]` and `toolset: persona_bundle`, or give the harness another name")
            }),
    )
}

fn only(harness: &Harness<'_>, key: &str) -> bool {
    harness.def.personas.iter().flat_map(|list| list.iter()).all(|name| name.value == key)
}

/// The skills that most neutral harnesses have are what the others are held to.
fn skills(neutral: &[&Harness<'_>], sink: &mut Sink) {
    let mut having: BTreeMap<BTreeSet<&str>, Vec<&Harness<'_>>> = BTreeMap::new();
    for harness in neutral.iter().filter(|harness| !harness.def.damaged) {
        having.entry(skills_of(harness.def)).or_default().push(harness);
    }
    let most = having.values().map(Vec::len).max().unwrap_or(0);
    let Some((common, model)) = having.iter().find(|(_, harnesses)| harnesses.len() == most) else { return };
    let Some(model) = model.first() else { return };
    for (own, harnesses) in &having {
        for harness in harnesses.iter().filter(|_| own != common) {
            sink.push(other_skills(harness, own, common, model));
        }
    }
}

fn skills_of(def: &Def<Stated>) -> BTreeSet<&str> {
    def.skills.iter().flatten().map(|skill| skill.value.as_str()).collect()
}

fn skills_at(def: &Def<Stated>) -> Span {
    let listed = def.skills.as_deref().unwrap_or_default();
    match (listed.first(), listed.last()) {
        (Some(first), Some(last)) if first.span.file == last.span.file => first.span.to(last.span),
        _ => def.key.span,
    }
}

fn other_skills(
    harness: &Harness<'_>,
    own: &BTreeSet<&str>,
    common: &BTreeSet<&str>,
    model: &Harness<'_>,
) -> Diagnostic {
    let say = |skills: &BTreeSet<&str>| {
        if skills.is_empty() { "no skill".to_owned() } else { names(skills.iter().copied()) }
    };
    let (key, other) = (harness.key(), model.key());
    Diagnostic::new(
        ID,
        skills_at(harness.def),
        format!("neutral harness `{key}` has {}, and neutral harness `{other}` has {}", say(own), say(common)),
        "other skills than the other neutral harnesses",
    )
    .label(skills_at(model.def), format!("the skills of `{other}`"))
    .note("neutral harnesses differ by what their personas hold and by nothing else")
    .help(format!("give `{key}` the skills of `{other}`, or give it a name that is no persona's"))
}
