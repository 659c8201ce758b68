//! What of a text's lines changed: for prompts, descriptions and whatever else is longer than a value.

use similar::{ChangeTag, TextDiff};

use crate::diff::Change;

/// A value that is longer than this, in characters, is shown as a text.
const LONGEST_VALUE: usize = 160;
/// Texts of which so many pairs of lines are left to compare are shown as replaced.
const MAX_PAIRS: usize = 25_000_000;

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It stands on both sides.
    Same,
    /// It was there.
    Gone,
    /// It is there now.
    New,
    /// So many lines that stand on both sides are left out.
    Skipped(usize),
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) kind: Kind,
    /// Its text, as it stands.
    pub(super) text: String,
}

impl Row {
    /// What stands before the line.
    pub(super) fn mark(&self) -> &'static str {
        match self.kind {
            Kind::Same => "  ",
            Kind::Gone => "- ",
            Kind::New => "+ ",
            Kind::Skipped(_) => "",
        }
    }
}

/// A changed text, line by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    rows: Vec<Row>,
}

impl Lines {
    /// The lines of a change that is one of a text; nothing where both sides are short values.
    pub(super) fn of(change: &Change) -> Option<Self> {
        let is_text = |side: &Option<String>| {
            side.as_ref().is_some_and(|text| text.contains('\n') || text.chars().count() > LONGEST_VALUE)
        };
        if change.tool.is_some() || !(is_text(&change.before) || is_text(&change.after)) {
            return None;
        }
        let lines = |side: &'_ Option<String>| -> Vec<String> {
            side.as_ref().map_or_else(Vec::new, |text| text.split('\n').map(str::to_owned).collect())
        };
        Some(Self::between(&lines(&change.before), &lines(&change.after)))
    }

    fn between(before: &[String], after: &[String]) -> Self {
        let start = before.iter().zip(after).take_while(|(old, new)| old == new).count();
        let (old, new) = (before.get(start..).unwrap_or_default(), after.get(start..).unwrap_or_default());
        let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        let old = old.get(..old.len() - end).unwrap_or_default();
        let new = new.get(..new.len() - end).unwrap_or_default();
        let row = |kind| move |text: &String| Row { kind, text: text.clone() };
        let mut rows: Vec<Row> = before.iter().take(start).map(row(Kind::Same)).collect();
        if old.len().saturating_mul(new.len()) > MAX_PAIRS {
            rows.extend(old.iter().map(row(Kind::Gone)).chain(new.iter().map(row(Kind::New))));
        } else {
            let (old, new): (Vec<&str>, Vec<&str>) =
                (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
            let compared = TextDiff::from_slices(&old, &new);
            rows.extend(compared.iter_all_changes().map(|change| {
                let kind = match change.tag() {
                    ChangeTag::Equal => Kind::Same,
                    ChangeTag::Delete => Kind::Gone,
                    ChangeTag::Insert => Kind::New,
                };
                Row { kind, text: change.value().to_owned() }
            }));
        }
        rows.extend(before.iter().skip(before.len() - end).map(row(Kind::Same)));
        Self { rows }
    }

    /// "2 lines gone, 1 new".
    pub(super) fn words(&self) -> String {
        let count = |kind| self.rows.iter().filter(|row| row.kind == kind).count();
        let lines = |count| if count == 1 { "line" } else { "lines" };
        match (count(Kind::Gone), count(Kind::New)) {
            (0, new) => format!("{new} new {}", lines(new)),
            (gone, 0) => format!("{gone} {} gone", lines(gone)),
            (gone, new) => format!("{gone} {} gone, {new} new", lines(gone)),
        }
    }

    /// Every line.
    pub(super) fn whole(&self) -> &[Row] {
        &self.rows
    }

    /// The lines that changed with so many around them; what is left out is counted.
    pub(super) fn hunks(&self, context: usize) -> Vec<Row> {
        let changed = |at: usize| {
            let (from, to) = (at.saturating_sub(context), at + context + 1);
            let around = self.rows.get(from..to.min(self.rows.len())).unwrap_or_default();
            around.iter().any(|row| row.kind != Kind::Same)
        };
        let mut hunks: Vec<Row> = Vec::new();
        let mut skipped = 0;
        let skip = |hunks: &mut Vec<Row>, skipped: &mut usize| {
            if *skipped > 0 {
                hunks.push(Row { kind: Kind::Skipped(*skipped), text: counted(*skipped) });
            }
            *skipped = 0;
        };
        for (at, row) in self.rows.iter().enumerate() {
            if changed(at) {
                skip(&mut hunks, &mut skipped);
                hunks.push(row.clone());
            } else {
                skipped += 1;
            }
        }
        skip(&mut hunks, &mut skipped);
        hunks
    }

    /// As [`Lines::hunks`], a long line cut to what of it changed.
    pub(super) fn glance(&self, context: usize) -> Vec<Row> {
        let mut rows = self.hunks(context);
        let counterparts: Vec<Option<String>> = (0..rows.len()).map(|at| counterpart(&rows, at)).collect();
        for (row, other) in rows.iter_mut().zip(counterparts) {
            row.text = around(&row.text, other.as_deref());
        }
        rows
    }
}

fn counted(count: usize) -> String {
    format!("… {count} {} as before", if count == 1 { "line" } else { "lines" })
}

/// The line that one of a run of gone lines became, or the other way round.
fn counterpart(rows: &[Row], at: usize) -> Option<String> {
    let kind = rows.get(at)?.kind;
    let starts = |kind: Kind, at: usize| {
        let before = rows.get(..at).unwrap_or_default().iter().rev();
        at - before.take_while(|row| row.kind == kind).count()
    };
    let start = starts(kind, at);
    let other = match kind {
        Kind::Gone => {
            let length = rows.iter().skip(start).take_while(|row| row.kind == Kind::Gone).count();
            start + length + (at - start)
        }
        Kind::New => starts(Kind::Gone, start) + (at - start),
        _ => return None,
    };
    let wanted = if kind == Kind::Gone { Kind::New } else { Kind::Gone };
    let is_within = kind == Kind::Gone || other < start;
    rows.get(other).filter(|row| row.kind == wanted && is_within).map(|row| row.text.clone())
}

/// A long line cut to the part in which it differs from another one.
fn around(line: &str, other: Option<&str>) -> String {
    const LONG: usize = 200;
    const BESIDE: usize = 40;
    let own: Vec<char> = line.chars().collect();
    if own.len() <= LONG {
        return line.to_owned();
    }
    let other: Vec<char> = other.unwrap_or_default().chars().collect();
    let start = own.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let left = own.len().min(other.len()) - start;
    let end = own.iter().rev().zip(other.iter().rev()).take(left).take_while(|(a, b)| a == b).count();
    let from = start.saturating_sub(BESIDE);
    let to = (own.len() - end + BESIDE).min(own.len());
    let middle: String = own.get(from..to).unwrap_or_default().iter().collect();
    let dots = |cut: usize| if cut > 0 { "…" } else { "" };
    format!("{}{middle}{}", dots(from), dots(own.len() - to))
}

#[cfg(test)]
mod tests {
    use super::{Lines, around};

    fn lines(text: &str) -> Vec<String> {
        text.split('\n').map(str::to_owned).collect()
    }

    fn shown(before: &str, after: &str) -> (String, Vec<String>) {
        let lines = Lines::between(&lines(before), &lines(after));
        (lines.words(), lines.glance(1).iter().map(|row| format!("{}{}", row.mark(), row.text)).collect())
    }

    #[test]
    fn what_changed_is_shown_with_its_neighbours_and_the_rest_counted() {
        let (words, rows) = shown("a\nb\nc\nd\ne\nf", "a\nb\nc\nD\ne\nf\ng");
        assert_eq!(words, "1 line gone, 2 new");
        assert_eq!(rows, ["… 2 lines as before", "  c", "- d", "+ D", "  e", "  f", "+ g"]);
        assert_eq!(shown("a", "a\n").1, ["  a", "+ "]);
        assert_eq!(shown("a\nb", "b").0, "1 line gone");
        assert_eq!(shown("", "").1, ["… 1 line as before"]);
    }

    #[test]
    fn a_long_line_is_cut_to_what_changed_of_it() {
        let (head, tail) = ("x".repeat(300), "y".repeat(300));
        let old = format!("{head}OLD{tail}");
        let cut = around(&old, Some(&format!("{head}NEW!{tail}")));
        assert_eq!(cut, format!("…{}OLD{}…", "x".repeat(40), "y".repeat(40)));
        assert_eq!(around(&old, None).chars().count(), 603);
        assert_eq!(around("short", Some("other")), "short");
        // What is taken out of a run of one letter is not counted twice.
        assert_eq!(around(&"z".repeat(250), Some(&"z".repeat(300))).chars().count(), 41);
    }
}
