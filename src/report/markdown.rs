//! What a change lets whom do, as a comment on a pull request.
//!
//! Every text of an author's or a vendor's is written so that nothing of it acts: no link, no mention, no HTML, no cell of a
//! table. The comment stays below the platform's limit; what does not fit is counted.

use std::fmt::Write as _;

use super::authority::{call, cut_to, field_name, harness, headline, names, remark, side, wearers};
use super::lines::{Lines, Row};
use super::visible::visible;
use crate::diff::group::{Group, groups};
use crate::diff::{Change, Grade, Report};

/// The most bytes that a comment may have.
pub const MAX_BYTES: usize = 65_536;
/// Room that is kept for what stands at the end.
const TAIL: usize = 2_048;
/// More lines than these in one part are collapsed.
const MAX_OPEN: usize = 8;
/// No text's lines take more, in bytes: other changes need room too.
const MAX_LINES: usize = 24 * 1024;
/// No text of one change is longer, in characters.
const MAX_TEXT: usize = 400;

/// A text in which no character acts in Markdown or HTML, in one line and cut where it is long. Mentions and links are looked for in the rendered text
/// too, so what is not our own stands within `<code>` besides, where nobody looks for them.
pub fn escaped(text: &str) -> String {
    let shown = visible(text);
    let cut: String = shown.chars().take(MAX_TEXT).collect();
    let dots = if cut.len() < shown.len() { "…" } else { "" };
    format!("{}{dots}", escape(&cut))
}

/// The same of a text that is visible already, whatever its length.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '@' => out.push_str("&#64;"),
            ':' => out.push_str("&#58;"),
            '#' => out.push_str("&#35;"),
            '/' => out.push_str("&#47;"),
            '.' => out.push_str("&#46;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '+' | '-' | '!' | '|' | '~'
            | '$' | '=' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            other => out.push(other),
        }
    }
    out
}

/// A text as code: HTML's element, since no run of backticks is longer than all that may come.
fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// The comment.
pub fn markdown(report: &Report) -> String {
    let mark = match report.grade {
        Grade::Widened => "⚠️",
        Grade::Altered => "✏️",
        Grade::Narrowed | Grade::Equal => "✅",
    };
    let mut out = format!("### {mark} Authority: {}\n\n", escaped(&headline(report)));
    let (base, head) = (&report.base, &report.head);
    let _ = writeln!(
        out,
        "{}, revision {} → {} ({} → {})\n",
        code(&head.policy),
        base.revision,
        head.revision,
        code(&base.name),
        code(&head.name)
    );
    let all = groups(&report.changes);
    let mut dropped = 0;
    for grade in [Grade::Widened, Grade::Altered, Grade::Narrowed] {
        let cells = all.iter().filter(|group| group.grade == grade).map(|group| vec![of_group(group)]);
        let fields = report
            .changes
            .iter()
            .filter(|change| change.grade == grade && change.field.is_some())
            .map(of_field);
        let rows: Vec<Vec<String>> = cells.chain(fields).collect();
        dropped += part(&mut out, grade, &rows);
    }
    if dropped > 0 {
        let _ =
            writeln!(out, "\n{dropped} more did not fit here; `harnessc diff --format json` has them all.");
    }
    tail(report, &mut out);
    out
}

/// One grade's rows, those of a long list collapsed; how many had no room. Each row stands in the fullest of its forms for
/// which there is room.
fn part(out: &mut String, grade: Grade, rows: &[Vec<String>]) -> usize {
    if rows.is_empty() {
        return 0;
    }
    let _ = writeln!(out, "**{}** ({})\n", grade.word(), rows.len());
    let is_open = grade == Grade::Widened || rows.len() <= MAX_OPEN;
    let mut shown = 0;
    let mut collapsed = false;
    for forms in rows {
        let room = MAX_BYTES.saturating_sub(out.len() + TAIL);
        let Some(row) = forms.iter().find(|row| row.len() <= room) else { break };
        if !collapsed && (shown == MAX_OPEN || !is_open) {
            collapsed = true;
            let _ = writeln!(out, "\n<details><summary>{} more</summary>\n", rows.len() - shown);
        }
        out.push_str(row);
        shown += 1;
    }
    if collapsed {
        out.push_str("\n</details>\n");
    }
    out.push('\n');
    rows.len() - shown
}

fn of_group(group: &Group<'_>) -> String {
    let change = group.example;
    let harnesses: Vec<&str> = group.harnesses.iter().map(|key| harness(key)).collect();
    let mut out = format!(
        "- {}: {}<br>{} → {}<br>{}\n",
        code(&names(&harnesses)),
        code(&names(&group.tools)),
        code(&side(change.before.as_ref(), change)),
        code(&side(change.after.as_ref(), change)),
        code(&wearers(group)),
    );
    if let Some(witness) = &change.witness {
        out.truncate(out.trim_end().len());
        let _ = writeln!(out, "<br>shown by {}", code(&call(witness)));
    }
    out
}

/// A field's row: of a text with all its lines, with those that changed, and with their number alone; of a value whole, and
/// within the room of one line. What is widened is never folded away.
fn of_field(change: &Change) -> Vec<String> {
    let remark = remark(change).map_or_else(String::new, |why| format!("<br>{}", escaped(&why)));
    let head = format!("- {} ({})", code(field_name(change)), change.class.word());
    let Some(lines) = Lines::of(change) else {
        let row = |most: usize| {
            let own = |text: &Option<String>| {
                let text = text.as_ref().map(|text| cut_to(text, change.form, most));
                format!("<code>{}</code>", escape(&visible(&side(text.as_ref(), change))))
            };
            format!("{head}: {} → {}{remark}\n", own(&change.before), own(&change.after))
        };
        let mut forms = vec![row(usize::MAX)];
        forms.retain(|form| form.len() <= MAX_LINES);
        forms.push(row(MAX_TEXT));
        return forms;
    };
    let open = if change.grade == Grade::Widened { " open" } else { "" };
    let words = escaped(&lines.words());
    let with = |rows: &[Row]| {
        let told: Vec<String> = rows.iter().map(of_line).collect();
        let told = told.join("<br>");
        format!("{head}{remark}<details{open}><summary>{words}</summary>{told}</details>\n")
    };
    let mut forms = vec![with(lines.whole()), with(&lines.hunks(2))];
    forms.retain(|form| form.len() <= MAX_LINES);
    forms.push(format!("{head}: {words}; `harnessc diff --format json` has both texts whole{remark}\n"));
    forms
}

/// One line of a text: in one line of the comment, so that no line of the text begins one.
fn of_line(row: &Row) -> String {
    let text = format!("{}{}", row.mark(), visible(&row.text));
    let indent = text.chars().take_while(|c| *c == ' ').count();
    let rest = text.get(indent..).unwrap_or_default();
    format!("<code>{}{}</code>", "&nbsp;".repeat(indent), escape(rest))
}

fn tail(report: &Report, out: &mut String) {
    if let Some(own) = &report.acknowledged {
        let signed = own
            .signer
            .as_ref()
            .map_or_else(|| "unsigned".to_owned(), |who| format!("signed by {}", code(who)));
        let _ = writeln!(
            out,
            "Acknowledged by {} ({signed}) until {}: {}\n",
            code(&own.who),
            code(&own.until),
            code(&own.why)
        );
    }
    for fault in report.faults.iter().take(4) {
        let _ = writeln!(out, "- ❌ {}: {}", code(&fault.file), code(&fault.message));
    }
    if !report.passes && report.acknowledged.is_none() && report.change.is_some() {
        out.push_str("\nThis change needs an acknowledgement: `harnessc diff BASE --acknowledge WHY --who NAME --until DATE`.\n");
    }
}
