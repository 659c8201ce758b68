//! A lock under test, with what a tool server has around it.

use std::sync::Arc;

use harnessc_runtime::boundary::{Locks, NameKey, Overlay};
use harnessc_runtime::decide::Bundle;
use harnessc_runtime::upstream::Upstreams;

use super::input::Schemas;

/// A lock in force on a server that exists in memory alone.
#[derive(Debug)]
pub struct Stand {
    pub(super) key: NameKey,
    pub(super) locks: Locks,
    pub(super) overlay: Option<Overlay>,
    pub(super) schemas: Schemas,
    /// Whether an outside server is what was pinned is no question of the policy.
    pub(super) upstreams: Upstreams,
}

impl Stand {
    /// The lock of a bundle in force. Validators are shared between stands.
    pub fn new(bundle: &Bundle, schemas: &Schemas) -> Self {
        Self {
            // The key guards an audit trail, and none is kept here.
            key: NameKey::new([0; 32]),
            locks: Locks::new(bundle.clone(), Arc::new(schemas.clone())),
            overlay: Overlay::none().ok(),
            schemas: schemas.clone(),
            upstreams: Upstreams::supposed(bundle),
        }
    }

    /// The lock in force.
    pub fn bundle(&self) -> &Bundle {
        self.locks.in_force()
    }
}
