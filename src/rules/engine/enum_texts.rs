//! The texts that a schema lists one by one, and which of them a narrowing leaves.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::model::Model;
use crate::policy::schema::Located;
use crate::source::Span;
use crate::syntax::{Kind, Node};

/// One text of an `enum` or a `const`.
pub(crate) struct EnumText {
    /// The way to the schema that lists it: keywords and names, from the root.
    pub(crate) path: Vec<String>,
    /// The text.
    pub(crate) text: String,
    /// Where it stands.
    pub(crate) span: Span,
}

/// Every text that a schema lists, at any depth, in the order of the text.
pub(crate) fn enum_texts(schema: &Located) -> Vec<EnumText> {
    let mut found = Vec::new();
    walk(schema, &mut Vec::new(), &mut found);
    found
}

/// Keywords under which names lead to schemas.
const NAMED: [&str; 4] = ["properties", "patternProperties", "$defs", "dependentSchemas"];

/// Keywords whose values are no schemas.
const DATA: [&str; 4] = ["default", "examples", "title", "description"];

fn walk(schema: &Located, path: &mut Vec<String>, found: &mut Vec<EnumText>) {
    let text = |value: &Located| Some((value.text()?.to_owned(), value.span));
    for (keyword, value) in schema.entries() {
        let listed: Vec<(String, Span)> = match keyword.as_str() {
            "enum" => value.items().iter().filter_map(text).collect(),
            "const" => text(value).into_iter().collect(),
            _ => Vec::new(),
        };
        found.extend(listed.into_iter().map(|(text, span)| EnumText { path: path.clone(), text, span }));
        if DATA.contains(&keyword.as_str()) || matches!(keyword.as_str(), "enum" | "const") {
            continue;
        }
        path.push(keyword.clone());
        if NAMED.contains(&keyword.as_str()) {
            for (name, part) in value.entries() {
                path.push(name.clone());
                walk(part, path, found);
                path.pop();
            }
        } else {
            walk(value, path, found);
            value.items().iter().for_each(|part| walk(part, path, found));
        }
        path.pop();
    }
}

/// The texts that a narrowing leaves where `path` leads within it; nothing where it lists none.
pub(crate) fn left_by(model: &Model, narrowing: &Arc<Node>, path: &[String]) -> Option<BTreeSet<String>> {
    /// Types named in types; a cycle is said elsewhere.
    const MAX_TYPES: usize = 64;
    let mut node = narrowing;
    let mut steps = path.iter();
    for _ in 0..MAX_TYPES + path.len() {
        if let Kind::Text(name, _) = &node.kind {
            node = &model.types.get(name)?.0;
            continue;
        }
        match (steps.next(), &node.kind) {
            (Some(step), Kind::Map(_)) => node = &node.get(step)?.value,
            (None, Kind::List(items)) => return Some(texts(items)),
            (None, Kind::Map(_)) => return listed(model, node),
            _ => return None,
        }
    }
    None
}

fn listed(model: &Model, node: &Node) -> Option<BTreeSet<String>> {
    if let Some(section) = node.get("keys").and_then(|entry| entry.value.text()) {
        return model.keys(section).map(|keys| keys.into_iter().map(str::to_owned).collect());
    }
    if let Some(only) = node.get("const") {
        return Some(only.value.text().into_iter().map(str::to_owned).collect());
    }
    match &node.get("enum")?.value.kind {
        Kind::List(items) => Some(texts(items)),
        _ => None,
    }
}

fn texts(items: &[Arc<Node>]) -> BTreeSet<String> {
    items.iter().filter_map(|item| item.text()).map(str::to_owned).collect()
}
