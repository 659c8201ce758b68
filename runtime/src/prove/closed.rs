//! Whether a schema names all that it lets through, at every depth: the compiler's closed form, read from the other end.
//!
//! A schema that speaks of a part of a value (the root, a property, an item) is closed where it stands; the branches of one
//! value are closed where they meet, so none of them may let through what nothing names. Both are demands. A question (`if`,
//! `not`, `contains`, `propertyNames`) lets nothing through, but `if` and `contains` make names and items known: they know
//! none that stand not beside them too. A keyword that the compiler never writes is refused, whatever a validator makes of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::json::raw::{self, Node};
use crate::lock::RawJson;

/// Where a schema lets through what it does not name.
#[derive(Debug)]
pub(super) struct Opened {
    /// The way there, the innermost step first.
    way: Vec<String>,
    why: String,
}

impl Opened {
    fn at(why: impl Into<String>) -> Self {
        Self { way: Vec::new(), why: why.into() }
    }

    fn below(mut self, step: impl Into<String>) -> Self {
        self.way.push(step.into());
        self
    }

    /// The place as a JSON pointer, empty for the root, and why it is open.
    pub(super) fn told(self) -> (String, String) {
        let steps = self.way.iter().rev().map(|step| step.replace('~', "~0").replace('/', "~1"));
        (steps.fold(String::new(), |pointer, step| pointer + "/" + &step), self.why)
    }
}

type Found = Result<(), Opened>;

/// Demands that a schema is closed at every depth. Its keys stand once each, as the scan of a lock sees to.
pub(super) fn demand(schema: &RawJson) -> Found {
    let root = raw::node(schema.as_str()).ok_or_else(|| Opened::at("it cannot be read"))?;
    let mut proof = Proof { defs: definitions(&root), ..Proof::default() };
    proof.demand(&root, Position::Root)?;
    while let Some(name) = proof.waiting.pop() {
        if let Some(target) = proof.defs.get(name).copied() {
            let found = proof.demand(target, Position::InPlace);
            found.map_err(|open| open.below(name).below("$defs"))?;
        }
    }
    Ok(())
}

/// Demands that a narrowing has no keyword that no closed schema has: it stands beside one, so that it opens nothing, but it is
/// shown and may not say what was never looked at (a reference elsewhere, an input that travels as a header).
pub(super) fn known(narrowing: &RawJson) -> Found {
    let root = raw::node(narrowing.as_str()).ok_or_else(|| Opened::at("it cannot be read"))?;
    asked(&root)
}

/// Where a schema stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// The whole value: closed here, and where definitions stand.
    Root,
    /// A part of a value: closed here.
    Child,
    /// One of several schemas of one value: closed where they meet.
    InPlace,
}

/// What a place can hold, as far as its branches say; never too little.
#[derive(Clone, Copy)]
struct Shape {
    array: bool,
    object: bool,
    scalar: bool,
    /// Whether every array that fits has each of its items held to a schema by some branch.
    itemised: bool,
}

impl Shape {
    const ANYTHING: Self = Self { array: true, object: true, scalar: true, itemised: false };
    const NOTHING: Self = Self { array: false, object: false, scalar: false, itemised: true };

    fn and(self, other: Self) -> Self {
        Self {
            array: self.array && other.array,
            object: self.object && other.object,
            scalar: self.scalar && other.scalar,
            itemised: self.itemised || other.itemised,
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            array: self.array || other.array,
            object: self.object || other.object,
            scalar: self.scalar || other.scalar,
            itemised: self.itemised && other.itemised,
        }
    }

    /// What a word of `type` says; one that is none says nothing.
    fn of_word(word: &Node<'_>) -> Self {
        let of = |array, object, scalar| Self { array, object, scalar, itemised: false };
        match text(word).as_deref() {
            Some("array") => of(true, false, false),
            Some("object") => of(false, true, false),
            Some("boolean" | "integer" | "null" | "number" | "string") => of(false, false, true),
            _ => Self::ANYTHING,
        }
    }

    fn of_value(value: &Node<'_>) -> Self {
        match value {
            Node::List(_) => Self { array: true, ..Self::NOTHING },
            Node::Map(_) => Self { object: true, ..Self::NOTHING },
            Node::Scalar(_) => Self { scalar: true, ..Self::NOTHING },
        }
    }
}

#[derive(Default)]
struct Proof<'t> {
    defs: BTreeMap<&'t str, &'t Node<'t>>,
    /// Of definitions.
    shapes: BTreeMap<&'t str, Shape>,
    /// Definitions that a demand leads to.
    wanted: BTreeSet<&'t str>,
    waiting: Vec<&'t str>,
}

impl<'t> Proof<'t> {
    fn demand(&mut self, schema: &'t Node<'t>, position: Position) -> Found {
        let members = match schema {
            Node::Map(members) => members,
            Node::Scalar("false") => return Ok(()),
            // Beside others it says nothing.
            Node::Scalar("true") if position == Position::InPlace => return Ok(()),
            Node::Scalar("true") => return Err(Opened::at("`true` lets anything through")),
            _ => return Err(Opened::at("this is no schema")),
        };
        for (keyword, value) in members {
            let found = self.keyword(schema, keyword, value, position);
            found.map_err(|open| open.below(keyword.as_ref()))?;
        }
        let is_listed = ["const", "enum"].iter().any(|keyword| get(schema, keyword).is_some());
        if is_listed || position == Position::InPlace { Ok(()) } else { self.sealed(schema) }
    }

    fn keyword(
        &mut self,
        schema: &'t Node<'t>,
        keyword: &str,
        value: &'t Node<'t>,
        position: Position,
    ) -> Found {
        match keyword {
            "$defs" if position == Position::Root => Ok(()),
            "$ref" => self.reference(value),
            "properties" => self.each(value, Position::Child),
            "dependentSchemas" => self.each(value, Position::InPlace),
            "items" => self.demand(value, Position::Child),
            "prefixItems" => self.list(value, Position::Child),
            "allOf" | "anyOf" | "oneOf" => self.list(value, Position::InPlace),
            "then" | "else" => self.demand(value, Position::InPlace),
            "not" | "propertyNames" => asked(value),
            "if" => {
                let hint = "it asks about what is not declared beside it, and whatever it asks about counts as named";
                let beside = match get(schema, "properties") {
                    Some(Node::Map(declared)) => declared.iter().map(|(name, _)| name.as_ref()).collect(),
                    _ => BTreeSet::new(),
                };
                if is_declared(value, &beside) { asked(value) } else { Err(Opened::at(hint)) }
            }
            "contains" if get(schema, "items").is_none() => {
                Err(Opened::at("it stands without `items`, and whatever it finds counts as named"))
            }
            "contains" => asked(value),
            "additionalProperties" => self.additional(schema, value),
            "unevaluatedItems" if is(value, "true") => whole_values(schema),
            "unevaluatedItems" => self.demand(value, Position::Child),
            "unevaluatedProperties" if is(value, "true") => whole_values(schema),
            "unevaluatedProperties" if is(value, "false") => Ok(()),
            "unevaluatedProperties" => Err(Opened::at("it lets through names that nothing lists")),
            _ if says_nothing_of_names(keyword) => Ok(()),
            _ => Err(Opened::at("no closed schema has this keyword")),
        }
    }

    /// An object takes no more names, or is a map from a bounded number of names to single values.
    fn additional(&mut self, schema: &'t Node<'t>, value: &'t Node<'t>) -> Found {
        if is(value, "false") {
            return Ok(());
        }
        let is_bounded = ["maxProperties", "propertyNames"].iter().all(|bound| get(schema, bound).is_some());
        let shape = self.shape(value);
        if !is_bounded || shape.array || shape.object {
            return Err(Opened::at(
                "it lets through names that nothing lists, and is no map of so many names to single values",
            ));
        }
        self.demand(value, Position::Child)
    }

    /// What speaks of a part of a value lets through no object and no array with more in it than is named.
    fn sealed(&mut self, schema: &'t Node<'t>) -> Found {
        let shape = self.shape(schema);
        let ends = |keyword| get(schema, keyword).is_some_and(|rest| is(rest, "false"));
        if shape.object && !ends("unevaluatedProperties") && !ends("additionalProperties") {
            return Err(Opened::at("objects may have members that nothing names"));
        }
        if shape.array && !shape.itemised {
            return Err(Opened::at("arrays may have items that nothing describes"));
        }
        Ok(())
    }

    fn each(&mut self, map: &'t Node<'t>, position: Position) -> Found {
        let Node::Map(members) = map else { return Err(Opened::at("this is no map of schemas")) };
        members.iter().try_for_each(|(name, schema)| {
            self.demand(schema, position).map_err(|open| open.below(name.as_ref()))
        })
    }

    fn list(&mut self, list: &'t Node<'t>, position: Position) -> Found {
        let Node::List(items) = list else { return Err(Opened::at("this is no list of schemas")) };
        items.iter().enumerate().try_for_each(|(at, schema)| {
            self.demand(schema, position).map_err(|open| open.below(at.to_string()))
        })
    }

    fn reference(&mut self, target: &Node<'t>) -> Found {
        let name =
            definition(target).and_then(|name| self.defs.get_key_value(name.as_str()).map(|(name, _)| *name));
        let Some(name) = name else { return Err(Opened::at("it leads to no definition of this schema")) };
        if self.wanted.insert(name) {
            self.waiting.push(name);
        }
        Ok(())
    }

    fn shape(&mut self, schema: &'t Node<'t>) -> Shape {
        for name in self.references(schema) {
            self.settle(name);
        }
        in_place(schema, &self.shapes)
    }

    /// Works out the shape of a definition behind those that it leans on. One that leans on itself may be anything.
    fn settle(&mut self, name: &'t str) {
        let mut opened = BTreeSet::from([name]);
        let mut stack = vec![(name, self.leaned_on(name))];
        while let Some((name, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) if self.shapes.contains_key(next) || !opened.insert(next) => {}
                Some(next) => stack.push((next, self.leaned_on(next))),
                None => {
                    let shape = self.defs.get(*name).map(|target| in_place(target, &self.shapes));
                    self.shapes.insert(name, shape.unwrap_or(Shape::ANYTHING));
                    stack.pop();
                }
            }
        }
    }

    fn leaned_on(&self, name: &str) -> Vec<&'t str> {
        if self.shapes.contains_key(name) {
            return Vec::new();
        }
        self.defs.get(name).map_or_else(Vec::new, |target| self.references(target))
    }

    /// The definitions that speak of the same value as a schema does.
    fn references(&self, schema: &Node<'t>) -> Vec<&'t str> {
        let mut found = Vec::new();
        let mut open = vec![schema];
        while let Some(place) = open.pop() {
            let target = get(place, "$ref").and_then(definition);
            found.extend(
                target.and_then(|name| self.defs.get_key_value(name.as_str())).map(|(name, _)| *name),
            );
            let branches = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|keyword| get(place, keyword));
            open.extend(branches.flat_map(|branches| match branches {
                Node::List(items) => items.as_slice(),
                _ => &[],
            }));
        }
        found
    }
}

/// What a schema's own branches leave. A definition whose shape is not known may be anything.
fn in_place(schema: &Node<'_>, known: &BTreeMap<&str, Shape>) -> Shape {
    let members = match schema {
        Node::Map(members) => members,
        Node::Scalar("false") => return Shape::NOTHING,
        _ => return Shape::ANYTHING,
    };
    let mut shape = Shape::ANYTHING;
    for (keyword, value) in members {
        let said = match (keyword.as_ref(), value) {
            ("type", Node::List(words)) => words.iter().map(Shape::of_word).reduce(Shape::or),
            ("type", word) => Some(Shape::of_word(word)),
            ("const", value) => Some(Shape::of_value(value)),
            ("enum", Node::List(values)) => values.iter().map(Shape::of_value).reduce(Shape::or),
            ("$ref", target) => definition(target).and_then(|name| known.get(name.as_str()).copied()),
            ("allOf", Node::List(all)) => all.iter().map(|branch| in_place(branch, known)).reduce(Shape::and),
            ("anyOf" | "oneOf", Node::List(any)) => {
                any.iter().map(|branch| in_place(branch, known)).reduce(Shape::or)
            }
            ("items", _) => Some(Shape { itemised: true, ..Shape::ANYTHING }),
            ("unevaluatedItems", rest) if !is(rest, "true") => {
                Some(Shape { itemised: true, ..Shape::ANYTHING })
            }
            _ => None,
        };
        shape = said.map_or(shape, |said| shape.and(said));
    }
    Shape { itemised: shape.itemised || !shape.array, ..shape }
}

/// What is let through whole is one of a list of values.
fn whole_values(schema: &Node<'_>) -> Found {
    let listed = ["const", "enum"].iter().any(|keyword| get(schema, keyword).is_some());
    if listed { Ok(()) } else { Err(Opened::at("`true` lets anything through")) }
}

/// Whether every name that a condition asks about is declared beside it, and it asks in no way that makes others known.
fn is_declared(condition: &Node<'_>, beside: &BTreeSet<&str>) -> bool {
    let members = match condition {
        Node::Map(members) => members,
        Node::Scalar("true" | "false") => return true,
        _ => return false,
    };
    members.iter().all(|(keyword, value)| match (keyword.as_ref(), value) {
        ("properties", Node::Map(asked)) => asked.iter().all(|(name, _)| beside.contains(name.as_ref())),
        ("allOf" | "anyOf" | "oneOf", Node::List(all)) => {
            all.iter().all(|branch| is_declared(branch, beside))
        }
        ("not" | "propertyNames", _) => true,
        (keyword, _) => says_nothing_of_names(keyword),
    })
}

/// A question has no keyword that moves where references lead, at any depth.
fn asked(question: &Node<'_>) -> Found {
    let Node::Map(members) = question else { return Ok(()) };
    members.iter().try_for_each(|(keyword, value)| {
        let found = match (keyword.as_ref(), value) {
            ("$defs" | "dependentSchemas" | "patternProperties" | "properties", Node::Map(all)) => all
                .iter()
                .try_for_each(|(name, schema)| asked(schema).map_err(|open| open.below(name.as_ref()))),
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Node::List(all)) => {
                let mut all = all.iter().enumerate();
                all.try_for_each(|(at, schema)| asked(schema).map_err(|open| open.below(at.to_string())))
            }
            (
                "additionalProperties"
                | "contains"
                | "else"
                | "if"
                | "items"
                | "not"
                | "propertyNames"
                | "then"
                | "unevaluatedItems"
                | "unevaluatedProperties",
                schema,
            ) => asked(schema),
            ("$ref", target) if definition(target).is_some() => Ok(()),
            (keyword, _) if says_nothing_of_names(keyword) => Ok(()),
            _ => Err(Opened::at("no closed schema has this keyword")),
        };
        found.map_err(|open| open.below(keyword.as_ref()))
    })
}

/// The keywords that bound a value or describe it, and know no name and no item.
fn says_nothing_of_names(keyword: &str) -> bool {
    matches!(
        keyword,
        "const"
            | "default"
            | "dependentRequired"
            | "deprecated"
            | "description"
            | "enum"
            | "examples"
            | "exclusiveMaximum"
            | "exclusiveMinimum"
            | "format"
            | "maxContains"
            | "maxItems"
            | "maxLength"
            | "maxProperties"
            | "maximum"
            | "minContains"
            | "minItems"
            | "minLength"
            | "minProperties"
            | "minimum"
            | "multipleOf"
            | "pattern"
            | "required"
            | "title"
            | "type"
            | "uniqueItems"
            | "untrusted_title"
    )
}

fn definitions<'t>(root: &'t Node<'t>) -> BTreeMap<&'t str, &'t Node<'t>> {
    match get(root, "$defs") {
        Some(Node::Map(defs)) => defs.iter().map(|(name, schema)| (name.as_ref(), schema)).collect(),
        _ => BTreeMap::new(),
    }
}

/// The name of the definition that a reference leads to, in the one spelling that the compiler writes.
fn definition(target: &Node<'_>) -> Option<String> {
    let text = text(target)?;
    let name = text.strip_prefix("#/$defs/")?;
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    is_plain.then(|| name.to_owned())
}

fn get<'n, 't>(schema: &'n Node<'t>, key: &str) -> Option<&'n Node<'t>> {
    let Node::Map(members) = schema else { return None };
    members.iter().find(|(own, _)| own == key).map(|(_, value)| value)
}

fn is(node: &Node<'_>, word: &str) -> bool {
    matches!(node, Node::Scalar(own) if *own == word)
}

fn text<'t>(node: &Node<'t>) -> Option<std::borrow::Cow<'t, str>> {
    match node {
        Node::Scalar(text) => raw::read(text),
        _ => None,
    }
}
