//! The words of a rubric, and a score with its sources.

use std::collections::BTreeSet;

/// How much evidence there is. Without an order and without a number, by type:
///
/// ```compile_fail
/// use harnessc_runtime::lens::Level;
/// assert!(Level::WEAK < Level::STRONG);
/// ```
///
/// ```compile_fail
/// use harnessc_runtime::lens::Level;
/// let sum = Level::WEAK as u8 + Level::STRONG as u8;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Level(&'static str);

impl Level {
    /// Nothing is cited.
    pub const NO_EVIDENCE: Self = Self("no_evidence");
    /// Cited, and weak.
    pub const WEAK: Self = Self("weak");
    /// Cited, and moderate.
    pub const MODERATE: Self = Self("moderate");
    /// Cited, and strong.
    pub const STRONG: Self = Self("strong");
    /// Every level.
    pub const ALL: [Self; 4] = [Self::NO_EVIDENCE, Self::WEAK, Self::MODERATE, Self::STRONG];

    /// The level of a word, compared exactly.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.0 == word)
    }

    /// The word that people read.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.0
    }
}

/// What an assertion rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Nothing that was cited.
    Assumption,
    /// Records that were cited.
    Cited,
}

impl Kind {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::Assumption, Self::Cited];

    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Assumption => "assumption",
            Self::Cited => "cited",
        }
    }
}

/// One criterion's score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    citations: Vec<String>,
    level: Level,
}

impl Score {
    /// A score from what the model said. Only citations of records that this run has read count; without one the level is
    /// `no_evidence`, whatever was said, and the assertion an assumption (SYSTEMS C14). An unknown word is `no_evidence` too.
    #[must_use]
    pub fn new(word: &str, citations: &[&str], read: &BTreeSet<String>) -> Self {
        let citations: BTreeSet<&str> = citations.iter().copied().filter(|id| read.contains(*id)).collect();
        let level = Level::named(word).filter(|_| !citations.is_empty()).unwrap_or(Level::NO_EVIDENCE);
        Self { citations: citations.into_iter().map(str::to_owned).collect(), level }
    }

    /// The records, sorted.
    #[must_use]
    pub fn citations(&self) -> &[String] {
        &self.citations
    }

    /// The level.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// What it rests on.
    #[must_use]
    pub fn kind(&self) -> Kind {
        if self.level == Level::NO_EVIDENCE { Kind::Assumption } else { Kind::Cited }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Level, Score};

    #[test]
    fn without_a_citation_of_something_read_there_is_no_evidence() {
        // SYSTEMS C14, every word with and without a source.
        let read = ["R-1".to_owned(), "R-2".to_owned()].into();
        for level in Level::ALL {
            let cited = Score::new(level.word(), &["R-2", "R-1", "R-2", "R-9"], &read);
            assert_eq!(
                (cited.level(), cited.citations()),
                (level, &["R-1".to_owned(), "R-2".to_owned()][..])
            );
            for citations in [&[][..], &["R-9"], &["r-1"], &["R-1 "]] {
                let uncited = Score::new(level.word(), citations, &read);
                assert_eq!((uncited.level(), uncited.kind()), (Level::NO_EVIDENCE, Kind::Assumption));
                assert!(uncited.citations().is_empty());
            }
        }
        for word in ["pass", "approved", "Strong", "3", ""] {
            assert_eq!(Score::new(word, &["R-1"], &read).level(), Level::NO_EVIDENCE, "{word}");
        }
        assert_eq!(Score::new("weak", &["R-1"], &read).kind(), Kind::Cited);
    }
}
