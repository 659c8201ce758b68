//! Whether one schema is at least as tight as another, by structure alone.
//!
//! An overlay may restate an input of an outside server's tool and never loosen it. The judgement errs to one side: `Yes` is
//! proven, `No` names a demand that the restated schema drops, and all else is `CannotTell`.

use std::cell::Cell;

use serde_json::{Map, Value};

use super::admit::admits;
use super::ask::follow;
use super::disjoint::same;
use super::subset::FORMATS;

/// An answer that may be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tri {
    /// It is so.
    Yes,
    /// It is not so.
    No,
    /// Structure alone does not tell.
    CannotTell,
}

impl Tri {
    /// Both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::CannotTell,
        }
    }

    /// Either.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    /// The opposite.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "an operator would hide that the answer may be open")]
    pub fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::CannotTell => Self::CannotTell,
        }
    }

    /// All of them; what comes after a `No` is not asked.
    pub(super) fn all(answers: impl IntoIterator<Item = Self>) -> Self {
        let mut so_far = Self::Yes;
        for answer in answers {
            so_far = so_far.and(answer);
            if so_far == Self::No {
                break;
            }
        }
        so_far
    }

    /// One of them; what comes after a `Yes` is not asked.
    pub(super) fn any(answers: impl IntoIterator<Item = Self>) -> Self {
        Self::all(answers.into_iter().map(Self::not)).not()
    }

    /// What is not proven is open.
    fn proven(self) -> Self {
        if self == Self::Yes { Self::Yes } else { Self::CannotTell }
    }
}

impl From<bool> for Tri {
    fn from(value: bool) -> Self {
        if value { Self::Yes } else { Self::No }
    }
}

/// What one judgement may cost: branches of branches multiply, and who publishes a schema may mean them to.
#[derive(Clone, Copy)]
pub(super) struct Fuel<'a> {
    depth: usize,
    left: &'a Cell<u64>,
}

impl<'a> Fuel<'a> {
    /// How many schemas lie within each other.
    const DEPTH: usize = 24;
    /// How many steps a judgement takes in all.
    pub(super) const STEPS: u64 = 200_000;

    pub(super) fn new(left: &'a Cell<u64>) -> Self {
        Self { depth: Self::DEPTH, left }
    }

    /// What is left one schema deeper; nothing where it is spent.
    pub(super) fn deeper(self) -> Option<Self> {
        self.spend(1)?;
        Some(Self { depth: self.depth.checked_sub(1)?, left: self.left })
    }

    fn spend(self, steps: u64) -> Option<()> {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ())
    }
}

/// How many values a copy would hold.
fn size(value: &Value) -> u64 {
    match value {
        Value::Array(items) => items.iter().map(size).fold(1, u64::saturating_add),
        Value::Object(map) => map.values().map(size).fold(1, u64::saturating_add),
        _ => 1,
    }
}

/// Whether everything that `restated` accepts is accepted by `published` too. `published` is a place of the schema `root`,
/// whose `$defs` its references name; `restated` is a closed schema of its own.
pub fn tighter_or_equal(published: &Value, root: &Value, restated: &Value) -> Tri {
    let left = Cell::new(Fuel::STEPS);
    let same_definitions = root.get("$defs") == restated.get("$defs");
    Comparison { root, own: restated, same_definitions }.within(restated, published, Fuel::new(&left))
}

struct Comparison<'s> {
    /// What the published references name.
    root: &'s Value,
    /// What the restated references name.
    own: &'s Value,
    /// Whether a reference to a definition leads to the same one in both.
    same_definitions: bool,
}

/// Whether every reference within a schema leads to a definition of its root.
fn refers_to_definitions(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.iter().all(|(key, value)| match value {
            Value::String(target) if key == "$ref" => target.starts_with("#/$defs/"),
            other => refers_to_definitions(other),
        }),
        Value::Array(items) => items.iter().all(refers_to_definitions),
        _ => true,
    }
}

impl Comparison<'_> {
    /// Whether `inner` accepts nothing that `outer` refuses.
    fn within(&self, inner: &Value, outer: &Value, fuel: Fuel<'_>) -> Tri {
        let Some(fuel) = fuel.deeper() else { return Tri::CannotTell };
        // The same words accept the same values, where their references lead to the same.
        if inner == outer && self.same_definitions && refers_to_definitions(inner) {
            return Tri::Yes;
        }
        let (inner_map, outer_map) = match (inner, outer) {
            (Value::Bool(false), _) | (_, Value::Bool(true)) => return Tri::Yes,
            (_, Value::Bool(false)) => return Tri::No,
            (Value::Bool(true), Value::Object(outer)) => {
                return Tri::from(outer.is_empty()).or(Tri::CannotTell);
            }
            (Value::Object(inner), Value::Object(outer)) => (inner, outer),
            _ => return Tri::CannotTell,
        };
        if let Some(values) = listed(inner_map) {
            return Tri::all(values.iter().map(|value| admits(self.root, outer, value, fuel)));
        }
        if let Some(found) = self.split(inner, inner_map, outer, fuel) {
            return found;
        }
        let demands = outer_map.iter();
        Tri::all(
            demands.map(|(keyword, stated)| self.demand(inner, inner_map, outer_map, keyword, stated, fuel)),
        )
    }

    /// A restated schema that is built of others: the parts are judged, then the whole without them.
    fn split(&self, inner: &Value, map: &Map<String, Value>, outer: &Value, fuel: Fuel<'_>) -> Option<Tri> {
        if fuel.spend(size(inner)).is_none() {
            return Some(Tri::CannotTell);
        }
        let (keyword, branches) = if let Some(target) = follow(self.own, inner) {
            ("$ref", vec![target.clone()])
        } else if let Some((keyword, list)) = branches(map) {
            (keyword, list.clone())
        } else if let Some(words) = map.get("type").and_then(Value::as_array).filter(|words| words.len() > 1)
        {
            let typed = |word: &Value| {
                let mut one = map.clone();
                one.insert("type".to_owned(), word.clone());
                Value::Object(one)
            };
            let judged = words.iter().map(|word| self.within(&typed(word), outer, fuel));
            return Some(Tri::all(judged));
        } else {
            return None;
        };
        let judged = branches.iter().map(|branch| self.within(branch, outer, fuel));
        let judged = if keyword == "allOf" { Tri::any(judged) } else { Tri::all(judged) };
        let mut rest = map.clone();
        rest.shift_remove(keyword);
        if judged == Tri::Yes || self.within(&Value::Object(rest), outer, fuel) == Tri::Yes {
            return Some(Tri::Yes);
        }
        let alone = map.keys().all(|other| other == keyword || IDLE.contains(&other.as_str()));
        Some(if alone { judged } else { judged.proven() })
    }

    /// Whether `inner` meets one keyword of `outer`.
    fn demand(
        &self,
        whole: &Value,
        inner: &Map<String, Value>,
        outer: &Map<String, Value>,
        keyword: &str,
        stated: &Value,
        fuel: Fuel<'_>,
    ) -> Tri {
        let each = |branch: &Value| self.within(whole, branch, fuel);
        let list = || stated.as_array().into_iter().flatten();
        match keyword {
            _ if NOTES.contains(&keyword) || keyword.starts_with("x-") => Tri::Yes,
            "$ref" => follow(self.root, &Value::Object(outer.clone())).map_or(Tri::CannotTell, each),
            "allOf" => Tri::all(list().map(each)),
            "anyOf" => Tri::any(list().map(each)).proven(),
            "type" => types_within(inner.get("type"), stated),
            // What is not listed may still come to listed values, as a boolean does.
            "enum" | "const" => Tri::CannotTell,
            "required" => {
                let kept = |name: &Value| {
                    inner.get("required").and_then(Value::as_array).is_some_and(|own| own.contains(name))
                };
                (!may_be(inner, "object") || list().all(kept)).into()
            }
            "properties" => self.properties(inner, outer, fuel),
            "additionalProperties" | "unevaluatedProperties" => {
                if outer.contains_key("properties") {
                    Tri::Yes
                } else {
                    self.properties(inner, outer, fuel)
                }
            }
            "items" => match inner.get("items") {
                _ if !may_be(inner, "array")
                    || inner.get("unevaluatedItems") == Some(&Value::Bool(false))
                        && !inner.contains_key("items") =>
                {
                    Tri::Yes
                }
                Some(own) => self.within(own, stated, fuel),
                None => Tri::No,
            },
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" if may_be(inner, "number") => {
                number_within(inner, keyword, stated)
            }
            "minLength" | "maxLength" if may_be(inner, "string") => size_within(inner, keyword, stated),
            "minItems" | "maxItems" if may_be(inner, "array") => size_within(inner, keyword, stated),
            "minProperties" | "maxProperties" if may_be(inner, "object") => {
                size_within(inner, keyword, stated)
            }
            "format" if !stated.as_str().is_some_and(|name| FORMATS.contains(&name)) => Tri::Yes,
            "pattern" | "format" if may_be(inner, "string") => kept_or_open(inner, keyword, stated),
            "multipleOf" if may_be(inner, "number") => step_within(inner, keyword, stated),
            "uniqueItems" if may_be(inner, "array") => {
                (stated == &Value::Bool(false) || inner.get(keyword) == Some(stated)).into()
            }
            _ if SIZES.contains(&keyword) => Tri::Yes,
            _ => Tri::from(inner.get(keyword) == Some(stated)).proven(),
        }
    }

    /// Every property that `inner` can have meets what `outer` says of it.
    fn properties(&self, inner: &Map<String, Value>, outer: &Map<String, Value>, fuel: Fuel<'_>) -> Tri {
        if !may_be(inner, "object") {
            return Tri::Yes;
        }
        if outer.contains_key("patternProperties") {
            return Tri::CannotTell;
        }
        let empty = Map::new();
        let own = inner.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let known = outer.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let rest = outer.get("additionalProperties").or_else(|| outer.get("unevaluatedProperties"));
        let rest = rest.unwrap_or(&Value::Bool(true));
        let named = own.iter().map(|(name, schema)| {
            let demand = known.get(name).unwrap_or(rest);
            self.within(schema, demand, fuel)
        });
        let named = Tri::all(named);
        match inner.get("additionalProperties") {
            Some(Value::Bool(false)) => named,
            Some(extra) if !extra.is_boolean() => {
                let others =
                    known.iter().filter(|(name, _)| !own.contains_key(*name)).map(|(_, demand)| demand);
                let others = others.chain([rest]).map(|demand| self.within(extra, demand, fuel));
                others.fold(named, Tri::and)
            }
            None if inner.get("unevaluatedProperties") == Some(&Value::Bool(false)) => named,
            _ => named.and(Tri::from(known.is_empty() && rest == &Value::Bool(true))),
        }
    }
}

/// What says nothing of a value.
const NOTES: [&str; 14] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "$defs",
    "definitions",
    "$schema",
    "$comment",
    "readOnly",
    "writeOnly",
    "nullable",
    "untrusted_title",
    "$id",
];

/// What a closed form adds by itself, beside the notes.
const IDLE: [&str; 9] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "$defs",
    "untrusted_title",
    "unevaluatedProperties",
    "unevaluatedItems",
];

/// Keywords of one type: they hold of every other one.
const SIZES: [&str; 14] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "pattern",
    "format",
    "multipleOf",
    "uniqueItems",
];

fn listed(map: &Map<String, Value>) -> Option<Vec<Value>> {
    match (map.get("const"), map.get("enum")) {
        (Some(value), _) => Some(vec![value.clone()]),
        (None, Some(Value::Array(values))) => Some(values.clone()),
        _ => None,
    }
}

fn branches(map: &Map<String, Value>) -> Option<(&'static str, &Vec<Value>)> {
    ["anyOf", "oneOf", "allOf"].into_iter().find_map(|keyword| Some((keyword, map.get(keyword)?.as_array()?)))
}

fn words(stated: &Value) -> Vec<&str> {
    let list = stated.as_array().map_or(std::slice::from_ref(stated), Vec::as_slice);
    list.iter().filter_map(Value::as_str).collect()
}

/// Whether a schema's own `type` leaves room for `word`; `number` means integers too.
fn may_be(map: &Map<String, Value>, word: &str) -> bool {
    map.get("type").is_none_or(|stated| {
        words(stated).iter().any(|own| *own == word || (word == "number" && *own == "integer"))
    })
}

fn types_within(own: Option<&Value>, stated: &Value) -> Tri {
    let Some(own) = own else { return Tri::No };
    let allowed = words(stated);
    let fits = |word: &&str| allowed.contains(word) || (*word == "integer" && allowed.contains(&"number"));
    words(own).iter().all(fits).into()
}

fn number_within(inner: &Map<String, Value>, keyword: &str, stated: &Value) -> Tri {
    let Some(bound) = stated.as_f64() else { return Tri::CannotTell };
    let own = |keyword: &str| inner.get(keyword).and_then(Value::as_f64);
    let held = match keyword {
        "minimum" => {
            own("minimum").is_some_and(|n| n >= bound) || own("exclusiveMinimum").is_some_and(|n| n >= bound)
        }
        "maximum" => {
            own("maximum").is_some_and(|n| n <= bound) || own("exclusiveMaximum").is_some_and(|n| n <= bound)
        }
        "exclusiveMinimum" => {
            own("minimum").is_some_and(|n| n > bound) || own("exclusiveMinimum").is_some_and(|n| n >= bound)
        }
        _ => own("maximum").is_some_and(|n| n < bound) || own("exclusiveMaximum").is_some_and(|n| n <= bound),
    };
    held.into()
}

fn size_within(inner: &Map<String, Value>, keyword: &str, stated: &Value) -> Tri {
    let Some(bound) = stated.as_f64() else { return Tri::CannotTell };
    let own = inner.get(keyword).and_then(Value::as_f64);
    match own {
        None => (keyword.starts_with("min") && bound <= 0.0).into(),
        Some(own) if keyword.starts_with("min") => (own >= bound).into(),
        Some(own) => (own <= bound).into(),
    }
}

/// Every multiple of a step is one of whatever the step itself is a multiple of.
fn step_within(inner: &Map<String, Value>, keyword: &str, stated: &Value) -> Tri {
    match inner.get(keyword) {
        Some(own) if is_multiple(own, stated) => Tri::Yes,
        _ => kept_or_open(inner, keyword, stated),
    }
}

/// Whether one number is a whole multiple of another, both as they are written. Numbers of more digits are never seen to be.
fn is_multiple(own: &Value, of: &Value) -> bool {
    /// The digits without their point, and how many of them stand behind it.
    fn digits(value: &Value) -> Option<(u64, u32)> {
        let text = value.to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let scale = u32::try_from(fraction.len()).ok()?;
        Some((format!("{whole}{fraction}").parse().ok()?, scale))
    }
    let both = digits(own).zip(digits(of)).and_then(|((own, of_own), (of, of_other))| {
        let scale = of_own.max(of_other);
        let at = |digits: u64, own: u32| digits.checked_mul(10_u64.checked_pow(scale - own)?);
        at(own, of_own).zip(at(of, of_other))
    });
    both.is_some_and(|(own, of)| of > 0 && own % of == 0)
}

/// The same demand is kept; another one may or may not imply it; none does not.
fn kept_or_open(inner: &Map<String, Value>, keyword: &str, stated: &Value) -> Tri {
    match inner.get(keyword) {
        Some(own) if same(own, stated) => Tri::Yes,
        Some(_) => Tri::CannotTell,
        None => Tri::No,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Purpose;
    use super::super::testing::{closed, own};
    use super::*;

    fn judge(published: &Value, restated: &str) -> Tri {
        let reading = own(restated, Purpose::Restated);
        tighter_or_equal(published, published, closed(&reading))
    }

    #[test]
    fn what_is_tighter_is_seen_to_be() {
        let cases = [
            (json!({ "type": "string" }), "{type: string, maxLength: 9}"),
            (json!({ "type": "string", "maxLength": 9 }), "{type: string, maxLength: 9}"),
            (json!({ "type": "string" }), "[a, b]"),
            (json!({ "enum": ["a", "b", "c"] }), "[a, b]"),
            (json!({ "type": "number", "minimum": 0 }), "{type: integer, minimum: 1, maximum: 3}"),
            (
                json!({ "anyOf": [{ "type": "string" }, { "type": "null" }], "default": null }),
                "{type: [string, \"null\"], maxLength: 3}",
            ),
            (
                json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
                "{anyOf: [{type: string, maxLength: 3}, {type: \"null\"}]}",
            ),
            (json!({ "type": "object", "additionalProperties": true }), "{properties: {a: {type: integer}}}"),
            (json!({ "type": "object" }), "{properties: {a: {properties: {b: [x]}}}}"),
            (
                json!({ "type": "object", "properties": { "a": { "type": "string" } } }),
                "{properties: {a: [x], b: [y]}}",
            ),
            (json!({ "type": "object", "properties": { "a": {}, "b": {} } }), "{properties: {a: [x]}}"),
            (
                json!({ "type": "array", "items": { "type": "string" } }),
                "{type: array, maxItems: 3, items: [x]}",
            ),
            (json!({ "type": "array" }), "{type: array, maxItems: 3, items: [x]}"),
            (json!({}), "[x]"),
            (
                json!({ "type": "string", "pattern": "^[a-z]+$", "format": "ipv4" }),
                "{type: string, maxLength: 4, pattern: \"^[a-z]+$\"}",
            ),
            (json!({ "type": "string", "pattern": "^[a-z]+$" }), "[abc]"),
            (
                json!({ "$ref": "#/$defs/x", "$defs": { "x": { "type": "string" } } }),
                "{type: string, maxLength: 3}",
            ),
        ];
        for (published, restated) in cases {
            assert_eq!(judge(&published, restated), Tri::Yes, "{restated} within {published}");
        }
    }

    #[test]
    fn what_is_looser_is_seen_to_be() {
        let cases = [
            (json!({ "type": "string", "maxLength": 3 }), "{type: string, maxLength: 9}"),
            (json!({ "type": "string" }), "{type: integer, minimum: 0, maximum: 1}"),
            (json!({ "type": "string" }), "{type: [string, \"null\"], maxLength: 3}"),
            (json!({ "enum": ["a"] }), "[a, b]"),
            (json!({ "type": "integer" }), "{type: number, minimum: 0, maximum: 1}"),
            (json!({ "type": "string", "pattern": "^[a-z]+$" }), "{type: string, maxLength: 3}"),
            (json!({ "type": "string", "pattern": "^[a-z]+$" }), "[ABC]"),
            (
                json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": false }),
                "{properties: {b: [x]}}",
            ),
            (json!({ "type": "object", "required": ["a"] }), "{properties: {a: [x]}}"),
            (
                json!({ "type": "array", "items": { "type": "integer" } }),
                "{type: array, maxItems: 3, items: [x]}",
            ),
            (json!({ "type": "array", "maxItems": 2 }), "{type: array, maxItems: 3, items: [x]}"),
        ];
        for (published, restated) in cases {
            assert_eq!(judge(&published, restated), Tri::No, "{restated} within {published}");
        }
    }

    #[test]
    fn what_structure_does_not_tell_stays_open() {
        let cases = [
            (
                json!({ "type": "string", "pattern": "^[a-z]+$" }),
                "{type: string, maxLength: 3, pattern: \"^a+$\"}",
            ),
            (json!({ "not": { "const": "a" } }), "{type: string, maxLength: 3}"),
            (json!({ "enum": ["a"] }), "{type: string, maxLength: 1}"),
            (json!({ "enum": [true, false] }), "{type: boolean}"),
            (
                json!({ "anyOf": [{ "maximum": 5 }, { "minimum": 5 }] }),
                "{type: integer, minimum: 0, maximum: 9}",
            ),
        ];
        for (published, restated) in cases {
            assert_eq!(judge(&published, restated), Tri::CannotTell, "{restated} within {published}");
        }
    }

    #[test]
    fn branches_that_multiply_are_not_followed_to_their_end() {
        let mut defs = serde_json::Map::new();
        for level in 0..22 {
            let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
            defs.insert(format!("d{level}"), json!({ "anyOf": [next.clone(), next] }));
        }
        defs.insert("d22".to_owned(), json!({ "not": { "const": "b" } }));
        let published = json!({ "$ref": "#/$defs/d0", "$defs": defs });
        assert_eq!(judge(&published, "{type: string, maxLength: 3}"), Tri::CannotTell);
        assert_eq!(judge(&published, "[b]"), Tri::CannotTell);
    }
}
