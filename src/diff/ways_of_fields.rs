//! The ways in which a single field of a lock is compared: which direction of it grants more, and what it comes to where it is
//! not stated.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::RawJson;
use serde::Serialize;

use super::change::{Change, Form};
use super::grade::Delta;
use super::schema;
use crate::lock::{Class, value, written};

/// Where changes go, and the field that is being compared.
pub(super) struct Fields<'o> {
    out: &'o mut Vec<Change>,
    path: String,
    class: Class,
    form: Form,
    is_of_key: bool,
}

impl<'o> Fields<'o> {
    /// A whole field of the lock, of its class.
    pub(super) fn of(out: &'o mut Vec<Change>, name: &str, class: Class) -> Self {
        Self { out, path: name.to_owned(), class, form: Form::Value, is_of_key: false }
    }

    /// A part of this field, under one of the lock's own names.
    pub(super) fn at(&mut self, name: &str) -> Fields<'_> {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Fields { out: self.out, path, class: self.class, form: Form::Value, is_of_key: false }
    }

    /// A part of this field, under a key that an author gave.
    pub(super) fn at_key(&mut self, key: &str) -> Fields<'_> {
        let mut fields = self.at(key);
        fields.is_of_key = true;
        fields
    }

    /// The same field, as one of another class.
    pub(super) fn classed(&mut self, class: Class) -> Fields<'_> {
        let Self { path, form, is_of_key, .. } = self;
        Fields { out: self.out, path: path.clone(), class, form: *form, is_of_key: *is_of_key }
    }

    /// The same field, whose two sides are of this form.
    pub(super) fn formed(&mut self, form: Form) -> Fields<'_> {
        let class = self.class;
        Fields { form, ..self.classed(class) }
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
            (change.form, change.is_of_key) = (self.form, self.is_of_key);
            self.out.push(change);
        }
    }

    /// Records a difference of two values, each as its author writes it.
    pub(super) fn values<T: Serialize + ?Sized>(&mut self, delta: Delta, before: &T, after: &T) {
        let (before, after) = (self.written(before), self.written(after));
        self.say(delta, before, after);
    }

    /// A value of this field as its author writes it; nothing where it states nothing.
    pub(super) fn written<T: Serialize + ?Sized>(&self, value: &T) -> Option<String> {
        let name = match self.path.split_once('.') {
            // A category of these is a map of causes.
            Some((section @ "diagnoses", _)) => section,
            // What an author calls it says nothing of its unit.
            _ if self.is_of_key => "",
            _ => self.path.rsplit('.').next().unwrap_or_default(),
        };
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

/// What a bound comes to where none is stated, as the runtime reads it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unstated {
    /// There is no bound.
    Unbounded,
    /// This one.
    Is(u64),
}

/// A bound from above: more is wider, and none at all is the widest.
pub(super) fn cap(unstated: Unstated) -> impl Fn(&mut Fields<'_>, &Option<u64>, &Option<u64>) {
    move |out, before, after| {
        let bound = |stated: &Option<u64>| match (stated, unstated) {
            (Some(bound), _) => (*bound, false),
            (None, Unstated::Is(bound)) => (bound, false),
            (None, Unstated::Unbounded) => (u64::MAX, true),
        };
        out.values(Delta::of_order(&bound(before), &bound(after)), before, after);
    }
}

/// A number that is always stated, and of which more is wider.
pub(super) fn more(out: &mut Fields<'_>, before: &u64, after: &u64) {
    out.values(Delta::of_order(before, after), before, after);
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
pub(super) fn lists(out: &mut Fields<'_>, before: &[String], after: &[String], delta: Delta) {
    let left = |list: &[String], other: &[String]| {
        let other: BTreeSet<&String> = other.iter().collect();
        let own: Vec<&str> = list.iter().filter(|item| !other.contains(item)).map(String::as_str).collect();
        (!own.is_empty()).then(|| own.join(", "))
    };
    out.formed(Form::Items).say(delta, left(before, after), left(after, before));
}

/// A switch that grants something.
pub(super) fn lets(out: &mut Fields<'_>, before: &bool, after: &bool) {
    out.values(Delta::of_order(before, after), before, after);
}

/// A switch that guards something.
pub(super) fn keeps(out: &mut Fields<'_>, before: &bool, after: &bool) {
    out.values(Delta::of_order(before, after).mirrored(), before, after);
}

/// A demand: unstated asks for nothing, and two different ones cannot be ordered.
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

/// A word in whose place the runtime has one of its own where none is stated; two different ones cannot be ordered.
pub(super) fn either_or(
    unstated: &'static str,
) -> impl Fn(&mut Fields<'_>, &Option<String>, &Option<String>) {
    move |out, before, after| {
        let word = |stated: &'_ Option<String>| stated.as_deref().unwrap_or(unstated).to_owned();
        let delta = if word(before) == word(after) { Delta::EQUAL } else { Delta::EITHER };
        out.values(delta, before, after);
    }
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
        out.formed(Form::Text).say(Delta::ALTERED, Some(before.to_owned()), Some(after.to_owned()));
    }
}

/// An absent part compares as one that states nothing: what that comes to is each field's to say.
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
            let mut out = out.at_key(key);
            let mut whole = out.formed(Form::Definition);
            match (before.get(key), after.get(key)) {
                (None, Some(new)) => whole.values(added, &None, &Some(new)),
                (Some(old), None) => whole.values(added.mirrored(), &Some(old), &None),
                (Some(before), Some(after)) => each(&mut out, before, after),
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
            each(&mut out.at_key(key), old, new);
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
