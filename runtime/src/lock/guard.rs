//! What the policy is called and which of its checks were in force when it was compiled.

use serde::{Deserialize, Serialize};

/// `[policy]` of the manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// `edition`: the rule set it was checked against.
    pub edition: u64,
    /// `environment`; a runtime that trusts another one refuses the lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// `external_servers`, sorted: the outside servers that may serve tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub external_servers: Vec<String>,
    /// `harness_version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness_version: Option<String>,
    /// `name`.
    pub name: String,
    /// `prompt_version`: the folder that the prompts' texts were read from. The texts themselves stand in the lock; nothing reads this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_version: Option<String>,
}

/// A rule's level in force (`[rules]`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Says nothing.
    Allow,
    /// Denies.
    Deny,
    /// Warns.
    Warn,
}

/// One waiver that set a finding aside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    /// The digest of what it excuses: other content is a new finding.
    pub excuses: String,
    /// The file it stands in, relative to the manifest.
    pub file: String,
    /// Its reason.
    pub reason: String,
    /// The rule.
    pub rule: String,
    /// The definition it is about, `SECTION/KEY`: for no other does a proof leave the rule out.
    pub subject: String,
}

/// The baseline under which the lock was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// `sha256:<64 hex>` of the baseline file.
    pub digest: String,
    /// How many findings it set aside.
    pub findings: u64,
}
