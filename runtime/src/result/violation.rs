//! What an answer had that its schema does not allow, counted by kind and never quoted.

use std::collections::BTreeMap;

macro_rules! violations {
    ($($(#[$doc:meta])* $kind:ident = $code:literal,)*) => {
        /// A way in which an answer leaves its schema (`output_violations`, SYSTEMS C10).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Violation { $($(#[$doc])* $kind,)* }

        impl Violation {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The stable code.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Self::$kind => $code,)* }
            }
        }
    };
}

violations! {
    /// A string longer than its cap was cut.
    CutString = "cut_string",
    /// An item that stood in the array before, where each may stand once, was dropped.
    DuplicateItem = "duplicate_item",
    /// A key that no structured output may have (`text`, `body`, …) was dropped.
    ForbiddenKey = "forbidden_key",
    /// Characters that a person does not see were taken out.
    HiddenCharacters = "hidden_characters",
    /// An object was dropped since a member that it must have is missing or could not be kept.
    MissingMember = "missing_member",
    /// No branch of `anyOf`, `oneOf` or `not` takes the value.
    NoBranch = "no_branch",
    /// A value outside the listed ones was dropped.
    NotListed = "not_listed",
    /// A number outside its bounds was dropped.
    OutOfRange = "out_of_range",
    /// An array or string is shorter than it must be.
    TooFew = "too_few",
    /// Items or entries beyond the most that may stand were dropped.
    TooMany = "too_many",
    /// A key that the schema does not name was dropped.
    UnknownKey = "unknown_key",
    /// Prose in a place whose pattern or cap leaves no room for the label was dropped.
    Unlabelled = "unlabelled",
    /// An entry of a map whose key is no plain word was dropped.
    UnsafeKey = "unsafe_key",
    /// A string that its pattern or format does not take, or that nothing here can judge, was dropped.
    WrongShape = "wrong_shape",
    /// A value of another type was dropped.
    WrongType = "wrong_type",
}

/// How many of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations(BTreeMap<Violation, u64>);

impl Violations {
    /// The count on the call row.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// How many of one kind.
    #[must_use]
    pub fn of(&self, kind: Violation) -> u64 {
        self.0.get(&kind).copied().unwrap_or(0)
    }

    /// The kinds that occurred, each with its count.
    pub fn iter(&self) -> impl Iterator<Item = (Violation, u64)> {
        self.0.iter().map(|(kind, count)| (*kind, *count))
    }

    pub(super) fn count(&mut self, kind: Violation, times: usize) {
        if times > 0 {
            let count = self.0.entry(kind).or_default();
            *count = count.saturating_add(u64::try_from(times).unwrap_or(u64::MAX));
        }
    }

    pub(super) fn absorb(&mut self, other: &Self) {
        for (kind, count) in &other.0 {
            let own = self.0.entry(*kind).or_default();
            *own = own.saturating_add(*count);
        }
    }
}
