//! Small questions about a closed schema.

use std::collections::BTreeSet;

use serde_json::Value;

/// The names of a schema's root properties, in their order.
pub fn root_properties(_schema: &Value) -> Vec<&str> {
    Vec::new()
}

/// The names its root requires.
pub fn required(_schema: &Value) -> BTreeSet<&str> {
    BTreeSet::new()
}

/// The schema with `names` required at its root, as `bind` and `only` demand.
pub fn with_required<'a>(schema: &Value, _names: impl IntoIterator<Item = &'a str>) -> Value {
    schema.clone()
}

/// The values of a root string input that is an enum, whether or not it is required yet: what `cases` may tell apart.
pub fn string_enum(_schema: &Value, _input: &str) -> Option<Vec<String>> {
    None
}

/// Every text of an `enum` or `const`, at any depth, with its JSON pointer.
pub fn enum_values(_schema: &Value) -> Vec<(String, &str)> {
    Vec::new()
}

/// Every property name, at any depth, with the JSON pointer of the property's schema.
pub fn input_names(_schema: &Value) -> Vec<(String, &str)> {
    Vec::new()
}
