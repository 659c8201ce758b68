//! A closed output schema, read once: its places as numbered nodes, references resolved.
//!
//! It reads the language's output subset and what closing adds to it. A keyword with a meaning that is not modelled here
//! makes the whole schema unsupported, so that nothing is projected by a misread one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::{Map, Value};

use super::decimal::Decimal;
use super::texts::Judge;
use super::words;
use crate::boundary::Compile;
use crate::json::{as_written, canonical};
use crate::lock::RawJson;

/// A schema has at most this many nodes.
const MAX_NODES: usize = 20_000;

/// Keywords that a validator obeys and that are not modelled.
const BEYOND: [&str; 15] = [
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "patternProperties",
    "contains",
    "minContains",
    "maxContains",
    "prefixItems",
    "additionalItems",
    "minProperties",
    "$dynamicRef",
    "$recursiveRef",
];

/// Why a schema cannot be projected by. No proved lock of the compiler's holds such an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The keyword, or what is wrong with the schema as a whole.
    pub what: String,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an output schema cannot be projected by: `{}`", self.what)
    }
}

impl std::error::Error for Unsupported {}

/// A place of the schema by number.
pub(super) type Id = usize;

/// The types that a place takes, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    const WORDS: [&'static str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];

    fn named(word: &str) -> Option<Self> {
        Self::WORDS.iter().position(|known| *known == word).map(|at| Self(1 << at))
    }

    pub(super) fn takes(self, value: &Value) -> bool {
        let bit = match value {
            Value::Null => 1,
            Value::Bool(_) => 1 << 1,
            Value::Object(_) => 1 << 2,
            Value::Array(_) => 1 << 3,
            Value::Number(number) => {
                let whole = number.as_f64().is_some_and(|double| double.fract() == 0.0);
                1 << 4 | if whole { 1 << 6 } else { 0 }
            }
            Value::String(_) => 1 << 5,
        };
        self.0 & bit != 0
    }
}

/// The bounds of a number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    pub(super) above: Option<f64>,
    pub(super) below: Option<f64>,
    pub(super) least: Option<f64>,
    pub(super) most: Option<f64>,
    pub(super) step: Option<Decimal>,
}

/// One place of the schema.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) additional: Option<Id>,
    pub(super) all: Vec<Id>,
    pub(super) any: Option<Vec<Id>>,
    /// `unevaluatedItems: false`.
    pub(super) closed_items: bool,
    /// `unevaluatedProperties: false`.
    pub(super) closed: bool,
    /// `unevaluatedProperties: true`, which counts every member as known.
    pub(super) knows_all: bool,
    /// `unevaluatedItems: true`.
    pub(super) knows_items: bool,
    pub(super) items: Option<Id>,
    pub(super) judge: Option<Judge>,
    pub(super) kinds: Option<Kinds>,
    /// The canonical forms that `enum` and `const` leave.
    pub(super) listed: Option<BTreeSet<String>>,
    pub(super) max_items: Option<u64>,
    pub(super) max_length: Option<u64>,
    pub(super) max_properties: Option<u64>,
    pub(super) min_items: Option<u64>,
    pub(super) min_length: Option<u64>,
    pub(super) names: Option<Id>,
    /// The schema `false`.
    pub(super) never: bool,
    pub(super) not: Option<Id>,
    pub(super) one: Option<Vec<Id>>,
    /// `pattern` or `format` takes no text of more than one word, whatever the text.
    pub(super) one_word: bool,
    pub(super) properties: BTreeMap<String, Id>,
    pub(super) range: Range,
    pub(super) required: BTreeSet<String>,
    /// `pattern` or `format` stands, whether or not it can be judged.
    pub(super) shaped: bool,
    pub(super) title: bool,
    pub(super) unique: bool,
}

/// A whole schema.
#[derive(Debug)]
pub(super) struct Schema {
    nodes: Vec<Node>,
    pub(super) root: Id,
}

impl Schema {
    pub(super) fn read(schema: &RawJson, engine: &dyn Compile) -> Result<Self, Unsupported> {
        let root = as_written(schema.as_str()).map_err(|_| beyond("no JSON"))?;
        let mut reader = Reader { by_pointer: BTreeMap::new(), engine, nodes: Vec::new(), root: &root };
        let id = reader.node(&root)?;
        Ok(Self { nodes: reader.nodes, root: id })
    }

    pub(super) fn node(&self, id: Id) -> Option<&Node> {
        self.nodes.get(id)
    }
}

struct Reader<'s> {
    /// Referenced places that are read already or being read.
    by_pointer: BTreeMap<&'s str, Id>,
    engine: &'s dyn Compile,
    nodes: Vec<Node>,
    root: &'s Value,
}

impl<'s> Reader<'s> {
    fn node(&mut self, schema: &'s Value) -> Result<Id, Unsupported> {
        let id = self.reserve()?;
        self.fill(id, schema)?;
        Ok(id)
    }

    fn reserve(&mut self) -> Result<Id, Unsupported> {
        if self.nodes.len() >= MAX_NODES {
            return Err(beyond("more places than are read"));
        }
        self.nodes.push(Node::default());
        Ok(self.nodes.len() - 1)
    }

    fn fill(&mut self, id: Id, schema: &'s Value) -> Result<(), Unsupported> {
        let node = match schema {
            Value::Bool(taken) => Node { never: !taken, ..Node::default() },
            Value::Object(map) => self.read(map)?,
            _ => return Err(beyond("a schema that is no object")),
        };
        if let Some(place) = self.nodes.get_mut(id) {
            *place = node;
        }
        Ok(())
    }

    fn read(&mut self, map: &'s Map<String, Value>) -> Result<Node, Unsupported> {
        if let Some(keyword) = BEYOND.iter().find(|keyword| map.contains_key(**keyword)) {
            return Err(beyond(keyword));
        }
        let mut node =
            Node { kinds: kinds(map)?, listed: listed(map)?, range: range(map)?, ..Node::default() };
        self.string(map, &mut node)?;
        self.array(map, &mut node)?;
        self.object(map, &mut node)?;
        self.in_place(map, &mut node)?;
        Ok(node)
    }

    fn string(&mut self, map: &'s Map<String, Value>, node: &mut Node) -> Result<(), Unsupported> {
        let word = |keyword| match map.get(keyword) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str())),
            Some(_) => Err(beyond(keyword)),
        };
        let (pattern, format) = (word("pattern")?, word("format")?);
        node.shaped = pattern.is_some() || format.is_some();
        node.judge = if node.shaped { Judge::new(self.engine, pattern, format) } else { None };
        node.one_word =
            pattern.is_some_and(words::pattern_is_one_word) || format.is_some_and(words::format_is_one_word);
        node.max_length = count(map, "maxLength")?;
        node.min_length = count(map, "minLength")?;
        node.title = flag(map, "untrusted_title")?.unwrap_or(false);
        Ok(())
    }

    fn array(&mut self, map: &'s Map<String, Value>, node: &mut Node) -> Result<(), Unsupported> {
        node.items = self.child(map, "items")?;
        node.max_items = count(map, "maxItems")?;
        node.min_items = count(map, "minItems")?;
        node.unique = flag(map, "uniqueItems")?.unwrap_or(false);
        let rest = flag(map, "unevaluatedItems")?;
        node.closed_items = rest == Some(false);
        node.knows_items = rest == Some(true);
        Ok(())
    }

    fn object(&mut self, map: &'s Map<String, Value>, node: &mut Node) -> Result<(), Unsupported> {
        if let Some(properties) = map.get("properties") {
            for (name, schema) in properties.as_object().ok_or_else(|| beyond("properties"))? {
                let id = self.node(schema)?;
                node.properties.insert(name.clone(), id);
            }
        }
        if let Some(required) = map.get("required") {
            let names = required.as_array().ok_or_else(|| beyond("required"))?.iter();
            let names = names.map(|name| name.as_str().map(str::to_owned).ok_or_else(|| beyond("required")));
            node.required = names.collect::<Result<_, _>>()?;
        }
        node.additional = self.child(map, "additionalProperties")?;
        node.names = self.child(map, "propertyNames")?;
        node.max_properties = count(map, "maxProperties")?;
        let rest = flag(map, "unevaluatedProperties")?;
        node.closed = rest == Some(false);
        node.knows_all = rest == Some(true);
        Ok(())
    }

    fn in_place(&mut self, map: &'s Map<String, Value>, node: &mut Node) -> Result<(), Unsupported> {
        node.all = self.children(map, "allOf")?.unwrap_or_default();
        node.any = self.children(map, "anyOf")?;
        node.one = self.children(map, "oneOf")?;
        node.not = self.child(map, "not")?;
        if let Some(reference) = map.get("$ref") {
            let pointer =
                reference.as_str().and_then(|text| text.strip_prefix('#')).ok_or_else(|| beyond("$ref"))?;
            node.all.push(self.referenced(pointer)?);
        }
        Ok(())
    }

    /// A referenced place, read once; a place that is being read stands by its number.
    fn referenced(&mut self, pointer: &'s str) -> Result<Id, Unsupported> {
        if let Some(id) = self.by_pointer.get(pointer) {
            return Ok(*id);
        }
        let target = self.root.pointer(pointer).ok_or_else(|| beyond("$ref"))?;
        let id = self.reserve()?;
        self.by_pointer.insert(pointer, id);
        self.fill(id, target)?;
        Ok(id)
    }

    fn child(&mut self, map: &'s Map<String, Value>, keyword: &str) -> Result<Option<Id>, Unsupported> {
        map.get(keyword).map(|schema| self.node(schema)).transpose()
    }

    fn children(
        &mut self,
        map: &'s Map<String, Value>,
        keyword: &str,
    ) -> Result<Option<Vec<Id>>, Unsupported> {
        let Some(branches) = map.get(keyword) else { return Ok(None) };
        let branches = branches.as_array().ok_or_else(|| beyond(keyword))?;
        branches.iter().map(|branch| self.node(branch)).collect::<Result<_, _>>().map(Some)
    }
}

fn kinds(map: &Map<String, Value>) -> Result<Option<Kinds>, Unsupported> {
    let kind = |word: &Value| word.as_str().and_then(Kinds::named).ok_or_else(|| beyond("type"));
    match map.get("type") {
        None => Ok(None),
        Some(Value::Array(words)) => {
            let kinds = words.iter().map(kind).collect::<Result<Vec<_>, _>>()?;
            Ok(Some(Kinds(kinds.iter().fold(0, |all, one| all | one.0))))
        }
        Some(word) => kind(word).map(Some),
    }
}

fn listed(map: &Map<String, Value>) -> Result<Option<BTreeSet<String>>, Unsupported> {
    let form = |value: &Value| canonical(value).map_err(|_| beyond("a number that no reader holds"));
    let several = match map.get("enum") {
        None => None,
        Some(values) => {
            let values = values.as_array().ok_or_else(|| beyond("enum"))?;
            Some(values.iter().map(form).collect::<Result<BTreeSet<_>, _>>()?)
        }
    };
    let one = map.get("const").map(form).transpose()?;
    Ok(match (several, one) {
        (Some(several), Some(one)) => Some(several.into_iter().filter(|form| *form == one).collect()),
        (several, None) => several,
        (None, Some(one)) => Some(BTreeSet::from([one])),
    })
}

fn range(map: &Map<String, Value>) -> Result<Range, Unsupported> {
    let bound = |keyword| match map.get(keyword) {
        None => Ok(None),
        Some(value) => value.as_f64().map(Some).ok_or_else(|| beyond(keyword)),
    };
    let step = match map.get("multipleOf") {
        None => None,
        Some(Value::Number(number)) => Some(Decimal::of(number).ok_or_else(|| beyond("multipleOf"))?),
        Some(_) => return Err(beyond("multipleOf")),
    };
    Ok(Range {
        above: bound("exclusiveMinimum")?,
        below: bound("exclusiveMaximum")?,
        least: bound("minimum")?,
        most: bound("maximum")?,
        step,
    })
}

/// A count; JSON Schema takes `3.0` for one.
fn count(map: &Map<String, Value>, keyword: &str) -> Result<Option<u64>, Unsupported> {
    let Some(value) = map.get(keyword) else { return Ok(None) };
    let whole = value.as_f64().filter(|double| *double >= 0.0 && *double <= 9e15 && double.fract() == 0.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and within range")]
    whole.map(|double| Some(double as u64)).ok_or_else(|| beyond(keyword))
}

fn flag(map: &Map<String, Value>, keyword: &str) -> Result<Option<bool>, Unsupported> {
    map.get(keyword).map(|value| value.as_bool().ok_or_else(|| beyond(keyword))).transpose()
}

fn beyond(what: &str) -> Unsupported {
    Unsupported { what: what.to_owned() }
}
