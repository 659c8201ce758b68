//! A comparison with all that is said of it: what every report is made from.

use schemars::JsonSchema;
use serde::Serialize;

use super::acknowledge::{Accepted, Fault};
use super::change::Change;
use super::grade::Grade;

/// A comparison of two locks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The gravest grade of all changes.
    pub grade: Grade,
    /// What is compared against.
    pub base: Named,
    /// What is compared.
    pub head: Named,
    /// How many changes there are of each grade, and how many of them are cells.
    pub counts: Counts,
    /// Whether nothing has to be said or mended, as `--fail-on` asks.
    pub passes: bool,
    /// Every change, the graver first.
    pub changes: Vec<Change>,
    /// `sha256:<64 hex>` of what needs an acknowledgement, where something does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// The acknowledgement of exactly this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acknowledged: Option<Accepted>,
    /// What is wrong with acknowledgements that came with the change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// What a reader should know of how it was compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One side.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Named {
    /// As it was asked for.
    pub name: String,
    /// The policy's name.
    pub policy: String,
    /// The lock's digest.
    pub digest: String,
    /// The lock's revision.
    pub revision: u64,
}

/// How many changes there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    /// Changes that widen.
    pub widened: usize,
    /// Changes of what is read, or that cannot be ordered.
    pub altered: usize,
    /// Changes that narrow.
    pub narrowed: usize,
    /// Changes of any grade that are a cell's.
    pub cells: usize,
}

impl Counts {
    /// Counts changes.
    pub fn of(changes: &[Change]) -> Self {
        let mut counts = Self::default();
        for change in changes {
            match change.grade {
                Grade::Equal => {}
                Grade::Narrowed => counts.narrowed += 1,
                Grade::Altered => counts.altered += 1,
                Grade::Widened => counts.widened += 1,
            }
            counts.cells += usize::from(change.tool.is_some());
        }
        counts
    }
}
