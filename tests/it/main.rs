//! Everything that is tested from outside, in one binary.

mod corpus_json;
mod corpus_schemas;
mod corpus_yaml;
mod docs;
mod import;
mod instances;
mod laws;
mod rule_pages;
mod schema_properties;
