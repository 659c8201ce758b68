//! Who says yes, and how strictly.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Approval, Effect};

/// The approvals in force (`approvals`), defaults filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approvals {
    /// `always_allowed`, as deed names, sorted: exempt from the plan gate and from no other, in every harness.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub always_allowed: Vec<String>,
    /// `approvers`; absent: any authenticated person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approvers: Option<Approvers>,
    /// `at_least`: the tier of each effect.
    pub at_least: Tiers,
    /// `batch`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<Batch>,
    /// `expires_after`, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_after_ms: Option<u64>,
    /// `max_actions_per_run`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_actions_per_run: Option<u64>,
    /// `treatments`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub treatments: Option<Treatments>,
}

/// The loosest approval of each effect (`at_least`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tiers {
    /// Of creates.
    pub create: Approval,
    /// Of destructive deeds.
    pub destructive: Approval,
    /// Of reads.
    pub read: Approval,
    /// Of writes.
    pub write: Approval,
}

impl Tiers {
    /// The tier of an effect.
    #[must_use]
    pub fn of(&self, effect: Effect) -> Approval {
        match effect {
            Effect::Read => self.read,
            Effect::Create => self.create,
            Effect::Write => self.write,
            Effect::Destructive => self.destructive,
        }
    }
}

impl Default for Tiers {
    /// What the language states where an author does not: auto, confirm, confirm, four_eyes.
    fn default() -> Self {
        Self {
            create: Approval::Confirm,
            destructive: Approval::FourEyes,
            read: Approval::Auto,
            write: Approval::Confirm,
        }
    }
}

/// The personas that may say yes (`approvers`), each list sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approvers {
    /// To what needs one yes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confirm: Vec<String>,
    /// To what needs four eyes; part of `confirm`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub four_eyes: Vec<String>,
    /// By tool or deed name, in place of both.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, Vec<String>>,
}

/// How a batch is approved and ends (`batch`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// `keep_partial`. What a batch did before a step failed stays, whatever stands here; the compiler refuses `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_partial: Option<bool>,
    /// `on_failure`: `stop`, the one word there is, and what is done where none stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_failure: Option<String>,
    /// `treatment`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub treatment: Option<String>,
}

/// How each effect's approval is shown (`treatments`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Treatments {
    /// Of creates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub create: Option<String>,
    /// Of destructive deeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<String>,
    /// Of reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<String>,
    /// Of writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<String>,
}
