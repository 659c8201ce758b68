//! Findings as GitHub workflow commands, which show at the lines of a pull request.
//!
//! The platform shows ten errors and ten warnings of one step and drops the others unsaid, so that no more are written; the
//! others follow as lines of the log. What the runner would obey in a text or a path is escaped.

use super::ci::Found;
use super::visible::visible;
use crate::diagnostic::{Finding, Level};

/// So many annotations of one kind are shown of one step.
const MAX_OF_KIND: usize = 10;

/// The commands, then the lines of what is left, then one line that counts.
pub fn github(found: &Found<'_>, summary: &str) -> String {
    let mut out = String::new();
    let (mut errors, mut warnings) = (0, 0);
    let mut left = Vec::new();
    for finding in found.findings {
        let (kind, count) = match finding.level >= found.fails_from.max(Level::Warn) {
            true => ("error", &mut errors),
            false => ("warning", &mut warnings),
        };
        *count += 1;
        if *count > MAX_OF_KIND {
            left.push(finding);
        } else {
            out.push_str(&command(kind, found, finding));
        }
    }
    if !left.is_empty() {
        out.push_str(&format!("::group::{} more findings, which have no annotation\n", left.len()));
        left.iter().for_each(|finding| out.push_str(&log_line(found, finding)));
        out.push_str("::endgroup::\n");
    }
    out.push_str(&format!("harnessc: {summary}\n"));
    out
}

/// One error at a file as a whole.
pub fn github_error(file: &str, text: &str) -> String {
    format!("::error file={},title=harnessc::{}\n", property(file), data(text))
}

fn command(kind: &str, found: &Found<'_>, finding: &Finding) -> String {
    let region = found.region(finding.diagnostic.primary.span);
    // Columns are taken only where the place is one line.
    let columns = match region.line == region.end_line && region.end_column > region.column {
        true => format!(",col={},endColumn={}", region.column, region.end_column),
        false => String::new(),
    };
    format!(
        "::{kind} file={},line={},endLine={}{columns},title={}::{}\n",
        property(&region.file),
        region.line,
        region.end_line,
        property(finding.diagnostic.rule.0),
        data(&found.told_with_places(finding))
    )
}

/// A line of the log in which the runner finds no command: none begins with a colon, and the older mark is taken apart.
fn log_line(found: &Found<'_>, finding: &Finding) -> String {
    let region = found.region(finding.diagnostic.primary.span);
    let (file, message) = (visible(&region.file), visible(&finding.diagnostic.message));
    let (level, rule) = (finding.level.word(), finding.diagnostic.rule);
    let line = format!("- {file}:{}:{}: {level}({rule}): {message}\n", region.line, region.column);
    line.replace("##[", "## [")
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
