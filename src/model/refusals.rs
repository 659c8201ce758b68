//! `refusals:`: what no agent of this tree does, said in its prompt and held in its tools.

use super::keyed::Keyed;
use super::read::fields;
use crate::source::Spanned;

fields! {
    /// One refusal.
    Refusal = "a refusal" {
        /// The sentence that stands in the prompt of each harness that bears it.
        req line: Spanned<String>,
        /// Verbs that no tool held by such a harness bears in its name or title.
        opt forbidden_verbs: Vec<Spanned<String>>,
        /// Irregular forms: verb to its other spellings.
        opt forms: Keyed<Vec<Spanned<String>>>,
        /// Whether a harness may leave it out.
        opt optional: Spanned<bool>,
    }
}
