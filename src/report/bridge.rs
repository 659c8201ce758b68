//! A finding as a `miette::Diagnostic`, for Rust tools that gather reports of several sources and show them their way.
//!
//! `harnessc` itself shows findings through `human`: miette's handlers show a second file as a report of its own.

use std::fmt;

use miette::{LabeledSpan, NamedSource, Severity, SourceCode};

use super::place::Place;
use super::visible::visible;
use crate::diagnostic::{Finding, Label, Level};
use crate::source::{FileId, Sources};

/// A finding with the text it points into.
pub struct Bridge {
    rule: &'static str,
    message: String,
    severity: Severity,
    help: Option<String>,
    source: NamedSource<String>,
    labels: Vec<LabeledSpan>,
    related: Vec<Bridge>,
}

impl Bridge {
    /// Copies out of `sources` what miette wants to own. Each further file becomes a related report.
    pub fn new(finding: &Finding, sources: &Sources) -> Self {
        let diagnostic = &finding.diagnostic;
        let home = diagnostic.primary.span.file;
        let mut groups: Vec<(FileId, Vec<&Label>)> = vec![(home, vec![&diagnostic.primary])];
        for label in &diagnostic.labels {
            match groups.iter_mut().find(|(file, _)| *file == label.span.file) {
                Some((_, labels)) => labels.push(label),
                None => groups.push((label.span.file, vec![label])),
            }
        }
        let mut parts = groups.iter().map(|(file, labels)| Self::part(*file, labels, sources));
        let mut whole = parts.next().unwrap_or_else(|| Self::part(home, &[], sources));
        whole.related = parts.collect();
        whole.rule = diagnostic.rule.0;
        whole.message = visible(&diagnostic.message).into_owned();
        whole.severity = if finding.level >= Level::Deny { Severity::Error } else { Severity::Warning };
        let help =
            diagnostic.notes.iter().chain(&diagnostic.help).map(|text| super::visible::visible_lines(text));
        whole.help = Some(help.collect::<Vec<_>>().join("\n")).filter(|help| !help.is_empty());
        whole
    }

    fn part(file: FileId, labels: &[&Label], sources: &Sources) -> Self {
        let place = |label: &&Label| {
            let place = Place::of(label.span, sources)?;
            let text = Some(visible(&label.text).into_owned()).filter(|text| !text.is_empty());
            Some(LabeledSpan::new(text, place.range.start, place.range.len()))
        };
        let text = sources.get(file).map_or_else(String::new, |file| file.text.to_string());
        Self {
            rule: "",
            message: "it has to do with this place".to_owned(),
            severity: Severity::Advice,
            help: None,
            source: NamedSource::new(visible(sources.path(file)), text),
            labels: labels.iter().filter_map(place).collect(),
            related: Vec::new(),
        }
    }
}

impl fmt::Debug for Bridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.message)
    }
}

impl fmt::Display for Bridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Bridge {}

impl miette::Diagnostic for Bridge {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.rule.is_empty()).then(|| Box::new(self.rule) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_deref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        let each = self.related.iter().map(|part| part as &dyn miette::Diagnostic);
        (!self.related.is_empty()).then(|| Box::new(each) as Box<dyn Iterator<Item = _>>)
    }
}
