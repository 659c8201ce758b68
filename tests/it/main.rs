//! The one integration test binary.

mod corpus_schemas;
mod docs;
mod laws;
mod rule_pages;
