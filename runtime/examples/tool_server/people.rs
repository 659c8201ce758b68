//! Who may answer, from a file of the operator's. It holds what secrets come to, salted and slow, never the secrets.
//!
//! A line: `{"person": "u-lin", "personas": ["program_lead"], "secret": "scrypt:LOG_N:R:P:SALT:HASH"}`, salt and hash in hex, the
//! hash of 32 bytes over the secret. Stock tools make one; in Python it is `hashlib.scrypt(secret, salt=salt, n=2**15, r=8,
//! p=1, dklen=32, maxmem=2**26)`.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::actions::{Assurance, PersonId, Voter};
use scrypt::{Params, scrypt};
use serde::Deserialize;

use crate::system::Failed;

/// Whoever guesses pays at least this much for each guess.
const LEAST: (u8, u32) = (14, 8);

/// The shortest salt, in bytes.
const SALT: usize = 16;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    person: String,
    personas: BTreeSet<String>,
    secret: String,
}

#[derive(Clone, Debug)]
struct Secret {
    hash: [u8; 32],
    params: Params,
    salt: Vec<u8>,
}

impl Secret {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix("scrypt:")?.split(':');
        let (log_n, r, p) =
            (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let (salt, hash) = (hex(parts.next()?)?, hex(parts.next()?)?.try_into().ok()?);
        let sound = log_n >= LEAST.0 && r >= LEAST.1 && salt.len() >= SALT && parts.next().is_none();
        Some(Self { hash, params: Params::new(log_n, r, p, 32).ok().filter(|_| sound)?, salt })
    }

    fn is(&self, typed: &str) -> bool {
        let mut hash = [0; 32];
        let done = scrypt(typed.as_bytes(), &self.salt, &self.params, &mut hash).is_ok();
        // Every byte is looked at, whichever differs.
        let differing = hash.iter().zip(&self.hash).fold(0, |all, (a, b)| all | (a ^ b));
        done && differing == 0
    }
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let pair = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    (text.len().is_multiple_of(2) && text.is_ascii())
        .then(|| (0..text.len()).step_by(2).map(pair).collect())?
}

#[derive(Clone, Debug)]
pub(crate) struct People {
    entries: BTreeMap<String, (Entry, Secret)>,
    organization: String,
}

impl People {
    pub(crate) fn read(path: &str, organization: &str) -> Result<Self, Failed> {
        let mut entries = BTreeMap::new();
        for line in std::fs::read_to_string(path)?.lines() {
            let entry: Entry = serde_json::from_str(line)
                .map_err(|error| Failed::new(format!("{path} is no list of people: {error}")))?;
            let secret = Secret::read(&entry.secret).ok_or_else(|| {
                Failed::new(format!(
                    "the secret of `{}` in {path} is no `scrypt:14:8:1:SALT:HASH` or stronger",
                    entry.person
                ))
            })?;
            entries.insert(entry.person.clone(), (entry, secret));
        }
        Ok(Self { entries, organization: organization.to_owned() })
    }

    /// Whoever typed the right secret. Everybody else is nobody, and learns nothing of why, nor from how long it took.
    pub(crate) fn signed_in(&self, person: &str, secret: &str) -> Option<Voter> {
        let Some((entry, own)) = self.entries.get(person) else {
            let other = self.entries.values().next();
            return other.and_then(|(_, other)| other.is(secret).then_some(())).and(None);
        };
        own.is(secret).then(|| self.voter(entry))
    }

    /// A person who answered before, looked up again. Whoever is no longer on the list no longer counts.
    pub(crate) fn again(&self, person: &PersonId) -> Option<Voter> {
        self.entries.get(person.as_str()).map(|(entry, _)| self.voter(entry))
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
