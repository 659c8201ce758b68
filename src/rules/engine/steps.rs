//! The steps of plan templates: the deed that each is, and whether a schema takes a value that one fixes.
//!
//! A value is held against the closed schema by the runtime's own validator, so that what passes here passes there.

use std::sync::Arc;

use harnessc_runtime::boundary::validate::JsonSchema;
use harnessc_runtime::boundary::{Compile as _, Compiled, InputFault};
use harnessc_runtime::json::Json;
use harnessc_runtime::lock::deed_name;
use serde_json::{Map, Value, json};

use super::schemas;
use crate::model::work::Step;
use crate::policy::schema::{self, Purpose};
use crate::rules::Cx;
use crate::source::Spanned;
use crate::syntax::{Entry, Kind, Node};

/// The deed that a step is: where it names a tool with cases as a whole and its input says which one is meant, that one.
pub(crate) fn deed(cx: &Cx<'_>, step: &Step) -> Option<String> {
    let name = step.tool.as_ref()?;
    let case = cx.policy.registry.tool(name).and_then(|tool| {
        let discriminator = &tool.discriminator?.value;
        step.input.as_ref()?.0.get(discriminator)?.value.text()
    });
    let deed = case.map(|case| deed_name(name, Some(case)));
    Some(deed.filter(|deed| cx.policy.registry.id(deed).is_some()).unwrap_or_else(|| name.value.clone()))
}

/// A node as the JSON that a call would hold.
pub(crate) fn value(cx: &Cx<'_>, node: &Arc<Node>) -> Option<Value> {
    let entry =
        Entry { key: Spanned::new("const".to_owned(), node.span), value: Arc::clone(node), alias: None };
    let schema = Node { span: node.span, kind: Kind::Map(vec![entry]) };
    match schemas::read(cx, &Arc::new(schema), Purpose::StepInput).original() {
        Value::Object(mut schema) => schema.remove("const"),
        _ => None,
    }
}

/// Why the root input `input` of a closed schema does not take a value; nothing where it does, or nobody can tell.
pub(crate) fn refused(closed: &Value, input: &str, value: &Value) -> Option<InputFault> {
    let property = schema::root_property(closed, input)?;
    let mut alone = Map::new();
    for definitions in ["$defs", "definitions"] {
        alone.extend(closed.get(definitions).map(|stated| (definitions.to_owned(), stated.clone())));
    }
    alone.insert("properties".to_owned(), json!({ input: property }));
    refusal(&Value::Object(alone), &json!({ input: value }))
}

/// Why a schema does not take a value, as [`refused`].
pub(crate) fn refusal(schema: &Value, value: &Value) -> Option<InputFault> {
    compiled(schema)?.check(&Json::of(value).ok()?).err()
}

/// A closed schema as the runtime compiles it.
pub(crate) fn compiled(schema: &Value) -> Option<Box<dyn Compiled>> {
    JsonSchema.compile(&schema.to_string())
}

/// The part of a node that a JSON pointer leads to; the nearest one above where it leads nowhere.
pub(crate) fn part<'a>(node: &'a Node, pointer: &str) -> &'a Node {
    let mut at = node;
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        let below = match &at.kind {
            Kind::Map(_) => at.get(&name).map(|entry| entry.value.as_ref()),
            Kind::List(items) => {
                name.parse().ok().and_then(|index: usize| items.get(index)).map(AsRef::as_ref)
            }
            _ => None,
        };
        match below {
            Some(below) => at = below,
            None => break,
        }
    }
    at
}
