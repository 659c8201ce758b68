//! Random pairs of valid trees: the grade of every cell is what both runtimes say.

use proptest::prelude::*;

use super::brute;
use super::trees::{Edit, diff, edited, library, try_compile};

const PEOPLE: &str = "policies/library.yaml";
const BOUNDS: &str = "policies/bounds.yaml";
const BOOKS: &str = "tools/books.yaml";
const EVENING: &str = "harnesses/evening.yaml";

/// Edits that touch different places, so that any of them stand together. Not every set of them compiles.
const EDITS: &[Edit] = &[
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
    (BOOKS, "{required: [book, page], properties", "{required: [page], properties"),
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

fn some() -> impl Strategy<Value = Vec<Edit>> {
    proptest::sample::subsequence(EDITS.to_vec(), 0..=6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 64, max_global_rejects: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_grade_of_every_cell_is_what_both_runtimes_say(a in some(), b in some(), seed in any::<u64>()) {
        let trees = [a, b].map(|edits| try_compile(&edited(library(), &edits)));
        let [Ok(before), Ok(after)] = trees else { return Err(TestCaseError::reject("does not compile")) };
        let changes = diff(&before, &after);
        brute::agree(&before.bundle, &after.bundle, &changes, seed);
        prop_assert!(diff(&after, &after).is_empty());
        let back = diff(&after, &before);
        let (forth, back) = (brute::cells(&changes), brute::cells(&back));
        prop_assert_eq!(forth.keys().collect::<Vec<_>>(), back.keys().collect::<Vec<_>>());
        for (key, change) in forth {
            prop_assert_eq!(change.delta.mirrored(), back[&key].delta);
        }
    }
}
