//! The policy weakened, one fact at a time, and whether the compiler or a test notices.
//!
//! Each mutant is an edit of the text in memory, compiled as a whole and asked every test until one fails. Those that
//! change no decision are told apart and count for nothing.

mod facts;
mod fate;
mod instance;
mod killer;
mod kind;
mod schemas;
mod text;
mod witness;

pub use facts::mutants;
pub use fate::{Fate, Score, Tried, sample, score, survive};
pub use kind::Kind;

use crate::diagnostic::Edit;
use crate::source::Span;

/// One weakened fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// How it is weakened.
    pub kind: Kind,
    /// The fact.
    pub at: Span,
    /// The edit.
    pub edit: Edit,
    /// What it does, in one sentence; lower case, no full stop.
    pub said: String,
}
