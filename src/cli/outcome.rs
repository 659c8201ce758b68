//! What a verb hands back: both streams and how it ended.

use std::fmt::Write as _;

use serde::Serialize;

use super::session::Session;
use super::style;
use crate::report;
use crate::source::Fault;

/// The exit codes.
pub(super) mod code {
    /// All is well.
    pub(in crate::cli) const CLEAN: u8 = 0;
    /// Findings deny, or something does not hold.
    pub(in crate::cli) const FINDINGS: u8 = 1;
    /// The usage or the environment.
    pub(in crate::cli) const FAULT: u8 = 2;
    /// Our bug.
    pub(in crate::cli) const INTERNAL: u8 = 101;
}

/// What is written where, and the exit code.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Results and machine formats.
    pub(super) out: String,
    /// Findings and notes for a person.
    pub(super) err: String,
    /// One of [`code`].
    pub(super) code: u8,
}

impl Said {
    /// Adds one line of JSON to the results.
    pub(super) fn json(&mut self, value: &impl Serialize) {
        let mut line = Vec::new();
        // A vector takes whatever is written to it.
        let _ = report::json_line(value, &mut line);
        self.out.push_str(&String::from_utf8_lossy(&line));
    }

    /// Adds a line to the results.
    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        self.out.push_str(text.as_ref());
        self.out.push('\n');
    }

    /// Adds what another part of the work said; with `aside` none of it to the results.
    pub(super) fn take(&mut self, other: &Self, aside: bool) {
        let results = if aside { &mut self.err } else { &mut self.out };
        results.push_str(&other.out);
        self.err.push_str(&other.err);
    }

    /// Adds a line to the notes.
    pub(super) fn note(&mut self, text: impl AsRef<str>) {
        self.err.push_str(text.as_ref());
        self.err.push('\n');
    }
}

/// The usage or the environment is at fault: one message with what to do; exit 2.
#[derive(Debug)]
pub(super) enum Trouble {
    /// A file or a folder.
    Fault(Fault),
    /// What was asked for; the second text is what to do.
    Usage(String, String),
    /// A bug of ours: something that was to hold whatever the tree says does not.
    Internal(String),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Trouble {
    /// Something named that is not there, with the nearest right name or where to find them all.
    pub(super) fn unknown<'a>(
        kind: &str,
        written: &str,
        known: impl IntoIterator<Item = &'a str>,
        otherwise: &str,
    ) -> Self {
        let meant = crate::diagnostic::nearest(written, known);
        let help = meant.map_or_else(|| otherwise.to_owned(), |meant| format!("did you mean `{meant}`?"));
        Self::Usage(format!("there is no {kind} `{}`", report::visible(written)), help)
    }

    /// As it is said.
    pub(super) fn said(&self, session: &Session) -> Said {
        let look = session.terminal.err;
        let mut said = Said { code: code::FAULT, ..Said::default() };
        let (word, text, help) = match self {
            Self::Fault(fault) => ("error", report::visible(&told(fault)).into_owned(), None),
            Self::Usage(text, help) => ("error", text.clone(), Some(help)),
            Self::Internal(text) => {
                said.code = code::INTERNAL;
                ("internal error", text.clone(), None)
            }
        };
        let wrapped = report::wrap(&text, look.width.saturating_sub(word.len() + 2), look.width);
        let _ = writeln!(said.err, "{}: {}", style::error(look, word), wrapped.join("\n"));
        if let Some(help) = help.filter(|help| !help.is_empty()) {
            let wrapped = report::wrap(help, look.width.saturating_sub(6), look.width);
            let _ = writeln!(said.err, "{}: {}", style::help(look, "help"), wrapped.join("\n"));
        }
        said
    }
}

/// A fault in a sentence; the folder that we stand in needs no name, and the system's number helps nobody.
fn told(fault: &Fault) -> String {
    let here = fault.path.as_os_str().is_empty() || fault.path == std::path::Path::new(".");
    let place = if here { String::new() } else { format!("{}: ", fault.path.display()) };
    let said = fault.source.as_ref().map(std::string::ToString::to_string).unwrap_or_default();
    let said = said.split(" (os error").next().unwrap_or_default().to_lowercase();
    let why = if said.is_empty() { said } else { format!(": {said}") };
    format!("{place}{}{why}", fault.message)
}

/// "1 tool", "2 tools".
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
