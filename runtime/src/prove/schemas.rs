//! Input and output schemas are closed at their root, and what a cell leans on is demanded by the input: its bound
//! inputs and the one that tells cases apart. Deeper places are the compiler's to close.

use std::borrow::Cow;

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::json::raw;
use crate::lock::{Lock, RawJson, Tool};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    for (name, tool) in &lock.tools {
        let input = Root::of(&tool.input);
        let object = input.as_ref().is_some_and(|input| input.is_object_alone() && input.is_closed());
        hold(object, || name.clone(), || "its input is no object that is closed at the root".to_owned())?;
        let closed =
            |output: &RawJson| Root::of(output).is_some_and(|root| !root.may_be_object() || root.is_closed());
        hold(
            tool.output.as_ref().is_none_or(closed),
            || name.clone(),
            || "its output is not closed at the root".to_owned(),
        )?;
        if let Some(input) = input {
            demanded(name, tool, &input)?;
        }
    }
    narrowings(lock)
}

/// A narrowing names inputs that the tool has: one that it does not have would open the closed schema to it.
fn narrowings(lock: &Lock) -> Result<(), Broken> {
    for (key, harness) in &lock.harnesses {
        for mention in harness.toolset.iter().filter(|mention| !mention.only.is_empty()) {
            let input = lock.tools.get(&mention.tool).and_then(|tool| Root::of(&tool.input));
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
    additional_properties: Option<&'a str>,
    kind: Option<&'a str>,
    properties: Option<raw::Members<'a>>,
    required: Option<Vec<Cow<'a, str>>>,
    unevaluated_properties: Option<&'a str>,
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
                "additionalProperties" => root.additional_properties.replace(value).is_some(),
                "required" => root.required.replace(raw::strings(value)?).is_some(),
                "type" => root.kind.replace(value).is_some(),
                "unevaluatedProperties" => root.unevaluated_properties.replace(value).is_some(),
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

    /// Whether it lets through objects; unsaid, or said in a way that is no type: it may.
    fn may_be_object(&self) -> bool {
        let one = self.kind.and_then(raw::read).map(|word| vec![word]);
        let words = one.or_else(|| self.kind.and_then(raw::strings));
        words.is_none_or(|words| words.iter().any(|word| word == "object"))
    }

    fn is_closed(&self) -> bool {
        self.unevaluated_properties == Some("false") || self.additional_properties == Some("false")
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
