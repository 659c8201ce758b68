//! Byte offsets to lines and columns, as an editor counts them.

/// A place in a text, as machine formats state it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 1. CR, LF and CRLF each end one line.
    pub line: usize,
    /// From 1, in Unicode scalar values; a byte order mark at the start of the file has no width.
    pub column: usize,
}

/// How many bytes lie between two counts, so that a column in a line of megabytes is found as fast as any other.
const STRIDE: usize = 4096;

/// Where each line of a text begins.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    /// How many scalar values begin before each multiple of [`STRIDE`].
    counts: Vec<u32>,
}

impl LineIndex {
    /// Finds the line starts of `text`.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let ends = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends {
                starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
            }
        }
        let mut counts = vec![0];
        let mut count = 0;
        for chunk in bytes.chunks(STRIDE) {
            count += scalars(chunk);
            counts.push(u32::try_from(count).unwrap_or(u32::MAX));
        }
        Self { starts, counts }
    }

    /// How many lines the text has; an empty text has one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The byte at which line `line` (from 1) begins; past the last line, nothing.
    pub fn start(&self, line: usize) -> Option<usize> {
        self.starts.get(line.checked_sub(1)?).map(|start| *start as usize)
    }

    /// Line and column of byte `offset` in `text`, the text this index was made from.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = offset.min(text.len());
        let line = self.starts.partition_point(|start| *start as usize <= offset).max(1);
        let start = self.start(line).unwrap_or(0);
        let mark = start == 0 && offset > 0 && text.starts_with('\u{feff}');
        let before = self.scalars_before(text, floor_boundary(text, offset));
        let column = before.saturating_sub(self.scalars_before(text, start) + usize::from(mark)) + 1;
        Position { line, column }
    }

    fn scalars_before(&self, text: &str, offset: usize) -> usize {
        let chunk = offset / STRIDE;
        let counted = self.counts.get(chunk).map_or(0, |count| *count as usize);
        counted + text.as_bytes().get(chunk * STRIDE..offset).map_or(0, scalars)
    }
}

/// How many scalar values begin in `bytes`.
fn scalars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

fn floor_boundary(text: &str, mut offset: usize) -> usize {
    while offset > 0 && !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_ends_one_line() {
        let text = "a\r\nb\rc\nd";
        let index = LineIndex::new(text);
        let lines: Vec<usize> =
            "abcd".chars().map(|c| index.position(text, text.find(c).unwrap()).line).collect();
        assert_eq!(lines, [1, 2, 3, 4]);
        assert_eq!(index.count(), 4);
    }

    #[test]
    fn a_byte_order_mark_has_no_width_and_columns_count_scalars() {
        let text = "\u{feff}naïve: x";
        let index = LineIndex::new(text);
        assert_eq!(index.position(text, text.find('n').unwrap()), Position { line: 1, column: 1 });
        assert_eq!(index.position(text, text.find('x').unwrap()), Position { line: 1, column: 8 });
    }

    #[test]
    fn columns_are_right_far_into_a_long_line() {
        let text = format!("a\n{}x", "né".repeat(20_000));
        assert_eq!(
            LineIndex::new(&text).position(&text, text.len() - 1),
            Position { line: 2, column: 40_001 }
        );
    }

    #[test]
    fn an_offset_past_the_end_is_the_end() {
        let index = LineIndex::new("ab");
        assert_eq!(index.position("ab", 99), Position { line: 1, column: 3 });
    }
}
