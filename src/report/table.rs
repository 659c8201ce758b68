//! Small tables of text for a terminal.

use super::visible::{columns, visible};
use super::wrap::wrap;

/// Between two columns.
const GAP: usize = 2;
/// No column is made narrower than this while another could give.
const NARROW: usize = 6;

/// Below so many columns, a table that does not fit is told row by row.
const TIGHT: usize = 40;
/// Before a cell that is told below its row's first.
const INDENT: &str = "  ";

/// Rows of cells below a row of headers. Cells are made visible first, so an author's text may be handed in as it is.
#[derive(Clone, Debug)]
pub struct Table {
    headers: Vec<String>,
    rows: Vec<Vec<String>>,
    right: Vec<usize>,
}

impl Table {
    /// A table with these headers; their number is the number of columns.
    pub fn new<S: AsRef<str>>(headers: impl IntoIterator<Item = S>) -> Self {
        Self { headers: cells(headers), rows: Vec::new(), right: Vec::new() }
    }

    /// Aligns column `column` (from 0) to the right, for numbers.
    #[must_use]
    pub fn right(mut self, column: usize) -> Self {
        self.right.push(column);
        self
    }

    /// Adds a row; what is missing is empty, what is too much is dropped.
    #[must_use]
    pub fn row<S: AsRef<str>>(mut self, row: impl IntoIterator<Item = S>) -> Self {
        self.push(row);
        self
    }

    /// Adds a row in place, as [`Table::row`] does.
    pub fn push<S: AsRef<str>>(&mut self, row: impl IntoIterator<Item = S>) {
        let mut row = cells(row);
        row.resize(self.headers.len(), String::new());
        self.rows.push(row);
    }

    /// The table in at most `width` columns where that is possible, each line ended by a line feed. Wide cells are wrapped
    /// between words; a word wider than its column is broken, at a separator where one is near.
    ///
    /// On a screen narrower than [`TIGHT`], a table that does not fit is told row by row instead: columns of a few letters
    /// are no table.
    pub fn render(&self, width: usize) -> String {
        let widths = self.widths(width);
        if width < TIGHT && self.headers.len() > 2 && widths != self.widths(usize::MAX) {
            return self.row_by_row(width);
        }
        let mut out = String::new();
        self.line(&self.headers, &widths, &mut out);
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        self.line(&rule, &widths, &mut out);
        for row in &self.rows {
            self.line(row, &widths, &mut out);
        }
        out
    }

    /// Each row as its first cell and, below it, its other ones behind their headers; what is empty is left out.
    fn row_by_row(&self, width: usize) -> String {
        let width = width.max(NARROW + INDENT.len());
        let mut out = String::new();
        for row in &self.rows {
            let mut cells = self.headers.iter().zip(row);
            let head = cells.next().map(|(_, cell)| fold(cell, width)).unwrap_or_default();
            head.iter().for_each(|line| out.extend([line, "\n"]));
            for (header, cell) in cells.filter(|(_, cell)| !cell.is_empty()) {
                let room = width.saturating_sub(INDENT.len());
                for line in fold(&format!("{header}: {cell}"), room) {
                    out.extend([INDENT, &line, "\n"]);
                }
            }
        }
        out
    }

    /// The widest columns give until all fit; none gives up its longest word, or else the longest part of one, while another
    /// could give.
    fn widths(&self, width: usize) -> Vec<usize> {
        let natural: Vec<usize> = (0..self.headers.len())
            .map(|at| {
                let cells = self.rows.iter().chain([&self.headers]).filter_map(|row| row.get(at));
                cells.map(|cell| columns(cell)).max().unwrap_or(0).max(1)
            })
            .collect();
        let room = width.saturating_sub(GAP * natural.len().saturating_sub(1));
        let mut ways = [self.longest(words), self.longest(parts)].into_iter();
        let fits = |least: &Vec<usize>| least.iter().sum::<usize>() <= room;
        let least = ways.find(fits).unwrap_or_else(|| vec![0; natural.len()]);
        let at = |cap: usize| -> Vec<usize> {
            natural.iter().zip(&least).map(|(wide, least)| (*wide).min(cap.max(*least))).collect()
        };
        let total = |cap: usize| at(cap).iter().sum::<usize>();
        let widest = natural.iter().copied().max().unwrap_or(1);
        let cap = (NARROW..=widest).rev().find(|cap| total(*cap) <= room);
        // Where words leave no room for the narrowest column, their columns keep what they need and no more.
        let cap = cap.unwrap_or(if total(0) <= room { 0 } else { NARROW });
        let mut spare = room.saturating_sub(total(cap));
        let fit = |(own, wide): (usize, &usize)| {
            let extra = wide.saturating_sub(own).min(spare);
            spare -= extra;
            own + extra
        };
        at(cap).into_iter().zip(&natural).map(fit).collect()
    }

    /// The width of the longest piece in each column.
    fn longest(&self, pieces: fn(&str) -> Vec<&str>) -> Vec<usize> {
        let cells = |at: usize| self.rows.iter().chain([&self.headers]).filter_map(move |row| row.get(at));
        let longest = |at| cells(at).flat_map(|cell| pieces(cell)).map(columns).max().unwrap_or(1);
        (0..self.headers.len()).map(longest).collect()
    }

    fn line(&self, row: &[String], widths: &[usize], out: &mut String) {
        let wrapped: Vec<Vec<String>> =
            row.iter().zip(widths).map(|(cell, width)| fold(cell, *width)).collect();
        for at in 0..wrapped.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = String::new();
            for (column, (cell, width)) in wrapped.iter().zip(widths).enumerate() {
                let text = cell.get(at).map_or("", String::as_str);
                let pad = " ".repeat(width.saturating_sub(columns(text)));
                let (before, after) = if self.right.contains(&column) { (&*pad, "") } else { ("", &*pad) };
                line.extend([before, text, after]);
                line.push_str(&" ".repeat(GAP));
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}

fn cells<S: AsRef<str>>(row: impl IntoIterator<Item = S>) -> Vec<String> {
    row.into_iter().map(|cell| visible(cell.as_ref()).into_owned()).collect()
}

/// Wraps by words, then breaks what is still too wide.
fn fold(cell: &str, width: usize) -> Vec<String> {
    wrap(cell, width, width).iter().flat_map(|line| broken(line, width)).collect()
}

/// Where a word that is too wide may be broken: behind each of these.
const SEPARATORS: [char; 5] = ['.', '_', '-', '/', ','];

fn words(cell: &str) -> Vec<&str> {
    cell.split(' ').collect()
}

fn parts(cell: &str) -> Vec<&str> {
    words(cell).into_iter().flat_map(|word| word.split_inclusive(SEPARATORS)).collect()
}

/// A line in pieces no wider than this: broken behind a separator, and within a part of a word only where that is too wide
/// itself.
fn broken(line: &str, width: usize) -> Vec<String> {
    if columns(line) <= width {
        return vec![line.to_owned()];
    }
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for part in line.split_inclusive(SEPARATORS) {
        if columns(&piece) + columns(part) > width && columns(part) <= width {
            pieces.push(std::mem::take(&mut piece));
        }
        for c in part.chars() {
            piece.push(c);
            if columns(&piece) > width && piece.chars().count() > 1 {
                piece.pop();
                pieces.push(std::mem::replace(&mut piece, c.to_string()));
            }
        }
    }
    pieces.push(piece);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools() -> Table {
        Table::new(["tool", "approval", "steps", "may"])
            .right(2)
            .row(["records.search", "auto", "3", "find this program's records by field"])
            .row(["documents.propose_regulatory_submission", "four_eyes", "12", "薬薬 reads\u{202e}"])
            .row(["lens"])
    }

    #[test]
    fn a_wide_terminal_shows_each_row_in_one_line() {
        insta::assert_snapshot!(tools().render(120));
    }

    #[test]
    fn a_narrow_terminal_wraps_cells() {
        let shown = tools().render(60);
        assert!(shown.lines().all(|line| columns(line) <= 60), "{shown}");
        insta::assert_snapshot!(shown);
    }

    #[test]
    fn no_width_and_no_columns_are_no_trouble() {
        assert!(tools().render(0).contains("lens"));
        assert_eq!(Table::new::<&str>([]).row(["x"]).render(80).trim(), "");
    }
}
