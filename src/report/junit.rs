//! Findings and tests as JUnit XML, the format that every CI platform takes in.

use std::fmt::Write as _;

use super::ci::Found;
use super::visible::visible;
use crate::diagnostic::Finding;

/// One test case.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it belongs to.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its file and line.
    pub at: Option<(String, usize)>,
    /// Why it fails, in one line and in full.
    pub failure: Option<(String, String)>,
    /// What is to be said although it passes.
    pub note: Option<String>,
}

/// A document of one suite.
pub fn junit(suite: &str, cases: &[Case]) -> String {
    let failures = cases.iter().filter(|case| case.failure.is_some()).count();
    let counts =
        format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\" time=\"0\"", cases.len());
    let name = escaped(suite);
    let mut out =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"harnessc\" {counts}>\n");
    let _ = writeln!(out, "  <testsuite name=\"{name}\" {counts}>");
    for case in cases {
        one(case, &mut out);
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn one(case: &Case, out: &mut String) {
    let _ =
        write!(out, "    <testcase classname=\"{}\" name=\"{}\"", escaped(&case.class), escaped(&case.name));
    if let Some((file, line)) = &case.at {
        let _ = write!(out, " file=\"{}\" line=\"{line}\"", escaped(file));
    }
    out.push_str(" time=\"0\"");
    match (&case.failure, &case.note) {
        (Some((short, full)), _) => {
            let (short, full) = (escaped(short), escaped_lines(full));
            let _ = writeln!(out, ">\n      <failure message=\"{short}\">{full}</failure>\n    </testcase>");
        }
        (None, Some(note)) => {
            let _ =
                writeln!(out, ">\n      <system-out>{}</system-out>\n    </testcase>", escaped_lines(note));
        }
        (None, None) => out.push_str("/>\n"),
    }
}

/// A case for each rule that found nothing, and one for each finding. Findings that do not fail the run pass with a note.
pub fn junit_cases(found: &Found<'_>) -> Vec<Case> {
    let broken = |id: &str| found.findings.iter().any(|finding| finding.diagnostic.rule.0 == id);
    let kept = found.rules.iter().filter(|rule| !broken(rule.id)).map(|rule| Case {
        class: "rules".to_owned(),
        name: rule.id.to_owned(),
        at: None,
        failure: None,
        note: None,
    });
    found.findings.iter().map(|finding| of_finding(found, finding)).chain(kept).collect()
}

fn of_finding(found: &Found<'_>, finding: &Finding) -> Case {
    let region = found.region(finding.diagnostic.primary.span);
    let (rule, level) = (finding.diagnostic.rule.0, finding.level.word());
    let place = format!("{}:{}:{}", region.file, region.line, region.column);
    let full = format!("{place}: {level}[{rule}]: {}", found.told_with_places(finding));
    let fails = finding.level >= found.fails_from;
    Case {
        class: format!("rules.{rule}"),
        name: place,
        at: Some((region.file, region.line)),
        failure: fails.then(|| (finding.diagnostic.message.clone(), full.clone())),
        note: (!fails).then_some(full),
    }
}

/// A text in one line in which nothing is markup. What XML cannot hold is written out.
fn escaped(text: &str) -> String {
    markup(&visible(text))
}

fn escaped_lines(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}
