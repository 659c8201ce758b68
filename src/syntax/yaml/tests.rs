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

#[test]
fn x() {
    for t in [
        "a: 1\nb:\n  - x\n  -\n  - [1, 'two', {q: , r}]\nc:\nd: |\n  text\n  more\n\ne: >-\n  fold\n",
        "\u{feff}a: &x {p: 1}\nb: *x\n*y : 2\nc: [*x, *zz]\nd: &r [*r]\n",
        "title: issue #12\nx: 'a' #b\ny: a # b\nz: a  #b\n",
        "a: \"unterminated\nb: c\n",
        "a:\n\t- b\n",
        "%YAML 1.1\n---\na: no\n---\nb: 1\n",
        "a: !!str 12\nb: !x {}\n<<: {}\n1: a\ntrue: b\n? [a]\n: b\n: c\n~: d\na: again\n? k\n: v\n",
        "a: {{ x }}\n",
        "a: b: c\n",
        "a: *\n",
        "a:\r\n  b: 1\r  c: 2\n",
        "a: ! 12\n",
        "\u{feff}a: 1\n\u{feff}b: 2\n",
        "a: x\u{1}y\n",
        "? a\n?  b\n",
        "-\n- \n",
        "a: [b\n",
        "a: [b #c]\n",
        "a:\n    b: 1\n  c: 2\n",
        "- 'a\n",
        "x: !e!foo a\n",
        "- a\nb: c\n",
        "a\nb: c\n",
        "",
        "# only\n",
        "a: @b",
        "k: v\n\n\n",
        "a: &x\nb: *x\n",
        "a: &x !!str\nb:   # c\n  - 1\n",
    ] {
        println!("--- {t:?}\n{}", dump(t));
    }
}
