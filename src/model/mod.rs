//! One file per section: spanned nodes to typed definitions.
//!
//! Strict: unknown keys, wrong types, nulls and empty lists are found here. Nothing is resolved here: a name is a text
//! until `names` follows it.

pub mod approvals;
pub mod bounds;
mod complete;
pub mod harnesses;
pub mod keyed;
pub mod keys;
pub mod lists;
pub mod manifest;
pub mod people;
pub mod prompt;
pub mod read;
pub mod refusals;
pub mod rubrics;
pub mod scalars;
mod schema;
pub mod tests;
pub mod tools;
pub mod words;
pub mod work;

mod sections;

pub use keyed::{Def, Keyed};
pub use schema::{file_schema, manifest_schema};
pub use sections::{Model, SECTIONS, read};
