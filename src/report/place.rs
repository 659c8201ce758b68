//! Spans brought inside the text they point into. A span may stem from another version of the file, or from a slip of ours.

use std::ops::Range;

use crate::source::{FileId, Position, SourceFile, Sources, Span};

/// A span that fits its file.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    pub(super) id: FileId,
    pub(super) file: &'a SourceFile,
    /// Bytes, on character boundaries.
    pub(super) range: Range<usize>,
}

impl<'a> Place<'a> {
    /// Where `span` lies; nothing for a file that `sources` does not hold.
    pub(super) fn of(span: Span, sources: &'a Sources) -> Option<Self> {
        let file = sources.get(span.file)?;
        let wanted = span.range();
        let start = floor(&file.text, wanted.start);
        let end = ceil(&file.text, wanted.end).max(start);
        Some(Self { id: span.file, file, range: start..end })
    }

    /// Line and column of the first byte.
    pub(super) fn start(&self) -> Position {
        self.position(self.range.start)
    }

    /// Line and column one past the last byte.
    pub(super) fn end(&self) -> Position {
        self.position(self.range.end)
    }

    /// The line (from 1) in which byte `offset` lies, found without counting columns.
    pub(super) fn line(&self, offset: usize) -> usize {
        line_of(self.file, offset)
    }

    fn position(&self, offset: usize) -> Position {
        self.file.lines().position(&self.file.text, offset)
    }
}

/// The line (from 1) of byte `offset`.
pub(super) fn line_of(file: &SourceFile, offset: usize) -> usize {
    let lines = file.lines();
    let (mut low, mut high) = (1, lines.count());
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if lines.start(middle).is_some_and(|start| start <= offset) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// The bytes of line `line` (from 1) without what ends it.
pub(super) fn line_range(file: &SourceFile, line: usize) -> Range<usize> {
    let start = file.lines().start(line).unwrap_or(file.text.len());
    let end = file.lines().start(line + 1).unwrap_or(file.text.len());
    let text = file.text.get(start..end).unwrap_or("");
    let kept = text.strip_suffix('\n').unwrap_or(text);
    let kept = kept.strip_suffix('\r').unwrap_or(kept);
    start..start + kept.len()
}

/// The last character boundary at or before `offset`.
pub(super) fn floor(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The first character boundary at or after `offset`.
pub(super) fn ceil(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_that_fits_nowhere_is_brought_inside() {
        let mut sources = Sources::default();
        let id = sources.add("a.yaml", "né\r\nx");
        let cut = Place::of(Span::new(id, 2..2), &sources).unwrap();
        assert_eq!(cut.range, 1..3);
        let past = Place::of(Span::new(id, 90..99), &sources).unwrap();
        assert_eq!((past.range.clone(), past.start().line, past.line(6)), (6..6, 2, 2));
        assert_eq!(line_range(past.file, 1), 0..3);
        assert_eq!(line_range(past.file, 2), 5..6);
    }
}
