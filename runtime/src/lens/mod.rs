//! Lens reviews (SYSTEMS C16) and the scores of rubrics (C14): words side by side, and nothing made of them.
//!
//! There is no sum, no order of merit and no verdict here, by type: a [`Level`] cannot be compared for more or less, and
//! the numbers that are stored serve one question, what changed since. A scorecard decides nothing and is attached to
//! nothing that does.

mod attach;
mod card;
mod level;
mod plan;
mod stored;

pub use attach::{Place, may_attach};
pub use card::{Cell, Column, LensError, MAX_LENSES, PHRASE, Requester, Review, Row, Scorecard, review};
pub use level::{Kind, Level, Score};
pub use plan::reads;
pub use stored::{Change, Stored};
