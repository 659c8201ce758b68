//! From optional, located values to the lock's plain ones.

use std::collections::BTreeMap;

use crate::model::{Keyed, Model};
use crate::source::Spanned;

/// A section as `make` lowers it; nothing where no file opens the section.
pub(super) fn stated<T>(model: &Model, section: &str, make: impl FnOnce() -> T) -> Option<T> {
    model.stated.contains_key(section).then(make)
}

/// Every definition, by key.
pub(super) fn map<'a, T, U>(keyed: &'a Keyed<T>, lower: impl Fn(&'a T) -> U) -> BTreeMap<String, U> {
    keyed.iter().map(|def| (def.key.value.clone(), lower(&def.value))).collect()
}

/// A value, where one is stated.
pub(super) fn value<T: Copy>(stated: Option<&Spanned<T>>) -> Option<T> {
    stated.map(|stated| stated.value)
}

/// A text, where one is stated.
pub(super) fn text(stated: Option<&Spanned<String>>) -> Option<String> {
    stated.map(|stated| stated.value.clone())
}

/// A required text.
pub(super) fn required(stated: Option<&Spanned<String>>) -> String {
    text(stated).unwrap_or_default()
}

/// A flag; unsaid is off.
pub(super) fn flag(stated: Option<&Spanned<bool>>) -> bool {
    stated.is_some_and(|stated| stated.value)
}

/// Names in the author's order.
pub(super) fn names<'a>(list: impl IntoIterator<Item = &'a Spanned<String>>) -> Vec<String> {
    list.into_iter().map(|name| name.value.clone()).collect()
}

/// Names in their own order, each once.
pub(super) fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names.dedup();
    names
}
