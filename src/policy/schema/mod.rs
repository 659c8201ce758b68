//! JSON Schemas as authors and outside servers write them, and the closed form that is enforced.
//!
//! A schema is read in four steps: short forms are written out (`expand`), the language's bounds are checked (`subset`,
//! `valid`), the result is closed (`close`), and what a rule wants to know is noted on the way (`facts`). All of it is
//! pure. The one invariant: whatever the closed form accepts, the written one accepts. Nothing here knows rule levels.

mod admit;
mod ask;
mod close;
mod compare;
mod dialect;
mod disjoint;
mod expand;
mod facts;
mod located;
mod narrow;
mod path;
pub mod pattern;
mod plain;
mod problem;
mod reference;
mod room;
mod shape;
mod subset;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod valid;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use crate::source::{Span, Spanned};
use crate::syntax::Node;

pub use ask::{
    enum_values, input_names, required, root_properties, root_property, string_enum, with_property,
    with_required, with_root_properties,
};
pub use compare::{Tri, tighter_or_equal};
pub use expand::number;
pub use located::Located;
pub use narrow::{NarrowFault, NarrowFaultKind, may_take, narrow};
pub use problem::{Problem, ProblemKind};
pub use room::room_for;
pub use subset::anchored;

/// Default cap of an input string without a bound, in Unicode scalar values.
pub const INPUT_CAP: u64 = 4_000;
/// Default cap of an output string without a bound.
pub const OUTPUT_CAP: u64 = 300;
/// Default cap of an output string marked `untrusted_title`.
pub const TITLE_CAP: u64 = 120;
/// Cap of a key in a map form.
pub const MAP_KEY_CAP: u64 = 128;
/// A schema nests at most this deep, counted in its own nodes, types written out.
pub const MAX_DEPTH: usize = 64;
/// A schema has at most this many nodes, types written out.
pub const MAX_NODES: usize = 20_000;

/// Whose schema it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The policy author's: short forms, the subset, strict.
    Own,
    /// An outside server's, as published: any JSON Schema that can be shown to close.
    Pinned,
}

/// What the schema is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// A tool's input: the root is an object.
    Input,
    /// A tool's structured output: always within the subset.
    Output,
    /// A value of `only`: no default caps, they are the tool's.
    Narrowing,
    /// A field of a run's row: a scalar.
    RunField,
    /// One input of a plan's step: as for narrowing.
    StepInput,
    /// One input of an outside server's tool that an overlay restates: default caps, any type.
    Restated,
}

/// From a section's name to its keys.
type Keys<'a> = dyn Fn(&str) -> Option<Vec<Spanned<String>>> + Sync + 'a;

/// The names that a schema's short forms may use.
pub struct Shorts<'a> {
    types: BTreeMap<&'a str, &'a Arc<Node>>,
    keys: &'a Keys<'a>,
}

impl<'a> Shorts<'a> {
    /// `types`: the section of that name. `keys`: the keys of a section in the order of the text; nothing where no
    /// section has that name.
    pub fn new(types: impl IntoIterator<Item = (&'a str, &'a Arc<Node>)>, keys: &'a Keys<'a>) -> Self {
        Self { types: types.into_iter().collect(), keys }
    }

    /// No names at all: for pinned schemas.
    pub fn none() -> Shorts<'static> {
        Shorts { types: BTreeMap::new(), keys: &|_| None }
    }
}

/// A schema as it was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// JSON Schema 2020-12, closed and capped; nothing where a problem leaves no form that could be trusted.
    pub closed: Option<Value>,
    /// As written, short forms written out, not closed; each part knows its place.
    pub tree: Located,
    /// What was found, in the order of the text. Each names its rule; warnings do not keep a schema from closing.
    pub problems: Vec<Problem>,
}

impl Reading {
    /// The schema as written, short forms written out, not closed.
    pub fn original(&self) -> Value {
        self.tree.value()
    }

    /// Where the value at a JSON pointer into [`Reading::original`] stands; the nearest part above it where the pointer
    /// leads to nothing.
    pub fn span(&self, pointer: &str) -> Span {
        self.tree.nearest(pointer).span
    }

    /// Where the key that leads to a JSON pointer stands; for a list's item, the item.
    pub fn key_span(&self, pointer: &str) -> Span {
        let found = self.tree.nearest(pointer);
        found.key.unwrap_or(found.span)
    }
}

/// Reads one schema. Total: whatever the node, there is a reading.
pub fn read(node: &Arc<Node>, origin: Origin, purpose: Purpose, shorts: &Shorts<'_>) -> Reading {
    let (mut tree, mut problems) = expand::expand(node, origin, shorts);
    if origin == Origin::Own && purpose == Purpose::Input {
        tree.empty_becomes_object();
    }
    let mut closed = None;
    if sound(&problems) {
        problems.extend(facts::find(&tree, purpose));
        closed = judge(&tree, origin, purpose, &mut problems);
    }
    mute(&mut problems);
    problems.sort_by(|a, b| (a.span, &a.pointer, a.kind).cmp(&(b.span, &b.pointer, b.kind)));
    problems.dedup_by(|a, b| (a.span, a.kind) == (b.span, b.kind));
    Reading { closed, tree, problems }
}

/// A place with a fault of its own is not called loose too: the fault explains it.
fn mute(problems: &mut Vec<Problem>) {
    let broken: BTreeSet<String> = problems
        .iter()
        .filter(|problem| !problem.is_soft())
        .flat_map(|problem| {
            let parent = problem.pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
            [problem.pointer.clone(), parent.to_owned()]
        })
        .collect();
    let loose = [ProblemKind::LooseString, ProblemKind::LooseNumber, ProblemKind::LooseArray];
    problems.retain(|problem| !loose.contains(&problem.kind) || !broken.contains(&problem.pointer));
}

/// Checks and closes a tree whose size is bounded.
fn judge(tree: &Located, origin: Origin, purpose: Purpose, problems: &mut Vec<Problem>) -> Option<Value> {
    let dialect = match dialect::Dialect::of(tree) {
        Ok(dialect) => dialect,
        Err(problem) => {
            problems.push(problem);
            return None;
        }
    };
    problems.extend(subset::check(tree, origin, purpose));
    problems.extend(reference::check(tree));
    let plain = dialect == dialect::Dialect::Draft2020 && plain::is_valid(tree);
    if !plain {
        let found = valid::check(tree, dialect, problems);
        problems.extend(found);
    }
    if !sound(problems) {
        return None;
    }
    let (closed, found) = if plain {
        close::close(tree, origin, purpose)
    } else {
        let (translated, found) = dialect::translate(tree, dialect);
        problems.extend(found);
        close::close(&translated, origin, purpose)
    };
    problems.extend(found);
    sound(problems).then_some(closed)
}

fn sound(problems: &[Problem]) -> bool {
    problems.iter().all(Problem::is_soft)
}
