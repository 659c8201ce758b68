//! `--name value` pairs. No option carries a secret: arguments can be read by every process of the machine.

use std::collections::BTreeMap;

use crate::system::Failed;

const KNOWN: [&str; 17] = [
    "action",
    "allow_gap",
    "approvals",
    "audit",
    "environment",
    "harness",
    "kill_switch",
    "lock",
    "organization",
    "people",
    "person",
    "persona",
    "policy",
    "program",
    "role",
    "state",
    "surface",
];

#[derive(Debug, Default)]
pub(crate) struct Options(BTreeMap<String, String>);

impl Options {
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Result<Self, Failed> {
        let mut options = BTreeMap::new();
        while let Some(word) = words.next() {
            let name = word.strip_prefix("--").filter(|name| KNOWN.contains(name));
            let name = name.ok_or_else(|| Failed::new(format!("there is no option `{word}`")))?;
            let value = words.next().ok_or_else(|| Failed::new(format!("`{word}` needs a value")))?;
            if options.insert(name.to_owned(), value).is_some() {
                return Err(Failed::new(format!("`{word}` is said twice")));
            }
        }
        Ok(Self(options))
    }

    /// An option that has no default: identity, trust and places are said, never assumed.
    pub(crate) fn one(&self, name: &str) -> Result<&str, Failed> {
        self.maybe(name).ok_or_else(|| Failed::new(format!("`--{name}` is missing")))
    }

    pub(crate) fn maybe(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}
