//! Providers of models in their order, and which of them are cooling down (row D13).

use std::collections::BTreeMap;

use crate::audit::{Datum, Event, Field};
use crate::lock;

/// Where the policy states no cool-down: half a minute.
const COOLDOWN_MS: u64 = 30_000;

/// The providers of a policy and when each may be asked again. A value that the server shares between runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Providers {
    cooldown_ms: u64,
    current: Option<String>,
    order: Vec<String>,
    until_ms: BTreeMap<String, u64>,
}

/// The provider that is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// Its name, as the policy orders it.
    pub provider: String,
    /// The switch from another one, to be recorded.
    pub switched: Option<Event>,
}

impl Providers {
    /// The providers that a policy orders.
    #[must_use]
    pub fn of(engines: Option<&lock::Engines>) -> Self {
        let stated = engines.and_then(|engines| engines.providers.clone()).unwrap_or_default();
        Self {
            cooldown_ms: stated.cooldown_ms.unwrap_or(COOLDOWN_MS),
            current: None,
            order: stated.order,
            until_ms: BTreeMap::new(),
        }
    }

    /// The first provider that is not cooling down; nothing where all are, or the policy orders none. The next call that
    /// would go to another provider than the one before carries the event `provider.switched`.
    pub fn pick(&mut self, now_ms: u64) -> Option<Picked> {
        let provider = self.order.iter().find(|name| !self.is_cooling(name, now_ms))?.clone();
        let before = self.current.replace(provider.clone()).filter(|before| *before != provider);
        let switched = before.map(|before| {
            Event::new("provider.switched")
                .with(Field::From, Datum::Key(before))
                .with(Field::Provider, Datum::Key(provider.clone()))
        });
        Some(Picked { provider, switched })
    }

    /// Lets a provider cool down after a call that failed. A name that the policy does not order changes nothing.
    pub fn failed(&mut self, provider: &str, now_ms: u64) {
        if self.order.iter().any(|name| name == provider) {
            self.until_ms.insert(provider.to_owned(), now_ms.saturating_add(self.cooldown_ms));
        }
    }

    /// Whether a provider is passed over now.
    #[must_use]
    pub fn is_cooling(&self, provider: &str, now_ms: u64) -> bool {
        self.until_ms.get(provider).is_some_and(|until| now_ms < *until)
    }
}
