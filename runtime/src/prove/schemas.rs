//! Input and output schemas are closed at every depth, and what a cell leans on is demanded by the input: its bound
//! inputs and the one that tells cases apart.

use std::borrow::Cow;

use super::closed;
use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::json::raw;
use crate::lock::{Lock, RawJson, Tool};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    for (name, tool) in &lock.tools {
        let input = Root::of(&tool.input);
        let object = input.as_ref().is_some_and(Root::is_object_alone);
        hold(object, || name.clone(), || "its input is no object and nothing else".to_owned())?;
        named(name, "input", &tool.input)?;
        if let Some(output) = &tool.output {
            named(name, "output", output)?;
        }
        if let Some(input) = input {
            demanded(name, tool, &input)?;
        }
    }
    narrowings(lock)
}

/// Nothing that a schema does not name gets through it.
fn named(tool: &str, of: &str, schema: &RawJson) -> Result<(), Broken> {
    closed::demand(schema).map_err(|open| {
        let (pointer, why) = open.told();
        let place = if pointer.is_empty() { "its root".to_owned() } else { format!("`{pointer}`") };
        Broken { cell: tool.to_owned(), why: format!("its {of} is not closed at {place}: {why}") }
    })
}

/// A narrowing names inputs that the tool has: one that it does not have would open the closed schema to it. It says nothing
/// that a closed schema would not.
fn narrowings(lock: &Lock) -> Result<(), Broken> {
    for (key, harness) in &lock.harnesses {
        for mention in harness.toolset.iter().filter(|mention| !mention.only.is_empty()) {
            let input = lock.tools.get(&mention.tool).and_then(|tool| Root::of(&tool.input));
            for (name, only) in &mention.only {
                closed::known(only).map_err(|open| {
                    let (pointer, why) = open.told();
                    let why = format!("`only` narrows `{name}`, and at `{pointer}`: {why}");
                    Broken { cell: format!("{key}/{}", mention.tool), why }
                })?;
            }
            let has = |name: &String| input.as_ref().is_some_and(|input| input.property(name).is_some());
            let unknown = mention.only.keys().find(|name| !has(name));
            hold(
                unknown.is_none(),
                || format!("{key}/{}", mention.tool),
                || {
                    format!(
                        "`only` narrows the input `{}`, which the tool does not have",
                        unknown.map_or("", |name| name)
                    )
                },
            )?;
        }
    }
    Ok(())
}

fn demanded(name: &str, tool: &Tool, input: &Root<'_>) -> Result<(), Broken> {
    let cases = tool.cases.as_ref();
    let leaned_on = tool.bind.keys().chain(cases.map(|cases| &cases.input));
    for key in leaned_on {
        hold(
            input.demands(key),
            || name.to_owned(),
            || format!("its cells lean on the input `{key}`, and the schema does not require it"),
        )?;
    }
    let Some(cases) = cases else { return Ok(()) };
    let values = input.values(&cases.input);
    let same =
        values.is_some_and(|values| values.iter().map(AsRef::as_ref).eq(cases.by.keys().map(String::as_str)));
    hold(
        same,
        || name.to_owned(),
        || format!("the values of the input `{}` are not exactly the tool's cases", cases.input),
    )
}

/// The keywords of a schema's root that are looked at, as they are written.
#[derive(Default)]
pub(super) struct Root<'a> {
    kind: Option<&'a str>,
    properties: Option<raw::Members<'a>>,
    required: Option<Vec<Cow<'a, str>>>,
}

impl<'a> Root<'a> {
    /// `None`: it is no object, says one of the keywords twice, or says something with it that is none.
    pub(super) fn of(schema: &'a RawJson) -> Option<Self> {
        let mut root = Self::default();
        raw::Walk::new(schema.as_str()).object(|walk, keyword| {
            if keyword == "properties" {
                return root.properties.replace(walk.members()?).is_none().then_some(());
            }
            let value = walk.value()?;
            let again = match &*keyword {
                "required" => root.required.replace(raw::strings(value)?).is_some(),
                "type" => root.kind.replace(value).is_some(),
                _ => false,
            };
            (!again).then_some(())
        })?;
        Some(root)
    }

    /// Whether it lets through objects and nothing else.
    fn is_object_alone(&self) -> bool {
        self.kind.and_then(raw::read).is_some_and(|word| word == "object")
    }

    fn property(&self, key: &str) -> Option<&'a str> {
        // Of a property that stands twice, the last counts.
        self.properties.iter().flatten().rev().find(|(own, _)| own == key).map(|(_, value)| *value)
    }

    /// The names that every object states.
    pub(super) fn required(&self) -> impl Iterator<Item = &str> {
        self.required.iter().flatten().map(AsRef::as_ref)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.property(key).is_some()
    }

    fn demands(&self, key: &str) -> bool {
        self.property(key).is_some() && self.required.iter().flatten().any(|required| required == key)
    }

    /// The values that an input's enum lists, sorted.
    fn values(&self, key: &str) -> Option<Vec<Cow<'a, str>>> {
        let mut listed =
            raw::members(self.property(key)?)?.into_iter().filter(|(keyword, _)| keyword == "enum");
        let mut values = raw::strings(listed.next()?.1)?;
        values.sort();
        Some(values).filter(|_| listed.next().is_none())
    }
}
