//! Where schemas stand inside schemas, and what a place can hold.
//!
//! Everything here reads the 2020-12 vocabulary and the older names of the same places.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::Value;

use super::Located;
use super::located::Part;
use super::path::{Path, Step};
use super::reference;

/// What stands under a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// One schema.
    Schema,
    /// One schema, or a list of them in the older drafts.
    SchemaOrList,
    /// A list of schemas.
    Schemas,
    /// A mapping from names to schemas.
    SchemaMap,
    /// A mapping from names to schemas or lists of names.
    Dependencies,
    /// Anything else: no schema within.
    Data,
}

/// What stands under `keyword`.
pub(super) fn spot(keyword: &str) -> Spot {
    match keyword {
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => Spot::SchemaMap,
        "items" => Spot::SchemaOrList,
        "prefixItems" | "allOf" | "anyOf" | "oneOf" => Spot::Schemas,
        "additionalProperties"
        | "additionalItems"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames" => Spot::Schema,
        "dependencies" => Spot::Dependencies,
        _ => Spot::Data,
    }
}

/// How an inner schema relates to the value its outer schema is applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// To a part of the value.
    Child,
    /// To the value itself, as a demand.
    InPlace,
    /// To the value or a part of it, as a question: tightening it could loosen the whole.
    Condition,
    /// To nothing until a `$ref` leads to it.
    Definition,
}

/// How the schemas under `keyword` relate to their outer schema.
pub(super) fn role(keyword: &str) -> Role {
    match keyword {
        "allOf" | "anyOf" | "oneOf" | "then" | "else" | "dependentSchemas" | "dependencies" => Role::InPlace,
        "not" | "if" | "contains" | "propertyNames" => Role::Condition,
        "$defs" | "definitions" => Role::Definition,
        _ => Role::Child,
    }
}

/// An inner schema.
pub(super) struct Inner<'t> {
    /// How it relates.
    pub(super) role: Role,
    /// The keyword and the step under it that lead here.
    steps: [Step<'t>; 2],
    /// Itself: a mapping or a boolean, where the schema is well-formed.
    pub(super) schema: &'t Located,
}

impl<'t> Inner<'t> {
    /// Its place, where its outer schema stands at `outer`.
    pub(super) fn path<'p>(&self, outer: &'p Path<'p>) -> Path<'p>
    where
        't: 'p,
    {
        let [keyword, step] = self.steps;
        outer.down(keyword, step)
    }
}

/// The schemas directly inside `schema`, in the order of the text.
pub(super) fn inner(schema: &Located) -> Vec<Inner<'_>> {
    let mut found = Vec::new();
    for (keyword, value) in schema.entries() {
        let (role, at) = (role(keyword), Step::Key(keyword));
        match (spot(keyword), &value.part) {
            (Spot::Data, _) => {}
            (Spot::Schemas | Spot::SchemaOrList, Part::List(items)) => {
                for (index, schema) in items.iter().enumerate() {
                    found.push(Inner { role, steps: [at, Step::Item(index)], schema });
                }
            }
            (Spot::SchemaMap | Spot::Dependencies, Part::Map(entries)) => {
                for (name, schema) in entries.iter().filter(|(_, schema)| !schema.is_list()) {
                    found.push(Inner { role, steps: [at, Step::Key(name)], schema });
                }
            }
            (Spot::Schema | Spot::SchemaOrList, _) => {
                found.push(Inner { role, steps: [at, Step::Stay], schema: value })
            }
            _ => {}
        }
    }
    found
}

/// Calls `visit` for `schema` and every schema within it, outer ones first.
pub(super) fn each<'t>(schema: &'t Located, visit: &mut dyn FnMut(&Path<'_>, &'t Located)) {
    each_below(schema, &Path::ROOT, visit);
}

fn each_below<'t>(schema: &'t Located, at: &Path<'_>, visit: &mut dyn FnMut(&Path<'_>, &'t Located)) {
    visit(at, schema);
    for inner in inner(schema) {
        each_below(inner.schema, &inner.path(at), visit);
    }
}

/// A set of JSON types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const NUMBER: Self = Self(4);
    pub(super) const STRING: Self = Self(8);
    pub(super) const ARRAY: Self = Self(16);
    pub(super) const OBJECT: Self = Self(32);
    pub(super) const NONE: Self = Self(0);
    pub(super) const ALL: Self = Self(63);

    /// Those in both.
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those in either.
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether any of `other` is in this.
    pub(super) fn meets(self, other: Self) -> bool {
        self.and(other) != Self::NONE
    }

    /// Whether nothing but scalars is in this.
    pub(super) fn scalar(self) -> bool {
        !self.meets(Self::ARRAY.or(Self::OBJECT))
    }

    /// The type named by `word`; integers are numbers.
    pub(super) fn named(word: &str) -> Option<Self> {
        Some(match word {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "number" | "integer" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }

    /// The type of a part.
    pub(super) fn of_part(part: &Located) -> Self {
        match &part.part {
            Part::Scalar(value) => Self::of(value),
            Part::List(_) => Self::ARRAY,
            Part::Map(_) => Self::OBJECT,
        }
    }

    /// The type of a value.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }
}

/// The words of a `type` keyword.
pub(super) fn type_words(schema: &Located) -> Vec<&str> {
    match schema.get("type") {
        Some(word) if word.is_list() => word.items().iter().filter_map(Located::text).collect(),
        Some(word) => word.text().into_iter().collect(),
        None => Vec::new(),
    }
}

/// The values of `enum` or `const`, where the schema has one.
pub(super) fn finite(schema: &Located) -> Option<Vec<Value>> {
    listed(schema).map(|values| values.iter().map(Located::value).collect())
}

/// The same, as they are written.
pub(super) fn listed(schema: &Located) -> Option<&[Located]> {
    match schema.get("const") {
        Some(value) => Some(std::slice::from_ref(value)),
        None => schema.get("enum").map(Located::items),
    }
}

/// Whether the schema lists its values: whether [`finite`] has any.
pub(super) fn is_finite(schema: &Located) -> bool {
    schema.get("const").is_some() || schema.get("enum").is_some()
}

/// What the places of one tree can hold. Answers are kept: a place may be reached by many references.
pub(super) struct Shapes<'t> {
    root: &'t Located,
    known: RefCell<BTreeMap<usize, Kinds>>,
}

/// How many schemas are followed on the way from one place; what lies beyond counts as unknown.
const FUEL: usize = 64;

impl<'t> Shapes<'t> {
    /// For the tree below `root`.
    pub(super) fn new(root: &'t Located) -> Self {
        Self { root, known: RefCell::default() }
    }

    /// The types of value that `schema` can accept; never too few.
    pub(super) fn kinds(&self, schema: &Located) -> Kinds {
        self.kinds_within(schema, FUEL)
    }

    fn kinds_within(&self, schema: &Located, fuel: usize) -> Kinds {
        let address = std::ptr::from_ref(schema).addr();
        let known = self.known.borrow().get(&address).copied();
        known.unwrap_or_else(|| {
            let found = if fuel == 0 { Kinds::ALL } else { self.find_kinds(schema, fuel - 1) };
            self.known.borrow_mut().insert(address, found);
            found
        })
    }

    fn find_kinds(&self, schema: &Located, fuel: usize) -> Kinds {
        if let Some(whole) = schema.boolean() {
            return if whole { Kinds::ALL } else { Kinds::NONE };
        }
        let mut found = Kinds::ALL;
        if schema.get("type").is_some() {
            let named = type_words(schema).into_iter().filter_map(Kinds::named);
            found = found.and(named.fold(Kinds::NONE, Kinds::or));
        }
        if let Some(values) = listed(schema) {
            found = found.and(values.iter().map(Kinds::of_part).fold(Kinds::NONE, Kinds::or));
        }
        if let Some((_, target)) = reference::follow(self.root, schema) {
            found = found.and(self.kinds_within(target, fuel));
        }
        for (keyword, either) in [("anyOf", true), ("oneOf", true), ("allOf", false)] {
            let Some(list) = branches(schema, keyword) else { continue };
            let kinds = list.iter().map(|branch| self.kinds_within(branch, fuel));
            found = found.and(if either {
                kinds.fold(Kinds::NONE, Kinds::or)
            } else {
                kinds.fold(Kinds::ALL, Kinds::and)
            });
        }
        found
    }

    /// Whether `test` holds of `schema` whatever branch a value takes: of itself, its `$ref`, one of `allOf`, or all of
    /// `anyOf` or `oneOf`.
    pub(super) fn always(&self, schema: &Located, test: &dyn Fn(&Located) -> bool) -> bool {
        self.always_within(schema, FUEL, test)
    }

    fn always_within(&self, schema: &Located, fuel: usize, test: &dyn Fn(&Located) -> bool) -> bool {
        if fuel == 0 {
            return false;
        }
        let rest = |branch: &Located| self.always_within(branch, fuel - 1, test);
        test(schema)
            || reference::follow(self.root, schema).is_some_and(|(_, target)| rest(target))
            || branches(schema, "allOf").is_some_and(|list| list.iter().any(rest))
            || branches(schema, "anyOf").is_some_and(|list| list.iter().all(rest))
            || branches(schema, "oneOf").is_some_and(|list| list.iter().all(rest))
    }
}

/// The branches under a combining keyword, where there are any.
pub(super) fn branches<'t>(schema: &'t Located, keyword: &str) -> Option<&'t [Located]> {
    schema.get(keyword).map(Located::items).filter(|list| !list.is_empty())
}
