//! What of a tool is no longer what was pinned.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::audit::{Datum, Event, Field};
use crate::json::{Json, as_written};
use crate::lock::Pinned;

/// The annotation by which a schema has a client send an input as a header of HTTP, past whoever looks at inputs.
pub const HEADER_KEY: &str = "x-mcp-header";

/// A part of a tool as it is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// How the server is launched or reached.
    Address,
    /// The hints.
    Annotations,
    /// The description.
    Description,
    /// An input that is to travel as a header, pinned or not.
    Header,
    /// The input schema.
    Input,
    /// The tool is not listed, or more than once.
    Name,
    /// Any other member, `_meta` excepted, of which nothing is used.
    Other,
    /// The output schema.
    Output,
    /// The title.
    Title,
    /// It cannot be written in one way only, so that nothing can be said.
    Unreadable,
}

impl Part {
    /// Every part.
    pub const ALL: [Self; 10] = [
        Self::Address,
        Self::Annotations,
        Self::Description,
        Self::Header,
        Self::Input,
        Self::Name,
        Self::Other,
        Self::Output,
        Self::Title,
        Self::Unreadable,
    ];

    /// Its stable word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Annotations => "annotations",
            Self::Description => "description",
            Self::Header => "header",
            Self::Input => "input",
            Self::Name => "name",
            Self::Other => "other",
            Self::Output => "output",
            Self::Title => "title",
            Self::Unreadable => "unreadable",
        }
    }

    fn of(member: &str) -> Self {
        match member {
            "annotations" => Self::Annotations,
            "description" => Self::Description,
            "inputSchema" => Self::Input,
            "name" => Self::Name,
            "outputSchema" => Self::Output,
            "title" => Self::Title,
            _ => Self::Other,
        }
    }
}

/// A tool that is not what was pinned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Drift {
    /// What differs; never empty.
    pub parts: BTreeSet<Part>,
    /// The server, a key of the lock.
    pub server: String,
    /// The tool, a key of the lock.
    pub tool: String,
}

impl Drift {
    /// What the audit is told: one event a part, and how many there are. Nothing of what the upstream wrote.
    pub fn events(&self) -> impl Iterator<Item = Event> {
        let count = u64::try_from(self.parts.len()).unwrap_or(u64::MAX);
        self.parts.iter().map(move |part| {
            Event::new("upstream.drifted")
                .with(Field::Issues, Datum::Number(count))
                .with(Field::Part, Datum::Word(part.word()))
                .with(Field::Server, Datum::Key(self.server.clone()))
                .with(Field::Tool, Datum::Key(self.tool.clone()))
        })
    }
}

/// What differs between the pinned entry and the one that is listed now.
pub(super) fn compare(pinned: &Pinned, listed: Option<&Map<String, Value>>) -> BTreeSet<Part> {
    let Some(listed) = listed else { return BTreeSet::from([Part::Name]) };
    let before = as_written(pinned.pinned.as_str()).ok();
    let before = before.as_ref().and_then(Value::as_object).and_then(members);
    let (Some(before), Some(after)) = (before, members(listed)) else {
        return BTreeSet::from([Part::Unreadable]);
    };
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differing = names.into_iter().filter(|name| before.get(*name) != after.get(*name));
    let mut parts: BTreeSet<Part> = differing.map(|name| Part::of(name)).collect();
    if listed.get("inputSchema").is_some_and(asks_for_headers) {
        parts.insert(Part::Header);
    }
    parts
}

/// Each member of an entry in its RFC 8785 form: layout and the order of keys say nothing.
fn members(entry: &Map<String, Value>) -> Option<BTreeMap<String, String>> {
    let members = entry.iter().filter(|(name, _)| *name != "_meta");
    members.map(|(name, value)| Some((name.clone(), Json::of(value).ok()?.canonical().to_owned()))).collect()
}

/// Whether a schema has an input sent as a header, at any depth and in any spelling of the annotation's case.
#[must_use]
pub fn asks_for_headers(schema: &Value) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(asks_for_headers),
        Value::Object(members) => {
            members.iter().any(|(key, value)| key.eq_ignore_ascii_case(HEADER_KEY) || asks_for_headers(value))
        }
        _ => false,
    }
}
