//! One line per finding, as editors and scripts read compilers: `path:line:column: level[rule]: message`.

use std::fmt;

use super::place::Place;
use super::visible::visible;
use crate::diagnostic::Finding;
use crate::source::Sources;

/// Writes one line per finding, in the order given, each ended by a line feed.
///
/// # Errors
/// Those of `out`.
pub fn short(findings: &[Finding], sources: &Sources, out: &mut impl fmt::Write) -> fmt::Result {
    for Finding { diagnostic, level } in findings {
        if let Some(place) = Place::of(diagnostic.primary.span, sources) {
            let start = place.start();
            write!(out, "{}:{}:{}: ", visible(&place.file.path), start.line, start.column)?;
        }
        writeln!(out, "{}[{}]: {}", level.word(), diagnostic.rule, visible(&diagnostic.message))?;
    }
    Ok(())
}
