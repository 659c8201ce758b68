//! The draft of an answer: a closed shape, read strictly.
//!
//! ```json
//! {"analysis_id": "…", "category": "…", "root_cause": "…", "plan": ["tool"], "reply": "…",
//!  "conclusions": [{"id": "c1", "text": "…", "evidence": [{"invocation": "…", "quote": "…"}], "from": ["c0"]}]}
//! ```
//! `analysis_id` and `conclusions` are required, of a conclusion `id` and `text`; nothing else may stand in it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Issue, IssueCode};
use crate::json::Json;

/// The largest draft that is read, in bytes.
pub const MAX_DRAFT_BYTES: usize = 256 * 1024;

/// The most items of a list and the longest texts, in characters.
const MAX_ITEMS: usize = 64;
const MAX_ID: usize = 128;
const MAX_TEXT: usize = 4000;

/// A draft that has the shape of one. That says nothing of its truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The analysis it says it belongs to.
    pub analysis_id: String,
    /// The category, where it states one.
    pub category: Option<String>,
    /// What it concludes, each with what it rests on.
    pub conclusions: Vec<Conclusion>,
    /// The deeds that it plans, where it plans.
    pub plan: Option<Vec<String>>,
    /// The reply to the person who asked, where there is one.
    pub reply: Option<String>,
    /// The root cause, where it states one.
    pub root_cause: Option<String>,
    json: Json,
}

/// One conclusion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conclusion {
    /// What it cites.
    pub evidence: Vec<Citation>,
    /// Conclusions before it that it rests on.
    pub from: Vec<String>,
    /// Its name in this draft.
    pub id: String,
    /// What it says.
    pub text: String,
}

/// One citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The tool call.
    pub invocation: String,
    /// Words of its result, verbatim.
    pub quote: String,
}

impl Draft {
    /// Reads a draft.
    ///
    /// # Errors
    /// [`IssueCode::DraftSchema`] at the first place that is none of a draft's.
    pub fn read(bytes: &[u8]) -> Result<Self, Issue> {
        let bad = || Issue::new(IssueCode::DraftSchema, "");
        if bytes.len() > MAX_DRAFT_BYTES {
            return Err(bad());
        }
        let json = Json::parse(bytes).map_err(|_| bad())?;
        let at = At::root();
        let members = at.object(
            json.value(),
            &["analysis_id", "category", "conclusions", "plan", "reply", "root_cause"],
        )?;
        let draft = Self {
            analysis_id: at.text(members, "analysis_id", MAX_ID)?,
            category: at.maybe(members, "category", MAX_ID)?,
            conclusions: at
                .list(members, "conclusions", conclusion)?
                .ok_or_else(|| at.member("conclusions").bad())?,
            plan: at.list(members, "plan", |at, value| at.string(value, MAX_ID))?,
            reply: at.maybe(members, "reply", MAX_DRAFT_BYTES)?,
            root_cause: at.maybe(members, "root_cause", MAX_ID)?,
            json: json.clone(),
        };
        let mut seen = BTreeSet::new();
        match draft.conclusions.iter().position(|conclusion| !seen.insert(&conclusion.id)) {
            Some(twice) => Err(at.member("conclusions").item(twice).member("id").bad()),
            None => Ok(draft),
        }
    }

    /// The draft as it was written, in its canonical form.
    #[must_use]
    pub fn json(&self) -> &Json {
        &self.json
    }
}

fn conclusion(at: &At, value: &Value) -> Result<Conclusion, Issue> {
    let members = at.object(value, &["evidence", "from", "id", "text"])?;
    Ok(Conclusion {
        evidence: at.list(members, "evidence", citation)?.unwrap_or_default(),
        from: at.list(members, "from", |at, value| at.string(value, MAX_ID))?.unwrap_or_default(),
        id: at.text(members, "id", MAX_ID)?,
        text: at.text(members, "text", MAX_TEXT)?,
    })
}

fn citation(at: &At, value: &Value) -> Result<Citation, Issue> {
    let members = at.object(value, &["invocation", "quote"])?;
    Ok(Citation {
        invocation: at.text(members, "invocation", MAX_ID)?,
        quote: at.text(members, "quote", MAX_TEXT)?,
    })
}

/// A place in the draft.
struct At(String);

impl At {
    fn root() -> Self {
        Self(String::new())
    }

    fn member(&self, name: &str) -> Self {
        Self(format!("{}/{name}", self.0))
    }

    fn item(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    fn bad(&self) -> Issue {
        Issue::new(IssueCode::DraftSchema, self.0.clone())
    }

    /// An object that has no members but these.
    fn object<'a>(&self, value: &'a Value, known: &[&str]) -> Result<&'a Map<String, Value>, Issue> {
        let members = value.as_object().ok_or_else(|| self.bad())?;
        match members.keys().all(|key| known.contains(&key.as_str())) {
            true => Ok(members),
            false => Err(self.bad()),
        }
    }

    fn string(&self, value: &Value, max: usize) -> Result<String, Issue> {
        let fits = |text: &&str| !text.trim().is_empty() && text.chars().count() <= max;
        value.as_str().filter(fits).map(str::to_owned).ok_or_else(|| self.bad())
    }

    fn text(&self, members: &Map<String, Value>, name: &str, max: usize) -> Result<String, Issue> {
        self.maybe(members, name, max)?.ok_or_else(|| self.member(name).bad())
    }

    fn maybe(&self, members: &Map<String, Value>, name: &str, max: usize) -> Result<Option<String>, Issue> {
        members.get(name).map(|value| self.member(name).string(value, max)).transpose()
    }

    fn list<T>(
        &self,
        members: &Map<String, Value>,
        name: &str,
        read: impl Fn(&Self, &Value) -> Result<T, Issue>,
    ) -> Result<Option<Vec<T>>, Issue> {
        let at = self.member(name);
        let Some(value) = members.get(name) else { return Ok(None) };
        let items = value.as_array().filter(|items| items.len() <= MAX_ITEMS).ok_or_else(|| at.bad())?;
        items
            .iter()
            .enumerate()
            .map(|(index, item)| read(&at.item(index), item))
            .collect::<Result<_, _>>()
            .map(Some)
    }
}
