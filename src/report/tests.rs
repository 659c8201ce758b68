//! Every format on the same findings, and the promises that hold for any text and any span.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Finding, Fix, Label, Level, RuleId};
use crate::source::{FileId, Sources, Span};

const HARNESS: &str = "\
harnesses:
  medicinal_chemist:
    title: Medicinal chemist
    personas: [scientist]
    refusalRules: all
    toolset:
      - assays.compare
      - documents.fetch
";

const PERSONAS: &str = "\
personas:
  scientist: {title: Scientist, bundle: [records.propose, memory.recall, assays.compare]}
  viewer: {title: Viewer, harness: none, bundle: [memory.recall]}
";

/// The `n`th place of `needle` in a file.
fn at(sources: &Sources, file: FileId, needle: &str) -> Span {
    let start = sources.get(file).unwrap().text.find(needle).unwrap();
    Span::new(file, start..start + needle.len())
}

fn finding(level: Level, diagnostic: Diagnostic) -> Finding {
    Finding { diagnostic, level }
}

fn one(text: &str, needle: &str) -> (Sources, Vec<Finding>) {
    let mut sources = Sources::default();
    let file = sources.add("tools/records.yaml", text);
    let span = at(&sources, file, needle);
    let diagnostic =
        Diagnostic::new(RuleId("unknown-key"), span, "`x` is no key of a tool", "not known here");
    (sources, vec![finding(Level::Deny, diagnostic)])
}

/// A misspelt key with a fix, a fault between two files, a warning without a fix.
fn tree() -> (Sources, Vec<Finding>) {
    let mut sources = Sources::default();
    let harness = sources.add("harnesses/medicinal_chemist.yaml", HARNESS);
    let personas = sources.add("policies/personas.yaml", PERSONAS);
    let key = at(&sources, harness, "refusalRules");
    let fetch = at(&sources, harness, "documents.fetch");
    let line = at(&sources, harness, "      - documents.fetch\n");
    let unknown = Diagnostic::new(
        RuleId("unknown-key"),
        key,
        "`refusalRules` is no key of a harness",
        "keys are written in snake_case",
    )
    .note("a key that is not read would leave the harness without the refusals its author meant")
    .help("write `refusal_rules`")
    .fix("write `refusal_rules`", Applicability::Safe, key, "refusal_rules");
    let beyond = Diagnostic::new(
        RuleId("toolset-beyond-bundle"),
        fetch,
        "harness `medicinal_chemist` holds `documents.fetch`, which persona `scientist` may not use",
        "held here",
    )
    .label(at(&sources, harness, "scientist"), "worn by this persona")
    .label(
        at(&sources, personas, "[records.propose, memory.recall, assays.compare]"),
        "its bundle ends without `documents.fetch`",
    )
    .note("an agent may do no more than each person who wears the harness")
    .help("take `documents.fetch` out of the toolset, or put it into the bundle of `scientist`")
    .fix("take it out of the toolset", Applicability::Unsafe, line, "");
    let unused = Diagnostic::new(
        RuleId("unused-definition"),
        at(&sources, personas, "viewer"),
        "no harness names persona `viewer`",
        "",
    )
    .help("name it in a harness, or remove it");
    let findings =
        vec![finding(Level::Forbid, unknown), finding(Level::Deny, beyond), finding(Level::Warn, unused)];
    (sources, findings)
}

fn shown(case: &(Sources, Vec<Finding>), look: Look) -> String {
    let mut out = String::new();
    human(&case.1, &case.0, &look, &mut out).unwrap();
    out
}

fn plain(width: usize) -> Look {
    Look { width, ..Look::default() }
}

#[test]
fn a_run_at_80_columns() {
    insta::assert_snapshot!(shown(&tree(), plain(80)));
}

#[test]
fn a_run_at_48_columns() {
    insta::assert_snapshot!(shown(&tree(), Look { width: 48, unicode: true, color: false }));
}

#[test]
fn a_run_in_colour() {
    for width in [48, 80] {
        let colored = shown(&tree(), Look { width, unicode: true, color: true });
        let parts = colored.split('\u{1b}').enumerate();
        let bare: String =
            parts.map(|(at, part)| if at == 0 { part } else { part.split_once('m').unwrap().1 }).collect();
        assert_eq!(bare, shown(&tree(), Look { width, unicode: true, color: false }));
        insta::assert_snapshot!(format!("in_colour_{width}"), colored.replace('\u{1b}', "␛"));
    }
}

#[test]
fn a_clean_run() {
    assert_eq!(shown(&(tree().0, vec![]), plain(80)), "no findings in 2 files\n");
}

#[test]
fn spans_at_every_odd_place() {
    let mut out = String::new();
    let cases = [
        ("a span over lines", one("a:\n  x: 1\n  y: 2\nb: 3\n", "x: 1\n  y: 2\n")),
        ("over many lines", one(&format!("a:\n{}b: 3\n", "  - item\n".repeat(40)), &"  - item\n".repeat(40))),
        ("the end of the file", one("a: 1\n", "")),
        ("CRLF", one("a: 1\r\nx: 2\r\nb: 3\r\n", "x")),
        ("tabs", one("a:\n\tx:\t1\n", "x")),
        ("wide characters", one("薬: 薬x: 1", "x")),
        ("a byte order mark", one("\u{feff}x: 1", "x")),
        ("hostile characters", one("a\u{1b}[31m\u{202e}: x\u{e0041}: \u{7}\n", "x\u{e0041}")),
        (
            "a megabyte in one line",
            one(&format!("{}x: 1{}", "abcd ".repeat(100_000), " efgh".repeat(100_000)), "x"),
        ),
    ];
    for (name, (sources, mut findings)) in cases {
        if name == "the end of the file" {
            findings[0].diagnostic.primary.span = Span::new(findings[0].diagnostic.primary.span.file, 5..5);
        }
        let text = shown(&(sources, findings), plain(60));
        writeln!(out, "# {name}\n{}", text.split("\n\n").next().unwrap()).unwrap();
    }
    insta::assert_snapshot!(out);
}

#[test]
fn long_labels_and_messages_fold() {
    let (sources, mut findings) =
        one("tools: {records.search: {title: Search, reads: everything, x: 1}}\n", "x");
    let file = findings[0].diagnostic.primary.span.file;
    let diagnostic = &mut findings[0].diagnostic;
    diagnostic.message =
        "`x` is no key of a tool, though it may well have been meant as one of those that are".into();
    diagnostic.primary.text =
        "this key is not read, so whatever was meant by it would not be in force".into();
    *diagnostic = diagnostic.clone().label(
        at(&sources, file, "records.search"),
        "in this tool, of which the registry knows a title and a description and no more",
    );
    let case = (sources, findings);
    for unicode in [false, true] {
        let text = shown(&case, Look { width: 64, unicode, color: false });
        assert!(text.lines().all(|line| columns(line) <= 64), "{text}");
        insta::assert_snapshot!(format!("long_labels_{}", if unicode { "unicode" } else { "ascii" }), text);
    }
}

#[test]
fn a_fix_that_removes_a_byte_order_mark_shows_it() {
    let (sources, mut findings) = one("\u{feff}x: 1\n", "x");
    let mark = Span::new(findings[0].diagnostic.primary.span.file, 0..3);
    findings[0].diagnostic = findings[0].diagnostic.clone().fix("remove it", Applicability::Safe, mark, "");
    let text = shown(&(sources, findings), plain(80));
    assert!(text.contains("1 - \\u{feff}x: 1\n1 + x: 1\n"), "{text}");
}

#[test]
fn a_fix_in_another_file_names_it_and_a_large_one_is_only_named() {
    let (sources, mut findings) = tree();
    let other = findings[2].diagnostic.primary.span;
    let first = findings[0].diagnostic.primary.span;
    findings[0].diagnostic.fixes[0].edits = vec![Edit { span: other, replacement: "visitor".into() }];
    findings[1].diagnostic.fixes[0].edits = vec![Edit { span: first, replacement: "a\n".repeat(40) }];
    let text = shown(&(sources, findings), plain(80));
    assert!(text.contains("--> policies/personas.yaml:3\n  |\n3 -   viewer"), "{text}");
    assert!(text.contains("= help: take `documents.fetch` out"), "{text}");
}

#[test]
fn one_line_each() {
    let (sources, findings) = tree();
    let mut out = String::new();
    short(&findings, &sources, &mut out).unwrap();
    insta::assert_snapshot!(out);
}

#[test]
fn a_message_cannot_forge_a_line() {
    let (sources, mut findings) = one("x: 1", "x");
    findings[0].diagnostic.message = "`a\ntools/b.yaml:1:1: warn[x]: \u{1b}[2J` is no key".into();
    let mut out = String::new();
    short(&findings, &sources, &mut out).unwrap();
    assert_eq!(out.lines().count(), 1);
    assert!(!out.contains('\u{1b}'));
}

#[test]
fn json_has_the_whole_finding() {
    let (sources, findings) = tree();
    let mut out = Vec::new();
    json(&findings, &sources, &mut out).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&value).unwrap());
}

#[test]
fn json_is_inert_and_exact() {
    let (sources, mut findings) = one("x: 1", "x");
    let span = findings[0].diagnostic.primary.span;
    let hostile = "\u{202e}\u{1b}\u{e0041}\u{7f}\"é";
    findings[0].diagnostic =
        findings[0].diagnostic.clone().fix("write it", Applicability::Safe, span, hostile);
    let mut out = Vec::new();
    json(&findings, &sources, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(!text.trim_end().chars().any(visible::is_hidden), "{text}");
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["findings"][0]["fixes"][0]["edits"][0]["replacement"], hostile);
}

#[test]
fn the_json_types_give_a_schema() {
    let schema = serde_json::to_value(schemars::schema_for!(JsonReport)).unwrap();
    let required = schema["required"].as_array().unwrap();
    assert!(["version", "findings", "summary"].iter().all(|key| required.contains(&(*key).into())));
}

#[test]
fn the_bridge_gives_miette_both_files() {
    let (sources, findings) = tree();
    let mut out = String::new();
    miette::NarratableReportHandler::new()
        .render_report(&mut out, &Bridge::new(&findings[1], &sources))
        .unwrap();
    assert!(out.contains("toolset-beyond-bundle"), "{out}");
    assert!(
        out.contains("harnesses/medicinal_chemist.yaml") && out.contains("policies/personas.yaml"),
        "{out}"
    );
}

/// Work by the window, not by the file: measured in bytes drawn, since a clock would make the test unsteady.
#[test]
fn a_finding_costs_the_same_in_a_large_file() {
    let small = shown(&one("x: 1\n", "x"), plain(80)).len();
    let text = format!("{}x: 1\n{}", "- item of some length\n".repeat(100_000), "- item\n".repeat(100_000));
    let large = shown(&one(&text, "x"), plain(80)).len();
    assert!(large < small + 100, "{large} against {small}");
}

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{0,30}",
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\r".to_owned()),
        Just("\t".to_owned()),
        Just("\u{feff}\u{202e}\u{1b}[2J\u{e0001}".to_owned()),
        Just("薬é🧪e\u{301}".to_owned()),
        Just("👩\u{200d}🔬☺\u{fe0f}".to_owned()),
        Just("word ".repeat(60)),
        any::<String>(),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn any_span(files: usize) -> impl Strategy<Value = (usize, usize, usize)> {
    (0..files, prop_oneof![0..120_usize, any::<usize>()], prop_oneof![0..200_usize, any::<usize>()])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_text_and_any_span_are_shown_within_the_width(
        texts in proptest::collection::vec(any_text(), 1..3),
        spans in proptest::collection::vec((any_span(3), any_text()), 1..5),
        words in any_text(),
        edits in proptest::collection::vec((any_span(2), any_text()), 0..3),
        width in prop_oneof![Just(0_usize), 24..100_usize, any::<usize>()],
        (color, unicode) in any::<(bool, bool)>(),
    ) {
        let mut sources = Sources::default();
        let mut ids: Vec<FileId> = texts.iter().map(|text| sources.add("a/b.yaml", text.as_str())).collect();
        let mut other = Sources::default();
        for _ in 0..9 { ids.push(other.add("", "")); }
        let span = |(file, start, end): (usize, usize, usize)| Span::new(ids[file], start..end);
        let mut labels = spans.iter().map(|(at, text)| Label { span: span(*at), text: text.clone() });
        let primary = labels.next().unwrap();
        let edits = edits.iter().map(|(at, text)| Edit { span: span(*at), replacement: text.clone() }).collect();
        let diagnostic = Diagnostic {
            rule: RuleId("some-rule"),
            level: None,
            message: words.clone(),
            primary,
            labels: labels.collect(),
            notes: vec![words.clone()],
            help: Some(words.clone()),
            fixes: vec![Fix { title: words.clone(), applicability: Applicability::Safe, edits, creates: Vec::new() }],
        };
        let longest = spans.iter().map(|(_, text)| text.as_str()).chain([words.as_str()])
            .flat_map(|text| visible(text).split(' ').map(columns).collect::<Vec<_>>()).max().unwrap_or(0);
        let case = (sources, vec![finding(Level::Deny, diagnostic)]);
        let text = shown(&case, Look { color: false, unicode, width });
        // A label with wide characters pushes the marks to its right, which the drawing crate counts in characters.
        let wide: usize = spans.iter().map(|(_, text)| {
            let text = visible(text);
            columns(&text).saturating_sub(text.chars().count())
        }).sum();
        let limit = width.max(24).saturating_add(wide);
        for line in text.lines() {
            // The longest unbroken thing that is not ours to break: a word, the path, the name of a rule.
            prop_assert!(columns(line) <= limit.max(30) || columns(line) <= longest.saturating_add(24), "{width}: {line:?}\n{text}");
            prop_assert!(!line.chars().any(visible::is_hidden), "{line:?}");
        }
        shown(&case, Look { color, unicode, width });
        let mut out = Vec::new();
        json(&case.1, &case.0, &mut out).unwrap();
        prop_assert!(serde_json::from_slice::<serde_json::Value>(&out).is_ok());
        let mut out = String::new();
        short(&case.1, &case.0, &mut out).unwrap();
        prop_assert_eq!(out.lines().count(), 1);
        Bridge::new(&case.1[0], &case.0);
    }
}
