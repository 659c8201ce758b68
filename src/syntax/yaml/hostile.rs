//! Inputs made to exhaust the reader: each ends soon, in a finding.

use super::read;
use crate::diagnostic::Sink;
use crate::source::Sources;
use crate::syntax::{Kind, Node};

/// The rules found, each once in a row.
fn rules(text: &str) -> Vec<&'static str> {
    let file = Sources::default().add("test.yaml", "");
    let mut sink = Sink::default();
    let document = read(file, text, &mut sink);
    if let Some(root) = &document.root {
        assert!(walk(root) <= 1_000_000);
    }
    let mut rules: Vec<_> = sink.into_sorted().iter().map(|found| found.rule.0).collect();
    rules.dedup();
    rules
}

fn walk(node: &Node) -> u64 {
    match &node.kind {
        Kind::List(items) => 1 + items.iter().map(|item| walk(item)).sum::<u64>(),
        Kind::Map(entries) => 1 + entries.iter().map(|entry| 1 + walk(&entry.value)).sum::<u64>(),
        _ => 1,
    }
}

/// Lists of `width` aliases, each of the list before.
fn bomb(levels: usize, width: usize) -> String {
    let mut text = String::from("a0: &a0 [x]\n");
    for level in 1..levels {
        let aliases = vec![format!("*a{}", level - 1); width].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    text
}

#[test]
fn depth_ends_in_a_finding() {
    for text in [
        "[".repeat(100_000),
        "{a: ".repeat(100_000),
        "- ".repeat(100_000),
        "? ".repeat(100_000),
        "[{a: ".repeat(100_000),
        (0..3_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect(),
    ] {
        assert_eq!(rules(&text), ["input-too-large"], "{text:.20}");
    }
}

#[test]
fn depth_counts_through_aliases() {
    let nested = |depth: usize| format!("a: &a {}{}\nb: ", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(rules(&format!("{}{}*a{}\n", nested(60), "[".repeat(60), "]".repeat(60))), [""; 0]);
    assert_eq!(
        rules(&format!("{}{}*a{}\n", nested(70), "[".repeat(60), "]".repeat(60))),
        ["input-too-large"]
    );
    assert_eq!(rules(&bomb(127, 1)), [""; 0]);
    assert_eq!(rules(&bomb(129, 1)), ["input-too-large"]);
}

#[test]
fn aliases_do_not_multiply() {
    assert_eq!(rules(&bomb(10, 10)), ["input-too-large"]);
    assert_eq!(rules(&bomb(120, 40)), ["input-too-large"]);
    assert_eq!(rules(&bomb(5, 10)), [""; 0]);
    let keys: String = (0..50).map(|n| format!("k{n}: *a\n")).collect();
    let large = format!("a: &a [{}]\n{keys}", "x, ".repeat(30_000));
    assert_eq!(rules(&large), ["input-too-large"]);
}

#[test]
fn size_alone_does_not_exhaust() {
    let megabyte = "x".repeat(1 << 20);
    assert_eq!(rules(&format!("a: {megabyte}\n")), [""; 0]);
    assert_eq!(rules(&format!("a: \"{megabyte}\"\n")), [""; 0]);
    assert_eq!(rules(&format!("{megabyte}: a\n")), ["yaml-syntax"]);
    assert_eq!(rules(&format!("a: \"{megabyte}")), ["yaml-syntax"]);
    assert_eq!(rules(&"# comment\n".repeat(100_000)), [""; 0]);
    assert_eq!(rules(&format!("a:\n{}  b\n", "# comment\n".repeat(100_000))), [""; 0]);
    assert_eq!(rules(&(0..100_000).map(|n| format!("k{n}: v\n")).collect::<String>()), [""; 0]);
    assert_eq!(rules(&"a: 1\n".repeat(100_000)), ["duplicate-key", "input-too-large"]);
    assert_eq!(rules(&format!("{{{}}}", "a: 1, ".repeat(80_000))), ["duplicate-key", "input-too-large"]);
    assert_eq!(rules(&"\u{1}".repeat(1 << 20)), ["yaml-syntax"]);
    assert_eq!(rules(&format!("a: {}\n", "\u{202e}".repeat(100_000))), ["hidden-character"]);
    assert_eq!(rules(&format!("a: [{}]\n", "*b, ".repeat(50_000))), ["yaml-syntax", "input-too-large"]);
    assert_eq!(rules(&format!("a: {}\n", "&b ".repeat(10_000))), ["yaml-syntax"]);
}

#[test]
fn many_names_are_looked_up_not_searched_for() {
    let anchors: String = (0..60_000).map(|n| format!("&a{n} x, ")).collect();
    let aliases: String = (0..60_000).map(|n| format!("*a{n}, ")).collect();
    assert_eq!(rules(&format!("x: [{anchors}{aliases}]\n")), [""; 0]);
    // Each of them stands in the text as it is written too, the last aside.
    let hidden = "\u{e0041}".repeat(100_000);
    let escaped = format!("x: \"{}{hidden}\\u202e\"\n", "a".repeat(400_000));
    assert_eq!(rules(&escaped), ["hidden-character"]);
}

proptest::proptest! {
    /// Whatever the text: no panic, and every span lies in it.
    #[test]
    fn no_text_makes_the_reader_panic(text in r#"([-?:,\[\]{}#&*!|>'"%@` \n\t]|[ab1~é]|---|\\u202e|<<|: |- |\PC){0,40}"#) {
        let file = Sources::default().add("test.yaml", "");
        let mut sink = Sink::default();
        let document = read(file, &text, &mut sink);
        for found in sink.into_sorted() {
            assert!(text.get(found.primary.span.range()).is_some(), "{found:?}");
        }
        if let Some(root) = document.root {
            assert!(text.get(root.span.range()).is_some());
        }
    }
}
