//! The ways in which a single field of a lock is compared: which direction of it grants more.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::RawJson;
use serde::Serialize;

use super::change::Change;
use super::grade::Delta;
use super::schema;
use crate::lock::{Class, value, written};

/// Where changes go, and the field that is being compared.
pub(super) struct Fields<'o> {
    out: &'o mut Vec<Change>,
    path: String,
    class: Class,
}

impl<'o> Fields<'o> {
    /// A whole field of the lock, of its class.
    pub(super) fn of(out: &'o mut Vec<Change>, name: &str, class: Class) -> Self {
        Self { out, path: name.to_owned(), class }
    }

    /// A part of this field.
    pub(super) fn at(&mut self, name: &str) -> Fields<'_> {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Fields { out: self.out, path, class: self.class }
    }

    /// The same field, as one of another class.
    pub(super) fn classed(&mut self, class: Class) -> Fields<'_> {
        Fields { out: self.out, path: self.path.clone(), class }
    }

    /// Records a difference; the texts are what is said before and after.
    pub(super) fn say(&mut self, delta: Delta, before: Option<String>, after: Option<String>) {
        self.say_why(delta, before, after, None);
    }

    /// As [`Fields::say`], with a sentence on what it comes to.
    pub(super) fn say_why(
        &mut self,
        delta: Delta,
        before: Option<String>,
        after: Option<String>,
        why: Option<&'static str>,
    ) {
        if delta != Delta::EQUAL {
            let mut change = Change::of_field(self.class, self.path.clone(), delta);
            (change.before, change.after, change.why) = (before, after, why);
            self.out.push(change);
        }
    }

    /// As [`Fields::say`], where no cell of today shows it.
    pub(super) fn say_latent(
        &mut self,
        delta: Delta,
        (before, after): (Option<String>, Option<String>),
        why: &'static str,
    ) {
        let said = self.out.len();
        self.say_why(delta, before, after, Some(why));
        self.out.iter_mut().skip(said).for_each(|change| change.latent = true);
    }

    /// Records a difference of two values, each as its author writes it.
    pub(super) fn values<T: Serialize + ?Sized>(&mut self, delta: Delta, before: &T, after: &T) {
        let (before, after) = (self.written(before), self.written(after));
        self.say(delta, before, after);
    }

    /// A value of this field as its author writes it; nothing where it states nothing.
    pub(super) fn written<T: Serialize + ?Sized>(&self, value: &T) -> Option<String> {
        let name = self.path.rsplit('.').next().unwrap_or_default();
        written(name, &serde_json::to_value(value).ok()?)
    }
}

/// What is said of a value: its text where it is one, else as an author writes it; nothing where it states nothing.
pub(super) fn said<T: Serialize + ?Sized>(value: &T) -> Option<String> {
    written("", &serde_json::to_value(value).ok()?)
}

/// Nothing is to be compared here: what it decides is seen in the cells, and what no cell shows of it is
/// [`super::latent`]'s to say.
pub(super) fn in_cells<T>(_: &mut Fields<'_>, _: &T, _: &T) {}

/// It only reads differently.
pub(super) fn altered<T: PartialEq + Serialize>(out: &mut Fields<'_>, before: &T, after: &T) {
    if before != after {
        out.values(Delta::ALTERED, before, after);
    }
}

/// It cannot be ordered, so any change counts as wider.
pub(super) fn either<T: PartialEq + Serialize>(out: &mut Fields<'_>, before: &T, after: &T) {
    if before != after {
        out.values(Delta::EITHER, before, after);
    }
}

/// A list of what alone is allowed, whose order says nothing; unstated allows everything.
pub(super) fn within(out: &mut Fields<'_>, before: &Option<Vec<String>>, after: &Option<Vec<String>>) {
    let delta = match (before, after) {
        (None, None) => Delta::EQUAL,
        (Some(_), None) => Delta::WIDER,
        (None, Some(_)) => Delta::TIGHTER,
        (Some(before), Some(after)) => Delta::of_sets(before, after),
    };
    out.values(delta, before, after);
}

/// A word of which a later one in the list shows a person more; unstated may be the first.
pub(super) fn shows(
    words: &'static [&'static str],
) -> impl Fn(&mut Fields<'_>, &Option<String>, &Option<String>) {
    move |out, before, after| {
        let rank = |word: &Option<String>| {
            let place = |word: &String| words.iter().position(|known| known == word);
            word.as_ref().map_or(Some(0), |word| place(word).map(|place| place + 1))
        };
        let delta = match (rank(before), rank(after)) {
            _ if before == after => Delta::EQUAL,
            (Some(before), Some(after)) => Delta::of_order(&before, &after).mirrored(),
            // Two words that cannot be ordered.
            _ => Delta::EITHER,
        };
        out.values(delta, before, after);
    }
}

/// A bound from above: more is wider, and none at all is the widest.
pub(super) fn cap(out: &mut Fields<'_>, before: &Option<u64>, after: &Option<u64>) {
    let bound = |stated: &Option<u64>| stated.unwrap_or(u64::MAX);
    let delta = Delta::of_order(&(bound(before), before.is_none()), &(bound(after), after.is_none()));
    out.values(delta, before, after);
}

/// A bound from below: less is wider, and none at all is the widest.
pub(super) fn floor(out: &mut Fields<'_>, before: &Option<u64>, after: &Option<u64>) {
    out.values(Delta::of_order(before, after).mirrored(), before, after);
}

/// A price: less lets a budget go further.
pub(super) fn price(out: &mut Fields<'_>, before: &u64, after: &u64) {
    out.values(Delta::of_order(before, after).mirrored(), before, after);
}

/// A list of which each item grants something.
pub(super) fn grants<L: AsRef<[String]>>(out: &mut Fields<'_>, before: &L, after: &L) {
    let (before, after) = (before.as_ref(), after.as_ref());
    lists(out, before, after, Delta::of_sets(before, after));
}

/// A list of which each item guards something.
pub(super) fn guards<L: AsRef<[String]>>(out: &mut Fields<'_>, before: &L, after: &L) {
    let (before, after) = (before.as_ref(), after.as_ref());
    lists(out, before, after, Delta::of_sets(before, after).mirrored());
}

/// A list of what alone is allowed; an empty one allows everything.
pub(super) fn only_these<L: AsRef<[String]>>(out: &mut Fields<'_>, before: &L, after: &L) {
    let (before, after) = (before.as_ref(), after.as_ref());
    let delta = match (before.is_empty(), after.is_empty()) {
        (true, false) => Delta::TIGHTER,
        (false, true) => Delta::WIDER,
        _ => Delta::of_sets(before, after),
    };
    lists(out, before, after, delta);
}

/// Names what came and what went, not the whole lists.
fn lists(out: &mut Fields<'_>, before: &[String], after: &[String], delta: Delta) {
    let left = |list: &[String], other: &[String]| {
        let own: Vec<&str> = list.iter().filter(|item| !other.contains(item)).map(String::as_str).collect();
        (!own.is_empty()).then(|| own.join(", "))
    };
    let said = out.out.len();
    out.say(delta, left(before, after), left(after, before));
    out.out.iter_mut().skip(said).for_each(|change| change.items = true);
}

/// A switch that grants something.
pub(super) fn lets(out: &mut Fields<'_>, before: &bool, after: &bool) {
    out.values(Delta::of_order(before, after), before, after);
}

/// A switch that guards something.
pub(super) fn keeps(out: &mut Fields<'_>, before: &bool, after: &bool) {
    out.values(Delta::of_order(before, after).mirrored(), before, after);
}

/// A demand: unstated is the widest, and two different ones cannot be ordered.
pub(super) fn demand<T: PartialEq + Serialize>(out: &mut Fields<'_>, before: &Option<T>, after: &Option<T>) {
    let delta = match (before, after) {
        (None, None) => Delta::EQUAL,
        (Some(_), None) => Delta::WIDER,
        (None, Some(_)) => Delta::TIGHTER,
        (Some(before), Some(after)) if before == after => Delta::EQUAL,
        _ => Delta::EITHER,
    };
    out.values(delta, before, after);
}

/// A schema that accepts more is wider.
pub(super) fn schema_of(out: &mut Fields<'_>, before: &RawJson, after: &RawJson) {
    if before != after {
        let (before, after) = (value(before), value(after));
        let judged = schema::judge(&before, &after);
        let (old, new) = schema::differences(&before, &after);
        out.say(judged.delta, Some(old), Some(new));
    }
}

/// A text, whole on both sides.
pub(super) fn prose(out: &mut Fields<'_>, before: &str, after: &str) {
    if before != after {
        out.say(Delta::ALTERED, Some(before.to_owned()), Some(after.to_owned()));
    }
}

/// An absent part compares as its default, which grants the most.
pub(super) fn part<T: Default>(
    each: impl Fn(&mut Fields<'_>, &T, &T),
) -> impl Fn(&mut Fields<'_>, &Option<T>, &Option<T>) {
    move |out, before, after| {
        let none = T::default();
        each(out, before.as_ref().unwrap_or(&none), after.as_ref().unwrap_or(&none));
    }
}

/// A map by key: `added` is what a key more comes to, and a key less is its mirror.
pub(super) fn keyed<T: Serialize>(
    added: Delta,
    each: impl Fn(&mut Fields<'_>, &T, &T),
) -> impl Fn(&mut Fields<'_>, &BTreeMap<String, T>, &BTreeMap<String, T>) {
    move |out, before, after| {
        let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for key in keys {
            let mut out = out.at(key);
            match (before.get(key), after.get(key)) {
                (Some(before), Some(after)) => each(&mut out, before, after),
                (None, Some(new)) => out.values(added, &None, &Some(new)),
                (Some(old), None) => out.values(added.mirrored(), &Some(old), &None),
                (None, None) => {}
            }
        }
    }
}

/// A map of which a key that is not there compares as its default.
pub(super) fn keyed_or_default<T: Serialize + Default>(
    each: impl Fn(&mut Fields<'_>, &T, &T),
) -> impl Fn(&mut Fields<'_>, &BTreeMap<String, T>, &BTreeMap<String, T>) {
    move |out, before, after| {
        let none = T::default();
        let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for key in keys {
            let (old, new) = (before.get(key).unwrap_or(&none), after.get(key).unwrap_or(&none));
            each(&mut out.at(key), old, new);
        }
    }
}

/// Takes two of a kind apart, with no field left over, and compares each field in its way.
macro_rules! compare {
    ($out:expr, $before:expr, $after:expr => $kind:ident { $($field:ident: $how:expr),* $(,)? }) => {{
        // A field that is not named here does not compile.
        let $kind { $($field: _,)* } = $before;
        $( ($how)(&mut $out.at(stringify!($field)), &$before.$field, &$after.$field); )*
    }};
}
pub(super) use compare;
