//! The numbers behind the words: kept to tell what changed since, and for nothing else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Cell, Level, Scorecard};

/// A card's scores as they are stored, 0 to 3 by lens and criterion. The numbers cannot be read out here; they can be
/// written down, read back and compared with a later card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Stored(BTreeMap<String, BTreeMap<String, Digit>>);

/// A stored score, 0 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
struct Digit(u8);

impl From<Digit> for u8 {
    fn from(digit: Digit) -> Self {
        digit.0
    }
}

impl TryFrom<u8> for Digit {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        if usize::from(number) < Level::ALL.len() {
            Ok(Self(number))
        } else {
            Err("a stored score is 0 to 3")
        }
    }
}

/// One line of "Changed since scored".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The criterion.
    pub criterion: String,
    /// The lens.
    pub lens: String,
    /// What it says now; `None`: it is not asked any more.
    pub now: Option<Level>,
    /// What it said; `None`: it was not asked.
    pub was: Option<Level>,
}

impl Stored {
    /// A card's scores.
    #[must_use]
    pub fn of(card: &Scorecard) -> Self {
        let mut stored: BTreeMap<String, BTreeMap<String, Digit>> = BTreeMap::new();
        for row in &card.rows {
            for (column, cell) in card.columns.iter().zip(&row.cells) {
                let Cell::Scored(score) = cell else { continue };
                let digit = Level::ALL.iter().position(|level| *level == score.level());
                let digit = Digit(digit.and_then(|digit| u8::try_from(digit).ok()).unwrap_or(0));
                stored.entry(column.lens.clone()).or_default().insert(row.criterion.clone(), digit);
            }
        }
        Self(stored)
    }

    /// What changed since these were stored, by lens and criterion.
    #[must_use]
    pub fn changed_since(&self, card: &Scorecard) -> Vec<Change> {
        let now = Self::of(card);
        let mut changes = BTreeMap::new();
        for (lens, criterion) in self.places().chain(now.places()) {
            let (was, now) = (self.level(lens, criterion), now.level(lens, criterion));
            if was != now {
                let change = Change { criterion: criterion.to_owned(), lens: lens.to_owned(), now, was };
                changes.insert((lens.to_owned(), criterion.to_owned()), change);
            }
        }
        changes.into_values().collect()
    }

    fn places(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|(lens, scores)| scores.keys().map(|key| (lens.as_str(), key.as_str())))
    }

    fn level(&self, lens: &str, criterion: &str) -> Option<Level> {
        let digit = self.0.get(lens)?.get(criterion)?;
        Level::ALL.get(usize::from(digit.0)).copied()
    }
}
