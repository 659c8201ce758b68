//! How the schemas of a published tool moved: on the whole, by root input, and step by step.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::again::{Move, plain};
use super::speech;
use super::steps::{Step, steps};
use crate::policy::Pinned;
use crate::policy::schema::{self, Origin, Purpose, Shorts, Tri, tighter_or_equal};
use crate::syntax::Node;

/// How a schema moved, judged on the closed forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shift {
    /// It accepts the same.
    Same,
    /// It accepts less.
    Tighter,
    /// It accepts what it refused.
    Looser,
    /// It accepts what it refused, and refuses what it accepted.
    Both,
    /// Structure alone does not tell.
    CannotTell,
    /// There was none.
    New,
    /// There is none any more.
    Gone,
    /// An input is required no more.
    NoLongerRequired,
    /// An input is required that was not.
    NowRequired,
}

/// How one root input moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InputShift {
    /// Its name.
    pub input: String,
    /// How.
    pub shift: Shift,
}

pub(super) fn schemas(before: &Pinned, after: &Pinned) -> Vec<Move> {
    let differ = |a: &Option<_>, b: &Option<_>| {
        let value = |node: &Option<std::sync::Arc<Node>>| node.as_deref().map(plain);
        value(a) != value(b)
    };
    let mut moves = Vec::new();
    if differ(&before.input, &after.input) {
        let (old, new) = (closed(before, Purpose::Input), closed(after, Purpose::Input));
        let inputs = match (&old, &new) {
            (Some(old), Some(new)) => inputs(old, new),
            _ => Vec::new(),
        };
        let shift = shift_of(&before.input, &after.input, old.as_ref(), new.as_ref());
        if shift != Shift::Same || !inputs.is_empty() {
            moves.push(Move::Input { shift, inputs, steps: between(old.as_ref(), new.as_ref()) });
        } else if reworded(&before.input, &after.input) {
            moves.push(Move::Other { key: "inputSchema".to_owned() });
        }
    }
    if differ(&before.output, &after.output) {
        let (old, new) = (closed(before, Purpose::Output), closed(after, Purpose::Output));
        let shift = shift_of(&before.output, &after.output, old.as_ref(), new.as_ref());
        if shift != Shift::Same {
            moves.push(Move::Output { shift, steps: between(old.as_ref(), new.as_ref()) });
        } else if reworded(&before.output, &after.output) {
            moves.push(Move::Other { key: "outputSchema".to_owned() });
        }
    }
    moves
}

fn between(old: Option<&Value>, new: Option<&Value>) -> Vec<Step> {
    old.zip(new).map(|(old, new)| steps(old, new)).unwrap_or_default()
}

/// Whether two schemas that take the same differ in more than their prose, which is told by itself: a default, an example,
/// a comment reaches a model too.
fn reworded(before: &Option<std::sync::Arc<Node>>, after: &Option<std::sync::Arc<Node>>) -> bool {
    let value = |node: &Option<std::sync::Arc<Node>>| node.as_deref().map(|node| without_prose(plain(node)));
    value(before) != value(after)
}

fn without_prose(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let prose = |key: &str, value: &Value| speech::is_prose(key) && value.is_string();
            let kept = map.into_iter().filter(|(key, value)| !prose(key, value));
            Value::Object(kept.map(|(key, value)| (key, without_prose(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_prose).collect()),
        other => other,
    }
}

fn closed(tool: &Pinned, purpose: Purpose) -> Option<Value> {
    let node = if purpose == Purpose::Output { &tool.output } else { &tool.input };
    schema::read(node.as_ref()?, Origin::Pinned, purpose, &Shorts::none()).closed
}

fn shift_of<T>(before: &Option<T>, after: &Option<T>, old: Option<&Value>, new: Option<&Value>) -> Shift {
    match (before, after, old, new) {
        (None, Some(_), ..) => Shift::New,
        (Some(_), None, ..) => Shift::Gone,
        (.., Some(old), Some(new)) => shift(old, new),
        _ => Shift::CannotTell,
    }
}

fn shift(old: &Value, new: &Value) -> Shift {
    if old == new {
        return Shift::Same;
    }
    match (tighter_or_equal(old, old, new), tighter_or_equal(new, new, old)) {
        (Tri::Yes, Tri::Yes) => Shift::Same,
        (Tri::Yes, _) => Shift::Tighter,
        (_, Tri::Yes) => Shift::Looser,
        (Tri::No, Tri::No) => Shift::Both,
        (Tri::No, _) => Shift::Looser,
        (Tri::CannotTell, _) => Shift::CannotTell,
    }
}

/// A part of a schema with the definitions that its references name.
fn standing_alone(part: &Value, root: &Value) -> Value {
    let mut part = part.clone();
    let refers = part.to_string().contains("\"$ref\"");
    if let (Some(map), Some(definitions), true) = (part.as_object_mut(), root.get("$defs"), refers) {
        map.insert("$defs".to_owned(), definitions.clone());
    }
    part
}

/// The root inputs that moved, by name.
fn inputs(old: &Value, new: &Value) -> Vec<InputShift> {
    let of = |schema: &Value| -> BTreeMap<String, Value> {
        let properties = schema.get("properties").and_then(Value::as_object);
        properties
            .into_iter()
            .flatten()
            .map(|(name, part)| (name.clone(), standing_alone(part, schema)))
            .collect()
    };
    let required = |schema: &Value| -> BTreeSet<String> {
        let names = schema.get("required").and_then(Value::as_array);
        names.into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
    };
    let (old_inputs, new_inputs) = (of(old), of(new));
    let (old_required, new_required) = (required(old), required(new));
    let names: BTreeSet<&String> = old_inputs.keys().chain(new_inputs.keys()).collect();
    let mut found = Vec::new();
    for name in names {
        let mut note = |shift| found.push(InputShift { input: name.clone(), shift });
        match (old_inputs.get(name), new_inputs.get(name)) {
            (None, _) => note(Shift::New),
            (_, None) => note(Shift::Gone),
            (Some(old), Some(new)) => {
                let shift = shift(old, new);
                if shift != Shift::Same {
                    note(shift);
                }
            }
        }
        match (old_required.contains(name), new_required.contains(name)) {
            (true, false) if new_inputs.contains_key(name) => note(Shift::NoLongerRequired),
            (false, true) => note(Shift::NowRequired),
            _ => {}
        }
    }
    found
}
