//! Everything that is tested from outside, in one binary.

#[cfg(test)]
mod corpus_schemas;
#[cfg(test)]
mod corpus_yaml;
#[cfg(test)]
mod docs;
#[cfg(test)]
mod instances;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod rule_pages;
#[cfg(test)]
mod rules_authority;
mod schema_properties;
