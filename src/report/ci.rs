//! What the formats that a platform reads have in common: which findings, out of which files, found how.

use super::place::Place;
use super::visible::{visible, visible_lines};
use crate::diagnostic::{Finding, Level};
use crate::source::{Sources, Span};

/// Findings with what a platform wants to know besides.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    /// In the order of the run.
    pub findings: &'a [Finding],
    /// The texts that they point into.
    pub sources: &'a Sources,
    /// The manifest's folder from the repository's root, `/` at its end; empty where they are one.
    pub folder: &'a str,
    /// A name for each finding that does not change when lines move, in their order.
    pub fingerprints: &'a [String],
    /// Every rule that ran, sorted by name.
    pub rules: &'a [RuleText],
    /// Findings of this level and graver ones fail the run.
    pub fails_from: Level,
}

/// A rule, for formats that carry its text.
#[derive(Clone, Debug)]
pub struct RuleText {
    /// Its name.
    pub id: &'static str,
    /// Its usual level.
    pub level: Level,
    /// When it holds, in one sentence.
    pub summary: String,
    /// Its page, in Markdown.
    pub page: &'static str,
}

/// A part of a file, as platforms count: lines and columns from 1, the end's column one past the last character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
}

impl Found<'_> {
    /// Where a span lies; the first character of the file where its text is not known.
    pub(super) fn region(&self, span: Span) -> Region {
        let file = format!("{}{}", self.folder, self.sources.path(span.file));
        match Place::of(span, self.sources) {
            Some(place) => {
                let (start, end) = (place.start(), place.end());
                Region {
                    file,
                    line: start.line,
                    column: start.column,
                    end_line: end.line,
                    end_column: end.column,
                }
            }
            None => Region { file, line: 1, column: 1, end_line: 1, end_column: 1 },
        }
    }

    /// A finding in words, and a line for each place beside the first one.
    pub(super) fn told_with_places(&self, finding: &Finding) -> String {
        let mut said = told(finding);
        for label in &finding.diagnostic.labels {
            let Region { file, line, column, .. } = self.region(label.span);
            said += &format!("\n{}:{line}:{column}: {}", visible(&file), visible(&label.text));
        }
        said
    }
}

/// A finding in words: what is wrong, why it matters, what to write.
pub(super) fn told(finding: &Finding) -> String {
    let diagnostic = &finding.diagnostic;
    let mut parts = vec![visible(&diagnostic.message).into_owned()];
    parts.extend(diagnostic.notes.iter().map(|note| visible_lines(note)));
    parts.extend(diagnostic.help.iter().map(|help| format!("help: {}", visible_lines(help))));
    parts.join("\n")
}
