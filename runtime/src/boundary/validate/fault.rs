//! What is said about an input that does not fit: where and what was expected, never what came.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use crate::json::JsonError;

/// How long the words about what was expected may be, in characters.
const MAX_EXPECTED: usize = 200;

/// Why an input was refused. Only places that the schema names are named; values never are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFault {
    /// What the schema asks for there.
    pub expected: String,
    /// A JSON pointer into the input; a name that the schema does not know stands as `*`.
    pub pointer: String,
}

impl InputFault {
    /// A fault at a place; the words are cut where they grow long.
    #[must_use]
    pub fn new(pointer: impl Into<String>, expected: impl Into<String>) -> Self {
        let mut expected: String = expected.into();
        if let Some((end, _)) = expected.char_indices().nth(MAX_EXPECTED) {
            expected.truncate(end);
            expected.push('…');
        }
        Self { expected, pointer: pointer.into() }
    }

    pub(crate) fn unread(error: &JsonError) -> Self {
        let expected = match error.code {
            "duplicate_key" => "each key of an object once",
            "number_out_of_range" => "numbers within ±(2^53 − 1)",
            "reserved_key" => "no key that begins with `$serde_json::private::`",
            _ => "one JSON value in UTF-8",
        };
        Self::new("", expected)
    }
}

impl fmt::Display for InputFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "the input" } else { &self.pointer };
        write!(f, "at {place}: expected {}", self.expected)
    }
}

/// The pointer into an input with every name that stands nowhere among the schema's properties as `*`. What points into a
/// list is an index and stays; digits that name a member are a name.
#[must_use]
pub fn known_pointer(pointer: &str, names: &BTreeSet<String>, input: &Value) -> String {
    let mut at = Some(input);
    let mut out = String::with_capacity(pointer.len());
    for segment in pointer.split('/').skip(1) {
        let name = segment.replace("~1", "/").replace("~0", "~");
        let below = match at {
            Some(Value::Array(items)) => name.parse().ok().and_then(|index: usize| items.get(index)),
            Some(Value::Object(members)) => members.get(&name),
            _ => None,
        };
        let is_index = below.is_some() && matches!(at, Some(Value::Array(_)));
        out.push('/');
        out.push_str(if is_index || names.contains(&name) { segment } else { "*" });
        at = below;
    }
    out
}

/// Every property name that a schema states, at any depth.
#[cfg(any(feature = "schema", test))]
pub(super) fn property_names(schema: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    collect(schema, &mut names);
    names
}

#[cfg(any(feature = "schema", test))]
fn collect(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                names.extend(properties.keys().cloned());
            }
            members.values().for_each(|member| collect(member, names));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{InputFault, known_pointer, property_names};

    #[test]
    fn a_name_that_the_schema_does_not_know_is_not_repeated() {
        let schema =
            serde_json::json!({ "properties": { "a/b": { "items": { "properties": { "c": {} } } } } });
        let names = property_names(&schema);
        let input =
            serde_json::json!({ "a/b": [{ "c": { "0": 1 } }], "123456": { "c": 1 }, "secret": [[1]] });
        for (pointer, known) in [
            ("/a~1b/0/c", "/a~1b/0/c"),
            ("/secret/0/0", "/*/0/0"),
            ("/secret/1", "/*/*"),
            ("/secret/12345678/c", "/*/*/c"),
            ("", ""),
            // A member's name of digits alone is a name: a file number, an account.
            ("/123456", "/*"),
            ("/123456/c", "/*/c"),
            ("/a~1b/0/c/0", "/a~1b/0/c/*"),
        ] {
            assert_eq!(known_pointer(pointer, &names, &input), known, "{pointer}");
        }
    }

    #[test]
    fn long_words_are_cut() {
        let fault = InputFault::new("/a", "é".repeat(500));
        assert_eq!(fault.expected.chars().count(), 201);
        assert_eq!(InputFault::new("", "an object").to_string(), "at the input: expected an object");
    }
}
