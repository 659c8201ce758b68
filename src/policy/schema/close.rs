//! Closing: the form of a schema that refuses what it does not name.
//!
//! The root and every child location get `unevaluatedProperties: false`, whatever keywords build them; in-place branches do
//! not, or they would refuse each other's properties. Strings without a bound get a cap. Only demands are tightened. A
//! question (`if`, `not`, `contains`, the count that `oneOf` takes) stays as written, for a tighter question can loosen
//! the whole. Referenced places are written under `$defs`, once as a demand and once as a question where both occur.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Map, Value, json};

use super::disjoint::disjoint;
use super::located::Part;
use super::path::Path;
use super::reference;
use super::shape::{self, Kinds, Shapes};
use super::{INPUT_CAP, Located, MAP_KEY_CAP, OUTPUT_CAP, Origin, Problem, ProblemKind, Purpose, TITLE_CAP};

/// The closed form nests at most this deep, so that a reader with the usual bound of 128 reads the lock around it.
const MAX_CLOSED_DEPTH: usize = 100;

/// Closes a tree in 2020-12 whose references are sound.
pub(super) fn close(root: &Located, origin: Origin, purpose: Purpose) -> (Value, Vec<Problem>) {
    let cap = match purpose {
        Purpose::Input | Purpose::RunField | Purpose::Restated => Some(INPUT_CAP),
        Purpose::Output => Some(OUTPUT_CAP),
        Purpose::Narrowing | Purpose::StepInput => None,
    };
    let mut closer = Closer {
        root,
        shapes: Shapes::new(root),
        origin,
        asks_unevaluated: asks_unevaluated(root),
        cap,
        names: BTreeMap::new(),
        waiting: VecDeque::new(),
        problems: Vec::new(),
    };
    let closed = closer.demand(root, &Path::ROOT, cap, Position::Child);
    let mut closed = closer.finish(closed);
    if purpose == Purpose::Input
        && let Value::Object(map) = &mut closed
    {
        map.insert("type".to_owned(), "object".into());
    }
    if depth(&closed) > MAX_CLOSED_DEPTH {
        let detail = format!("the closed form of this schema nests deeper than {MAX_CLOSED_DEPTH} levels");
        closer.problems.push(Problem::at(ProblemKind::TooDeep, root, &Path::ROOT, detail));
    }
    (closed, closer.problems)
}

/// Where a schema stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// The root, or a part of a value: closed here.
    Child,
    /// One of several schemas of one value: closed where they meet.
    InPlace,
}

/// Which form of a referenced place is wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// Closed below, strings capped where a cap is given.
    Demand(Option<u64>),
    /// As written.
    Question,
}

/// Which part of a schema brings the cap that its strings need.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carrier {
    None,
    Here,
    Ref,
    AnyOf,
    OneOf,
}

struct Closer<'t> {
    root: &'t Located,
    shapes: Shapes<'t>,
    origin: Origin,
    /// Whether the schema itself asks which properties or items were named: then nothing may be named that it does not.
    asks_unevaluated: bool,
    cap: Option<u64>,
    names: BTreeMap<(String, Form), String>,
    waiting: VecDeque<(String, Form, String)>,
    problems: Vec<Problem>,
}

impl Closer<'_> {
    /// Writes every referenced place under `$defs`.
    fn finish(&mut self, closed: Value) -> Value {
        let mut defs = BTreeMap::new();
        while let Some((pointer, form, name)) = self.waiting.pop_front() {
            let Some(target) = self.root.at(&pointer) else { continue };
            let value = match form {
                Form::Demand(cap) => self.demand(target, &Path::written(&pointer), cap, Position::InPlace),
                Form::Question => self.question(target, &Path::written(&pointer)),
            };
            defs.insert(name, value);
        }
        match closed {
            Value::Object(mut map) if !defs.is_empty() => {
                map.insert("$defs".to_owned(), Value::Object(defs.into_iter().collect()));
                Value::Object(map)
            }
            other => other,
        }
    }

    /// A schema as a demand: closed and capped.
    fn demand(
        &mut self,
        schema: &Located,
        pointer: &Path<'_>,
        cap: Option<u64>,
        position: Position,
    ) -> Value {
        match (schema.boolean(), position) {
            (Some(false), _) => return Value::Bool(false),
            (Some(true), Position::InPlace) if cap.is_none() => return Value::Bool(true),
            _ => {}
        }
        let (cap, carrier) = self.carrier(schema, cap);
        let only = |wanted| cap.filter(|_| carrier == wanted);
        // What is sealed gets a keyword more, and so does what gets a cap: a tree has thousands of schemas, most of two keywords.
        let sealed = position == Position::Child && self.shapes.kinds(schema).meets(Kinds::OBJECT);
        let more = usize::from(sealed) + usize::from(carrier == Carrier::Here);
        let mut map = Map::with_capacity(schema.entries().len() + more);
        let mut all_of = Vec::new();
        for (keyword, value) in schema.entries() {
            let at = pointer.key(keyword);
            let written = match keyword.as_str() {
                "$ref" => Some(self.reference(schema, Form::Demand(only(Carrier::Ref)))),
                "anyOf" => Some(self.branches(value, &at, only(Carrier::AnyOf))),
                "allOf" => {
                    let branches = self.branches(value, &at, None);
                    all_of.extend(branches.as_array().into_iter().flatten().cloned());
                    None
                }
                "oneOf" => self.one_of(schema, value, &at, only(Carrier::OneOf), &mut all_of),
                _ => self.keyword(schema, keyword, value, &at),
            };
            if let Some(written) = written {
                map.insert(keyword.clone(), written);
            }
        }
        if !all_of.is_empty() {
            map.insert("allOf".to_owned(), Value::Array(all_of));
        }
        if let Some(cap) = only(Carrier::Here) {
            map.insert("maxLength".to_owned(), cap.into());
        }
        if map.contains_key("additionalProperties") && schema.get("propertyNames").is_none() {
            bound_map_keys(&mut map);
        }
        self.seal(schema, position, &mut map);
        Value::Object(map)
    }

    /// The cap that strings still need here, and what brings it.
    fn carrier(&self, schema: &Located, cap: Option<u64>) -> (Option<u64>, Carrier) {
        let shapes = &self.shapes;
        let bounded = |part: &Located| {
            shape::is_finite(part)
                || part.get("maxLength").is_some()
                || !shapes.kinds(part).meets(Kinds::STRING)
        };
        let title = schema.get("untrusted_title").and_then(Located::boolean) == Some(true);
        let cap = if title { cap.map(|_| TITLE_CAP) } else { cap };
        if cap.is_none() || shapes.always(schema, &bounded) {
            return (None, Carrier::None);
        }
        let carrier = if schema.get("$ref").is_some() {
            Carrier::Ref
        } else if shape::branches(schema, "anyOf").is_some() {
            Carrier::AnyOf
        } else if shape::branches(schema, "oneOf").is_some() {
            Carrier::OneOf
        } else {
            Carrier::Here
        };
        (cap, carrier)
    }

    fn keyword(&mut self, schema: &Located, keyword: &str, value: &Located, at: &Path<'_>) -> Option<Value> {
        match keyword {
            "$defs" | "definitions" => None,
            "properties" => Some(self.mapped(value, at, Position::Child)),
            "dependentSchemas" => Some(self.mapped(value, at, Position::InPlace)),
            "items" => Some(self.demand(value, at, self.cap, Position::Child)),
            "prefixItems" => Some(Value::Array(
                numbered(value, at)
                    .map(|(at, item)| self.demand(item, &at, self.cap, Position::Child))
                    .collect(),
            )),
            "then" | "else" => Some(self.demand(value, at, None, Position::InPlace)),
            "not" | "propertyNames" => Some(self.question(value, at)),
            "if" => {
                if !names_are_declared(value, schema) {
                    self.cannot_close(
                        value,
                        at,
                        "`if` asks about properties that are not declared beside it",
                    );
                }
                Some(self.question(value, at))
            }
            "contains" => {
                if schema.get("items").is_none() {
                    self.cannot_close(
                        value,
                        at,
                        "`contains` stands without `items`, so other items could be anything",
                    );
                }
                Some(self.question(value, at))
            }
            "patternProperties" => {
                self.cannot_close(value, at, "`patternProperties` allows names that nothing lists");
                None
            }
            "additionalProperties" => self.additional(schema, value, at),
            "unevaluatedProperties" => (!whole(value)).then_some(Value::Bool(false)),
            "unevaluatedItems" => (!whole(value)).then(|| self.demand(value, at, self.cap, Position::Child)),
            _ => Some(value.value()),
        }
    }

    /// `additionalProperties`: the map form is kept; any other open object takes what it names and no more.
    fn additional(&mut self, schema: &Located, value: &Located, at: &Path<'_>) -> Option<Value> {
        if whole(value) {
            return None;
        }
        let map = schema.get("maxProperties").is_some() && self.shapes.kinds(value).scalar();
        Some(if map { self.demand(value, at, self.cap, Position::Child) } else { Value::Bool(false) })
    }

    fn mapped(&mut self, value: &Located, at: &Path<'_>, position: Position) -> Value {
        let cap = self.cap.filter(|_| position == Position::Child);
        let entries = value.entries().iter();
        Value::Object(
            entries
                .map(|(name, schema)| (name.clone(), self.demand(schema, &at.key(name), cap, position)))
                .collect(),
        )
    }

    fn branches(&mut self, value: &Located, at: &Path<'_>, cap: Option<u64>) -> Value {
        Value::Array(
            numbered(value, at)
                .map(|(at, branch)| self.demand(branch, &at, cap, Position::InPlace))
                .collect(),
        )
    }

    /// `oneOf` counts, so its branches may be tightened only where no value could satisfy two of them. Elsewhere the count is
    /// taken of the branches as written (under two `not`, which keep it from naming properties), beside the tightened ones.
    fn one_of(
        &mut self,
        schema: &Located,
        value: &Located,
        at: &Path<'_>,
        cap: Option<u64>,
        all_of: &mut Vec<Value>,
    ) -> Option<Value> {
        let demands = self.branches(value, at, cap);
        if self.pairwise_disjoint(value.items(), self.shapes.kinds(schema)) {
            return Some(demands);
        }
        let questions = numbered(value, at).map(|(at, branch)| self.question(branch, &at)).collect();
        let questions = Value::Array(questions);
        if demands == questions {
            return Some(demands);
        }
        all_of.push(json!({ "anyOf": demands }));
        all_of.push(json!({ "not": { "not": { "oneOf": questions } } }));
        None
    }

    fn pairwise_disjoint(&self, branches: &[Located], within: Kinds) -> bool {
        const MOST: usize = 64;
        let pairs =
            |(index, a)| branches.iter().skip(index + 1).all(|b| disjoint(a, b, within, &self.shapes));
        branches.len() <= MOST && branches.iter().enumerate().all(pairs)
    }

    /// Closes a child location; keeps a list of whole values whole.
    fn seal(&self, schema: &Located, position: Position, map: &mut Map<String, Value>) {
        let listed = shape::listed(schema);
        if position == Position::InPlace {
            let composite = |value: &Located| value.is_map() || value.is_list();
            if !self.asks_unevaluated && listed.is_some_and(|values| values.iter().any(composite)) {
                map.insert("unevaluatedProperties".to_owned(), Value::Bool(true));
                map.insert("unevaluatedItems".to_owned(), Value::Bool(true));
            }
            return;
        }
        if listed.is_some() {
            return;
        }
        let kinds = self.shapes.kinds(schema);
        if kinds.meets(Kinds::OBJECT) {
            map.insert("unevaluatedProperties".to_owned(), Value::Bool(false));
        }
        let shapes = &self.shapes;
        let itemised = |part: &Located| {
            part.get("items").is_some()
                || part.get("unevaluatedItems").is_some_and(|rest| !whole(rest))
                || shape::is_finite(part)
                || !shapes.kinds(part).meets(Kinds::ARRAY)
        };
        if kinds.meets(Kinds::ARRAY) && !shapes.always(schema, &itemised) {
            map.insert("unevaluatedItems".to_owned(), Value::Bool(false));
        }
    }

    /// A schema as a question: as written, without its notes.
    fn question(&mut self, schema: &Located, pointer: &Path<'_>) -> Value {
        if !schema.is_map() {
            return schema.value();
        }
        let mut map = Map::new();
        for (keyword, value) in schema.entries() {
            let at = pointer.key(keyword);
            let written = match keyword.as_str() {
                "$defs" | "definitions" | "title" | "description" | "default" | "examples" | "deprecated"
                | "untrusted_title" => continue,
                "$ref" => self.reference(schema, Form::Question),
                "format" if self.origin == Origin::Pinned => {
                    self.cannot_close(
                        value,
                        &at,
                        "`format` stands where a check and a note would mean different things",
                    );
                    continue;
                }
                _ => self.asked(keyword, value, &at),
            };
            map.insert(keyword.clone(), written);
        }
        Value::Object(map)
    }

    fn asked(&mut self, keyword: &str, value: &Located, at: &Path<'_>) -> Value {
        match (shape::spot(keyword), &value.part) {
            (shape::Spot::Schema | shape::Spot::SchemaOrList, _) => self.question(value, at),
            (shape::Spot::Schemas, _) => {
                Value::Array(numbered(value, at).map(|(at, item)| self.question(item, &at)).collect())
            }
            (shape::Spot::SchemaMap, Part::Map(entries)) => {
                let entries = entries.iter();
                Value::Object(
                    entries.map(|(name, item)| (name.clone(), self.question(item, &at.key(name)))).collect(),
                )
            }
            _ => value.value(),
        }
    }

    /// A reference to the wanted form of its target, which is written later.
    fn reference(&mut self, schema: &Located, form: Form) -> Value {
        let Some((pointer, _)) = reference::follow(self.root, schema) else {
            return Value::String("#".to_owned());
        };
        let key = (pointer, form);
        if let Some(name) = self.names.get(&key) {
            return Value::String(format!("#/$defs/{name}"));
        }
        let taken: BTreeSet<&str> = self.names.values().map(String::as_str).collect();
        let name = unused(&key.0, &taken);
        self.waiting.push_back((key.0.clone(), form, name.clone()));
        self.names.insert(key, name.clone());
        Value::String(format!("#/$defs/{name}"))
    }

    fn cannot_close(&mut self, part: &Located, at: &Path<'_>, why: &str) {
        self.problems.push(Problem::at_key(ProblemKind::CannotClose, part, at, why));
    }
}

/// A name under `$defs` for the place at `pointer`.
fn unused(pointer: &str, taken: &BTreeSet<&str>) -> String {
    let last = pointer.rsplit('/').next().unwrap_or("");
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let base: String = last.chars().map(plain).collect();
    let base = if base.is_empty() { "root".to_owned() } else { base };
    let mut name = base.clone();
    let mut count = 1;
    while taken.contains(name.as_str()) {
        count += 1;
        name = format!("{base}-{count}");
    }
    name
}

/// The items of a list with their pointers.
fn numbered<'t>(list: &'t Located, at: &'t Path<'_>) -> impl Iterator<Item = (Path<'t>, &'t Located)> {
    list.items().iter().enumerate().map(move |(index, item)| (at.item(index), item))
}

/// Whether a schema accepts everything: `true` or `{}`.
fn whole(schema: &Located) -> bool {
    schema.boolean() == Some(true) || (schema.is_map() && schema.entries().is_empty())
}

/// Keys of a map are texts too.
fn bound_map_keys(map: &mut Map<String, Value>) {
    if map.get("additionalProperties") != Some(&Value::Bool(false)) {
        map.insert("propertyNames".to_owned(), json!({ "maxLength": MAP_KEY_CAP }));
    }
}

/// Whether every property that a condition names is declared beside it: a condition that holds counts its properties as
/// known, and would let in what nothing else describes.
fn names_are_declared(condition: &Located, beside: &Located) -> bool {
    condition.entries().iter().all(|(keyword, value)| match keyword.as_str() {
        "properties" => {
            let declared = beside.get("properties");
            value.entries().iter().all(|(name, _)| declared.is_some_and(|part| part.get(name).is_some()))
        }
        "allOf" | "anyOf" | "oneOf" => value.items().iter().all(|branch| names_are_declared(branch, beside)),
        "required" | "type" | "const" | "enum" | "not" | "minimum" | "maximum" | "exclusiveMinimum"
        | "exclusiveMaximum" | "multipleOf" | "minLength" | "maxLength" | "pattern" | "minItems"
        | "maxItems" | "uniqueItems" | "minProperties" | "maxProperties" | "propertyNames"
        | "dependentRequired" | "title" | "description" => true,
        _ => false,
    })
}

fn asks_unevaluated(root: &Located) -> bool {
    let mut found = false;
    shape::each(root, &mut |_, schema| {
        found |=
            ["unevaluatedProperties", "unevaluatedItems"].iter().any(|keyword| schema.get(keyword).is_some());
    });
    found
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
