//! The tool arrays of model APIs, told as a server would publish them.

use std::sync::Arc;

use super::pages::Item;
use super::text;
use super::{Form, LeftOut, Why};
use crate::syntax::{Kind, Node};

/// What one item of a foreign array comes to.
pub(super) enum Told {
    /// A tool in the form that is pinned, and the keys that have no place there.
    Tool(String, Vec<String>),
    /// Not a tool that can be pinned.
    No(LeftOut),
}

/// The form in which a tool is written, as far as its keys tell.
pub(super) fn form_of(node: &Node) -> Option<Form> {
    let kind = node.get("type").and_then(|kind| kind.value.text());
    if node.get("inputSchema").is_some() {
        Some(Form::Mcp)
    } else if node.get("input_schema").is_some() {
        Some(Form::Anthropic)
    } else if kind == Some("function") || node.get("function").is_some() || node.get("parameters").is_some() {
        Some(Form::OpenAi)
    } else {
        None
    }
}

/// Tells the `number`th item (from 1) of an array in `form`.
pub(super) fn tell(form: Form, item: &Item<'_>, number: usize) -> Told {
    match form {
        Form::Mcp => Told::Tool(item.raw.to_owned(), Vec::new()),
        Form::OpenAi => open_ai(item, number),
        Form::Anthropic => anthropic(item, number),
    }
}

fn open_ai(item: &Item<'_>, number: usize) -> Told {
    let kind = kind_of(&item.node).unwrap_or("function");
    if kind != "function" {
        return Told::No(provider(&item.node, number, kind));
    }
    match item.node.get("function").map(|function| &function.value) {
        None => rewrite(item, &item.node, "parameters", &["type"]),
        Some(function) => {
            let mut told = rewrite(item, function, "parameters", &[]);
            if let Told::Tool(_, dropped) = &mut told {
                dropped.extend(others(&item.node, &["type", "function"]));
            }
            told
        }
    }
}

fn anthropic(item: &Item<'_>, number: usize) -> Told {
    match kind_of(&item.node).filter(|kind| *kind != "custom") {
        Some(kind) => Told::No(provider(&item.node, number, kind)),
        None => rewrite(item, &item.node, "input_schema", &["type"]),
    }
}

/// `{name, description, inputSchema}` with each value's text as it was. Without a schema a function takes nothing.
fn rewrite(item: &Item<'_>, tool: &Arc<Node>, schema: &str, known: &[&str]) -> Told {
    let raw = |key: &str| {
        let value = &tool.get(key)?.value;
        let from = (value.span.start as usize).checked_sub(item.node.span.start as usize)?;
        item.raw.get(from..from + value.span.range().len())
    };
    let mut parts = Vec::new();
    for (key, pinned) in [("name", "name"), ("description", "description"), (schema, "inputSchema")] {
        match raw(key) {
            Some(value) => parts.push(format!("\"{pinned}\": {value}")),
            None if key == schema => parts.push(format!("\"{pinned}\": {{\"type\": \"object\"}}")),
            None => {}
        }
    }
    let known = [known, &["name", "description", schema]].concat();
    Told::Tool(format!("{{{}}}", parts.join(", ")), others(tool, &known))
}

fn others(node: &Node, known: &[&str]) -> Vec<String> {
    match &node.kind {
        Kind::Map(entries) => entries
            .iter()
            .map(|entry| entry.key.value.clone())
            .filter(|key| !known.contains(&key.as_str()))
            .collect(),
        _ => Vec::new(),
    }
}

fn kind_of(node: &Node) -> Option<&str> {
    node.get("type").and_then(|kind| kind.value.text())
}

fn provider(node: &Node, number: usize, kind: &str) -> LeftOut {
    let name = node.get("name").and_then(|name| name.value.text()).unwrap_or(kind);
    LeftOut {
        name: name.to_owned(),
        item: number,
        why: Why::NoSchema,
        text: format!(
            "{} is the model provider's own kind of tool; it comes with no schema",
            text::name(kind)
        ),
        key: None,
    }
}
