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
            match texts.labels.iter().filter(|label| line.contains(label.as_str())).max_by_key(|label| label.len()) {
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
    let Some((before, after)) = line.split_once(label) else { return };
    let Some(bar) = before.find(['|', '│']).map(|at| at + before.get(at..).map_or(0, first_len)) else {
        out.push_str(line);
        return;
    };
    let (gutter, marks) = before.split_at(bar);
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
    let room = width.saturating_sub(gutter_columns + 1);
    let wanted = columns(label).min((room * 2 / 3).max(28)).min(room);
    let indent = width.saturating_sub(wanted).min(column.saturating_sub(1)).max(gutter_columns + 1);
    let lines = wrap(label, width.saturating_sub(indent), width.saturating_sub(indent));
    let joint = format!("{reset}\n{gutter}{reset}{}{style}", " ".repeat(indent - gutter_columns));
    let head = before.trim_end();
    if has_marks(marks) {
        out.push_str(head);
        out.push_str(&joint);
    } else {
        out.push_str(joint.trim_start_matches(reset).trim_start_matches('\n'));
    }
    out.extend([&lines.join(&joint), after]);
}

fn first_len(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
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
