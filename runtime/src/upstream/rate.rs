//! How often an upstream may be called.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Unfit;

/// Calls to one upstream within a sliding window. The server keeps one for each, for all runs together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    most: usize,
    taken: VecDeque<u64>,
    window_ms: u64,
}

impl Rate {
    /// At most so many calls in any window of this length, in milliseconds. None at all where `most` is 0.
    #[must_use]
    pub fn new(most: usize, window_ms: u64) -> Self {
        Self { most, taken: VecDeque::new(), window_ms }
    }

    /// Takes one call at this time of the store's clock.
    ///
    /// # Errors
    /// [`Unfit::Rate`] where the window is full, or the clock went back: nothing is sent then.
    pub fn take(&mut self, now_ms: u64) -> Result<(), Unfit> {
        if self.taken.back().is_some_and(|last| now_ms < *last) {
            return Err(Unfit::Rate);
        }
        let begins = now_ms.saturating_sub(self.window_ms);
        // What lies a whole window back counts no more.
        while self.taken.front().is_some_and(|first| *first <= begins && now_ms - *first >= self.window_ms) {
            self.taken.pop_front();
        }
        if self.taken.len() >= self.most {
            return Err(Unfit::Rate);
        }
        self.taken.push_back(now_ms);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Rate, Unfit};

    #[test]
    fn a_window_takes_so_many_and_slides() {
        let mut rate = Rate::new(2, 10);
        assert_eq!(
            [0, 5, 9, 10, 14, 15].map(|now| rate.take(now).is_ok()),
            [true, true, false, true, false, true]
        );
        assert_eq!(rate.take(14), Err(Unfit::Rate), "the clock went back");
        assert_eq!(Rate::new(0, 10).take(1), Err(Unfit::Rate));
    }

    proptest! {
        #[test]
        fn no_window_holds_more_than_it_may(steps in proptest::collection::vec(0_u64..5, 0..60), most in 1_usize..4) {
            let (mut rate, mut now, mut taken) = (Rate::new(most, 10), 0, Vec::new());
            for step in steps {
                now += step;
                if rate.take(now).is_ok() {
                    taken.push(now);
                }
            }
            for first in &taken {
                let within = taken.iter().filter(|at| **at >= *first && **at < *first + 10).count();
                prop_assert!(within <= most);
            }
        }
    }
}
