//! What becomes of each mutant: a rule refuses it, a test notices it, it changes nothing, or it survives.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::Mutant;
use super::killer::{self, Differ};
use super::kind::Kind;
use crate::model::tests::Tests;
use crate::trial::{Stand, judge};
use crate::variant::{Compiled, Original};

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It does not compile: the rule that says so first.
    Rule(String),
    /// It compiles to a lock that the runtime does not take: what it says.
    Unproved(String),
    /// This test fails.
    Test(String),
    /// The lock is the same but for its sources and texts: the fact was not what decides.
    Same,
    /// Nobody noticed. The test that would, where one was found; it was tried.
    Survived(Option<String>),
}

/// A mutant and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The mutant.
    pub mutant: Mutant,
    /// What became of it.
    pub fate: Fate,
}

/// How many of one kind ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Refused by a rule or by the runtime's proofs.
    pub rule: usize,
    /// Noticed by a test.
    pub test: usize,
    /// Without effect; they count for nothing.
    pub same: usize,
    /// Noticed by nobody.
    pub survived: usize,
}

impl Score {
    /// Those that were noticed, of those that change something, in thousandths; nothing where none does.
    pub fn per_mille(&self) -> Option<usize> {
        let noticed = self.rule + self.test;
        (noticed * 1000).checked_div(noticed + self.survived)
    }

    fn add(&mut self, fate: &Fate) {
        match fate {
            Fate::Rule(_) | Fate::Unproved(_) => self.rule += 1,
            Fate::Test(_) => self.test += 1,
            Fate::Same => self.same += 1,
            Fate::Survived(_) => self.survived += 1,
        }
    }
}

/// The score of each kind, and of all.
pub fn score(tried: &[Tried]) -> (BTreeMap<Kind, Score>, Score) {
    let (mut kinds, mut all) = (BTreeMap::<Kind, Score>::new(), Score::default());
    for one in tried {
        kinds.entry(one.mutant.kind).or_default().add(&one.fate);
        all.add(&one.fate);
    }
    (kinds, all)
}

/// At most `bound` of them, spread evenly.
pub fn sample(mutants: Vec<Mutant>, bound: usize) -> Vec<Mutant> {
    let all = mutants.len();
    if all <= bound || bound == 0 {
        return mutants;
    }
    let chosen: BTreeSet<usize> = (0..bound).map(|place| place * all / bound).collect();
    mutants.into_iter().enumerate().filter(|(place, _)| chosen.contains(place)).map(|(_, one)| one).collect()
}

/// Tries every mutant, on as many threads as there are cores. What comes out is in the order of what goes in.
pub fn survive(original: &Original, base: &Stand, tests: &Tests, mutants: &[Mutant]) -> Vec<Tried> {
    let next = AtomicUsize::new(0);
    let work = || {
        let take = || {
            let at = next.fetch_add(1, Ordering::Relaxed);
            mutants.get(at).map(|mutant| (at, mutant))
        };
        std::iter::from_fn(take)
            .map(|(at, mutant)| (at, try_one(original, base, tests, mutant)))
            .collect::<Vec<_>>()
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut tried = thread::scope(|scope| {
        let others: Vec<_> = (1..cores).map(|_| scope.spawn(work)).collect();
        let mut tried = work();
        for other in others {
            tried.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        tried
    });
    tried.sort_by_key(|(at, _)| *at);
    tried.into_iter().zip(mutants).map(|((_, fate), mutant)| Tried { mutant: mutant.clone(), fate }).collect()
}

fn try_one(original: &Original, base: &Stand, tests: &Tests, mutant: &Mutant) -> Fate {
    let stand = match original.with(std::slice::from_ref(&mutant.edit)) {
        Compiled::Refused(findings) => {
            let rule =
                findings.first().map_or_else(String::new, |finding| finding.diagnostic.rule.to_string());
            return Fate::Rule(rule);
        }
        Compiled::Unproved(said) => return Fate::Unproved(said),
        Compiled::Stands(bundle) => Stand::new(&bundle, &base.schemas),
    };
    let noticed = tests.0.iter().find(|test| !judge(&stand, test, true).failures.is_empty());
    if let Some(test) = noticed {
        return Fate::Test(test.key.value.clone());
    }
    match killer::killer(base, &stand, &mutant.said) {
        Differ::Nowhere => Fate::Same,
        Differ::Told(test) => Fate::Survived(Some(test)),
        Differ::Untold => Fate::Survived(None),
    }
}
