//! Which columns a kind of row has: a floor that no author removes, and what the lock's `audit` section adds.
//!
//! The words come from the lock's closed lists (`lock::closed_words`), which have none for a prompt, a message, an argument
//! or a result (row E10).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::Fact;
use crate::lock::Audit;
use crate::lock::closed_words::{ACTION_FIELDS, TOOL_CALL_FIELDS};

/// The kinds of row whose columns a policy can add to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A proposed change (`audit.action`).
    Action,
    /// A tool call (`audit.tool_call`).
    ToolCall,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Action, Self::ToolCall];

    /// Every word that such a row may have.
    #[must_use]
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Self::Action => ACTION_FIELDS,
            Self::ToolCall => TOOL_CALL_FIELDS,
        }
    }

    /// What stands in every such row, whatever the policy says: of a change the facts of the attribution (row C15), of
    /// a call identity, tool, status, duration and bytes (row E10), and of both what it was decided by.
    #[must_use]
    pub fn floor(self) -> &'static [&'static str] {
        match self {
            Self::Action => &[
                "id",
                "tool",
                "state",
                "approval",
                "harness",
                "harness_version",
                "rubric",
                "rubric_version",
                "run",
                "acting_user",
                "decided_by",
                "input_hash",
                "action_hash",
                "lock_digest",
            ],
            Self::ToolCall => &[
                "id",
                "tool",
                "status",
                "code",
                "started_at",
                "duration_ms",
                "bytes_in",
                "bytes_out",
                "run",
                "role",
                "harness",
                "lock_digest",
            ],
        }
    }
}

/// The columns of one kind of row under one lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    kind: Kind,
    words: BTreeSet<&'static str>,
}

impl Columns {
    /// The floor and what the lock adds. A word that is on no closed list adds nothing.
    #[must_use]
    pub fn of(kind: Kind, audit: Option<&Audit>) -> Self {
        let stated = audit.map_or(&[][..], |audit| match kind {
            Kind::Action => &audit.action,
            Kind::ToolCall => &audit.tool_call,
        });
        let added = kind.words().iter().filter(|word| stated.iter().any(|stated| stated == *word));
        Self { kind, words: kind.floor().iter().chain(added).copied().collect() }
    }

    /// Their names, sorted.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.words.iter().copied()
    }

    /// A row: of these facts those that are columns. A fact of the floor is stated as present or absent (`None`); one
    /// that is not stated at all, or that a record could not hold, is an error and never left out in silence.
    ///
    /// # Errors
    /// The first column that is missing or unfit.
    pub fn row(
        &self,
        facts: &BTreeMap<&'static str, Option<Fact>>,
    ) -> Result<BTreeMap<&'static str, Fact>, MissingColumn> {
        if let Some(missing) = self.kind.floor().iter().find(|word| !facts.contains_key(*word)) {
            return Err(MissingColumn(missing));
        }
        let mut row = BTreeMap::new();
        for word in self.words() {
            match facts.get(word) {
                Some(Some(fact)) if fact.fits() => {
                    row.insert(word, fact.clone());
                }
                Some(Some(_)) => return Err(MissingColumn(word)),
                Some(None) | None => {}
            }
        }
        Ok(row)
    }
}

/// A column that a row lacks, or that holds what no record holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingColumn(pub &'static str);

impl fmt::Display for MissingColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the row says nothing fit of `{}`, and every row of its kind has to", self.0)
    }
}

impl std::error::Error for MissingColumn {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Columns, Kind, MissingColumn};
    use crate::audit::Fact;
    use crate::lock::Audit;

    fn facts(kind: Kind) -> BTreeMap<&'static str, Option<Fact>> {
        kind.words().iter().map(|word| (*word, Some(Fact::Text("x".to_owned())))).collect()
    }

    #[test]
    fn every_word_of_a_floor_is_on_the_closed_list() {
        for kind in Kind::ALL {
            for word in kind.floor() {
                assert!(kind.words().contains(word), "{word}");
            }
        }
    }

    // THREATS: fields have a floor that no author can remove.
    #[test]
    fn an_author_adds_to_the_floor_and_removes_nothing() {
        let silent = Columns::of(Kind::ToolCall, Some(&Audit::default()));
        assert_eq!(silent, Columns::of(Kind::ToolCall, None));
        assert_eq!(silent.words().count(), Kind::ToolCall.floor().len());
        let audit = Audit { tool_call: vec!["persona".to_owned(), "prompt".to_owned()], ..Audit::default() };
        let more = Columns::of(Kind::ToolCall, Some(&audit));
        assert!(more.words().any(|word| word == "persona"));
        assert!(!more.words().any(|word| word == "prompt"));
        assert!(silent.words().all(|word| more.words().any(|other| other == word)));
    }

    #[test]
    fn a_row_holds_its_columns_and_lacks_none() {
        let columns = Columns::of(Kind::Action, None);
        let mut facts = facts(Kind::Action);
        facts.insert("decided_by", None);
        let row = columns.row(&facts).unwrap();
        assert!(
            row.contains_key("acting_user")
                && !row.contains_key("decided_by")
                && !row.contains_key("surface")
        );
        facts.insert("tool", Some(Fact::Text("a\nb".to_owned())));
        assert_eq!(columns.row(&facts), Err(MissingColumn("tool")));
        facts.remove("acting_user");
        assert_eq!(columns.row(&facts), Err(MissingColumn("acting_user")));
    }
}
