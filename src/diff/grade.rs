//! How one thing that a lock states stands to the same thing in another lock.

use std::collections::BTreeSet;

use serde::Serialize;

/// What a change comes to; the larger one is the graver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// No decision and no word differs.
    #[default]
    Equal,
    /// Less is granted, or more stands guard, and nowhere more or less.
    Narrowed,
    /// Somebody reads something else, or what cannot be ordered changed without a decision changing.
    Altered,
    /// More is granted or less stands guard; or the two cannot be compared.
    Widened,
}

impl Grade {
    /// The grade as a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Narrowed => "narrowed",
            Self::Altered => "altered",
            Self::Widened => "widened",
        }
    }
}

/// In which directions two things differ. What cannot be compared differs in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Delta {
    /// The later one grants something that the earlier one does not.
    pub wider: bool,
    /// The earlier one grants something that the later one does not.
    pub tighter: bool,
    /// They read differently.
    pub altered: bool,
}

impl Delta {
    /// No difference.
    pub const EQUAL: Self = Self { wider: false, tighter: false, altered: false };
    /// The later one grants more.
    pub const WIDER: Self = Self { wider: true, ..Self::EQUAL };
    /// The later one grants less.
    pub const TIGHTER: Self = Self { tighter: true, ..Self::EQUAL };
    /// They cannot be ordered, or nobody can tell.
    pub const EITHER: Self = Self { wider: true, tighter: true, altered: false };
    /// They read differently.
    pub const ALTERED: Self = Self { altered: true, ..Self::EQUAL };

    /// Both differences together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            wider: self.wider || other.wider,
            tighter: self.tighter || other.tighter,
            altered: self.altered || other.altered,
        }
    }

    /// The difference seen from the other side.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { wider: self.tighter, tighter: self.wider, altered: self.altered }
    }

    /// Two values of which the larger one grants more.
    pub fn of_order<T: Ord>(before: &T, after: &T) -> Self {
        match after.cmp(before) {
            std::cmp::Ordering::Less => Self::TIGHTER,
            std::cmp::Ordering::Equal => Self::EQUAL,
            std::cmp::Ordering::Greater => Self::WIDER,
        }
    }

    /// Two lists of which each item grants something; their order says nothing.
    pub fn of_sets<T: Ord>(before: &[T], after: &[T]) -> Self {
        let (old, new): (BTreeSet<&T>, BTreeSet<&T>) = (before.iter().collect(), after.iter().collect());
        Self { wider: !new.is_subset(&old), tighter: !old.is_subset(&new), altered: false }
    }

    /// Whether one of the directions in which this differs is one of the other's too.
    pub fn meets(self, other: Self) -> bool {
        self.wider && other.wider || self.tighter && other.tighter || self.altered && other != Self::EQUAL
    }

    /// Whether each direction in which this differs is one of the other's too.
    pub fn is_within(self, other: Self) -> bool {
        (!self.wider || other.wider)
            && (!self.tighter || other.tighter)
            && (!self.altered || other != Self::EQUAL)
    }

    /// The one word for it: what is wider anywhere is widened, whatever else it is.
    pub fn grade(self) -> Grade {
        match self {
            Self { wider: true, .. } => Grade::Widened,
            Self { altered: true, .. } => Grade::Altered,
            Self { tighter: true, .. } => Grade::Narrowed,
            Self::EQUAL => Grade::Equal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Delta, Grade};

    #[test]
    fn what_is_wider_anywhere_is_widened_and_a_mirror_turns_it() {
        assert_eq!(Delta::EITHER.grade(), Grade::Widened);
        assert_eq!(Delta::TIGHTER.and(Delta::ALTERED).grade(), Grade::Altered);
        assert_eq!(Delta::WIDER.mirrored(), Delta::TIGHTER);
        assert_eq!(Delta::EITHER.mirrored(), Delta::EITHER);
        assert_eq!(Delta::of_sets(&["a", "b"], &["b", "a"]), Delta::EQUAL);
        assert_eq!(Delta::of_sets(&["a"], &["b"]), Delta::EITHER);
        assert_eq!(Delta::of_order(&1, &2), Delta::WIDER);
    }

    #[test]
    fn a_direction_is_shared_or_it_is_not() {
        let (wider, tighter, both) = (Delta::WIDER, Delta::TIGHTER, Delta::EITHER);
        assert!(wider.meets(both) && both.meets(tighter) && !wider.meets(tighter));
        assert!(wider.is_within(both) && !both.is_within(wider) && Delta::EQUAL.is_within(tighter));
        // Words that read differently are met by whatever differs.
        assert!(Delta::ALTERED.meets(wider) && Delta::ALTERED.is_within(wider));
        assert!(!Delta::ALTERED.meets(Delta::EQUAL) && !Delta::ALTERED.is_within(Delta::EQUAL));
    }

    #[test]
    fn long_lists_are_compared_in_a_moment() {
        let names = |mark: &str| (0..200_000).map(|at| format!("{mark}{at}")).collect::<Vec<_>>();
        let started = std::time::Instant::now();
        assert_eq!(Delta::of_sets(&names("old"), &names("new")), Delta::EITHER);
        assert!(started.elapsed() < std::time::Duration::from_secs(4), "{:?}", started.elapsed());
    }
}
