//! `harnesses:`: what an agent wears for a run (seed 003's HarnessSpec, field by field).

use std::sync::Arc;

use super::lists::{Toolset, word_or_list};
use super::read::{Read, fields, words};
use crate::diagnostic::Sink;
use crate::source::Spanned;
use crate::syntax::Node;

fields! {
    /// One harness.
    Harness = "a harness" {
        /// What a person reads: "working as <title>".
        req title: Spanned<String>,
        /// Who may wear it; its tools lie within the bundle of each one.
        opt personas: Spanned<Vec<Spanned<String>>>,
        /// The prompt, below `prompts/<prompt_version>/`.
        opt prompt_ref: Spanned<String>,
        /// The tools it holds; or `persona_bundle`: what all its personas hold today.
        req toolset: Toolset,
        /// Keys of `skills:`.
        opt skills: Vec<Spanned<String>>,
        /// Keys of `memory_lenses:`.
        opt memory_lenses: Vec<Spanned<String>>,
        /// A key of `rubrics:`.
        opt rubric_key: Spanned<String>,
        /// Keys of `plan_templates:`.
        opt plan_templates: Vec<Spanned<String>>,
        /// `all`, the default, or a list that leaves out none but optional refusals.
        opt refusal_rules: RefusalRules,
        /// A key of `status_templates:`.
        opt status_template: Spanned<String>,
        /// Keys of `record_types:`: the records it works on.
        opt record_types: Vec<Spanned<String>>,
    }
}

words! {
    /// The word for every refusal.
    AllWord = "the word `all`" {
        /// Every refusal.
        All = "all",
    }
}

/// The refusals that a harness bears.
#[derive(Clone, Debug, schemars::JsonSchema)]
#[schemars(untagged)]
pub enum RefusalRules {
    /// Every one.
    All(Spanned<AllWord>),
    /// Those named.
    List(Spanned<Vec<Spanned<String>>>),
}

impl Read for RefusalRules {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        word_or_list(node, "a list of refusals", sink).map(|read| match read {
            Ok(word) => Self::All(word),
            Err(list) => Self::List(list),
        })
    }
}
