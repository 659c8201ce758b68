//! Random pairs of valid trees: the grade of every cell is what both runtimes say.

use std::collections::BTreeSet;

use harnessc::diff::Change;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::brute;
use super::trees::{Edit, diff, edited, library, try_compile};

const PEOPLE: &str = "policies/library.yaml";
const BOUNDS: &str = "policies/bounds.yaml";
const BOOKS: &str = "tools/books.yaml";
const EVENING: &str = "harnesses/evening.yaml";

/// Edits that touch different places, so that any of them stand together. Not every set of them compiles.
const EDITS: &[Edit<'static>] = &[
    (EVENING, "approval: four_eyes, ", ""),
    (EVENING, "maximum: 14", "maximum: 21"),
    (EVENING, "cases: [move]", "cases: [move, discard]"),
    (EVENING, "personas: [librarian, head]", "personas: [head]"),
    (
        EVENING,
        "      - toolset: reading\n",
        "      - toolset: reading\n      - books.take_back\n      - books.mend\n",
    ),
    (
        PEOPLE,
        "look: {tools: harness_toolset, effects: [read]}",
        "look: {tools: harness_toolset, effects: [read, destructive]}",
    ),
    (
        PEOPLE,
        "desk: {tools: harness_toolset}",
        "desk: {tools: [books.find, books.lend, books.shelve, books.mend]}",
    ),
    (
        PEOPLE,
        "reader: {reads_untrusted: true, tools: [books.read]}",
        "reader: {reads_untrusted: true, tools: [books.read, books.find]}",
    ),
    (PEOPLE, "  web: {origin: outside}\n", "  web: {}\n  phone: {origin: outside}\n"),
    (
        PEOPLE,
        "counter:look: {effects: [read], steps: 3}",
        "counter:look: {effects: [read, create], steps: 3}",
    ),
    (
        PEOPLE,
        "visitor: {title: Visitor, harness: none, bundle: [books.find]}",
        "visitor: {title: Visitor, harness: none, bundle: [books.find, books.read]}",
    ),
    (PEOPLE, "txt, tool: books.find}", "txt, tool: books.read}"),
    (PEOPLE, "pattern: \"^B-[0-9]{1,6}$\"", "pattern: \"^B-[0-9]{1,7}$\""),
    (BOUNDS, "always_allowed: [books.find]", "always_allowed: [books.find, books.read]"),
    (BOUNDS, "confirm: [librarian, head]", "confirm: [head]"),
    (BOUNDS, "tools: {books.take_back: [head]}", "tools: {books.mend: [librarian, head]}"),
    (BOUNDS, "destructive: four_eyes}", "destructive: confirm}"),
    (BOUNDS, "create: confirm,", "create: four_eyes,"),
    (BOOKS, "    surfaces: [counter]\n", ""),
    (
        BOOKS,
        "maximum: 60}}}\n    returns: none\n\n  books.take_back",
        "maximum: 40}}}\n    returns: none\n\n  books.take_back",
    ),
    (BOOKS, "word: {type: string, maxLength: 60,", "word: {type: string, minLength: 2, maxLength: 80,"),
    (BOOKS, "description: A word of the title.", "description: Any word."),
    (
        BOOKS,
        "{required: [book], properties: {branch: branch, book: book, page",
        "{properties: {branch: branch, book: book, page",
    ),
    (
        BOOKS,
        "{required: [book], properties: {branch: branch, book: book, days",
        "{properties: {branch: branch, book: book, days",
    ),
    (BOOKS, "    enabled: false\n", ""),
    (BOOKS, "        pay: write\n", "        pay: {effect: destructive, undo: none, approval: four_eyes}\n"),
    (
        BOOKS,
        "        move: {effect: write, undo: [snapshot]}",
        "        move: {effect: write, approval: four_eyes, undo: [snapshot]}",
    ),
];

fn some() -> impl Strategy<Value = Vec<Edit<'static>>> {
    proptest::sample::subsequence(EDITS.to_vec(), 0..=6)
}

/// So many pairs are compared unless `DIFF_PAIRS` says how many: what a debug build does in about twenty seconds.
const PAIRS: u32 = 24;

/// A number that a longer run sets.
fn stated(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is no number")))
}

/// The same pairs every time, unless `DIFF_SEED` asks for others.
fn runner() -> TestRunner {
    let cases = stated("DIFF_PAIRS").map_or(PAIRS, |cases| u32::try_from(cases).unwrap());
    let config = ProptestConfig {
        cases,
        max_shrink_iters: 64,
        max_global_rejects: cases * 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut seed = [7; 32];
    seed[..8].copy_from_slice(&stated("DIFF_SEED").unwrap_or(1).to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
}

#[test]
fn the_grade_of_every_cell_is_what_both_runtimes_say() {
    let pairs = (some(), some(), any::<u64>());
    let held = runner().run(&pairs, |(a, b, seed)| {
        let trees = [a, b].map(|edits| try_compile(&edited(library(), &edits)));
        let [Ok(before), Ok(after)] = trees else { return Err(TestCaseError::reject("does not compile")) };
        let changes = diff(&before, &after);
        brute::agree(&before.bundle, &after.bundle, &changes, seed);
        prop_assert!(diff(&after, &after).is_empty());
        let back = diff(&after, &before);
        let (forth, turned) = (brute::cells(&changes), brute::cells(&back));
        prop_assert_eq!(forth.keys().collect::<Vec<_>>(), turned.keys().collect::<Vec<_>>());
        for (key, change) in forth {
            prop_assert_eq!(change.delta.mirrored(), turned[&key].delta);
        }
        // What is no cell is mirrored too; a revision goes one way, and these trees have one.
        let fields = |changes: &[Change], turn: bool| {
            let own = changes.iter().filter(|change| change.field.is_some());
            let of = |change: &Change| {
                let sides = (change.before.clone(), change.after.clone());
                let (delta, sides) =
                    if turn { (change.delta.mirrored(), (sides.1, sides.0)) } else { (change.delta, sides) };
                (change.field.clone(), delta, sides)
            };
            own.map(of).collect::<BTreeSet<_>>()
        };
        prop_assert_eq!(fields(&changes, false), fields(&back, true));
        Ok(())
    });
    held.unwrap_or_else(|failure| panic!("{failure}"));
}
