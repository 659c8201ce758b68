//! Who may answer, from a file of the operator's. It holds digests of the secrets, never the secrets.
//!
//! A line: `{"person": "u-lin", "personas": ["program_lead"], "secret": "sha256:<64 hex>"}`, the digest taken over the
//! person, a LF and the secret. A secret is long and random: a digest like this one does not slow down whoever guesses.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::actions::{Assurance, PersonId, Voter};
use harnessc_runtime::lock::digest_of;
use serde::Deserialize;

use crate::system::Failed;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    person: String,
    personas: BTreeSet<String>,
    secret: String,
}

#[derive(Debug)]
pub(crate) struct People {
    entries: BTreeMap<String, Entry>,
    organization: String,
}

impl People {
    pub(crate) fn read(path: &str, organization: &str) -> Result<Self, Failed> {
        let mut entries = BTreeMap::new();
        for line in std::fs::read_to_string(path)?.lines() {
            let entry: Entry = serde_json::from_str(line)
                .map_err(|error| Failed::new(format!("{path} is no list of people: {error}")))?;
            entries.insert(entry.person.clone(), entry);
        }
        Ok(Self { entries, organization: organization.to_owned() })
    }

    /// Whoever typed the right secret. Everybody else is nobody, and learns nothing of why.
    pub(crate) fn signed_in(&self, person: &str, secret: &str) -> Option<Voter> {
        let entry = self.entries.get(person)?;
        (digest_of(format!("{person}\n{secret}").as_bytes()) == entry.secret).then(|| self.voter(entry))
    }

    /// A person who answered before, looked up again. Whoever is no longer on the list no longer counts.
    pub(crate) fn again(&self, person: &PersonId) -> Option<Voter> {
        self.entries.get(person.as_str()).map(|entry| self.voter(entry))
    }

    fn voter(&self, entry: &Entry) -> Voter {
        Voter {
            authenticated: Assurance::TypedSecret,
            human: true,
            independent: true,
            organization: self.organization.clone(),
            person: PersonId::new(entry.person.clone()),
            personas: entry.personas.clone(),
        }
    }
}
