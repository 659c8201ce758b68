//! Some lines of a file as a terminal can show them: hostile characters written out, long lines cut around what matters.
//!
//! What is done here costs by the width of the terminal and the number of lines asked for, never by the size of the file.

use std::ops::{Range, RangeInclusive};

use unicode_width::UnicodeWidthChar;

use super::place::{ceil, floor, line_range};
use super::visible::push;
use crate::source::SourceFile;

/// How lines are shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cutting {
    /// Columns a line may take.
    pub(super) columns: usize,
    /// What stands for the part of a line that is not shown.
    pub(super) mark: &'static str,
    /// Whether a byte order mark that begins the text is left out.
    pub(super) skip_bom: bool,
}

/// Lines ready to be drawn, and the way from the file's bytes to theirs.
#[derive(Debug)]
pub(super) struct Window {
    /// The lines, joined by line feeds.
    pub(super) text: String,
    rows: Vec<(usize, Row)>,
}

impl Window {
    /// Lines `lines` (from 1) of `file`; a long one is cut around the first of `anchors` that touches it.
    pub(super) fn new(
        file: &SourceFile,
        lines: RangeInclusive<usize>,
        anchors: &[Range<usize>],
        cutting: Cutting,
    ) -> Self {
        let mut window = Self { text: String::new(), rows: Vec::new() };
        for line in lines {
            let bytes = line_range(file, line);
            let touching =
                anchors.iter().find(|anchor| anchor.start <= bytes.end && anchor.end >= bytes.start);
            let anchor = touching.map_or(bytes.start, |anchor| anchor.start.max(bytes.start));
            let until = touching.map_or(bytes.start, |anchor| anchor.end.min(bytes.end));
            let row = Row::cut(&file.text, bytes, anchor..until.max(anchor), cutting);
            if !window.rows.is_empty() {
                window.text.push('\n');
            }
            let start = window.text.len();
            window.text.push_str(&row.text);
            window.rows.push((start, row));
        }
        window
    }

    /// Where the file's bytes `range` stand in the text; what is not shown is drawn to the nearest shown byte.
    pub(super) fn range(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.place(range.start);
        let end = self.place(range.end).max(start);
        start..end
    }

    fn place(&self, offset: usize) -> usize {
        let at = self.rows.partition_point(|(_, row)| row.bytes.start <= offset);
        match self.rows.get(at.saturating_sub(1)) {
            Some((start, row)) => start + row.place(offset),
            None => 0,
        }
    }
}

/// One line as it is shown.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) text: String,
    bytes: Range<usize>,
    /// Byte in the file → byte in `text`, ascending in both.
    stops: Vec<(usize, usize)>,
}

/// A character: its first byte in the file, its first byte and column in what is shown.
struct Stop {
    from: usize,
    shown: usize,
    column: usize,
}

impl Row {
    /// Shows the line `bytes` of `text`, cut around `anchor` where it is too long.
    pub(super) fn cut(text: &str, bytes: Range<usize>, anchor: Range<usize>, cutting: Cutting) -> Self {
        let reach = cutting.columns.saturating_mul(8).saturating_add(64);
        let from = ceil(text, anchor.start.saturating_sub(reach).max(bytes.start));
        let to = floor(text, anchor.start.saturating_add(reach).min(bytes.end)).max(from);
        let (shown, stops) = spell(text, from..to, cutting.skip_bom);
        let whole = from == bytes.start && to == bytes.end;
        let last = stops.last().map_or(0, |stop| stop.column);
        if whole && last <= cutting.columns {
            let stops = stops.iter().map(|stop| (stop.from, stop.shown)).collect();
            return Self { text: shown, bytes, stops };
        }
        let column = |offset: usize| {
            stops.get(stops.partition_point(|stop| stop.from < offset)).map_or(last, |stop| stop.column)
        };
        let wanted = column(anchor.start)..column(anchor.end);
        let mark = cutting.mark.chars().count();
        let kept = view(&wanted, last, mark, cutting.columns, from > bytes.start, to < bytes.end);
        Self::between(&shown, &stops, &kept, bytes, cutting.mark)
    }

    fn between(shown: &str, stops: &[Stop], kept: &Range<usize>, bytes: Range<usize>, mark: &str) -> Self {
        let inside: Vec<&Stop> =
            stops.iter().filter(|stop| kept.start <= stop.column && stop.column <= kept.end).collect();
        let start = inside.first().map_or(0, |stop| stop.shown);
        let end = inside.last().map_or(start, |stop| stop.shown);
        let before = inside.first().is_some_and(|stop| stop.from > bytes.start);
        let after = inside.last().is_some_and(|stop| stop.from < bytes.end);
        let lead = if before { mark } else { "" };
        let text = [lead, shown.get(start..end).unwrap_or(""), if after { mark } else { "" }].concat();
        let stops = inside.iter().map(|stop| (stop.from, stop.shown - start + lead.len())).collect();
        Self { text, bytes, stops }
    }

    fn place(&self, offset: usize) -> usize {
        let at = self.stops.partition_point(|(from, _)| *from < offset);
        self.stops.get(at).or(self.stops.last()).map_or(0, |(_, shown)| *shown)
    }
}

/// `text[range]` made visible, with a stop before each character and one at the end.
fn spell(text: &str, range: Range<usize>, skip_bom: bool) -> (String, Vec<Stop>) {
    let mut shown = String::new();
    let mut stops = Vec::new();
    let mut column = 0;
    for (at, c) in text.get(range.clone()).unwrap_or("").char_indices() {
        let from = range.start + at;
        stops.push(Stop { from, shown: shown.len(), column });
        let before = shown.len();
        if !(skip_bom && from == 0 && c == '\u{feff}') {
            push(&mut shown, c);
        }
        let added = shown.get(before..).unwrap_or("");
        column += added.chars().map(|c| c.width().unwrap_or(0)).sum::<usize>();
    }
    stops.push(Stop { from: range.end, shown: shown.len(), column });
    (shown, stops)
}

/// The columns to show of a line `last` columns long, so that `wanted` is seen with a third of the room before it.
fn view(
    wanted: &Range<usize>,
    last: usize,
    mark: usize,
    columns: usize,
    cut_before: bool,
    cut_after: bool,
) -> Range<usize> {
    let room = columns.saturating_sub(2 * mark).max(1);
    let free = room.saturating_sub(wanted.end.saturating_sub(wanted.start));
    let mut start = wanted.start.saturating_sub(free / 3);
    if !cut_before && start <= mark {
        start = 0;
    }
    if !cut_after && last.saturating_sub(start) <= room + mark {
        start = last.saturating_sub(room + mark);
        return start..last;
    }
    start..start + room
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    const CUTTING: Cutting = Cutting { columns: 20, mark: "...", skip_bom: true };

    fn shown(text: &str, under: &str) -> (String, String) {
        let mut sources = Sources::default();
        let id = sources.add("a", text);
        let file = sources.get(id).unwrap();
        let at = text.find(under).unwrap();
        let range = at..at + under.len();
        let line = super::super::place::line_of(file, at);
        let window = Window::new(file, line..=line, std::slice::from_ref(&range), CUTTING);
        let marked = window.text[window.range(&range)].to_owned();
        (window.text, marked)
    }

    #[test]
    fn a_long_line_is_cut_around_the_span() {
        let text = format!("x: {}HERE{}", "abc ".repeat(90_000), " def".repeat(90_000));
        assert_eq!(shown(&text, "HERE"), ("...bc HERE def de...".to_owned(), "HERE".into()));
    }

    #[test]
    fn the_ends_of_a_long_line_bear_no_needless_mark() {
        assert_eq!(shown("HERE and much more than fits", "HERE").0, "HERE and much ...");
        assert_eq!(shown("much more than fits, and HERE", "HERE").0, "...an fits, and HERE");
    }

    #[test]
    fn escapes_stand_whole_under_their_span() {
        assert_eq!(shown("a\u{202e}b", "\u{202e}"), ("a\\u{202e}b".into(), "\\u{202e}".into()));
        assert_eq!(shown("\u{feff}ab", "a"), ("ab".into(), "a".into()));
    }
}
