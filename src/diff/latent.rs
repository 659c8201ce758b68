//! What grants more, or less, although no cell of today moves: the effect of a case that nobody holds, a tier that no deed
//! leans on, a role that may do more than any harness gives it. It is graded as if somebody held it, and says so.
//!
//! Every field that [`super::fields`] leaves to the cells is held against its counterpart here; what the changed cells show
//! already is not said again.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::{Cell, Effect, Harness, Lock, Mention, Persona, Role, RoleTools};
use serde_json::{Map, Value};

use super::change::{Aspect, Change};
use super::grade::Delta;
use super::latent_deeds;
use super::pair::Pair;
use super::schema;
use super::shown::{By, Shown};
use super::ways_of_fields::Fields;
use crate::lock::{Class, value};

const TIER: &str =
    "no deed moves by it today; whatever has this effect and states nothing stricter needs no more than this";
const EXEMPT: &str = "no harness can call it while a plan waits today; one that comes to hold it can";
const WEARER: &str =
    "it gains nothing by it today; it may wear the harness, and holds what both of them come to hold";
const MENTION: &str = "no role lets it through today; one that does will let it through";
const BUNDLE: &str = "no harness gives it to this persona today; one that does can";
const ROLE: &str = "no harness gives this role such a deed today; one that does can";
const SCOPE: &str = "no deed is reached by it today; one with this effect will be";
/// What is said of what takes away.
pub(super) const LESS: &str = "no cell of today moves by it; whoever comes to hold it holds less";

/// Where latent changes go.
pub(super) struct Latent<'a, 's> {
    pub(super) pair: &'a Pair<'a>,
    pub(super) shown: &'s Shown<'a>,
    out: Vec<Change>,
}

/// Every latent change.
pub(super) fn compare<'a>(pair: &'a Pair<'a>, shown: &Shown<'a>) -> Vec<Change> {
    let (before, after) = (pair.before.lock, pair.after.lock);
    let mut latent = Latent { pair, shown, out: Vec::new() };
    latent.tiers(before, after);
    let (old, new) = (&before.approvals.always_allowed, &after.approvals.always_allowed);
    latent.names("approvals.always_allowed", (old, new), EXEMPT, |name| (By::Deed, (name, ""), Aspect::Plan));
    for (key, old, new) in both(&before.harnesses, &after.harnesses) {
        latent.harness(key, old, new);
    }
    for (key, old, new) in both(&before.personas, &after.personas) {
        latent.persona(key, old, new);
    }
    for (key, old, new) in both(&before.roles, &after.roles) {
        latent.role(key, old, new);
    }
    for (key, old, new) in both(&before.skills, &after.skills) {
        let path = format!("skills.{key}.tool");
        let list = |tool: &Option<String>| tool.iter().cloned().collect::<Vec<_>>();
        let (old, new) = (list(&old.tool), list(&new.tool));
        latent.names(&path, (&old, &new), EXEMPT, |name| (By::Tool, (name, ""), Aspect::Plan));
    }
    latent.surfaces(before, after);
    latent_deeds::compare(&mut latent);
    latent.out
}

/// The definitions that stand in both locks and are not the same.
pub(super) fn both<'a, T: PartialEq>(
    before: &'a BTreeMap<String, T>,
    after: &'a BTreeMap<String, T>,
) -> impl Iterator<Item = (&'a String, &'a T, &'a T)> {
    let pairs = before.iter().filter_map(|(key, old)| Some((key, old, after.get(key)?)));
    pairs.filter(|(_, old, new)| old != new)
}

impl<'a> Latent<'a, '_> {
    /// Says a difference of which no cell shows anything.
    pub(super) fn say(&mut self, path: &str, delta: Delta, texts: (&str, &str), why: &'static str) {
        let side = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let why = if delta.wider { why } else { LESS };
        let mut fields = Fields::of(&mut self.out, path, Class::Authority);
        fields.say_latent(delta, (side(texts.0), side(texts.1)), why);
    }

    /// The last change that was said.
    pub(super) fn last(&mut self) -> Option<&mut Change> {
        self.out.last_mut()
    }

    /// Two lists of names, each of which grants something, but for what the cells of each name show.
    fn names<'n>(
        &mut self,
        path: &str,
        (before, after): (&'n [String], &'n [String]),
        why: &'static str,
        cells: impl Fn(&'n str) -> (By, (&'n str, &'n str), Aspect),
    ) {
        let left = |list: &'n [String], other: &[String], delta: Delta| {
            let other: BTreeSet<&String> = other.iter().collect();
            let own = list.iter().filter(|name| !other.contains(name)).filter(|name| {
                let (by, key, aspect) = cells(name);
                self.shown.rest(by, key, &[aspect], delta) != Delta::EQUAL
            });
            own.map(String::as_str).collect::<Vec<_>>().join(", ")
        };
        let (gone, new) = (left(before, after, Delta::TIGHTER), left(after, before, Delta::WIDER));
        let delta = Delta { wider: !new.is_empty(), tighter: !gone.is_empty(), altered: false };
        self.say(path, delta, (&gone, &new), why);
    }

    fn tiers(&mut self, before: &Lock, after: &Lock) {
        for effect in [Effect::Create, Effect::Destructive, Effect::Read, Effect::Write] {
            let (old, new) = (before.approvals.at_least.of(effect), after.approvals.at_least.of(effect));
            let delta = Delta::of_order(&old, &new).mirrored();
            let rest = self.shown.rest(By::Effect, (effect.word(), ""), &[Aspect::Approval], delta);
            let path = format!("approvals.at_least.{}", effect.word());
            self.say(&path, rest, (old.word(), new.word()), TIER);
        }
    }

    fn harness(&mut self, key: &str, before: &Harness, after: &Harness) {
        let path = format!("harnesses.{key}.personas");
        match (before.personas.as_slice(), after.personas.as_slice()) {
            (old @ [_, ..], []) => {
                let rest = self.shown.rest(By::Harness, (key, ""), &[], Delta::WIDER);
                self.say(&path, rest, (&old.join(", "), "anyone"), WEARER);
            }
            ([], new @ [_, ..]) => {
                let rest = self.shown.rest(By::Harness, (key, ""), &[], Delta::TIGHTER);
                self.say(&path, rest, ("anyone", &new.join(", ")), WEARER);
            }
            (old, new) => {
                self.names(&path, (old, new), WEARER, |name| (By::HarnessPersona, (key, name), Aspect::Call));
            }
        }
        let deeds = |own: &Harness| own.toolset.iter().map(Mention::deed).collect::<Vec<_>>();
        let (old, new) = (deeds(before), deeds(after));
        let path = format!("harnesses.{key}.toolset");
        self.names(&path, (&old, &new), MENTION, |name| (By::HarnessDeed, (key, name), Aspect::Call));
        let held: BTreeMap<String, &Mention> = new.into_iter().zip(&after.toolset).collect();
        for (deed, own) in old.iter().zip(&before.toolset) {
            if let Some(other) = held.get(deed).filter(|other| **other != own) {
                self.mention(key, own, other);
            }
        }
    }

    fn mention(&mut self, harness: &str, before: &Mention, after: &Mention) {
        let deed = before.deed();
        let path = format!("harnesses.{harness}.toolset.{deed}");
        let deeds = self.pair.before.deeds.get(&deed).zip(self.pair.after.deeds.get(&deed));
        if let Some((old, new)) = deeds.filter(|_| before.approval != after.approval) {
            let (old, new) = (self.pair.before.floor(old), self.pair.after.floor(new));
            let (old, new) = (
                before.approval.map_or(old, |own| own.max(old)),
                after.approval.map_or(new, |own| own.max(new)),
            );
            let delta = Delta::of_order(&old, &new).mirrored();
            let rest = self.shown.rest(By::HarnessDeed, (harness, &deed), &[Aspect::Approval], delta);
            self.say(&format!("{path}.approval"), rest, (old.word(), new.word()), MENTION);
        }
        if before.only == after.only {
            return;
        }
        let mut delta = Delta::EQUAL;
        for (input, old) in &before.only {
            delta = delta.and(match after.only.get(input) {
                None => Delta::WIDER,
                Some(new) if new == old => Delta::EQUAL,
                Some(new) => schema::judge(&value(old), &value(new)).delta,
            });
        }
        if after.only.keys().any(|input| !before.only.contains_key(input)) {
            delta = delta.and(Delta::TIGHTER);
        }
        let rest = self.shown.rest(By::HarnessDeed, (harness, &deed), &[Aspect::Input], delta);
        let all = |own: &Mention| {
            let inputs = own.only.iter().map(|(input, schema)| (input.clone(), value(schema)));
            Value::Object(inputs.collect::<Map<_, _>>())
        };
        let (old, new) = schema::differences(&all(before), &all(after));
        self.say(&format!("{path}.only"), rest, (&old, &new), MENTION);
    }

    fn persona(&mut self, key: &str, before: &Persona, after: &Persona) {
        let path = format!("personas.{key}.bundle");
        self.names(&path, (&before.bundle, &after.bundle), BUNDLE, |name| {
            (By::PersonaDeed, (key, name), Aspect::Call)
        });
        if before.harness != after.harness {
            let rest = self.shown.rest(By::Persona, (key, ""), &[], Delta::EITHER);
            let said = |wears: bool| if wears { "wears harnesses" } else { "wears none" };
            let texts = (said(before.harness), said(after.harness));
            self.say(&format!("personas.{key}.harness"), rest, texts, BUNDLE);
        }
    }

    fn role(&mut self, key: &str, before: &Role, after: &Role) {
        const ALL: [Effect; 4] = [Effect::Read, Effect::Create, Effect::Write, Effect::Destructive];
        let effects = |own: &Role| {
            let own = own.effects.as_deref().unwrap_or(&ALL);
            own.iter().map(|effect| effect.word().to_owned()).collect::<Vec<_>>()
        };
        let path = format!("roles.{key}.effects");
        self.names(&path, (&effects(before), &effects(after)), ROLE, |effect| {
            (By::RoleEffect, (key, effect), Aspect::Call)
        });
        let path = format!("roles.{key}.tools");
        let whole = "harness_toolset";
        match (&before.tools, &after.tools) {
            (RoleTools::HarnessToolset, RoleTools::HarnessToolset) => {}
            (RoleTools::List(old), RoleTools::List(new)) => {
                self.names(&path, (old, new), ROLE, |name| (By::RoleDeed, (key, name), Aspect::Call));
            }
            (RoleTools::List(old), RoleTools::HarnessToolset) => {
                let rest = self.shown.rest(By::Role, (key, ""), &[], Delta::WIDER);
                self.say(&path, rest, (&old.join(", "), whole), ROLE);
            }
            (RoleTools::HarnessToolset, RoleTools::List(new)) => {
                let rest = self.shown.rest(By::Role, (key, ""), &[], Delta::TIGHTER);
                self.say(&path, rest, (whole, &new.join(", ")), ROLE);
            }
        }
    }

    fn surfaces(&mut self, before: &Lock, after: &Lock) {
        for (key, old, new) in both(&before.surfaces, &after.surfaces) {
            let scopes = old.scopes.as_ref().zip(new.scopes.as_ref());
            for (scope, old, new) in scopes.into_iter().flat_map(|(old, new)| both(old, new)) {
                let words = |effects: &[Effect]| {
                    effects.iter().map(|effect| effect.word().to_owned()).collect::<Vec<_>>()
                };
                let (old, new) = (words(&old.effects), words(&new.effects));
                let path = format!("surfaces.{key}.scopes.{scope}.effects");
                self.names(&path, (&old, &new), SCOPE, |effect| (By::Effect, (effect, ""), Aspect::Surface));
            }
        }
        let scoped = |lock: &Lock| lock.surfaces.values().any(|surface| surface.scopes.is_some());
        let (old, new) = (scoped(before), scoped(after));
        let rest = self.shown.rest(By::All, ("", ""), &[Aspect::Surface], Delta::of_order(&new, &old));
        let said = |scoped: bool| if scoped { "refused" } else { "let through" };
        self.say("surfaces.(calls over no surface)", rest, (said(old), said(new)), SCOPE);
    }
}

/// Marks the definitions that came and that no cell shows.
pub(super) fn mark(changes: &mut [Change], shown: &Shown<'_>) {
    const ADDED: &str =
        "nobody is granted anything by it today; it counts once it is held, worn or called over";
    const KINDS: [(&str, By, &[Aspect]); 5] = [
        ("harnesses", By::Harness, &[]),
        ("personas", By::Persona, &[]),
        ("roles", By::Role, &[]),
        ("surfaces", By::All, &[Aspect::Surface]),
        ("tools", By::Tool, &[]),
    ];
    for change in changes.iter_mut().filter(|change| change.delta == Delta::WIDER && change.before.is_none())
    {
        let Some((section, key)) = change.field.as_deref().and_then(|field| field.split_once('.')) else {
            continue;
        };
        let Some((_, by, aspects)) = KINDS.iter().find(|(own, ..)| *own == section) else { continue };
        let key = if *by == By::All { ("", "") } else { (key, "") };
        // A field within the definition has the name of none, so that no cell is found by it.
        let is_whole = change.after.as_deref().is_some_and(|text| text.starts_with('{'));
        if is_whole && shown.rest(*by, key, aspects, Delta::WIDER) != Delta::EQUAL {
            (change.latent, change.why) = (true, Some(ADDED));
        }
    }
}

/// A cell that narrows nothing.
pub(super) fn bare(deed: &str) -> Cell {
    Cell {
        approval: harnessc_runtime::lock::Approval::Auto,
        approvers: None,
        deed: deed.to_owned(),
        only: [].into(),
    }
}
