//! Input and output schemas are closed at their root, and what a cell leans on is demanded by the input: its bound
//! inputs and the one that tells cases apart. Deeper places are the compiler's to close.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::{Broken, hold};
use crate::deeds::Deeds;
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
            let has = |name: &String| input.as_ref().is_some_and(|input| input.has(name));
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
    let same = values.is_some_and(|values| values.iter().eq(cases.by.keys()));
    hold(
        same,
        || name.to_owned(),
        || format!("the values of the input `{}` are not exactly the tool's cases", cases.input),
    )
}

/// The keywords of a schema's root that are looked at, borrowed from its text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root<'a> {
    #[serde(default, borrow)]
    additional_properties: Option<&'a RawValue>,
    #[serde(default, borrow)]
    properties: BTreeMap<Text<'a>, &'a RawValue>,
    #[serde(default, borrow)]
    required: Vec<Text<'a>>,
    #[serde(default, borrow, rename = "type")]
    kind: Option<Kind<'a>>,
    #[serde(default, borrow)]
    unevaluated_properties: Option<&'a RawValue>,
}

/// A string, copied only where it is written with escapes.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// What `type` says.
#[derive(Deserialize)]
#[serde(untagged)]
enum Kind<'a> {
    #[serde(borrow)]
    One(Cow<'a, str>),
    Some(Vec<String>),
    Odd(IgnoredAny),
}

impl<'a> Root<'a> {
    pub(super) fn of(schema: &'a RawJson) -> Option<Self> {
        serde_json::from_str(schema.as_str()).ok()
    }

    /// Whether it lets through objects and nothing else.
    fn is_object_alone(&self) -> bool {
        matches!(&self.kind, Some(Kind::One(word)) if word == "object")
    }

    /// Whether it lets through objects; unsaid, or said in a way that is no type: it may.
    fn may_be_object(&self) -> bool {
        match &self.kind {
            Some(Kind::One(word)) => word == "object",
            Some(Kind::Some(words)) => words.iter().any(|word| word == "object"),
            Some(Kind::Odd(_)) | None => true,
        }
    }

    fn is_closed(&self) -> bool {
        let closes = |keyword: Option<&RawValue>| keyword.is_some_and(|value| value.get() == "false");
        closes(self.unevaluated_properties) || closes(self.additional_properties)
    }

    /// The names that every object states.
    pub(super) fn required(&self) -> impl Iterator<Item = &str> {
        self.required.iter().map(|name| name.0.as_ref())
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.properties.contains_key(&Text(Cow::Borrowed(key)))
    }

    fn demands(&self, key: &str) -> bool {
        self.has(key) && self.required.iter().any(|required| required.0 == key)
    }

    /// The values that an input's enum lists, sorted.
    fn values(&self, key: &str) -> Option<Vec<String>> {
        #[derive(Deserialize)]
        struct Values {
            #[serde(rename = "enum")]
            values: Vec<String>,
        }
        let mut values =
            serde_json::from_str::<Values>(self.properties.get(&Text(Cow::Borrowed(key)))?.get())
                .ok()?
                .values;
        values.sort();
        Some(values)
    }
}
