//! What the registry says of a deed that no cell shows: of a tool that nobody holds, and of what every holder narrows anyway.

use std::collections::BTreeSet;

use harnessc_runtime::lock::{Tool, split_deed};

use super::change::Aspect;
use super::grade::Delta;
use super::latent::{Latent, bare, both};
use super::pair::Differing;
use super::shown::By;
use super::view::Deed;

const UNHELD: &str = "no cell shows it today: nobody holds the deed, or whoever does is held to less anyway; the next one need not be";

pub(super) fn compare(latent: &mut Latent<'_, '_>) {
    let (before, after) = (&latent.pair.before, &latent.pair.after);
    for (name, old, new) in both(&before.lock.tools, &after.lock.tools) {
        tool(latent, name, old, new);
    }
    // What is the tool's and no case's is said once, whatever cases it has.
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
    let shown = latent.shown;
    let delta = Delta::of_order(&old.enabled, &new.enabled);
    let said = |enabled: bool| if enabled { "true" } else { "false" };
    let texts = (said(old.enabled), said(new.enabled));
    let moved = shown.granted(By::Tool, (name, ""));
    latent.say(&format!("tools.{name}.enabled"), (delta, moved), texts, UNHELD);
    surfaces(latent, name, old, new);
    let cases = |own: &Tool| own.cases.iter().flat_map(|cases| cases.by.keys().cloned()).collect::<Vec<_>>();
    let granted = |case: &str| shown.granted(By::Deed, (&format!("{name}/{case}"), ""));
    latent.names(&format!("tools.{name}.cases"), (&cases(old), &cases(new)), UNHELD, granted);
}

fn surfaces(latent: &mut Latent<'_, '_>, name: &str, old: &Tool, new: &Tool) {
    let delta = match (&old.surfaces, &new.surfaces) {
        (None, None) => Delta::EQUAL,
        (Some(_), None) => Delta::WIDER,
        (None, Some(_)) => Delta::TIGHTER,
        (Some(old), Some(new)) => Delta::of_sets(old, new),
    };
    let said = |own: &Option<Vec<String>>| match own.as_deref() {
        None => "all".to_owned(),
        Some([]) => "none".to_owned(),
        Some(own) => own.join(", "),
    };
    let moved = latent.shown.moved(By::Tool, (name, ""), Aspect::Surface);
    let moved = moved.and(latent.shown.granted(By::Tool, (name, "")));
    let texts = (said(&old.surfaces), said(&new.surfaces));
    latent.say_names(&format!("tools.{name}.surfaces"), (delta, moved), (&texts.0, &texts.1), UNHELD);
}

fn deed(
    latent: &mut Latent<'_, '_>,
    name: &str,
    (old, new): (&Deed<'_>, &Deed<'_>),
    said: &mut BTreeSet<(String, Aspect, String, String)>,
) {
    let (pair, shown) = (latent.pair, latent.shown);
    let moved = |aspect| shown.moved(By::Deed, (name, ""), aspect).and(shown.granted(By::Deed, (name, "")));
    let floors = (pair.before.floor(old), pair.after.floor(new));
    let (cell, mut differing) = (bare(name), Vec::new());
    // A tier that moves is said of the tier.
    if (old.approval(), old.effect()) != (new.approval(), new.effect()) {
        differing.extend(Differing::of_approval(floors.0, floors.1));
    }
    pair.input_differs((&cell, old), (&cell, new), &mut differing);
    differing.extend(pair.facts(name, old, new).iter().cloned());
    for one in differing {
        let is_of_case =
            matches!(one.aspect, Aspect::Approval | Aspect::Effect | Aspect::Undo | Aspect::Preview);
        let whose = if is_of_case { name } else { split_deed(name).0 }.to_owned();
        if shown.says(name, &one) || !said.insert((whose, one.aspect, one.before.clone(), one.after.clone()))
        {
            continue;
        }
        let path = format!("tools.{name}.{}", one.aspect.word());
        latent.say(&path, (one.delta, moved(one.aspect)), (&one.before, &one.after), UNHELD);
        if let Some(change) = latent.last() {
            (change.schema, change.lost) = (one.standing, one.lost);
        }
    }
}
