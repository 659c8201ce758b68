//! What of a text's lines changed: for prompts, descriptions and whatever else is longer than a value.

use similar::{ChangeTag, TextDiff};

use crate::diff::{Change, Form};
use crate::lock::Class;

/// What people and models read is shown line by line where it is longer than this, in characters.
const LONGEST_LINE: usize = 160;
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
    /// The lines of a change that is one of a text. Names, definitions and values are none, however long: each of them counts.
    pub(super) fn of(change: &Change) -> Option<Self> {
        let is_read = match change.form {
            Form::List | Form::Items => return None,
            Form::Text => true,
            Form::Value => change.class == Class::Text,
            Form::Definition => false,
        };
        let is_text = |side: &Option<String>| {
            let is_long = |text: &String| is_read && text.chars().count() > LONGEST_LINE;
            side.as_ref().is_some_and(|text| text.contains('\n') || is_long(text))
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
        let cut: Vec<String> = counterparts(&rows)
            .into_iter()
            .zip(&rows)
            .map(|(other, row)| around(&row.text, other.and_then(|at| Some(rows.get(at)?.text.as_str()))))
            .collect();
        for (row, text) in rows.iter_mut().zip(cut) {
            row.text = text;
        }
        rows
    }
}

fn counted(count: usize) -> String {
    format!("… {count} {} as before", if count == 1 { "line" } else { "lines" })
}

/// Of each line, which one it became or was: the lines of a run that went and of the run that came in its place, one by one.
fn counterparts(rows: &[Row]) -> Vec<Option<usize>> {
    let mut found = vec![None; rows.len()];
    let mut at = 0;
    while at < rows.len() {
        let run = |from: usize, kind| rows.iter().skip(from).take_while(|row| row.kind == kind).count();
        let gone = run(at, Kind::Gone);
        let new = run(at + gone, Kind::New);
        for pair in 0..gone.min(new) {
            let (old, new) = (at + pair, at + gone + pair);
            for (own, other) in [(old, new), (new, old)] {
                if let Some(own) = found.get_mut(own) {
                    *own = Some(other);
                }
            }
        }
        at += (gone + new).max(1);
    }
    found
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
    fn each_line_of_a_run_has_the_one_in_its_place() {
        let long = |mark: char, at: usize| format!("{}{mark}{at}{}", "x".repeat(150), "y".repeat(150));
        let text = |mark, lines: std::ops::Range<usize>| {
            lines.map(|at| long(mark, at)).collect::<Vec<_>>().join("\n")
        };
        let (_, rows) = shown(&format!("a\n{}\nb", text('O', 0..3)), &format!("a\n{}\nb", text('N', 0..2)));
        let (beside, whole) = ("x".repeat(40), long('O', 2));
        assert_eq!(rows[1], format!("- …{beside}O0{}…", "y".repeat(39)), "{rows:?}");
        assert_eq!(rows[3], format!("- {whole}"));
        assert_eq!(rows.len(), 7);
    }

    #[test]
    fn texts_of_which_every_line_changed_are_compared_in_one_pass() {
        let text = |mark: &str| (0..60_000).map(|at| format!("{mark}{at}")).collect::<Vec<_>>().join("\n");
        let started = std::time::Instant::now();
        let (words, rows) = shown(&text("old"), &text("new"));
        assert_eq!((words.as_str(), rows.len()), ("60000 lines gone, 60000 new", 120_000));
        assert!(started.elapsed() < std::time::Duration::from_secs(4), "{:?}", started.elapsed());
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
