//! Whether a value meets the schema: the judge of every projection that had a choice.

use std::cell::Cell;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::decimal::Decimal;
use super::schema::{Id, Node, Range, Schema};
use crate::json::canonical;

/// In-place keywords nest at most this deep.
const MAX_DEPTH: usize = 512;

/// What of a valid value some keyword speaks about (JSON Schema's "evaluated").
#[derive(Default)]
struct Known<'v> {
    all: bool,
    items: bool,
    names: BTreeSet<&'v str>,
}

impl Known<'_> {
    fn absorb(&mut self, other: Self) {
        self.all |= other.all;
        self.items |= other.items;
        self.names.extend(other.names);
    }
}

/// A judge with a bounded number of looks: overlapping branches of a recursive schema would have it look without end.
pub(super) struct Judges<'s> {
    looks: Cell<u64>,
    schema: &'s Schema,
}

impl<'s> Judges<'s> {
    pub(super) fn new(schema: &'s Schema, looks: u64) -> Self {
        Self { looks: Cell::new(looks), schema }
    }

    /// Whether a value meets every one of these places; once the looks are used up, none does.
    pub(super) fn takes(&self, ids: &[Id], value: &Value) -> bool {
        let taken = ids.iter().all(|id| self.known(*id, value, 0).is_some());
        // `not` may have taken the end of the looks for a no.
        taken && self.looks.get() > 0
    }

    /// What the place knows of a value that it takes; `None`: it does not take it.
    fn known<'v>(&self, id: Id, value: &'v Value, depth: usize) -> Option<Known<'v>> {
        self.looks.set(self.looks.get().checked_sub(1)?);
        let node = self.schema.node(id).filter(|node| depth < MAX_DEPTH && !node.never)?;
        let plain = node.kinds.is_none_or(|kinds| kinds.takes(value)) && is_listed(node, value);
        if !plain {
            return None;
        }
        let mut known = match value {
            Value::String(text) => length_and_shape(node, text).then(Known::default)?,
            Value::Number(number) => {
                in_range(&node.range, number.as_f64()?, || Decimal::of(number)).then(Known::default)?
            }
            Value::Array(items) => self.array(node, items, depth)?,
            Value::Object(members) => self.object(node, members, depth)?,
            Value::Null | Value::Bool(_) => Known::default(),
        };
        self.in_place(node, value, depth, &mut known)?;
        known.all |= node.knows_all;
        known.items |= node.knows_items;
        is_closed(node, value, &known).then_some(known)
    }

    fn array<'v>(&self, node: &Node, items: &'v [Value], depth: usize) -> Option<Known<'v>> {
        let count = u64::try_from(items.len()).ok()?;
        let counted = node.min_items.is_none_or(|least| count >= least)
            && node.max_items.is_none_or(|most| count <= most)
            && (!node.unique || is_unique(items));
        let each = |id: Id| items.iter().all(|item| self.known(id, item, depth + 1).is_some());
        (counted && node.items.is_none_or(each))
            .then(|| Known { items: node.items.is_some(), ..Known::default() })
    }

    fn object<'v>(&self, node: &Node, members: &'v Map<String, Value>, depth: usize) -> Option<Known<'v>> {
        let count = u64::try_from(members.len()).ok()?;
        let complete = node.required.iter().all(|name| members.contains_key(name))
            && node.max_properties.is_none_or(|most| count <= most);
        if !complete {
            return None;
        }
        let mut known = Known::default();
        for (name, value) in members {
            if let Some(id) = node.properties.get(name).or(node.additional.as_ref()) {
                self.known(*id, value, depth + 1)?;
                known.names.insert(name);
            }
            if let Some(id) = node.names {
                self.known(id, &Value::from(name.as_str()), depth + 1)?;
            }
        }
        Some(known)
    }

    fn in_place<'v>(&self, node: &Node, value: &'v Value, depth: usize, known: &mut Known<'v>) -> Option<()> {
        for id in &node.all {
            known.absorb(self.known(*id, value, depth + 1)?);
        }
        if let Some(branches) = &node.any {
            let taken: Vec<Known<'v>> =
                branches.iter().filter_map(|id| self.known(*id, value, depth + 1)).collect();
            if taken.is_empty() {
                return None;
            }
            taken.into_iter().for_each(|branch| known.absorb(branch));
        }
        if let Some(branches) = &node.one {
            let mut taken = branches.iter().filter_map(|id| self.known(*id, value, depth + 1));
            known.absorb(taken.next()?);
            if taken.next().is_some() {
                return None;
            }
        }
        let refused = node.not.is_none_or(|id| self.known(id, value, depth + 1).is_none());
        refused.then_some(())
    }
}

fn is_closed(node: &Node, value: &Value, known: &Known<'_>) -> bool {
    match value {
        Value::Object(members) if node.closed && !known.all => {
            members.keys().all(|name| known.names.contains(name.as_str()))
        }
        Value::Array(items) if node.closed_items => known.items || items.is_empty(),
        _ => true,
    }
}

pub(super) fn is_listed(node: &Node, value: &Value) -> bool {
    node.listed.as_ref().is_none_or(|listed| canonical(value).is_ok_and(|form| listed.contains(&form)))
}

pub(super) fn length_and_shape(node: &Node, text: &str) -> bool {
    let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    node.min_length.is_none_or(|least| length >= least)
        && node.max_length.is_none_or(|most| length <= most)
        && has_shape(node, text)
}

/// Whether `pattern` and `format` take the text; what nothing can judge, they do not.
pub(super) fn has_shape(node: &Node, text: &str) -> bool {
    !node.shaped || node.judge.as_ref().is_some_and(|judge| judge.takes(text))
}

pub(super) fn in_range(range: &Range, value: f64, decimal: impl FnOnce() -> Option<Decimal>) -> bool {
    range.least.is_none_or(|least| value >= least)
        && range.most.is_none_or(|most| value <= most)
        && range.above.is_none_or(|above| value > above)
        && range.below.is_none_or(|below| value < below)
        && range.step.is_none_or(|step| decimal().is_some_and(|decimal| decimal.is_multiple_of(step)))
}

fn is_unique(items: &[Value]) -> bool {
    let mut seen = BTreeSet::new();
    items.iter().all(|item| canonical(item).is_ok_and(|form| seen.insert(form)))
}
