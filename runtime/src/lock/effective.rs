//! The effective table: what each harness grants each role.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Approval, RawJson};

/// The key of the table's row for runs without a harness.
pub const NO_HARNESS: &str = "-";

/// The word by which authors say that a run wears no harness (`harness: none`); no harness is keyed so.
pub const NO_HARNESS_WORD: &str = "none";

/// Harness key (or [`NO_HARNESS`]) → role → cells, sorted by deed. Every harness and role stands in it, an empty list
/// where nothing is held. Personas, surfaces and scopes are masks over it and are not stored.
///
/// The row [`NO_HARNESS`] holds the enabled reads in the bundles of all personas with `harness: none`, as their roles
/// narrow them; it stands only where there is such a persona.
pub type Effective = BTreeMap<String, BTreeMap<String, Vec<Cell>>>;

/// One deed that is granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The strictest of the tier's, the tool's, the case's and the mention's.
    pub approval: Approval,
    /// The personas that may say yes, sorted; absent where nobody needs to, or where no approvers are stated and any
    /// authenticated person may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approvers: Option<Vec<String>>,
    /// The deed: `tool`, or `tool/case`.
    pub deed: String,
    /// The narrowing, as the mention states it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub only: BTreeMap<String, RawJson>,
}

/// The name of a deed: the tool's, or `tool/case`.
#[must_use]
pub fn deed_name(tool: &str, case: Option<&str>) -> String {
    match case {
        Some(case) => format!("{tool}/{case}"),
        None => tool.to_owned(),
    }
}

/// A deed name's tool and case. Tool names hold no slash, so the first one divides them.
#[must_use]
pub fn split_deed(deed: &str) -> (&str, Option<&str>) {
    match deed.split_once('/') {
        Some((tool, case)) => (tool, Some(case)),
        None => (deed, None),
    }
}

/// Whether a name that a policy wrote stands for this deed: a tool's name stands for each of its cases.
#[must_use]
pub fn stands_for(written: &str, deed: &str) -> bool {
    written == deed || split_deed(deed).0 == written
}

#[cfg(test)]
mod tests {
    use super::stands_for;

    #[test]
    fn a_tools_name_stands_for_its_cases_and_a_cases_for_itself() {
        assert!(stands_for("a", "a") && stands_for("a", "a/x") && stands_for("a/x", "a/x"));
        assert!(
            !stands_for("a/x", "a")
                && !stands_for("a/x", "a/y")
                && !stands_for("a", "ab")
                && !stands_for("a", "b/a")
        );
    }
}
