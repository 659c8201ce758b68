//! What a change lets whom do, as one page: the table harness × tool before and after, and behind each cell the reason.
//!
//! No script: the filter is a style, and a cell leads to its reason by a link.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use harnessc_runtime::lock::{Approval, Lock, split_deed};

use super::authority::{call, field_name, harness, headline, remark, side};
use super::html::{Text, page};
use super::lines::{Kind, Lines};
use crate::diff::{Change, Grade, Report};
use crate::lock::Class;

/// A table of more cells than these shows what changed alone.
const MAX_CELLS: usize = 20_000;
/// Reasons behind more cells than these are counted.
const MAX_PAIRS: usize = 2_000;
/// Changes that are no cell's: more are counted.
const MAX_FIELDS: usize = 1_000;

const CSS: &str = "\
.lines .gone{color:var(--bad);background:var(--badbg)}.lines .new{color:var(--good);background:var(--goodbg)}\
main{max-width:1900px}.matrix{border-collapse:separate;border-spacing:2px;width:auto}.matrix th,.matrix td{border:0;padding:0;font-weight:400}.matrix thead th{writing-mode:vertical-rl;transform:rotate(180deg);padding:.3rem 0;font-size:.75rem;vertical-align:bottom}\
.matrix tbody th{padding-right:.5rem;position:sticky;left:0;background:var(--paper);font-size:.85rem}.matrix td{width:18px;height:18px;min-width:18px}\
.pair{display:flex;width:18px;height:18px;border-radius:3px;overflow:hidden;border:1px solid var(--line)}.pair i{flex:1}.none{background:var(--paper)}.auto{background:#5aa469}.confirm{background:#e0a040}.four_eyes{background:#c2453b}\
a.pair{border:2px solid var(--ink);box-shadow:0 0 0 1px var(--paper)}a.pair.widened{border-color:#d11}a.pair.narrowed{border-color:#1a7f37}\
.key i{display:inline-block;width:14px;height:14px;border-radius:3px;border:1px solid var(--line);vertical-align:-2px;margin:0 .3rem 0 .8rem}\
.filter label{margin-right:1rem}main:has(#f-widened:not(:checked)) .g-widened,main:has(#f-altered:not(:checked)) .g-altered,main:has(#f-narrowed:not(:checked)) .g-narrowed{display:none}\
main:has(#f-widened:not(:checked)) a.widened,main:has(#f-altered:not(:checked)) a.altered,main:has(#f-narrowed:not(:checked)) a.narrowed{opacity:.15}";

type Place<'a> = (&'a str, &'a str);

/// The page; `before` and `after` are the locks that were compared.
pub fn authority_page(report: &Report, before: &Lock, after: &Lock) -> String {
    let mut pairs: BTreeMap<Place<'_>, Vec<&Change>> = BTreeMap::new();
    for change in &report.changes {
        if let (Some(harness), Some(deed)) = (&change.harness, &change.tool) {
            pairs.entry((harness, split_deed(deed).0)).or_default().push(change);
        }
    }
    let mut body = "<main>\n".to_owned();
    head(report, &mut body);
    body.push_str(
        "<p class=\"filter\"><label><input type=\"checkbox\" id=\"f-widened\" checked> widened</label><label><input type=\"checkbox\" id=\"f-altered\" checked> altered</label><label><input type=\"checkbox\" id=\"f-narrowed\" checked> narrowed</label></p>\n",
    );
    matrix(&pairs, (before, after), &mut body);
    reasons(&pairs, &mut body);
    fields(&report.changes, &mut body);
    body.push_str("</main>\n");
    page(&format!("{}: {}", report.head.policy, headline(report)), CSS, &body)
}

fn head(report: &Report, out: &mut String) {
    let (base, head) = (&report.base, &report.head);
    let _ = writeln!(out, "<h1>{}: {}</h1>", Text(&head.policy), Text(&headline(report)));
    let _ = writeln!(
        out,
        "<dl><dt>before</dt><dd><code>{}</code>, revision {}, <code>{}</code></dd><dt>after</dt><dd><code>{}</code>, revision {}, <code>{}</code></dd></dl>",
        Text(&base.name),
        base.revision,
        Text(&base.digest),
        Text(&head.name),
        head.revision,
        Text(&head.digest)
    );
    if let Some(own) = &report.acknowledged {
        let _ = writeln!(
            out,
            "<p><span class=\"tag good\">acknowledged</span> by {} until {}: {}</p>",
            Text(&own.who),
            Text(&own.until),
            Text(&own.why)
        );
    }
    for fault in &report.faults {
        let (file, message, help) = (Text(&fault.file), Text(&fault.message), Text(&fault.help));
        let _ = writeln!(
            out,
            "<p><span class=\"tag bad\">error</span> <code>{file}</code>: {message}. {help}</p>"
        );
    }
    for note in &report.notes {
        let _ = writeln!(out, "<p class=\"dim\">{}</p>", Text(note));
    }
}

/// The strictest approval that each harness asks for each tool.
fn asked(lock: &Lock) -> BTreeMap<Place<'_>, Approval> {
    let mut all = BTreeMap::new();
    for (harness, roles) in &lock.effective {
        for cell in roles.values().flatten() {
            let place = all.entry((harness.as_str(), split_deed(&cell.deed).0)).or_insert(cell.approval);
            *place = (*place).max(cell.approval);
        }
    }
    all
}

fn matrix(pairs: &BTreeMap<Place<'_>, Vec<&Change>>, (before, after): (&Lock, &Lock), out: &mut String) {
    let (old, new) = (asked(before), asked(after));
    let mut rows: BTreeSet<&str> =
        before.effective.keys().chain(after.effective.keys()).map(String::as_str).collect();
    let mut columns: BTreeSet<&str> = old.keys().chain(new.keys()).map(|(_, tool)| *tool).collect();
    columns.extend(pairs.keys().map(|(_, tool)| *tool));
    let too_large = |rows: &BTreeSet<&str>, columns: &BTreeSet<&str>| rows.len() * columns.len() > MAX_CELLS;
    let mut note = "";
    if too_large(&rows, &columns) {
        rows = pairs.keys().map(|(harness, _)| *harness).collect();
        columns = pairs.keys().map(|(_, tool)| *tool).collect();
        note = "<p class=\"dim\">Harnesses and tools with a change alone are shown.</p>\n";
    }
    out.push_str("<h2>Harness by tool</h2>\n");
    if rows.is_empty() || columns.is_empty() || too_large(&rows, &columns) {
        out.push_str(
            "<p class=\"dim\">There is no table of this size to be read; what changed stands below.</p>\n",
        );
        return;
    }
    out.push_str(note);
    out.push_str(
        "<p class=\"key dim\">left: before, right: after<i class=\"none\"></i>not held<i class=\"auto\"></i>auto<i class=\"confirm\"></i>confirm<i class=\"four_eyes\"></i>four eyes; framed: changed, and a link to the reason</p>\n<div class=\"wide\"><table class=\"matrix\"><thead><tr><th></th>",
    );
    columns.iter().for_each(|tool| out.push_str(&format!("<th><code>{}</code></th>", Text(tool))));
    out.push_str("</tr></thead><tbody>\n");
    let numbers: BTreeMap<&Place<'_>, usize> = pairs.keys().zip(0..).collect();
    for row in rows {
        let _ = write!(out, "<tr><th><code>{}</code></th>", Text(harness(row)));
        for tool in &columns {
            let place = (row, *tool);
            let halves = format!(
                "<i class=\"{}\"></i><i class=\"{}\"></i>",
                class(old.get(&place)),
                class(new.get(&place))
            );
            let title =
                format!("{} / {tool}: {} → {}", harness(row), class(old.get(&place)), class(new.get(&place)));
            let title = Text(&title);
            match (pairs.get(&place), numbers.get(&place)) {
                (Some(changes), Some(number)) => {
                    let grade = worst(changes).word();
                    let _ = write!(
                        out,
                        "<td><a class=\"pair {grade}\" href=\"#c{number}\" title=\"{title}\">{halves}</a></td>"
                    );
                }
                _ => {
                    let _ = write!(out, "<td><span class=\"pair\" title=\"{title}\">{halves}</span></td>");
                }
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

fn class(approval: Option<&Approval>) -> &'static str {
    approval.map_or("none", |approval| approval.word())
}

fn worst(changes: &[&Change]) -> Grade {
    changes.iter().map(|change| change.grade).max().unwrap_or(Grade::Equal)
}

fn tag(grade: Grade) -> String {
    let class = match grade {
        Grade::Widened => "bad",
        Grade::Altered => "warn",
        Grade::Narrowed => "good",
        Grade::Equal => "",
    };
    format!("<span class=\"tag {class}\">{}</span>", grade.word())
}

fn reasons(pairs: &BTreeMap<Place<'_>, Vec<&Change>>, out: &mut String) {
    out.push_str("<h2>Why</h2>\n");
    if pairs.is_empty() {
        out.push_str("<p class=\"dim\">No decision differs.</p>\n");
    }
    for (number, ((own, tool), changes)) in pairs.iter().enumerate().take(MAX_PAIRS) {
        let grade = worst(changes);
        let _ = writeln!(
            out,
            "<details class=\"g-{}\"><summary>{} <code>{}</code>: <code>{}</code> <span class=\"dim\">({})</span></summary><div id=\"c{number}\" class=\"wide\"><table><thead><tr><th></th><th>deed</th><th>role</th><th>persona</th><th>before</th><th>after</th><th>shown by</th></tr></thead><tbody>",
            grade.word(),
            tag(grade),
            Text(harness(own)),
            Text(tool),
            changes.len()
        );
        for change in changes {
            let text = |value: &Option<String>| Text(value.as_deref().unwrap_or_default()).to_string();
            let shown = change.witness.as_ref().map(call).unwrap_or_default();
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td></tr>",
                tag(change.grade),
                text(&change.tool),
                text(&change.role),
                text(&change.persona),
                Text(&side(change.before.as_ref(), change)),
                Text(&side(change.after.as_ref(), change)),
                Text(&shown)
            );
        }
        out.push_str("</tbody></table></div></details>\n");
    }
    more(pairs.len(), MAX_PAIRS, out);
}

fn fields(changes: &[Change], out: &mut String) {
    let fields: Vec<&Change> = changes.iter().filter(|change| change.field.is_some()).collect();
    if fields.is_empty() {
        return;
    }
    out.push_str("<h2>What is no cell</h2>\n<div class=\"wide\"><table><thead><tr><th></th><th></th><th>field</th><th>before</th><th>after</th></tr></thead><tbody>\n");
    for change in fields.iter().take(MAX_FIELDS) {
        let class = match change.class {
            Class::Authority => "authority",
            Class::Guard => "guard",
            Class::Text => "text",
        };
        let remark =
            remark(change).map_or_else(String::new, |why| format!("<div class=\"dim\">{}</div>", Text(&why)));
        let sides = match Lines::of(change) {
            Some(lines) => format!("<td colspan=\"2\">{}{remark}</td>", text(&lines)),
            None => format!(
                "<td>{}</td><td>{}{remark}</td>",
                Text(&side(change.before.as_ref(), change)),
                Text(&side(change.after.as_ref(), change))
            ),
        };
        let _ = writeln!(
            out,
            "<tr class=\"g-{}\"><td>{}</td><td>{class}</td><td><code>{}</code></td>{sides}</tr>",
            change.grade.word(),
            tag(change.grade),
            Text(field_name(change))
        );
    }
    out.push_str("</tbody></table></div>\n");
    more(fields.len(), MAX_FIELDS, out);
}

/// Every line of a text, open where it is short.
fn text(lines: &Lines) -> String {
    const SHORT: usize = 16;
    let rows = lines.whole();
    let open = if rows.len() <= SHORT { " open" } else { "" };
    let mut out = format!("<details{open}><summary>{}</summary><pre class=\"lines\">", Text(&lines.words()));
    for row in rows {
        let class = match row.kind {
            Kind::Gone => "gone",
            Kind::New => "new",
            Kind::Same | Kind::Skipped(_) => "same",
        };
        let _ = writeln!(out, "<span class=\"{class}\">{}{}</span>", row.mark(), Text(&row.text));
    }
    out.push_str("</pre></details>");
    out
}

fn more(count: usize, shown: usize, out: &mut String) {
    if count > shown {
        let _ = writeln!(
            out,
            "<p class=\"dim\">and {} more; <code>--format json</code> has all.</p>",
            count - shown
        );
    }
}
