//! What a comparison finds, as data: for people's reports and for machines alike.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::grade::{Delta, Grade};
use super::schema::Standing;
use crate::lock::Class;

/// One thing about a granted deed that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// Whether it is listed and may be called at all.
    Call,
    /// How strictly a yes is asked for.
    Approval,
    /// Who may say that yes.
    Approvers,
    /// Over which surfaces and scopes it is reached.
    Surface,
    /// Whether it may be done while a plan waits for its yes.
    Plan,
    /// Which inputs it takes.
    Input,
    /// Which of its inputs must equal the run's own values.
    Target,
    /// What the model sees of its result.
    Output,
    /// What it does to the world.
    Effect,
    /// How it is taken back.
    Undo,
    /// What an approver is shown.
    Preview,
    /// Which outside server's tool stands behind it.
    Server,
}

impl Aspect {
    /// The aspect as a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Approval => "approval",
            Self::Approvers => "approvers",
            Self::Surface => "surface",
            Self::Plan => "plan",
            Self::Input => "input",
            Self::Target => "target",
            Self::Output => "output",
            Self::Effect => "effect",
            Self::Undo => "undo",
            Self::Preview => "preview",
            Self::Server => "server",
        }
    }
}

/// What before and after are, for whoever shows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// One value, as its author writes it.
    #[default]
    Value,
    /// Names, each of which counts by itself.
    List,
    /// The names that a list lost, and those that it gained.
    Items,
    /// A text, read line by line.
    Text,
    /// A whole definition that came or went.
    Definition,
}

/// One change. A change of a cell names harness, role, tool and, where personas are stated, persona; any other names the
/// lock's field.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    /// What it comes to.
    pub grade: Grade,
    /// Whether it decides, watches over decisions, or is read.
    pub class: Class,
    /// The harness; `-` for runs without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harness: Option<String>,
    /// The run role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The persona of the person the run acts for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// The deed: `tool`, or `tool/case`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The lock's field, where it is no cell's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What of the cell differs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aspects: Vec<Aspect>,
    /// What held before, in words, or the whole text where it is one; absent: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What holds after, in words, or the whole text where it is one; absent: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Where a schema differs, how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Standing>,
    /// An input or a result that was accepted before and no longer is, where a schema differs and one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<Value>,
    /// A call that shows it; for a widening, one that was refused and passes now, replayed under both locks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// Whether no cell of today moves by it: it tells for whoever comes to hold the deed, the role or the surface.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub latent: bool,
    /// What it comes to, in a sentence, where before and after do not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
    /// The directions in which it differs.
    #[serde(skip)]
    pub delta: Delta,
    /// What before and after are.
    #[serde(skip)]
    pub form: Form,
    /// Whether the field's last name is a key that an author gave, and no field of the lock's own.
    #[serde(skip)]
    pub is_of_key: bool,
}

/// A call, and what becomes of it under both locks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Witness {
    /// The surface that it comes over; absent: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<String>,
    /// The scope that it is granted there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The tool.
    pub tool: String,
    /// The input; absent where none could be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// A value of the tool's result that reaches the model now and did not before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// Who says yes, where the change is about that; `*`: any authenticated person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
    /// A field of the run's own row and its value, where the change is about the call's target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Value>,
    /// Whether a plan of the run waits for its yes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plan_waits: bool,
    /// What becomes of it under the lock before: `auto`, `confirm`, `four_eyes` or a denial code.
    pub before: String,
    /// What becomes of it under the lock after.
    pub after: String,
}

impl Change {
    /// A change of a field that is no cell's.
    pub(super) fn of_field(class: Class, field: String, delta: Delta) -> Self {
        Self {
            grade: delta.grade(),
            class,
            harness: None,
            role: None,
            persona: None,
            tool: None,
            field: Some(field),
            aspects: Vec::new(),
            before: None,
            after: None,
            schema: None,
            lost: None,
            witness: None,
            latent: false,
            why: None,
            delta,
            form: Form::Value,
            is_of_key: false,
        }
    }

    /// Where it stands, for one order of all changes: the graver first, cells before fields.
    pub(super) fn place(&self) -> impl Ord + '_ {
        (
            std::cmp::Reverse(self.grade),
            self.field.is_some(),
            &self.harness,
            &self.tool,
            &self.role,
            &self.persona,
            &self.field,
            (&self.before, &self.after),
        )
    }
}
