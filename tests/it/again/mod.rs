//! Issue 4: a record is enough to decide it again. Random calls are decided, recorded, read back and decided again: under their
//! own lock nothing changes, and under another one the answer is what a direct decision says, or that it cannot be told.

#![cfg(test)]

mod calls;
mod policy;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use harnessc::simulate::{Outcome, Said, simulate};
use harnessc_runtime::Bundle;
use harnessc_runtime::audit::{Chain, Memory, Store as _, record};
use harnessc_runtime::decide::{Code, Gate};
use proptest::prelude::*;

use calls::{Asked, Dice, NOW, decide, plan};
use policy::bundles;

/// The log of these calls, and how each ended.
fn log(asked: &[Asked], lock: &Bundle, other: &Bundle) -> (String, BTreeMap<u64, Said>) {
    let mut store = Memory::default();
    let mut said = BTreeMap::new();
    for (at, asked) in (NOW..).zip(asked) {
        let (event, was) = decide(asked, lock, if asked.began_elsewhere { other } else { lock });
        record(&mut store, Chain::Trail, "org-1", &[event], at).unwrap();
        let seq = store.head(Chain::Trail, "org-1").unwrap().unwrap().seq;
        said.insert(seq, was);
    }
    let lines = store.records(Chain::Trail, "org-1").iter().fold(String::new(), |mut lines, record| {
        writeln!(lines, "{record}").unwrap();
        lines
    });
    (lines, said)
}

/// What the simulation says of each decision.
fn outcomes(lines: &str, lock: &Bundle, held: &[Bundle]) -> BTreeMap<u64, Outcome> {
    let simulation = simulate(lines, None, lock, held).unwrap();
    simulation.groups.iter().flat_map(|group| group.seqs.iter().map(|seq| (*seq, group.outcome))).collect()
}

/// Whether what is said of a decision is so.
fn holds(outcome: Outcome, was: Said, truth: Said) -> bool {
    match outcome {
        Outcome::CannotTell { .. } => true,
        Outcome::Same => match (was, truth) {
            (Said::Deny(_), Said::Deny(_)) => true,
            (was, truth) => was == truth,
        },
        Outcome::Flip { was: told, would_be, if_input_fits, .. } => {
            let stopped = matches!(truth, Said::Deny(code) if behind(code));
            // A deadline that comes sooner is asked before any gate of the deed.
            let late = matches!(would_be, Said::Deny(_)) && truth == Said::Deny(Code::DeadlineExceeded);
            told == was && (would_be == truth || late || if_input_fits && stopped)
        }
    }
}

/// Whether a code is of the input or of what comes behind it, or of the time.
fn behind(code: Code) -> bool {
    code.gate() >= Gate::Input || code == Code::DeadlineExceeded
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_record_is_decided_again_rightly_or_not_at_all(seed in any::<u64>()) {
        let all = bundles();
        let mut dice = Dice(seed);
        let other = &all.changed[dice.below(all.changed.len())];
        let began = &all.changed[dice.below(all.changed.len())];
        let asked: Vec<Asked> = (0..60).map(|_| Asked::random(&mut dice)).collect();
        let (lines, was) = log(&asked, &all.base, began);
        let own = outcomes(&lines, &all.base, &[]);
        for (asked, (seq, was)) in asked.iter().zip(&was).filter(|(asked, _)| !asked.began_elsewhere) {
            prop_assert!(!own.contains_key(seq), "{asked:?}: {was:?} then, {:?} under its own lock", own[seq]);
        }
        for held in [&[][..], std::slice::from_ref(&all.base)] {
            let again = outcomes(&lines, other, held);
            for (asked, (seq, was)) in asked.iter().zip(&was) {
                let (_, truth) = decide(asked, other, other);
                let outcome = again.get(seq).copied().unwrap_or(Outcome::Same);
                prop_assert!(
                    holds(outcome, *was, truth),
                    "{asked:?}: {was:?} then, {truth:?} under the other lock, and told {outcome:?} (held: {})",
                    held.len()
                );
            }
        }
    }

    #[test]
    fn a_plan_is_decided_again_rightly_or_not_at_all(seed in any::<u64>()) {
        let all = bundles();
        let mut dice = Dice(seed);
        let other = &all.changed[dice.below(all.changed.len())];
        let mut store = Memory::default();
        let mut asked = Vec::new();
        for at in NOW..NOW + 30 {
            let steps: Vec<Asked> = {
                let first = Asked::random(&mut dice);
                let more = dice.below(3);
                std::iter::once(first.clone()).chain((0..more).map(|_| first.but_for_the_call(&mut dice))).collect()
            };
            let (event, was) = plan(&steps, &all.base);
            record(&mut store, Chain::Trail, "org-1", &[event], at).unwrap();
            asked.push((store.head(Chain::Trail, "org-1").unwrap().unwrap().seq, steps, was));
        }
        let lines = store.records(Chain::Trail, "org-1").iter().fold(String::new(), |mut lines, record| {
            writeln!(lines, "{record}").unwrap();
            lines
        });
        let (own, again) = (outcomes(&lines, &all.base, &[]), outcomes(&lines, other, &[]));
        for (seq, steps, was) in asked {
            prop_assert!(!own.contains_key(&seq), "{steps:?}: {was:?} then, {:?} under its own lock", own[&seq]);
            let (_, truth) = plan(&steps, other);
            let outcome = again.get(&seq).copied().unwrap_or(Outcome::Same);
            prop_assert!(holds(outcome, was, truth), "{steps:?}: {was:?} then, {truth:?} now, told {outcome:?}");
        }
    }
}

/// The property would hold of a program that tells nothing: most must be told, more with the lock of that time, and each kind
/// of doubt must come up.
#[test]
fn most_is_told() {
    let all = bundles();
    let (mut dice, mut told, mut with_held, mut count) = (Dice(7), 0, 0, 0);
    let mut doubts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut flips = 0;
    for other in &all.changed {
        let asked: Vec<Asked> = (0..80).map(|_| Asked::random(&mut dice)).collect();
        let (lines, was) = log(&asked, &all.base, other);
        count += was.len();
        for (held, told) in [(&[][..], &mut told), (std::slice::from_ref(&all.base), &mut with_held)] {
            let again = outcomes(&lines, other, held);
            for seq in was.keys() {
                match again.get(seq) {
                    Some(Outcome::CannotTell { doubt, .. }) => *doubts.entry(doubt.word()).or_default() += 1,
                    outcome => {
                        flips += usize::from(outcome.is_some());
                        *told += 1;
                    }
                }
            }
        }
    }
    assert!(told * 100 >= count * 40 && with_held > told, "{told} and {with_held} of {count}: {doubts:?}");
    assert!(flips > 40, "{flips}");
    for kind in ["budget", "case", "input", "name", "overlay", "permissions", "runs_own_lock", "scopes"] {
        assert!(doubts.contains_key(kind), "{kind} is not among {doubts:?}");
    }
}
