//! Everything that is tested from outside, in one binary.

#[cfg(test)]
mod adopting;
#[cfg(test)]
mod again;
#[cfg(test)]
mod baseline;
#[cfg(test)]
mod bounds_and_copies;
#[cfg(test)]
mod ci;
#[cfg(test)]
mod cli_build;
#[cfg(test)]
mod cli_check;
#[cfg(test)]
mod cli_common;
#[cfg(test)]
mod cli_explain;
#[cfg(test)]
mod cli_formats;
#[cfg(test)]
mod cli_pages;
#[cfg(test)]
mod cli_release;
#[cfg(test)]
mod cli_show;
#[cfg(test)]
mod cli_sign;
#[cfg(test)]
mod cli_simulate;
#[cfg(test)]
mod cli_simulate_strange;
#[cfg(test)]
mod cli_streams;
#[cfg(test)]
mod cli_test;
mod cli_test_sequences;
#[cfg(test)]
mod cli_verify;
#[cfg(test)]
mod cli_why;
#[cfg(test)]
mod closed_properties;
#[cfg(test)]
mod corpus_json;
#[cfg(test)]
mod corpus_schemas;
#[cfg(test)]
mod corpus_yaml;
#[cfg(test)]
mod decisions;
#[cfg(test)]
mod diff;
#[cfg(test)]
mod docs;
mod examples;
#[cfg(test)]
mod fix;
#[cfg(test)]
mod forgeries;
#[cfg(test)]
mod guide;
#[cfg(test)]
mod import;
#[cfg(test)]
mod import_command;
#[cfg(test)]
mod import_properties;
#[cfg(test)]
mod import_server;
#[cfg(test)]
mod in_force;
#[cfg(test)]
mod instances;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod lower;
#[cfg(test)]
mod merging;
#[cfg(test)]
mod names;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod refusals_and_words;
#[cfg(test)]
mod rule_pages;
#[cfg(test)]
mod rules_adoption;
#[cfg(test)]
mod rules_authority;
#[cfg(test)]
mod rules_schemas;
#[cfg(test)]
mod scaffold;
#[cfg(test)]
mod schema_properties;
#[cfg(test)]
mod small_tree;
#[cfg(test)]
mod thirty;
#[cfg(test)]
mod threats;
#[cfg(test)]
mod what_no_lock_holds;
