//! Two closed schemas, one keyword at a time: where they differ, and which way each difference goes.
//!
//! What the steps come to together is judged elsewhere, by whether one schema lies within the other; here is what a
//! person has to read to see why.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::shift::Shift;
use super::text;

/// How deep two schemas are compared; what lies deeper is told as changed.
const DEPTH: usize = 24;
/// So many values of a list are named.
const NAMED: usize = 6;
/// Keywords that say nothing of what is accepted.
const SILENT: [&str; 11] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$schema",
    "$id",
    "$anchor",
];

/// One difference between two schemas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Step {
    /// The JSON pointer of the keyword, or of the part, in the closed schema.
    pub at: String,
    /// Which way it goes, taken alone: looser, tighter, or one cannot tell.
    pub shift: Shift,
    /// What differs, in a few words.
    pub text: String,
}

/// Every difference, what is looser first, then what cannot be told, then by place.
pub(super) fn steps(old: &Value, new: &Value) -> Vec<Step> {
    let mut found = Vec::new();
    Walk { found: &mut found }.part(old, new, "", DEPTH);
    found.sort_by(|a, b| (weight(a.shift), &a.at, &a.text).cmp(&(weight(b.shift), &b.at, &b.text)));
    found
}

fn weight(shift: Shift) -> u8 {
    match shift {
        Shift::Looser => 0,
        Shift::Tighter => 2,
        _ => 1,
    }
}

struct Walk<'f> {
    found: &'f mut Vec<Step>,
}

impl Walk<'_> {
    fn note(&mut self, at: &str, shift: Shift, text: impl Into<String>) {
        self.found.push(Step { at: at.to_owned(), shift, text: text.into() });
    }

    fn part(&mut self, old: &Value, new: &Value, at: &str, depth: usize) {
        if old == new {
            return;
        }
        let Some(depth) = depth.checked_sub(1) else {
            return self.note(at, Shift::CannotTell, "changed, too deep to be told apart");
        };
        match (old, new) {
            (Value::Object(old), Value::Object(new)) => {
                let keywords: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
                for keyword in keywords {
                    let (before, after) = (old.get(keyword), new.get(keyword));
                    if before != after && !SILENT.contains(&keyword.as_str()) {
                        self.keyword(keyword, before, after, &pointer(at, keyword), depth);
                    }
                }
            }
            (Value::Bool(false), _) | (_, Value::Bool(true)) => {
                self.note(at, Shift::Looser, format!("was {}, now {}", brief(old), takes(new)));
            }
            (_, Value::Bool(false)) | (Value::Bool(true), _) => {
                self.note(at, Shift::Tighter, format!("was {}, now {}", takes(old), brief(new)));
            }
            _ => self.note(at, Shift::CannotTell, was_now(Some(old), Some(new))),
        }
    }

    fn keyword(&mut self, keyword: &str, old: Option<&Value>, new: Option<&Value>, at: &str, depth: usize) {
        match keyword {
            "properties" | "$defs" | "definitions" | "patternProperties" => {
                self.named(keyword, old, new, at, depth)
            }
            "required" => self.listed(old, new, at, false),
            "enum" | "type" => self.listed(old, new, at, true),
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
                self.bound(old, new, at, true);
            }
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
                self.bound(old, new, at, false);
            }
            "items"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "propertyNames"
            | "unevaluatedItems"
            | "additionalItems" => {
                let open = Value::Bool(true);
                self.part(old.unwrap_or(&open), new.unwrap_or(&open), at, depth);
            }
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => self.branches(old, new, at, depth),
            _ => self.whole(old, new, at),
        }
    }

    /// A demand that is there, is gone, or is another one.
    fn whole(&mut self, old: Option<&Value>, new: Option<&Value>, at: &str) {
        let lifted = |value: Option<&Value>| matches!(value, None | Some(Value::Bool(false)));
        let shift = match (lifted(old), lifted(new)) {
            (false, true) => Shift::Looser,
            (true, false) => Shift::Tighter,
            _ => Shift::CannotTell,
        };
        self.note(at, shift, was_now(old, new));
    }

    fn bound(&mut self, old: Option<&Value>, new: Option<&Value>, at: &str, upper: bool) {
        let number = |value: Option<&Value>| value.and_then(Value::as_f64);
        let raised = match (number(old), number(new)) {
            (Some(old), Some(new)) => {
                new.partial_cmp(&old).map(std::cmp::Ordering::is_gt).filter(|_| old != new)
            }
            (Some(_), None) => Some(upper),
            (None, Some(_)) => Some(!upper),
            (None, None) => None,
        };
        let shift = match raised {
            None => Shift::CannotTell,
            Some(raised) if raised == upper => Shift::Looser,
            Some(_) => Shift::Tighter,
        };
        self.note(at, shift, was_now(old, new));
    }

    /// Parts by name. A name that is new is something more that a call may hold.
    fn named(&mut self, keyword: &str, old: Option<&Value>, new: Option<&Value>, at: &str, depth: usize) {
        let empty = Map::new();
        let of = |value: Option<&'_ Value>| value.and_then(Value::as_object).unwrap_or(&empty).clone();
        let (old, new) = (of(old), of(new));
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        let shared = matches!(keyword, "$defs" | "definitions");
        for name in names {
            let at = pointer(at, name);
            match (old.get(name), new.get(name)) {
                (Some(old), Some(new)) => self.part(old, new, &at, depth),
                // A definition counts where it is referred to, and the reference is told there.
                _ if shared => {}
                (None, Some(new)) => self.note(&at, Shift::Looser, format!("new: {}", takes(new))),
                (Some(_), None) => self.note(&at, Shift::Tighter, "gone"),
                (None, None) => {}
            }
        }
    }

    /// A list of words: of `required` each is a demand, of `enum` and `type` each is an allowance.
    fn listed(&mut self, old: Option<&Value>, new: Option<&Value>, at: &str, allows: bool) {
        let (Some(before), Some(after)) = (values(old, allows), values(new, allows)) else {
            return self.whole(old, new, at);
        };
        let more: Vec<&str> =
            after.iter().filter(|value| !before.contains(*value)).map(String::as_str).collect();
        let less: Vec<&str> =
            before.iter().filter(|value| !after.contains(*value)).map(String::as_str).collect();
        let (added, dropped) =
            if allows { ("takes as well", "takes no more") } else { ("now required", "no longer required") };
        for (names, what, shift) in [
            (more, added, if allows { Shift::Looser } else { Shift::Tighter }),
            (less, dropped, if allows { Shift::Tighter } else { Shift::Looser }),
        ] {
            if !names.is_empty() {
                self.note(at, shift, format!("{what}: {}", some(&names)));
            }
        }
    }

    fn branches(&mut self, old: Option<&Value>, new: Option<&Value>, at: &str, depth: usize) {
        let lists = (old.and_then(Value::as_array), new.and_then(Value::as_array));
        match lists {
            (Some(old), Some(new)) if old.len() == new.len() => {
                for ((old, new), number) in old.iter().zip(new).zip(0_usize..) {
                    self.part(old, new, &pointer(at, &number.to_string()), depth);
                }
            }
            (Some(old), Some(new)) => {
                self.note(at, Shift::CannotTell, format!("{} forms, now {}", old.len(), new.len()));
            }
            _ => self.whole(old, new, at),
        }
    }
}

/// The members of a list as they are written; of `type`, a word alone is a list of one. No `required` demands nothing.
fn values(list: Option<&Value>, allows: bool) -> Option<BTreeSet<String>> {
    match list {
        None if !allows => Some(BTreeSet::new()),
        Some(Value::Array(items)) => Some(items.iter().map(brief).collect()),
        Some(word @ Value::String(_)) => Some(BTreeSet::from([brief(word)])),
        _ => None,
    }
}

fn some(names: &[&str]) -> String {
    let shown: Vec<&str> = names.iter().take(NAMED).copied().collect();
    let more = names.len() - shown.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

fn was_now(old: Option<&Value>, new: Option<&Value>) -> String {
    let told = |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), brief);
    format!("was {}, now {}", told(old), told(new))
}

/// A value in backticks, visible and cut to a line.
fn brief(value: &Value) -> String {
    match value {
        Value::String(word) => text::name(word),
        other => text::name(&other.to_string()),
    }
}

/// What a schema takes, in a few words: its type, its values, its bounds.
fn takes(schema: &Value) -> String {
    let Value::Object(map) = schema else {
        return if *schema == Value::Bool(true) { "anything".to_owned() } else { brief(schema) };
    };
    let mut parts: BTreeMap<u8, String> = BTreeMap::new();
    if let Some(values) = values(map.get("type"), true) {
        let words: Vec<String> = values.iter().map(|word| word.trim_matches('`').to_owned()).collect();
        parts.insert(0, words.join(" or "));
    }
    if let Some(values) = values(map.get("enum"), true) {
        let names: Vec<&str> = values.iter().map(String::as_str).collect();
        parts.insert(1, format!("one of {}", some(&names)));
    }
    for (order, keyword) in (2_u8..).zip(["maxLength", "maxItems", "maximum", "minimum", "pattern"]) {
        if let Some(bound) = map.get(keyword) {
            parts.insert(order, format!("{keyword} {}", brief(bound).trim_matches('`')));
        }
    }
    if parts.is_empty() { "anything".to_owned() } else { parts.into_values().collect::<Vec<_>>().join(", ") }
}

fn pointer(at: &str, key: &str) -> String {
    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(old: &Value, new: &Value) -> Vec<String> {
        steps(old, new)
            .into_iter()
            .map(|step| format!("{:?} {} {}", step.shift, step.at, step.text))
            .collect()
    }

    #[test]
    fn each_way_to_loosen_is_told_at_its_place() {
        let of = |part: Value| json!({"type": "object", "properties": {"a/b": part}});
        let cases = [
            (json!({"maximum": 100}), json!({}), "Looser /properties/a~1b/maximum was `100`, now none"),
            (
                json!({"minimum": 2}),
                json!({"minimum": 1}),
                "Looser /properties/a~1b/minimum was `2`, now `1`",
            ),
            (
                json!({"enum": ["a"]}),
                json!({"enum": ["a", "b"]}),
                "Looser /properties/a~1b/enum takes as well: `b`",
            ),
            (json!({"enum": ["a"]}), json!({}), "Looser /properties/a~1b/enum was `[\"a\"]`, now none"),
            (json!({"pattern": "^a$"}), json!({}), "Looser /properties/a~1b/pattern was `^a$`, now none"),
            (
                json!({"type": "string"}),
                json!({"type": ["string", "null"]}),
                "Looser /properties/a~1b/type takes as well: `null`",
            ),
            (
                json!({"required": ["x"]}),
                json!({}),
                "Looser /properties/a~1b/required no longer required: `x`",
            ),
            (
                json!({"unevaluatedProperties": false}),
                json!({}),
                "Looser /properties/a~1b/unevaluatedProperties was `false`, now anything",
            ),
            (
                json!({"items": {"maxLength": 3}}),
                json!({"items": {"maxLength": 4}}),
                "Looser /properties/a~1b/items/maxLength was `3`, now `4`",
            ),
            (
                json!({"format": "uri"}),
                json!({"format": "email"}),
                "CannotTell /properties/a~1b/format was `uri`, now `email`",
            ),
        ];
        for (old, new, said) in cases {
            assert_eq!(told(&of(old.clone()), &of(new.clone())), [said]);
            let back = told(&of(new), &of(old));
            assert!(back.iter().all(|step| !step.starts_with("Looser")), "{back:?}");
        }
    }

    #[test]
    fn a_new_property_is_told_with_what_it_takes_and_prose_is_not_told() {
        let old = json!({"properties": {"q": {"type": "string", "title": "Q"}}});
        let new = json!({"properties": {"q": {"type": "string", "title": "Word"}, "force": {"type": "string", "enum": ["now"], "maxLength": 9}}});
        assert_eq!(told(&old, &new), ["Looser /properties/force new: string, one of `now`, maxLength 9"]);
        assert_eq!(told(&new, &old), ["Tighter /properties/force gone"]);
        assert_eq!(told(&old, &old), [""; 0]);
    }
}
