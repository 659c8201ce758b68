//! Checking inputs: what a validator is, and the validators of one lock, compiled when they are first needed.

mod fault;
#[cfg(feature = "schema")]
mod json_schema;
mod schemas;

use std::fmt;

pub use fault::{InputFault, known_pointer};
#[cfg(feature = "schema")]
pub use json_schema::JsonSchema;
pub(super) use schemas::{Checked, Schemas};

use crate::json::Json;

/// What turns a schema into something that checks inputs.
pub trait Compile: fmt::Debug + Send + Sync {
    /// Compiles one JSON Schema (2020-12, as text). `None`: it cannot be checked, and every call that would need it is
    /// denied with `input_unchecked`.
    fn compile(&self, schema: &str) -> Option<Box<dyn Compiled>>;
}

/// A compiled schema.
pub trait Compiled: fmt::Debug + Send + Sync {
    /// Checks one input. The fault quotes nothing of it.
    fn check(&self, input: &Json) -> Result<(), InputFault>;
}

/// No validator at all: every call that comes as far as its input is denied.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unchecked;

impl Compile for Unchecked {
    fn compile(&self, _: &str) -> Option<Box<dyn Compiled>> {
        None
    }
}
