//! A store in memory, for tests and examples. It forgets everything when the process ends.

use std::collections::BTreeMap;

use super::{ActionId, Change, Ledger, PreImage, Store, StoreError};
use crate::audit::Event;

/// Ledgers, the trail and pre-images, in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    ledgers: BTreeMap<(String, String), Ledger>,
    pre_images: BTreeMap<ActionId, PreImage>,
    trail: Vec<Event>,
}

impl Memory {
    /// Everything the audit was told, in order.
    #[must_use]
    pub fn trail(&self) -> &[Event] {
        &self.trail
    }

    /// What an execution overwrote.
    #[must_use]
    pub fn pre_image(&self, action: &ActionId) -> Option<&PreImage> {
        self.pre_images.get(action)
    }
}

impl Store for Memory {
    fn read(&self, organization: &str, run: &str) -> Result<Option<Ledger>, StoreError> {
        Ok(self.ledgers.get(&(organization.to_owned(), run.to_owned())).cloned())
    }

    fn commit(&mut self, change: &Change<'_>) -> Result<(), StoreError> {
        let key = (change.ledger.organization().to_owned(), change.ledger.run().to_owned());
        if self.ledgers.get(&key).map_or(0, Ledger::version) != change.expected {
            return Err(StoreError::Conflict);
        }
        self.ledgers.insert(key, change.ledger.clone());
        self.trail.extend(change.events.iter().cloned());
        if let Some(image) = change.pre_image {
            self.pre_images.insert(image.action().clone(), image.clone());
        }
        Ok(())
    }
}
