//! The locks that are held: the one in force, and those that runs were created under.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::validate::{Compile, Schemas};
use crate::Bundle;
use crate::json::Json;

/// A lock that is held, with the schemas that were compiled of it so far.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) bundle: Bundle,
    pub(super) schemas: Schemas,
}

/// The locks that are held. Cloning is cheap and shares what was compiled.
#[derive(Clone, Debug)]
pub struct Locks {
    compiler: Arc<dyn Compile>,
    in_force: Arc<Held>,
    older: BTreeMap<String, Arc<Held>>,
}

impl Locks {
    /// One lock in force, its inputs checked by what this compiles.
    #[must_use]
    pub fn new(bundle: Bundle, compiler: Arc<dyn Compile>) -> Self {
        let in_force = Arc::new(held(bundle, &compiler));
        Self { compiler, in_force, older: BTreeMap::new() }
    }

    /// The locks after a reload. The one that was in force stays held, since runs go on under it.
    #[must_use]
    pub fn reloaded(mut self, bundle: Bundle) -> Self {
        if bundle.digest() == self.in_force.bundle.digest() {
            return self;
        }
        self.older.remove(bundle.digest());
        let before = std::mem::replace(&mut self.in_force, Arc::new(held(bundle, &self.compiler)));
        self.older.insert(before.bundle.digest().to_owned(), before);
        self
    }

    /// The locks after an older one was put away. Runs that were created under it are denied from then on.
    #[must_use]
    pub fn without(mut self, digest: &str) -> Self {
        self.older.remove(digest);
        self
    }

    /// The lock in force.
    #[must_use]
    pub fn in_force(&self) -> &Bundle {
        &self.in_force.bundle
    }

    /// A lock that is held, by its digest.
    #[must_use]
    pub fn get(&self, digest: &str) -> Option<&Bundle> {
        self.held(digest).map(|held| &held.bundle)
    }

    /// Whether each value meets the schema that a held lock declares for the run's field of that name.
    pub(crate) fn takes_values(&self, digest: &str, values: &BTreeMap<String, Json>) -> bool {
        let Some(held) = self.held(digest) else { return false };
        let declared = &held.bundle.lock().run;
        values.iter().all(|(name, value)| {
            declared.get(name).is_some_and(|schema| held.schemas.takes_field(name, schema, value))
        })
    }

    pub(super) fn current(&self) -> &Held {
        &self.in_force
    }

    pub(super) fn held(&self, digest: &str) -> Option<&Held> {
        if self.in_force.bundle.digest() == digest {
            return Some(&self.in_force);
        }
        self.older.get(digest).map(|held| &**held)
    }

    pub(super) fn bundles(&self) -> impl Iterator<Item = &Bundle> {
        std::iter::once(&self.in_force).chain(self.older.values()).map(|held| &held.bundle)
    }
}

fn held(bundle: Bundle, compiler: &Arc<dyn Compile>) -> Held {
    let schemas = Schemas::of(&bundle, Arc::clone(compiler));
    Held { bundle, schemas }
}
