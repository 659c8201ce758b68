//! Everything that is tested from outside, in one binary.

mod bounds_and_copies;
mod cli_build;
mod cli_check;
mod cli_common;
mod cli_explain;
mod cli_show;
mod cli_streams;
mod cli_verify;
mod corpus_json;
mod corpus_schemas;
mod corpus_yaml;
mod docs;
mod forgeries;
mod instances;
mod laws;
mod names;
mod oracle;
mod refusals_and_words;
mod rule_pages;
mod rules_authority;
mod rules_schemas;
mod schema_properties;
mod small_tree;
