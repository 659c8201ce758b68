//! What rules have in common: their pages, levels and waivers, and the words they look for.

pub(crate) mod approvals;
pub(crate) mod authority;
pub(crate) mod bounds;
pub(crate) mod enum_texts;
pub(crate) mod expectations;
pub(crate) mod grade;
mod levels;
mod marker;
pub(crate) mod mirror;
pub(crate) mod page;
pub(crate) mod prompts;
pub(crate) mod refusals;
pub(crate) mod run_values;
pub(crate) mod schemas;
pub(crate) mod sentences;
pub(crate) mod steps;
mod subject;
pub(crate) mod targets;
pub(crate) mod text;
pub(crate) mod unknown_inputs;
mod waivers;
pub(crate) mod words_of_list;
pub(crate) mod written;
