//! The boundary: every gate at its place, budgets, both locks, the overlay, the record.

mod budgets;
mod gates;
mod locks;
mod overlay;
mod plans;
mod record;
#[cfg(feature = "schema")]
mod schemas;
pub(crate) mod world;
