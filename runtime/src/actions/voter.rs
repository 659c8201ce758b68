//! Who answers. Looked up for each decision; nothing here is a claim from a message.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{PersonId, Refusal};

/// How sure the server is of who answered. There is no default: whoever builds a voter says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Assurance {
    /// Not at all: a name in a message, a header, a field of a form. Nobody.
    None,
    /// A secret typed at a terminal that the agent cannot reach.
    TypedSecret,
    /// A signed-in session.
    Session,
    /// A key that a person touched.
    Touched,
}

impl Assurance {
    /// Every assurance, least first.
    pub const ALL: [Self; 4] = [Self::None, Self::TypedSecret, Self::Session, Self::Touched];

    /// Its stable word.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::TypedSecret => "typed_secret",
            Self::Session => "session",
            Self::Touched => "touched",
        }
    }
}

/// Whoever answers, as the server found them for this one decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Voter {
    /// How they were authenticated.
    pub authenticated: Assurance,
    /// Whether they are a human being. Services, runs, wrapped processes and models are not.
    pub human: bool,
    /// Whether they would have a place in the organization without this run.
    pub independent: bool,
    /// The organization they answer in.
    pub organization: String,
    /// Who they are, across all issuers.
    pub person: PersonId,
    /// The personas they hold independently of the run. An admin's right is no persona.
    pub personas: BTreeSet<String>,
}

impl Voter {
    /// Refuses nobody, no person, and a stranger to the organization, who learns not even that the action exists.
    pub(super) fn is_somebody(&self, organization: &str) -> Result<(), Refusal> {
        if self.authenticated == Assurance::None {
            return Err(Refusal::NotAuthenticated);
        }
        if self.organization != organization {
            return Err(Refusal::UnknownAction);
        }
        if !self.human {
            return Err(Refusal::NotAPerson);
        }
        Ok(())
    }
}

/// Which canonical person an issuer's subject is. One that is not in it is nobody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directory(BTreeMap<(String, String), PersonId>);

impl Directory {
    /// Makes an issuer's subject known as a person.
    #[must_use]
    pub fn with(mut self, issuer: &str, subject: &str, person: PersonId) -> Self {
        self.0.insert((issuer.to_owned(), subject.to_owned()), person);
        self
    }

    /// The canonical person. Issuer and subject are compared exactly.
    #[must_use]
    pub fn person(&self, issuer: &str, subject: &str) -> Option<&PersonId> {
        self.0.get(&(issuer.to_owned(), subject.to_owned()))
    }
}
