//! What grants more, or less, although no cell of today moves: the effect of a case that nobody holds, a tier that no deed
//! leans on, a role that may do more than any harness gives it. It is graded as if somebody held it, and says so.
//!
//! Every field that [`super::fields`] leaves to the cells is held against its counterpart here. What names one deed and one
//! holder is not said again where its cell shows it; what decides for more is always said, and is latent where no cell of
//! today moves by it.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::{Cell, Effect, Harness, Lock, Mention, Persona, Role, RoleTools};
use serde_json::{Map, Value};

use super::change::{Aspect, Change, Form};
use super::grade::Delta;
use super::latent_deeds;
use super::pair::Pair;
use super::schema;
use super::shown::{By, Shown};
use super::view::Deed;
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
/// What is said of what cells show in part.
const BEYOND: &str = "it counts beyond the cells that move by it today, for whatever comes to be held";
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
    let of_deed = |name: &str| shown.exempt(if name.contains('/') { By::Deed } else { By::Tool }, name);
    latent.classes("approvals.always_allowed", (old, new), EXEMPT, of_deed);
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
        latent.classes(&path, (&old, &new), EXEMPT, of_deed);
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
    /// Says a difference. It is latent where no cell moves in a direction of it.
    pub(super) fn say(
        &mut self,
        path: &str,
        (delta, moved): (Delta, Delta),
        texts: (&str, &str),
        why: &'static str,
    ) {
        self.say_formed(path, (delta, moved), texts, (Form::Value, why));
    }

    /// As [`Latent::say`], of the names that a list lost and gained.
    pub(super) fn say_names(
        &mut self,
        path: &str,
        deltas: (Delta, Delta),
        texts: (&str, &str),
        why: &'static str,
    ) {
        self.say_formed(path, deltas, texts, (Form::Items, why));
    }

    fn say_formed(
        &mut self,
        path: &str,
        (delta, moved): (Delta, Delta),
        texts: (&str, &str),
        (form, why): (Form, &'static str),
    ) {
        let side = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let latent = !delta.meets(moved);
        let why = match (latent, delta.wider) {
            (true, true) => Some(why),
            (true, false) => Some(LESS),
            (false, true) => Some(BEYOND),
            (false, false) => None,
        };
        let said = self.out.len();
        let mut fields = Fields::of(&mut self.out, path, Class::Authority);
        fields.formed(form).say_why(delta, side(texts.0), side(texts.1), why);
        self.out.iter_mut().skip(said).for_each(|change| change.latent = latent);
    }

    /// The last change that was said.
    pub(super) fn last(&mut self) -> Option<&mut Change> {
        self.out.last_mut()
    }

    /// Two lists of names, each of which grants one deed, or makes one holder: without it there is no such cell, so that a
    /// cell that came or went with it shows it.
    pub(super) fn names<'n>(
        &mut self,
        path: &str,
        (before, after): (&'n [String], &'n [String]),
        why: &'static str,
        granted: impl Fn(&'n str) -> Delta,
    ) {
        let gone = left(before, after).into_iter().filter(|name| !granted(name).tighter).collect::<Vec<_>>();
        let new = left(after, before).into_iter().filter(|name| !granted(name).wider).collect::<Vec<_>>();
        let delta = Delta { wider: !new.is_empty(), tighter: !gone.is_empty(), altered: false };
        self.say_names(path, (delta, Delta::EQUAL), (&gone.join(", "), &new.join(", ")), why);
    }

    /// Two lists of names, each of which decides for more than one cell: all of them are said.
    fn classes<'n>(
        &mut self,
        path: &str,
        (before, after): (&'n [String], &'n [String]),
        why: &'static str,
        moved: impl Fn(&'n str) -> Delta,
    ) {
        let (gone, new) = (left(before, after), left(after, before));
        let delta = Delta { wider: !new.is_empty(), tighter: !gone.is_empty(), altered: false };
        let moves = Delta {
            wider: new.iter().any(|name| moved(name).wider),
            tighter: gone.iter().any(|name| moved(name).tighter),
            altered: false,
        };
        self.say_names(path, (delta, moves), (&gone.join(", "), &new.join(", ")), why);
    }

    fn tiers(&mut self, before: &Lock, after: &Lock) {
        for effect in Effect::ALL {
            let (old, new) = (before.approvals.at_least.of(effect), after.approvals.at_least.of(effect));
            if old == new {
                continue;
            }
            let delta = Delta::of_order(&old, &new).mirrored();
            let path = format!("approvals.at_least.{}", effect.word());
            let moved = self.shown.leans(effect, (old, new));
            self.say(&path, (delta, moved), (old.word(), new.word()), TIER);
        }
    }

    fn harness(&mut self, key: &str, before: &Harness, after: &Harness) {
        let path = format!("harnesses.{key}.personas");
        match (before.personas.as_slice(), after.personas.as_slice()) {
            (old @ [_, ..], []) => {
                let moved = self.shown.granted(By::Harness, (key, ""));
                self.say_names(&path, (Delta::WIDER, moved), (&old.join(", "), "anyone"), WEARER);
            }
            ([], new @ [_, ..]) => {
                let moved = self.shown.granted(By::Harness, (key, ""));
                self.say_names(&path, (Delta::TIGHTER, moved), ("anyone", &new.join(", ")), WEARER);
            }
            (old, new) => {
                let shown = self.shown;
                let granted = |name: &str| shown.granted(By::HarnessPersona, (key, name));
                self.names(&path, (old, new), WEARER, granted);
            }
        }
        let deeds = |own: &Harness| own.toolset.iter().map(Mention::deed).collect::<Vec<_>>();
        let (old, new) = (deeds(before), deeds(after));
        let path = format!("harnesses.{key}.toolset");
        let shown = self.shown;
        self.names(&path, (&old, &new), MENTION, |name| shown.granted(By::HarnessDeed, (key, name)));
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
            if !self.shown.goes(harness, &deed, (old, new)) {
                let moved = self.moved_in(harness, &deed, Aspect::Approval);
                self.say(&format!("{path}.approval"), (delta, moved), (old.word(), new.word()), MENTION);
            }
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
        // A cell's input moves by the tool's schema too.
        let input = |pair: Option<&Deed<'_>>| pair.map(|deed| deed.tool.input.clone());
        let is_by_this = input(self.pair.before.deeds.get(&deed)) == input(self.pair.after.deeds.get(&deed));
        let in_cells = self.shown.moved(By::HarnessDeed, (harness, &deed), Aspect::Input);
        if is_by_this && delta.is_within(in_cells) {
            return;
        }
        let moved = self.moved_in(harness, &deed, Aspect::Input);
        let all = |own: &Mention| {
            let inputs = own.only.iter().map(|(input, schema)| (input.clone(), value(schema)));
            Value::Object(inputs.collect::<Map<_, _>>())
        };
        let (old, new) = schema::differences(&all(before), &all(after));
        self.say(&format!("{path}.only"), (delta, moved), (&old, &new), MENTION);
    }

    /// In which directions cells of a harness's deed moved in this aspect, or came and went.
    fn moved_in(&self, harness: &str, deed: &str, aspect: Aspect) -> Delta {
        let of = |aspect| self.shown.moved(By::HarnessDeed, (harness, deed), aspect);
        of(aspect).and(of(Aspect::Call))
    }

    fn persona(&mut self, key: &str, before: &Persona, after: &Persona) {
        let path = format!("personas.{key}.bundle");
        let shown = self.shown;
        let granted = |name: &str| shown.granted(By::PersonaDeed, (key, name));
        self.names(&path, (&before.bundle, &after.bundle), BUNDLE, granted);
        if before.harness != after.harness {
            let moved = self.shown.granted(By::Persona, (key, ""));
            let said = |wears: bool| if wears { "wears harnesses" } else { "wears none" };
            let texts = (said(before.harness), said(after.harness));
            self.say(&format!("personas.{key}.harness"), (Delta::EITHER, moved), texts, BUNDLE);
        }
    }

    fn role(&mut self, key: &str, before: &Role, after: &Role) {
        let effects = |own: &Role| {
            let own = own.effects.as_deref().unwrap_or(&Effect::ALL);
            own.iter().map(|effect| effect.word().to_owned()).collect::<Vec<_>>()
        };
        let path = format!("roles.{key}.effects");
        let shown = self.shown;
        let moved = |effect: &str| shown.granted(By::RoleEffect, (key, effect));
        self.classes(&path, (&effects(before), &effects(after)), ROLE, moved);
        let path = format!("roles.{key}.tools");
        let whole = "harness_toolset";
        match (&before.tools, &after.tools) {
            (RoleTools::HarnessToolset, RoleTools::HarnessToolset) => {}
            (RoleTools::List(old), RoleTools::List(new)) => {
                self.names(&path, (old, new), ROLE, |name| shown.granted(By::RoleDeed, (key, name)));
            }
            (RoleTools::List(old), RoleTools::HarnessToolset) => {
                let moved = shown.granted(By::Role, (key, ""));
                self.say_names(&path, (Delta::WIDER, moved), (&old.join(", "), whole), ROLE);
            }
            (RoleTools::HarnessToolset, RoleTools::List(new)) => {
                let moved = shown.granted(By::Role, (key, ""));
                self.say_names(&path, (Delta::TIGHTER, moved), (whole, &new.join(", ")), ROLE);
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
                let shown = self.shown;
                let moved = |word: &str| {
                    let effect = Effect::ALL.into_iter().find(|effect| effect.word() == word);
                    effect.map_or(Delta::EQUAL, |effect| shown.reached(Some(key), Some((scope, effect))))
                };
                self.classes(&path, (&old, &new), SCOPE, moved);
            }
        }
        let scoped = |lock: &Lock| lock.surfaces.values().any(|surface| surface.scopes.is_some());
        let (old, new) = (scoped(before), scoped(after));
        let (delta, moved) = (Delta::of_order(&new, &old), self.shown.reached(None, None));
        let said = |scoped: bool| if scoped { "refused" } else { "let through" };
        self.say("surfaces.(calls over no surface)", (delta, moved), (said(old), said(new)), SCOPE);
    }
}

/// The names of one list that the other has not.
pub(super) fn left<'n>(list: &'n [String], other: &[String]) -> Vec<&'n str> {
    let other: BTreeSet<&String> = other.iter().collect();
    list.iter().filter(|name| !other.contains(name)).map(String::as_str).collect()
}

/// Marks the definitions that came and that no cell shows.
pub(super) fn mark(changes: &mut [Change], lock: &Lock, shown: &Shown<'_>) {
    const ADDED: &str =
        "nobody is granted anything by it today; it counts once it is held, worn or called over";
    const KINDS: [(&str, By); 4] =
        [("harnesses", By::Harness), ("personas", By::Persona), ("roles", By::Role), ("tools", By::Tool)];
    let mut moved: BTreeMap<String, Delta> = BTreeMap::new();
    for (key, surface) in &lock.surfaces {
        moved.insert(format!("surfaces.{key}"), shown.reached(Some(key), None));
        for scope in surface.scopes.iter().flat_map(BTreeMap::keys) {
            let effects = Effect::ALL.into_iter();
            let of = effects.map(|effect| shown.reached(Some(key), Some((scope, effect))));
            let of = of.fold(Delta::EQUAL, Delta::and);
            moved.insert(format!("surfaces.{key}.scopes.{scope}"), of);
        }
    }
    let came = |change: &&mut Change| {
        change.form == Form::Definition && change.delta == Delta::WIDER && change.before.is_none()
    };
    for change in changes.iter_mut().filter(came) {
        let Some(field) = change.field.as_deref() else { continue };
        let of_holder = |(section, key): (&str, &str)| {
            let (_, by) = KINDS.iter().find(|(own, _)| *own == section)?;
            Some(shown.granted(*by, (key, "")))
        };
        let moves = moved.get(field).copied().or_else(|| of_holder(field.split_once('.')?));
        if moves.is_some_and(|moves| !moves.wider) {
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
