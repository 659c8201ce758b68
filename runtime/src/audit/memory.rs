//! A store in memory: for examples and tests, and the shortest statement of what a store must do.

use std::collections::BTreeMap;

use super::{Chain, Head, Record, Store, StoreFault};

/// Chains in memory. Gone with the process.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    chains: BTreeMap<(Chain, String), Vec<Record>>,
    /// Whether it refuses everything, as a store does that cannot be reached.
    pub unavailable: bool,
}

impl Memory {
    /// The records of a chain, in order.
    #[must_use]
    pub fn records(&self, chain: Chain, organization: &str) -> &[Record] {
        self.chains.get(&(chain, organization.to_owned())).map_or(&[], Vec::as_slice)
    }
}

impl Store for Memory {
    fn head(&self, chain: Chain, organization: &str) -> Result<Option<Head>, StoreFault> {
        if self.unavailable {
            return Err(StoreFault::Unavailable);
        }
        Ok(self.records(chain, organization).last().map(|last| Head {
            at_ms: last.at_ms,
            chain,
            hash: last.hash.clone(),
            organization: last.organization.clone(),
            seq: last.seq,
        }))
    }

    fn append(
        &mut self,
        expected: Option<&Head>,
        chain: Chain,
        records: &[Record],
    ) -> Result<(), StoreFault> {
        let Some(first) = records.first() else { return Ok(()) };
        if self.head(chain, &first.organization)?.as_ref() != expected {
            return Err(StoreFault::Conflict);
        }
        self.chains.entry((chain, first.organization.clone())).or_default().extend_from_slice(records);
        Ok(())
    }
}
