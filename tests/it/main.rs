//! Everything that is tested from outside, in one binary.

mod corpus_schemas;
mod instances;
mod schema_properties;
