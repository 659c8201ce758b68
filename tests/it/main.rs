//! The one integration test binary.

mod corpus_json;
mod corpus_yaml;
mod laws;
mod rule_pages;
