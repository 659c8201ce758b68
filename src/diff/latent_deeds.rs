//! What the registry says of a deed that no cell shows: of a tool that nobody holds, and of what every holder narrows anyway.

use std::collections::BTreeSet;

use harnessc_runtime::lock::{Tool, split_deed};

use super::change::Aspect;
use super::grade::Delta;
use super::latent::{Latent, bare, both};
use super::shown::By;
use super::view::Deed;

const UNHELD: &str = "no cell shows it today: nobody holds the deed, or whoever does is held to less anyway; the next one need not be";

pub(super) fn compare(latent: &mut Latent<'_, '_>) {
    let (before, after) = (&latent.pair.before, &latent.pair.after);
    for (name, old, new) in both(&before.lock.tools, &after.lock.tools) {
        tool(latent, name, old, new);
    }
    // A tool's schema is said once, whatever cases it has.
    let mut said = BTreeSet::new();
    for (name, old) in &before.deeds {
        let new =
            after.deeds.get(name).filter(|new| new.tool != old.tool || before.floor(old) != after.floor(new));
        if let Some(new) = new {
            deed(latent, name, (old, new), &mut said);
        }
    }
}

fn tool(latent: &mut Latent<'_, '_>, name: &str, old: &Tool, new: &Tool) {
    let rest =
        |latent: &Latent<'_, '_>, aspect, delta| latent.shown.rest(By::Tool, (name, ""), &[aspect], delta);
    let enabled = rest(latent, Aspect::Call, Delta::of_order(&old.enabled, &new.enabled));
    let said = |enabled: bool| if enabled { "true" } else { "false" };
    latent.say(&format!("tools.{name}.enabled"), enabled, (said(old.enabled), said(new.enabled)), UNHELD);
    let delta = match (&old.surfaces, &new.surfaces) {
        (None, None) => Delta::EQUAL,
        (Some(_), None) => Delta::WIDER,
        (None, Some(_)) => Delta::TIGHTER,
        (Some(old), Some(new)) => Delta::of_sets(old, new),
    };
    let said =
        |own: &Option<Vec<String>>| own.as_ref().map_or_else(|| "all".to_owned(), |own| own.join(", "));
    let (delta, texts) = (rest(latent, Aspect::Surface, delta), (said(&old.surfaces), said(&new.surfaces)));
    latent.say(&format!("tools.{name}.surfaces"), delta, (&texts.0, &texts.1), UNHELD);
    let cases = |own: &Tool| own.cases.iter().flat_map(|cases| cases.by.keys().cloned()).collect::<Vec<_>>();
    let (old, new) = (cases(old), cases(new));
    let left = |list: &[String], other: &[String], delta| {
        let own = list.iter().filter(|case| !other.contains(case)).filter(|case| {
            latent.shown.rest(By::Deed, (&format!("{name}/{case}"), ""), &[], delta) != Delta::EQUAL
        });
        own.cloned().collect::<Vec<_>>().join(", ")
    };
    let (gone, came) = (left(&old, &new, Delta::TIGHTER), left(&new, &old, Delta::WIDER));
    let delta = Delta { wider: !came.is_empty(), tighter: !gone.is_empty(), altered: false };
    latent.say(&format!("tools.{name}.cases"), delta, (&gone, &came), UNHELD);
}

fn deed(
    latent: &mut Latent<'_, '_>,
    name: &str,
    (old, new): (&Deed<'_>, &Deed<'_>),
    said: &mut BTreeSet<(String, Aspect, String, String)>,
) {
    let pair = latent.pair;
    let floors = (pair.before.floor(old), pair.after.floor(new));
    // A tier that moves is said of the tier.
    if (old.approval(), old.effect()) != (new.approval(), new.effect()) {
        let delta = Delta::of_order(&floors.0, &floors.1).mirrored();
        let rest = latent.shown.rest(By::Deed, (name, ""), &[Aspect::Approval], delta);
        latent.say(&format!("tools.{name}.approval"), rest, (floors.0.word(), floors.1.word()), UNHELD);
    }
    let (cell, mut differing) = (bare(name), Vec::new());
    pair.input_differs((&cell, old), (&cell, new), &mut differing);
    differing.extend(pair.facts(name, old, new).iter().cloned());
    for one in differing {
        let rest = latent.shown.rest(By::Deed, (name, ""), &[one.aspect], one.delta);
        let tool = split_deed(name).0.to_owned();
        if rest == Delta::EQUAL || !said.insert((tool, one.aspect, one.before.clone(), one.after.clone())) {
            continue;
        }
        latent.say(&format!("tools.{name}.{}", one.aspect.word()), rest, (&one.before, &one.after), UNHELD);
        if let Some(change) = latent.last() {
            (change.schema, change.lost) = (one.standing, one.lost);
        }
    }
}
