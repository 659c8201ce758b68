//! Harnesses and what they hold.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Approval, RawJson, deed_name, split_deed};

/// One harness (`harnesses.<key>`); its fields are those of `HarnessSpec`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Harness {
    /// `memory_lenses`: the parts of memory that it reads; the host's to heed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory_lenses: Vec<String>,
    /// `personas`, sorted; empty where the tree states none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub personas: Vec<String>,
    /// `plan_templates`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plan_templates: Vec<String>,
    /// Names of [`Prompt::parts`](super::Prompt::parts) or kinds of part that are put in at run time, in the order they are put together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompt: Vec<String>,
    /// `record_types`: the records that a run is offered; the host's to heed, since an input says nothing of a record's type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub record_types: Vec<String>,
    /// `refusal_rules`, `all` resolved, in the order of the refusals' lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refusal_rules: Vec<String>,
    /// `rubric_key`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rubric_key: Option<String>,
    /// `skills`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<String>,
    /// `status_template`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_template: Option<String>,
    /// `title`.
    pub title: String,
    /// `toolset`, resolved: every deed once, sorted by deed name, held as tightly as all its mentions say together.
    pub toolset: Vec<Mention>,
}

/// One deed that a harness holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mention {
    /// The strictest `approval` of its mentions; absent: none states one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
    /// The case, for a tool with cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// `only`: root input → the schema it must also meet; each named input is required.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub only: BTreeMap<String, RawJson>,
    /// The tool.
    pub tool: String,
}

impl Mention {
    /// The deed's name.
    #[must_use]
    pub fn deed(&self) -> String {
        deed_name(&self.tool, self.case.as_deref())
    }

    /// The same, borrowed where the deed is a tool.
    pub(crate) fn deed_name(&self) -> Cow<'_, str> {
        match self.case {
            None => Cow::Borrowed(&self.tool),
            Some(_) => Cow::Owned(self.deed()),
        }
    }

    /// Whether it is the deed of this name.
    #[must_use]
    pub fn is(&self, deed: &str) -> bool {
        split_deed(deed) == (self.tool.as_str(), self.case.as_deref())
    }
}
