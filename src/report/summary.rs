//! The one line that ends a run.

use std::collections::BTreeSet;

use crate::diagnostic::{Finding, Level};
use crate::source::Sources;

/// "3 findings: 2 deny, 1 warn in 2 files", or "no findings in 12 files".
pub fn summary(findings: &[Finding], sources: &Sources) -> String {
    if findings.is_empty() {
        return format!("no findings in {}", counted(sources.iter().count(), "file"));
    }
    let levels: Vec<String> = [Level::Forbid, Level::Deny, Level::Warn]
        .into_iter()
        .map(|level| (level, findings.iter().filter(|finding| finding.level == level).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(level, count)| format!("{count} {}", level.word()))
        .collect();
    let files: BTreeSet<_> = findings.iter().map(|finding| finding.diagnostic.primary.span.file).collect();
    let found = counted(findings.len(), "finding");
    format!("{found}: {} in {}", levels.join(", "), counted(files.len(), "file"))
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
