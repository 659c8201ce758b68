//! Whether a schema accepts one given value, by structure and without a validator.

use serde_json::Value;

use super::Tri;
use super::ask::follow;
use super::compare::Fuel;
use super::disjoint::same;
use super::pattern;
use super::shape::Kinds;

/// Whether `schema`, a place of `root`, accepts `value`. Objects and arrays are judged only where their values are listed.
pub(super) fn admits(root: &Value, schema: &Value, value: &Value, fuel: Fuel<'_>) -> Tri {
    let map = match schema {
        Value::Bool(whole) => return Tri::from(*whole),
        Value::Object(map) => map,
        _ => return Tri::CannotTell,
    };
    let Some(fuel) = fuel.deeper() else { return Tri::CannotTell };
    Tri::all(map.iter().map(|(keyword, stated)| {
        let each = |branch: &Value| admits(root, branch, value, fuel);
        let list = || stated.as_array().into_iter().flatten().map(each);
        match keyword.as_str() {
            "$ref" => follow(root, schema).map_or(Tri::CannotTell, each),
            "allOf" => Tri::all(list()),
            "anyOf" => Tri::any(list()),
            "oneOf" => one_of(&list().collect::<Vec<_>>()),
            "not" => each(stated).not(),
            "if" | "then" | "else" | "dependentSchemas" | "dependentRequired" => Tri::CannotTell,
            _ => keyword_admits(keyword, stated, value),
        }
    }))
}

fn one_of(branches: &[Tri]) -> Tri {
    let count = |wanted| branches.iter().filter(|branch| **branch == wanted).count();
    match (count(Tri::Yes), count(Tri::CannotTell)) {
        (1, 0) => Tri::Yes,
        (0, 0) => Tri::No,
        (yes, _) if yes > 1 => Tri::No,
        _ => Tri::CannotTell,
    }
}

fn keyword_admits(keyword: &str, stated: &Value, value: &Value) -> Tri {
    match (keyword, value) {
        ("type", _) => is_of(stated, value),
        ("enum", _) => stated.as_array().into_iter().flatten().any(|listed| same(listed, value)).into(),
        ("const", _) => same(stated, value).into(),
        (_, Value::Number(number)) => number_admits(keyword, stated, number.as_f64()),
        (_, Value::String(text)) => text_admits(keyword, stated, text),
        (
            "title" | "description" | "default" | "examples" | "deprecated" | "$defs" | "definitions"
            | "untrusted_title",
            _,
        ) => Tri::Yes,
        (_, Value::Array(_) | Value::Object(_)) => Tri::CannotTell,
        _ => Tri::Yes,
    }
}

fn is_of(stated: &Value, value: &Value) -> Tri {
    let words = stated.as_array().map_or(std::slice::from_ref(stated), Vec::as_slice);
    let whole = value.as_f64().is_none_or(|number| number.fract() == 0.0);
    let mut words = words.iter().filter_map(Value::as_str);
    words.any(|word| Kinds::named(word) == Some(Kinds::of(value)) && (word != "integer" || whole)).into()
}

fn number_admits(keyword: &str, stated: &Value, number: Option<f64>) -> Tri {
    let numeric =
        matches!(keyword, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf");
    let (Some(number), Some(bound)) = (number, stated.as_f64()) else {
        return if numeric { Tri::CannotTell } else { Tri::Yes };
    };
    match keyword {
        "minimum" => (number >= bound).into(),
        "maximum" => (number <= bound).into(),
        "exclusiveMinimum" => (number > bound).into(),
        "exclusiveMaximum" => (number < bound).into(),
        "multipleOf" if number % bound == 0.0 => Tri::Yes,
        "multipleOf" => Tri::CannotTell,
        _ => Tri::Yes,
    }
}

fn text_admits(keyword: &str, stated: &Value, text: &str) -> Tri {
    let length = text.chars().count() as u64;
    match keyword {
        "minLength" => stated.as_u64().map_or(Tri::CannotTell, |bound| (length >= bound).into()),
        "maxLength" => stated.as_u64().map_or(Tri::CannotTell, |bound| (length <= bound).into()),
        "pattern" => stated.as_str().map_or(Tri::CannotTell, |stated| matches(stated, text)),
        "format" => Tri::CannotTell,
        _ => Tri::Yes,
    }
}

pub(super) fn matches(stated: &str, text: &str) -> Tri {
    let regex = pattern::translate(stated).ok().and_then(|translated| regex::Regex::new(&translated).ok());
    regex.map_or(Tri::CannotTell, |regex| regex.is_match(text).into())
}
