//! The last hand on a drawn snippet: true places in its heads, and labels that fit the terminal.
//!
//! The drawing crate counts lines and columns in the text it is given, which is a window of the file, and it lets a
//! label run past the edge. Both are put right here.

use super::visible::columns;
use super::wrap::wrap;

/// Stands before a head's number where a path would stand; `visible` writes it out, so no author's text holds it.
pub(super) const HEAD: char = '\u{e000}';

/// What is drawn in place of the crate's own.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// `path:line:column` by the number behind [`HEAD`].
    pub(super) heads: Vec<String>,
    /// Every label as it was handed over.
    pub(super) labels: Vec<String>,
}

/// Puts in the heads and folds each line wider than `width` that ends in a label.
pub(super) fn refit(drawn: &str, texts: &Texts, width: usize) -> String {
    let mut out = String::with_capacity(drawn.len());
    for line in drawn.lines() {
        if let Some(headed) = with_head(line, &texts.heads) {
            out.push_str(&headed);
        } else if plain_columns(line) > width {
            // The last label of a line is the one that runs over: what stands before it is drawn within the lines.
            let ends = |label: &&String| line.rfind(label.as_str()).map(|at| (at + label.len(), label.len()));
            match texts.labels.iter().filter(|label| ends(label).is_some()).max_by_key(ends) {
                Some(label) => fold(line, label, width, &mut out),
                None => out.push_str(line),
            }
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

fn with_head(line: &str, heads: &[String]) -> Option<String> {
    let (before, after) = line.split_once(HEAD)?;
    let number: String = after.chars().take_while(char::is_ascii_digit).collect();
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
    let head = heads.get(number.parse::<usize>().ok()?)?;
    Some([before, head, rest].concat())
}

/// Breaks a line before its label, or within it where enough room is left behind the marks.
fn fold(line: &str, label: &str, width: usize, out: &mut String) {
    let Some((before, after)) = line.rsplit_once(label) else { return };
    let Some(bar) = gutter_end(before) else {
        out.push_str(line);
        return;
    };
    let (own, marks) = before.split_at(bar);
    // Below a corner that closes the drawing there is no bar to carry on.
    let closed = own.contains('╰');
    let blank = " ".repeat(plain_columns(own));
    let gutter = if closed { blank.as_str() } else { own };
    let style = style_at_end(before);
    let reset = if style.is_empty() && !gutter.contains('\u{1b}') { "" } else { "\u{1b}[0m" };
    let gutter_columns = plain_columns(gutter);
    let column = plain_columns(before);
    let beside = width.saturating_sub(column);
    let widest = label.split(' ').map(columns).max().unwrap_or(0);
    if beside >= widest.max(28) {
        let indent = " ".repeat(column.saturating_sub(gutter_columns));
        let lines = wrap(label, beside, beside);
        let joint = format!("{reset}\n{gutter}{reset}{indent}{style}");
        out.extend([before, &lines.join(&joint), after]);
        return;
    }
    let longest = columns(label);
    let under = column.saturating_sub(1 + mark_columns(marks));
    let indent = if under + longest <= width {
        under
    } else {
        let half = width.saturating_sub(gutter_columns + 1) * 2 / 3;
        width.saturating_sub(longest.min(half.max(28)).max(widest)).min(under)
    };
    let indent = indent.max(gutter_columns + 1);
    let lines = wrap(label, width.saturating_sub(indent), width.saturating_sub(indent));
    let joint = format!("{reset}\n{gutter}{reset}{}{style}", " ".repeat(indent - gutter_columns));
    if has_marks(marks) {
        out.push_str(bare_end(before));
        out.push_str(&joint);
    } else {
        out.extend([own, reset, &" ".repeat(indent - gutter_columns), &style]);
    }
    out.extend([&lines.join(&joint), after]);
}

/// How long the marks are that end `text`.
fn mark_columns(text: &str) -> usize {
    let marks: Vec<char> = plain(text).collect();
    let marks: Vec<&char> = marks.iter().rev().skip_while(|c| **c == ' ').collect();
    marks.iter().take_while(|c| Some(**c) == marks.first().copied()).count()
}

/// `text` without the blanks and style codes that end it.
fn bare_end(text: &str) -> &str {
    let text = text.trim_end();
    match text.rfind('\u{1b}') {
        Some(at) if plain(text.get(at..).unwrap_or("")).next().is_none() => {
            bare_end(text.get(..at).unwrap_or(""))
        }
        _ => text,
    }
}

/// One past the bar, or the corner, that parts the line numbers from the source.
fn gutter_end(text: &str) -> Option<usize> {
    let at = text.find(['|', '│', '╰'])?;
    let rest = text.get(at..)?;
    let bar =
        rest.strip_prefix("╰╴").map_or_else(|| rest.chars().next().map_or(0, char::len_utf8), |_| "╰╴".len());
    Some(at + bar)
}

/// Whether anything but spaces is drawn.
fn has_marks(text: &str) -> bool {
    plain(text).any(|c| c != ' ')
}

fn plain_columns(text: &str) -> usize {
    columns(&plain(text).collect::<String>())
}

/// The characters outside of the drawing crate's style codes (`ESC [ … m`); the author's own were written out.
fn plain(text: &str) -> impl Iterator<Item = char> {
    let mut inside = false;
    text.chars().filter(move |c| {
        let hidden = inside || *c == '\u{1b}';
        inside = hidden && *c != 'm';
        !hidden
    })
}

/// The style codes in force at the end of `text`.
fn style_at_end(text: &str) -> String {
    let mut style = String::new();
    for code in text.split('\u{1b}').skip(1) {
        let code = code.split_inclusive('m').next().unwrap_or("");
        if code == "[0m" || code == "[m" {
            style.clear();
        } else {
            style.push('\u{1b}');
            style.push_str(code);
        }
    }
    style
}
