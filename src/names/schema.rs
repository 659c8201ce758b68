//! The names in a schema's short forms: a word is a type, `{keys: section}` a section.

use std::sync::Arc;

use crate::source::{Span, Spanned};
use crate::syntax::{Entry, Kind, Node};

use super::Space;

/// Keywords whose value is one schema.
const ONE: [&str; 12] = [
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords whose value maps names to schemas.
const MAP: [&str; 5] = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];
/// Keywords whose value is a list of schemas.
const LIST: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// Every name in an own schema, with what it must name. Documents nest at most `syntax::MAX_DEPTH` deep.
pub(super) fn names<'m>(node: &'m Arc<Node>, found: &mut Vec<(Space, &'m str, Span)>) {
    match &node.kind {
        Kind::Text(word, _) => found.push((Space::Type, word, node.span)),
        Kind::Map(entries) => match entries.as_slice() {
            [only] if only.key.value == "keys" => {
                found.extend(only.value.text().map(|name| (Space::Section, name, only.value.span)));
            }
            entries => entries.iter().for_each(|entry| keyword(entry, found)),
        },
        _ => {}
    }
}

fn keyword<'m>(Entry { key, value, .. }: &'m Entry, found: &mut Vec<(Space, &'m str, Span)>) {
    let key: &Spanned<String> = key;
    match &value.kind {
        _ if ONE.contains(&key.as_str()) => names(value, found),
        Kind::Map(entries) if MAP.contains(&key.as_str()) => {
            entries.iter().for_each(|entry| names(&entry.value, found));
        }
        Kind::List(items) if LIST.contains(&key.as_str()) => {
            items.iter().for_each(|item| names(item, found));
        }
        _ => {}
    }
}
