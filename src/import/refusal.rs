//! Why a list is not taken, said so that a person can act on it.

use std::fmt;

use serde::Serialize;

use crate::diagnostic::Diagnostic;
use crate::source::LineIndex;

/// Where in the text that was handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// From 1.
    pub line: usize,
    /// From 1, in Unicode scalar values.
    pub column: usize,
    /// From 0.
    pub byte: usize,
}

/// Why nothing was imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// What is wrong, in one sentence: lower case, no full stop.
    pub message: String,
    /// Where, where there is one place.
    pub place: Option<Place>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Refusal {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None, help: None }
    }

    pub(super) fn at(mut self, text: &str, byte: usize) -> Self {
        let position = LineIndex::new(text).position(text, byte);
        self.place = Some(Place { line: position.line, column: position.column, byte });
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What is wrong and where, without what to do about it.
    pub fn said(&self) -> String {
        let at = |place: Place| format!(" (line {}, column {})", place.line, place.column);
        format!("nothing was imported: {}{}", self.message, self.place.map(at).unwrap_or_default())
    }

    /// What the reading of JSON found, as a reason to take nothing. `start` is where the value that was read begins in `text`.
    pub(super) fn of(finding: &Diagnostic, text: &str, start: usize) -> Self {
        let byte = start + finding.primary.span.start as usize;
        let refusal = Self::new(finding.message.clone()).at(text, byte);
        match &finding.help {
            Some(help) => refusal.help(help.clone()),
            None => refusal,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said())?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}
