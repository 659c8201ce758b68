//! What is read in the common form is what the parser reads, to the byte.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prop_assert_eq;
use proptest::strategy::Strategy;
use proptest::test_runner::TestRunner;

use super::super::parsed;
use crate::diagnostic::Sink;
use crate::source::{FileId, Sources};

fn file() -> FileId {
    Sources::default().add("test.yaml", "")
}

/// What the common form comes to, and what the parser makes of the same text; nothing where it is left to the parser.
fn both(text: &str) -> Option<(String, String)> {
    let (document, found) = super::read(file(), text)?;
    let common = format!("{document:#?} {:#?}", found.into_sorted());
    let mut sink = Sink::default();
    let document = parsed(file(), text, false, &mut sink);
    Some((common, format!("{document:#?} {:#?}", sink.into_sorted())))
}

/// Every form that is read in one pass.
const SAMPLE: &str = r##"# A comment before all else.

tools:   # and one behind a key
  assays.results:
    title: List assay results, one row each   # [not a list]
    "quoted key": 'it''s quoted'   
    effect: &effect read
    input: &input
      required: [quantity]
      properties: {program_id: program, "limit": {type: integer, minimum: -10},
        note: "a \"quoted\" text \\ more", list: [a b, 'c', -1, 1.5e3, ~, true,], c: &d [e], f: &g h,

        empty: {}, none: []}
    other: *input
    cases: {a: *effect, b: http://x.y:80/z#top}
  second: *effect
  list:
  - beside
  - key: value
    more: [x,
     y]
    # inside
    deep:
    - "text"
  further:
      - one:
          two: 3
        three: {a: b}
      - [a, {b: c}]
      - *effect
      - {a: *d, b: *g}
      - -dash
  é ü: naïve – text
  title: cut #short
  title: twice
last: end"##;

#[test]
fn every_common_form_is_read_as_the_parser_reads_it() {
    let (common, parsed) = both(SAMPLE).expect("the sample is in the common form");
    assert_eq!(common, parsed);
    assert!(common.contains("duplicate-key") && common.contains("cut-comment"));
    for text in [
        "a: b",
        "a: b\n",
        "# c\na:\n  b: c",
        "a:\n- b\n",
        "a: [b,\n c]\n\n\n# end",
        "- a\n- b: c\n",
        "1: 2\ntrue: x\n",
        "a: &a x\nb: &a y\nc: &b z\nd: [*a, *b]\n",
    ] {
        let Some((common, parsed)) = both(text) else { panic!("left to the parser: {text}") };
        assert_eq!(common, parsed, "{text}");
    }
}

#[test]
fn what_is_not_plain_to_see_is_left_to_the_parser() {
    for text in [
        "",
        "a",
        " a: b",
        "a: b\r\n",
        "a:\tb",
        "a: |\n  b\n",
        "a: b\n  c\n",
        "a:\n",
        "a: \"b\n  c\"",
        "a: b: c",
        "a: [b, c",
        "a: [b: c]",
        "a: [b,\nc]",
        "a: {b}",
        "a: {b: }",
        "a: [b # c\n ]",
        "a: *b",
        "a: !b c",
        "---\na: b",
        "a: b\n...\n",
        "? a",
        "? a\n: b",
        "a : b",
        "a: 'b'c",
        "a: [b]c",
        "a:\n  b: c\n d: e",
        "- a\nb: c",
        "- - a",
        "a: @b",
        "a: \"\\x41\"",
        "a: \u{85}",
    ] {
        assert!(both(text).is_none(), "{text}");
    }
    assert!(both(&format!("{}: b", "a".repeat(600))).is_none());
    assert!(both(&format!("a: {}b{}", "[".repeat(40), "]".repeat(40))).is_none());
}

const PIECES: [&str; 36] = [
    "\n",
    "\n\n",
    " ",
    "  ",
    "\n  ",
    "\n    ",
    ":",
    ": ",
    "- ",
    "\n- ",
    "#",
    " #",
    ", ",
    ",",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "&a ",
    "*a",
    "é",
    "-",
    "?",
    "|",
    "x",
    "a: b",
    "\\",
    "...",
    "---",
    "~",
    "!",
    "<<",
    "\n  - b: ",
    "\u{feff}",
];

/// Holds the one reading against the other on texts of this kind; `least` is the share, in percent, that the common form reads.
fn held_together(texts: impl Strategy<Value = String>, least: u32) {
    let (seen, read) = (Cell::new(0_u32), Cell::new(0_u32));
    let held = TestRunner::default().run(&texts, |text| {
        seen.set(seen.get() + 1);
        if let Some((common, parsed)) = both(&text) {
            read.set(read.get() + 1);
            prop_assert_eq!(common, parsed, "{}", text);
        }
        Ok(())
    });
    held.unwrap();
    assert!(read.get() * 100 >= seen.get() * least, "{} of {} texts were read", read.get(), seen.get());
}

/// The sample with a few pieces put in, taken out or moved: wherever both read it, they read the same.
#[test]
fn no_edit_parts_the_common_form_from_the_parser() {
    let edits = vec((0.0..1.0f64, 0..12usize, 0..PIECES.len()), 0..6);
    let texts = edits.prop_map(|edits| {
        let mut letters: Vec<char> = SAMPLE.chars().collect();
        for (place, taken, piece) in edits {
            let at = (place * letters.len() as f64) as usize;
            let end = (at + taken.saturating_sub(4)).min(letters.len());
            letters.splice(at..end, PIECES[piece].chars());
        }
        letters.into_iter().collect()
    });
    held_together(texts, 10);
}

/// The same for texts of nothing but structure.
#[test]
fn no_heap_of_pieces_parts_them_either() {
    let pieces = vec(0..PIECES.len(), 0..14);
    let texts = pieces.prop_map(|pieces| {
        std::iter::once("a: ").chain(pieces.into_iter().map(|piece| PIECES[piece])).collect()
    });
    held_together(texts, 3);
}
