//! What is read, where it stands, and what is told.

use std::fmt::Write as _;

use super::read;
use crate::diagnostic::{Diagnostic, Sink};
use crate::source::Sources;
use crate::syntax::{Document, Kind, Node};

fn parse(text: &str) -> (Document, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add("test.yaml", text);
    let mut sink = Sink::default();
    let document = read(file, text, &mut sink);
    (document, sink.into_sorted())
}

/// The tree, one node a line, each with the text under its span.
fn dump(text: &str) -> String {
    let (document, findings) = parse(text);
    let mut out = String::new();
    if let Some(root) = &document.root {
        write_node(&mut out, text, root, 0);
    }
    for finding in findings {
        let place = &text[finding.primary.span.range()];
        writeln!(out, "{} at {place:?}: {}", finding.rule, finding.message).unwrap();
    }
    out
}

fn write_node(out: &mut String, text: &str, node: &Node, depth: usize) {
    let at = format!("{:?} {:?}", node.span.range(), &text[node.span.range()]);
    let indent = "  ".repeat(depth);
    match &node.kind {
        Kind::List(items) => {
            writeln!(out, "{indent}list {at}").unwrap();
            items.iter().for_each(|item| write_node(out, text, item, depth + 1));
        }
        Kind::Map(entries) => {
            writeln!(out, "{indent}map {at}").unwrap();
            for entry in entries {
                let alias =
                    entry.alias.map(|span| format!(" by {}", &text[span.range()])).unwrap_or_default();
                writeln!(out, "{indent}  {:?} = {:?}{alias}", entry.key.value, &text[entry.key.span.range()])
                    .unwrap();
                write_node(out, text, &entry.value, depth + 2);
            }
        }
        scalar => writeln!(out, "{indent}{scalar:?} {at}").unwrap(),
    }
}

/// The findings as `rule: text under the span`.
fn told(text: &str) -> Vec<String> {
    let (document, findings) = parse(text);
    for found in &findings {
        assert!(!found.message.is_empty() && found.help.is_some() && !found.notes.is_empty(), "{found:?}");
    }
    assert_eq!(document.span.range(), 0..text.len());
    findings.iter().map(|found| format!("{}: {}", found.rule, &text[found.primary.span.range()])).collect()
}

fn root(text: &str) -> std::sync::Arc<Node> {
    let (document, findings) = parse(text);
    assert_eq!(findings, [], "{text}");
    document.root.unwrap()
}

#[test]
fn every_node_has_its_exact_place() {
    let text = "\u{feff}a: &x {p: 1}\nb: # why\n  - 'it''s'\n  -\n  - [two, {q: , r}]\nc:\nd: |\n  text\n\n  more\n\ne: *x\n\"f\" : >-\n  fo\n  ld\n";
    insta::assert_snapshot!(dump(text), @r##"
    map 3..110 "a: &x {p: 1}\nb: # why\n  - 'it''s'\n  -\n  - [two, {q: , r}]\nc:\nd: |\n  text\n\n  more\n\ne: *x\n\"f\" : >-\n  fo\n  ld\n"
      "a" = "a"
        map 9..15 "{p: 1}"
          "p" = "p"
            Number("1") 13..14 "1"
      "b" = "b"
        list 27..60 "- 'it''s'\n  -\n  - [two, {q: , r}]"
          Text("it's", Quoted) 29..36 "'it''s'"
          Null 40..40 ""
          list 45..60 "[two, {q: , r}]"
            Text("two", Plain) 46..49 "two"
            map 51..59 "{q: , r}"
              "q" = "q"
                Null 54..54 ""
              "r" = "r"
                Null 58..58 ""
      "c" = "c"
        Null 63..63 ""
      "d" = "d"
        Text("text\n\nmore\n", Block) 71..85 "text\n\n  more\n\n"
      "e" = "e" by *x
        map 9..15 "{p: 1}"
          "p" = "p"
            Number("1") 13..14 "1"
      "f" = "\"f\""
        Text("fo ld", Block) 102..110 "fo\n  ld\n"
    "##);
}

#[test]
fn every_kind_of_line_end_is_one() {
    let text = "a:\r\n  b: 1\r  c: 2\n";
    let root = root(text);
    let inner = &root.get("a").unwrap().value;
    assert_eq!(&text[inner.span.range()], "b: 1\r  c: 2");
    assert_eq!(inner.get("c").unwrap().value.kind, Kind::Number("2".into()));
}

#[test]
fn comments_are_kept_with_their_place() {
    let text = "# one\na: 1 # two\n  # three\nb:\n# four\n  - x\n#five\n";
    let (document, findings) = parse(text);
    assert_eq!(findings, []);
    let comments: Vec<_> = document.comments.iter().map(|found| (found.text.as_str(), found.alone)).collect();
    assert_eq!(
        comments,
        [(" one", true), (" two", false), (" three", true), (" four", true), ("five", true)]
    );
    for comment in &document.comments {
        assert_eq!(text[comment.span.range()], format!("#{}", comment.text));
    }
}

#[test]
fn an_empty_file_has_no_root_and_no_finding() {
    for text in ["", "\n\n", "# only a comment\n", "\u{feff}", "---\n"] {
        let (document, findings) = parse(text);
        assert!(findings.is_empty() && !document.broken, "{text:?}");
        assert!(document.root.is_none_or(|root| root.kind == Kind::Null), "{text:?}");
    }
}

#[test]
fn what_does_not_parse_is_told_where_an_author_would_look() {
    for (text, finding) in [
        ("a: \"open\nb: c\n", "yaml-syntax: \""),
        ("a: \"open", "yaml-syntax: \""),
        ("\"k\": 'it''s\nb: 'c'\n", "yaml-syntax: '"),
        ("a: 'b' c\n", "yaml-syntax: c"),
        ("a: \"\\t\\\\ \\q\"\n", "yaml-syntax: \\q"),
        ("a: \"\\x4g\"\n", "yaml-syntax: \\x4"),
        ("a: \"\\ud800\"\n", "yaml-syntax: \\ud800"),
        ("a:\n\t- b\n", "yaml-syntax: -"),
        ("a: b: c\n", "yaml-syntax: :"),
        ("a: *\n", "yaml-syntax: *"),
        ("a: @b\n", "yaml-syntax: @"),
        ("a: `b`\n", "yaml-syntax: `"),
        ("a: %b\n", "yaml-syntax: %"),
        ("a: [b\n", "yaml-syntax: ["),
        ("a: [b c: d]}\n", "yaml-syntax: }"),
        ("a: [b}\n", "yaml-syntax: ["),
        ("a:\n    b: 1\n  c: 2\n", "yaml-syntax: c"),
        ("a: 1\n b: 2\n", "yaml-syntax: :"),
        ("- a\nb: c\n", "yaml-syntax: b"),
        ("a: - b\n", "yaml-syntax: -"),
        ("a: x\u{1}\n", "yaml-syntax: \u{1}"),
        ("a: x\0\n", "yaml-syntax: \0"),
        ("a: !e!foo b\n", "yaml-tag: !e!foo"),
    ] {
        assert_eq!(told(text), [finding], "{text:?}");
        assert!(parse(text).0.broken && parse(text).0.root.is_none(), "{text:?}");
    }
    let late = "a: 1\n\u{feff}b: 2\n";
    assert_eq!(told(late), ["hidden-character: \u{feff}", "yaml-syntax: \u{feff}"]);
    assert!(parse(late).0.broken && parse(late).0.root.is_none());
}

#[test]
fn a_key_beyond_the_limit_of_yaml_is_told_as_such() {
    let findings = parse(&format!("\"{}\": 1\n", "k".repeat(2_000))).1;
    assert_eq!(findings[0].message, "the key before this colon has more than 1,024 characters");
    assert!(told(&format!("{}: 1\n", "k".repeat(1_000))).is_empty());
}

#[test]
fn aliases_that_lead_nowhere_are_told_each_and_the_rest_is_kept() {
    let text = "a: *none\nb: [x, *nor, y]\nc: &c {d: *c}\n*e : 1\nf: 2\n";
    assert_eq!(told(text), ["yaml-syntax: *none", "yaml-syntax: *nor", "yaml-syntax: *c", "yaml-syntax: *e"]);
    let (document, _) = parse(text);
    let root = document.root.unwrap();
    assert!(document.broken);
    assert!(root.get("a").is_none());
    assert_eq!(root.get("f").unwrap().value.kind, Kind::Number("2".into()));
    assert!(matches!(&root.get("b").unwrap().value.kind, Kind::List(items) if items.len() == 2));
}

#[test]
fn an_alias_shares_its_node_and_may_be_a_key() {
    let root = root("a: &x {p: 1}\nb: *x\nc: &k name\n*k : v\n");
    let (first, second) = (root.get("a").unwrap(), root.get("b").unwrap());
    assert!(std::sync::Arc::ptr_eq(&first.value, &second.value));
    assert!(first.alias.is_none() && second.alias.is_some());
    assert_eq!(root.get("name").unwrap().value.text(), Some("v"));
}

#[test]
fn one_file_is_one_document_of_yaml_1_2() {
    assert_eq!(told("a: 1\n---\nb: 2\n---\nc: 3\n"), ["multi-document: ---"]);
    assert_eq!(told("a: 1\n...\n"), [""; 0]);
    assert_eq!(told("---\na: 1\n"), [""; 0]);
    assert_eq!(told("%YAML 1.1 # old\n---\na: no\n"), ["yaml-syntax: %YAML 1.1"]);
    assert_eq!(told("%YAML 1.2\n---\na: no\n"), [""; 0]);
    let (document, _) = parse("a: 1\n---\nb: 2\n");
    assert!(document.broken && document.root.unwrap().get("a").is_some());
}

#[test]
fn tags_are_told_and_their_values_read() {
    let text = "a: !!str 12\nb: !x {}\nc: ! 1\nd: !!int '3'\n";
    assert_eq!(told(text), ["yaml-tag: !!str", "yaml-tag: !x", "yaml-tag: !", "yaml-tag: !!int"]);
    let root = parse(text).0.root.unwrap();
    assert_eq!(root.get("a").unwrap().value.text(), Some("12"));
    assert_eq!(root.get("c").unwrap().value.text(), Some("1"));
}

#[test]
fn keys_are_visible_texts_and_stand_once() {
    let text = "a: 1\n'a': 2\n<<: {b: 1}\n1: c\ntrue: d\n? [e]\n: f\n: g\n{{ h }}: i\n\"j\u{200b}\": k\n\"l\\u202e\": m\nno: n\n";
    assert_eq!(
        told(text),
        [
            "duplicate-key: 'a'",
            "merge-key: <<",
            "bad-key: 1",
            "bad-key: true",
            "bad-key: [e]",
            "bad-key: ",
            "bad-key: {{ h }}",
            "bad-key: { h }",
            "bad-key: \"j\u{200b}\"",
            "bad-key: \"l\\u202e\"",
        ]
    );
    let root = parse(text).0.root.unwrap();
    let Kind::Map(entries) = &root.kind else { panic!() };
    let keys: Vec<_> = entries.iter().map(|entry| entry.key.value.as_str()).collect();
    assert_eq!(keys, ["a", "1", "true", "j\u{200b}", "l\u{202e}", "no"]);
    assert_eq!(root.get("a").unwrap().value.kind, Kind::Number("1".into()));
}

#[test]
fn a_duplicate_key_shows_both_places_among_many_keys_too() {
    for many in [1, 15, 16, 17, 100] {
        let mut text: String = (0..many).map(|n| format!("k{n}: {n}\n")).collect();
        text.push_str("\"k0\": again\n");
        let findings = parse(&text).1;
        assert_eq!(findings.len(), 1);
        assert_eq!(&text[findings[0].primary.span.range()], "\"k0\"");
        assert_eq!(findings[0].labels[0].span.range(), 0..2);
    }
}

#[test]
fn a_comment_that_cuts_a_text_is_told_and_a_comment_is_not() {
    let text = "title: issue #12\nlist:\n  - see #general now\n  - two\n    lines #3\n";
    assert_eq!(told(text), ["cut-comment: #12", "cut-comment: #general now", "cut-comment: #3"]);
    assert_eq!(
        told("a: b # c\nd: e  #f\ng: 'h' #i\nj: 1 #k\nl: #m\n  n\no: [p] #q\nr: s#t\nu: v #\n"),
        [""; 0]
    );
    let fix = &parse(text).1[0].fixes[0];
    let mut mended = text.to_owned();
    for edit in fix.edits.iter().rev() {
        mended.replace_range(edit.span.range(), &edit.replacement);
    }
    assert!(mended.starts_with("title: 'issue #12'\n"), "{mended}");
}

#[test]
fn hidden_characters_in_text_are_told_raw_escaped_and_in_comments() {
    assert_eq!(told("a: x\u{202e}y\n"), ["hidden-character: \u{202e}"]);
    assert_eq!(told("a: \"x\\u202ey\"\n"), ["hidden-character: \"x\\u202ey\""]);
    assert_eq!(
        told("a: [\"\\0\", \"\\e\", \"\\t\\n\"]\n"),
        ["hidden-character: \"\\0\"", "hidden-character: \"\\e\""]
    );
    assert_eq!(told("a: b # \u{e0041}\n"), ["hidden-character: \u{e0041}"]);
    assert_eq!(told("a\u{2066}: b\n"), ["bad-key: a\u{2066}"]);
    assert_eq!(told("a: 👩\u{200d}🔬 ok\n"), [""; 0]);
    assert_eq!(told("a: n\u{200b}o\n"), ["hidden-character: \u{200b}"]);
    assert_eq!(told("a: \"x\\U000E0139\\U000E0157y\"\n"), ["hidden-character: \"x\\U000E0139\\U000E0157y\""]);
}
