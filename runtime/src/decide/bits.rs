//! Sets of deeds by number: membership is one bit test, and a member's place among the members one population count.

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    pub(crate) fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        if let Some(word) = self.words.get_mut(word) {
            *word |= 1 << (number % 64);
        }
    }

    /// Whether the set holds what these hold together, no more and no less. Allocates nothing.
    pub(crate) fn is_union<'b>(&self, sets: impl Iterator<Item = &'b Self> + Clone) -> bool {
        let mut first = sets.clone();
        // Most people have one persona, and words in a row are compared faster than one by one.
        if let (Some(set), None) = (first.next(), first.next()) {
            return self.holds_what(set);
        }
        let longest = sets.clone().map(|set| set.words.len()).max().unwrap_or(0).max(self.words.len());
        let word = |set: &Self, at: usize| set.words.get(at).copied().unwrap_or(0);
        (0..longest).all(|at| sets.clone().fold(0, |all, set| all | word(set, at)) == word(self, at))
    }

    /// Whether some number is in every one of these sets; in none, where there are none.
    pub(crate) fn meet(sets: &[&Self]) -> bool {
        let shortest = sets.iter().map(|set| set.words.len()).min().unwrap_or(0);
        let word = |set: &&Self, at: usize| set.words.get(at).copied().unwrap_or(0);
        (0..shortest).any(|at| sets.iter().fold(u64::MAX, |all, set| all & word(set, at)) != 0)
    }

    fn holds_what(&self, other: &Self) -> bool {
        let both = self.words.len().min(other.words.len());
        let beyond = |set: &Self| set.words.iter().skip(both).all(|word| *word == 0);
        self.words.get(..both) == other.words.get(..both) && beyond(self) && beyond(other)
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut bits = Self::default();
        numbers.into_iter().for_each(|number| bits.insert(number));
        bits
    }
}

/// Values by number, as dense as the numbers that have one.
#[derive(Clone, Debug)]
pub(crate) struct Ranked<T> {
    bits: Bits,
    /// How many members stand before each word.
    before: Vec<u32>,
    values: Vec<T>,
}

impl<T> Ranked<T> {
    /// Takes each number's value; of a number that comes twice, the first.
    pub(crate) fn new(mut pairs: Vec<(usize, T)>) -> Self {
        pairs.sort_by_key(|(number, _)| *number);
        pairs.dedup_by_key(|(number, _)| *number);
        let bits: Bits = pairs.iter().map(|(number, _)| *number).collect();
        let mut count = 0;
        let mut before = Vec::with_capacity(bits.words.len());
        for word in &bits.words {
            before.push(count);
            count += word.count_ones();
        }
        Self { bits, before, values: pairs.into_iter().map(|(_, value)| value).collect() }
    }

    pub(crate) fn get(&self, number: usize) -> Option<&T> {
        if !self.bits.contains(number) {
            return None;
        }
        let word = self.bits.words.get(number / 64)?;
        let below = word & ((1_u64 << (number % 64)) - 1);
        self.values.get((self.before.get(number / 64)? + below.count_ones()) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, Ranked};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn a_union_is_what_its_sets_hold_together(
            one in proptest::collection::btree_set(0_usize..150, 0..9),
            other in proptest::collection::btree_set(0_usize..150, 0..9),
            whole in proptest::collection::btree_set(0_usize..150, 0..12),
        ) {
            let bits = |set: &std::collections::BTreeSet<usize>| set.iter().copied().collect::<Bits>();
            let both: std::collections::BTreeSet<usize> = one.union(&other).copied().collect();
            let sets = [bits(&one), bits(&other)];
            prop_assert!(bits(&both).is_union(sets.iter()));
            prop_assert_eq!(bits(&whole).is_union(sets.iter()), whole == both);
            prop_assert_eq!(Bits::meet(&[&sets[0], &sets[1]]), one.intersection(&other).next().is_some());
            prop_assert_eq!(bits(&whole).is_union([bits(&one)].iter()), whole == one);
            prop_assert!(bits(&one).is_union([bits(&one)].iter()));
            prop_assert_eq!(bits(&one).is_union([].iter()), one.is_empty());
            // A set that was longer once holds the same.
            let mut longer = bits(&one);
            longer.words.push(0);
            prop_assert!(longer.is_union([bits(&one)].iter()) && bits(&one).is_union([longer].iter()));
        }

        #[test]
        fn a_ranked_set_answers_as_a_map_does(map in proptest::collection::btree_map(0_usize..300, 0_u8..9, 0..80)) {
            let map: BTreeMap<usize, u8> = map;
            let ranked = Ranked::new(map.clone().into_iter().collect());
            for number in 0..400 {
                prop_assert_eq!(ranked.get(number), map.get(&number));
            }
        }
    }
}
