//! Prompts and refusals: each part once, and the order of each harness.
//!
//! A part is named by its path below the prompt version's folder without `.txt`. Parts that are put in at run time have
//! no text here and stand by their kind.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{
    Compaction, Effect, Part, Planning, PlanningWhen, Prompt, Refusal, Window, digest_of,
};

use super::values::{flag, names, required, sorted, text, value};
use crate::model::prompt::{self as stated, Intent, Part as Kind};
use crate::model::refusals;
use crate::policy::Harness;
use crate::rules::Cx;

/// The part with all refusal lines; a harness that leaves some out has one of its own below this name.
const REFUSALS: &str = "refusals";
/// The part with the lens instructions.
const LENSES: &str = "lenses";
/// The order of a tree that states none: what never changes, the shared parts first.
const ORDER: [Kind; 4] = [Kind::Refusals, Kind::Lenses, Kind::Harness, Kind::Skills];

/// `prompt` and every part's text; nothing where the tree states no prompt and no harness has a part.
pub(super) fn prompt(cx: &Cx<'_>) -> Option<Prompt> {
    let stated = &cx.model.prompt;
    let parts = parts(cx);
    if parts.is_empty() && !cx.model.stated.contains_key("prompt") {
        return None;
    }
    Some(Prompt {
        compaction: stated.compaction.as_ref().map(|compaction| Compaction {
            above_bytes: compaction.above.as_ref().map(|size| size.value.0),
            keep_last: value(compaction.keep_last.as_ref()),
            resolve_with: text(compaction.resolve_with.as_ref()),
        }),
        memory_wrap: text(stated.memory_wrap.as_ref()),
        order: order(cx).into_iter().map(|kind| kind.word().to_owned()).collect(),
        parts,
        planning: stated.planning.as_ref().map(planning),
        volatile: volatile(cx).into_iter().map(|kind| kind.word().to_owned()).collect(),
        window: stated.window.as_ref().map(|window| Window {
            messages: value(window.messages.as_ref()),
            tokens: value(window.tokens.as_ref()),
        }),
    })
}

fn planning(stated: &stated::Planning) -> Planning {
    let when = stated.when.as_ref();
    let effects = when.and_then(|when| when.effects.as_ref()).into_iter().flatten();
    let mut effects: Vec<Effect> = effects.map(|effect| crate::policy::effect(effect.value)).collect();
    effects.sort_unstable();
    effects.dedup();
    let intent = when.and_then(|when| when.intent.as_ref()).map(|intent| match intent.value {
        Intent::Destructive => Effect::Destructive,
    });
    Planning { when: PlanningWhen { effects, intent } }
}

/// The kinds of part in their order. Refusals are never left out: an order without them has them first. Where no order is
/// stated, what is stated to be volatile stands last.
fn order(cx: &Cx<'_>) -> Vec<Kind> {
    let stated = cx.model.prompt.order.as_ref();
    let mut order: Vec<Kind> = match stated {
        Some(order) => order.iter().map(|kind| kind.value).collect(),
        None => {
            let named = cx.model.prompt.volatile.iter().flatten();
            let named: Vec<Kind> = named.map(|kind| kind.value).collect();
            let (late, early): (Vec<Kind>, Vec<Kind>) = ORDER.iter().partition(|kind| named.contains(kind));
            [early, late].concat()
        }
    };
    if !order.contains(&Kind::Refusals) && !cx.model.refusals.is_empty() {
        order.insert(0, Kind::Refusals);
    }
    order
}

/// The kinds stated to be volatile; where nothing is said, those of the order that are so by default.
fn volatile(cx: &Cx<'_>) -> Vec<Kind> {
    match &cx.model.prompt.volatile {
        Some(stated) => stated.iter().map(|kind| kind.value).collect(),
        None => order(cx).into_iter().filter(|kind| cx.model.prompt.is_volatile(*kind)).collect(),
    }
}

/// The names of a harness's parts in the order they are put together.
pub(super) fn order_of(cx: &Cx<'_>, harness: &Harness<'_>) -> Vec<String> {
    let mut parts = Vec::new();
    for kind in order(cx) {
        match kind {
            Kind::Refusals => parts.extend(refusals_of(cx, harness)),
            Kind::Lenses => parts.extend(part_of(cx, &format!("{LENSES}.txt"))),
            Kind::Harness => {
                let path = harness.def.prompt_ref.as_ref();
                parts.extend(path.and_then(|path| part_of(cx, &path.value)));
            }
            Kind::Skills => parts.extend(skills_of(cx, harness)),
            Kind::Status | Kind::Memory | Kind::Planning | Kind::Window => parts.push(kind.word().to_owned()),
        }
    }
    parts
}

fn refusals_of(cx: &Cx<'_>, harness: &Harness<'_>) -> Option<String> {
    if harness.refusals.is_empty() {
        None
    } else if harness.refusals.len() == cx.model.refusals.len() {
        Some(REFUSALS.to_owned())
    } else {
        Some(format!("{REFUSALS}/{}", harness.key()))
    }
}

fn skills_of(cx: &Cx<'_>, harness: &Harness<'_>) -> Vec<String> {
    let skills = harness.def.skills.iter().flatten().filter_map(|name| cx.model.skills.get(name));
    skills.filter_map(|skill| part_of(cx, &skill.instructions.as_ref()?.value)).collect()
}

/// The name of the part in a file below the prompt version's folder; nothing where there is no such file.
pub(super) fn part_of(cx: &Cx<'_>, path: &str) -> Option<String> {
    file_text(cx, path)?;
    Some(path.strip_suffix(".txt").unwrap_or(path).to_owned())
}

fn file_text(cx: &Cx<'_>, path: &str) -> Option<String> {
    let version = &cx.model.manifest.policy.as_ref()?.prompt_version.as_ref()?.value;
    let file = cx.tree.prompts.get(&format!("{version}/{path}"))?;
    Some(with_lf(&cx.tree.sources.get(*file)?.text))
}

fn with_lf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Every part that some harness or skill names.
fn parts(cx: &Cx<'_>) -> BTreeMap<String, Part> {
    let mut parts = BTreeMap::new();
    for harness in cx.policy.harnesses.values() {
        for name in order_of(cx, harness) {
            if let Some(text) = text_of(cx, harness, &name) {
                parts.insert(name, part(text));
            }
        }
    }
    for skill in &cx.model.skills {
        let path = skill.instructions.as_ref().map(|path| path.value.as_str());
        if let Some((name, text)) = path.and_then(|path| Some((part_of(cx, path)?, file_text(cx, path)?))) {
            parts.insert(name, part(text));
        }
    }
    parts
}

/// A part's text. Refusals come from their file where all are borne and it is there, else from their lines.
fn text_of(cx: &Cx<'_>, harness: &Harness<'_>, name: &str) -> Option<String> {
    let lines =
        || harness.refusals.iter().map(|refusal| format!("{}\n", required(refusal.line.as_ref()).trim()));
    if name == REFUSALS {
        return Some(file_text(cx, &format!("{REFUSALS}.txt")).unwrap_or_else(|| lines().collect()));
    }
    if name.strip_prefix(REFUSALS).is_some_and(|rest| rest.strip_prefix('/') == Some(harness.key())) {
        return Some(lines().collect());
    }
    file_text(cx, &format!("{name}.txt"))
}

fn part(text: String) -> Part {
    Part { digest: digest_of(text.as_bytes()), text }
}

pub(super) fn refusal(stated: &refusals::Refusal) -> Refusal {
    let forms = stated.forms.iter().flatten();
    Refusal {
        forbidden_verbs: sorted(names(stated.forbidden_verbs.iter().flatten())),
        forms: forms.map(|form| (form.key.value.clone(), sorted(names(&form.value)))).collect(),
        line: required(stated.line.as_ref()),
        optional: flag(stated.optional.as_ref()),
    }
}
