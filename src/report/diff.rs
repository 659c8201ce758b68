//! A fix as the few lines it changes.

use std::ops::Range;

use super::place::{Place, line_range};
use super::window::{Cutting, Row};
use crate::diagnostic::Fix;
use crate::source::Sources;

/// A fix that changes more lines than this is named, not shown.
const MAX_LINES: usize = 12;
/// Nor is one in longer text than this.
const MAX_BYTES: usize = 64 * 1024;

/// The lines that go and those that come.
#[derive(Debug)]
pub(super) struct Diff<'a> {
    /// Where the first of them stands.
    pub(super) place: Place<'a>,
    /// The number of the first line.
    pub(super) line: usize,
    /// The lines that go.
    pub(super) old: Vec<String>,
    /// The lines that come.
    pub(super) new: Vec<String>,
}

impl Diff<'_> {
    /// The largest line number shown.
    pub(super) fn last_line(&self) -> usize {
        self.line + self.old.len().max(self.new.len()).saturating_sub(1)
    }
}

/// The change `fix` makes, where it lies in one file and is small enough to be read at a glance.
pub(super) fn diff<'a>(fix: &Fix, sources: &'a Sources, cutting: Cutting) -> Option<Diff<'a>> {
    let mut edits: Vec<(Place<'a>, &str)> = Vec::new();
    for edit in &fix.edits {
        edits.push((Place::of(edit.span, sources)?, &edit.replacement));
    }
    edits.sort_by_key(|(place, _)| (place.id, place.range.start, place.range.end));
    let place = edits.first()?.0.clone();
    let end = edits.last()?.0.range.end;
    let lines = place.line(place.range.start)..place.line(end);
    let region = line_range(place.file, lines.start).start..line_range(place.file, lines.end).end;
    let added: usize = edits.iter().map(|(_, text)| text.len()).sum();
    if edits.iter().any(|(other, _)| other.id != place.id) || region.len() + added > MAX_BYTES {
        return None;
    }
    let old = place.file.text.get(region.clone())?;
    let new = applied(&edits, region, &place.file.text)?;
    let (old, new) = (split(old), split(&new));
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (old.get(same..)?, new.get(same..)?);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (old.get(..old.len() - tail)?, new.get(..new.len() - tail)?);
    if old.len() + new.len() > MAX_LINES || (old.is_empty() && new.is_empty()) {
        return None;
    }
    Some(Diff {
        line: lines.start + same,
        old: shown(old, new.first(), cutting),
        new: shown(new, old.first(), cutting),
        place,
    })
}

/// The region with the edits in it; nothing where they overlap.
fn applied(edits: &[(Place<'_>, &str)], region: Range<usize>, text: &str) -> Option<String> {
    let mut new = String::new();
    let mut at = region.start;
    for (place, replacement) in edits {
        new.push_str(text.get(at..place.range.start)?);
        new.push_str(replacement);
        at = place.range.end;
    }
    new.push_str(text.get(at..region.end.max(at))?);
    Some(new)
}

fn split(text: &str) -> Vec<&str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
}

/// The lines cut around the first byte in which the first of them differs from `other`.
fn shown(lines: &[&str], other: Option<&&str>, cutting: Cutting) -> Vec<String> {
    let differs = lines.first().zip(other).map_or(0, |(line, other)| {
        line.char_indices()
            .zip(other.chars())
            .find(|((_, a), b)| a != b)
            .map_or(line.len(), |((at, _), _)| at)
    });
    let cutting = Cutting { skip_bom: false, ..cutting };
    let cut = |line: &&str| {
        let at = differs.min(line.len());
        Row::cut(line, 0..line.len(), at..at, cutting).text
    };
    lines.iter().map(cut).collect()
}
