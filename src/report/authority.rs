//! What a change lets whom do, for a person at a terminal: one screen, the graver first, the rest counted.

use serde_json::Value;

use super::lines::{Kind, Lines};
use super::visible::visible;
use super::wrap::wrap;
use crate::diff::group::{Group, groups};
use crate::diff::{Change, Form, Grade, Report, Witness};
use crate::lock::{Class, authors_name};

/// How a line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// What grants more.
    Wider,
    /// What grants less.
    Narrower,
    /// A heading or a name.
    Name,
    /// As it is.
    Plain,
    /// What stands beside the matter.
    Beside,
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How it is shown.
    pub tone: Tone,
    /// Its text, safe to print.
    pub text: String,
}

/// So many groups of cells are shown of each grade; what widens has most room.
fn groups_shown(grade: Grade) -> usize {
    if grade == Grade::Widened { 4 } else { 2 }
}

/// So many changes that are no cell's are shown of each grade.
fn fields_shown(grade: Grade) -> usize {
    if grade == Grade::Widened { 6 } else { 3 }
}

/// Longer lists of names are cut.
const MAX_NAMES: usize = 6;

/// The report in lines of at most `width` columns.
pub fn authority(report: &Report, width: usize) -> Vec<Line> {
    let mut page = Page { lines: Vec::new(), width };
    page.line(Tone::Name, 0, &headline(report));
    let (base, head) = (&report.base, &report.head);
    page.line(Tone::Beside, 0, &format!("{} -> {}", base.name, head.name));
    let all = groups(&report.changes);
    for grade in [Grade::Widened, Grade::Altered, Grade::Narrowed] {
        page.grade(grade, &all, &report.changes);
    }
    for note in &report.notes {
        page.line(Tone::Beside, 0, &format!("note: {note}"));
    }
    page.lines
}

/// One sentence: what the change comes to.
pub fn headline(report: &Report) -> String {
    let counts = report.counts;
    if report.changes.is_empty() {
        return "no change in authority".to_owned();
    }
    let parts = [(counts.widened, "widened"), (counts.altered, "altered"), (counts.narrowed, "narrowed")];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    let parts = parts.collect::<Vec<_>>().join(", ");
    let cells = if counts.cells == 1 { "1 cell".to_owned() } else { format!("{} cells", counts.cells) };
    let place = match report.changes.len().saturating_sub(counts.cells) {
        0 => cells,
        elsewhere => format!("{cells}, {elsewhere} elsewhere"),
    };
    format!("{}: {parts} ({place})", sentence(report.grade))
}

fn sentence(grade: Grade) -> &'static str {
    match grade {
        Grade::Equal => "no change in authority",
        Grade::Narrowed => "this change only takes away",
        Grade::Altered => "nothing more is granted, and something reads differently",
        Grade::Widened => "this change lets more happen",
    }
}

/// Names, the many of them cut: "a, b and 7 more".
pub(super) fn names(all: &[&str]) -> String {
    let shown: Vec<&str> = all.iter().take(MAX_NAMES).copied().collect();
    match all.len().saturating_sub(MAX_NAMES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Who is meant: "role console; personas scientist, viewer".
pub(super) fn wearers(group: &Group<'_>) -> String {
    let one = |word: &str, all: &[&str]| {
        let plural = if all.len() == 1 { "" } else { "s" };
        format!("{word}{plural} {}", names(all))
    };
    match group.personas.is_empty() {
        true => one("role", &group.roles),
        false => format!("{}, {}", one("role", &group.roles), one("persona", &group.personas)),
    }
}

/// A harness as a person calls it.
pub(super) fn harness(key: &str) -> &str {
    if key == "-" { "(no harness)" } else { key }
}

/// The call that shows it, and what becomes of it: `records.edit {"id":"A-1"}: four_eyes before, confirm now`.
pub(super) fn call(witness: &Witness) -> String {
    let mut said = witness.tool.clone();
    if let Some(input) = &witness.input {
        said += &format!(" {}", shortened(input));
    }
    match (&witness.surface, &witness.scope) {
        (Some(surface), Some(scope)) => said += &format!(" over {surface} with {scope}"),
        (Some(surface), None) => said += &format!(" over {surface}"),
        _ => {}
    }
    if let Some(run) = &witness.run {
        said += &format!(" in a run of {run}");
    }
    if witness.plan_waits {
        said += " while a plan waits";
    }
    if let Some(output) = &witness.output {
        said += &format!(" giving {}", shortened(output));
    }
    match witness.approver.as_deref() {
        Some("*") => said += ", confirmed by anyone",
        Some(who) => said += &format!(", confirmed by {who}"),
        None => {}
    }
    match (&witness.approver, witness.before == witness.after) {
        (Some(_), true) => format!("{said}: refused before, taken now"),
        _ => format!("{said}: {} before, {} now", witness.before, witness.after),
    }
}

/// A value as JSON, long texts and lists within it cut and counted.
fn shortened(value: &Value) -> String {
    const MOST: usize = 200;
    let text = cut(value).to_string();
    let shown: String = text.chars().take(MOST).collect();
    if shown.len() < text.len() { format!("{shown}…") } else { text }
}

fn cut(value: &Value) -> Value {
    const TEXT: usize = 30;
    const ITEMS: usize = 3;
    match value {
        Value::String(text) if text.chars().count() > TEXT => {
            let head: String = text.chars().take(6).collect();
            Value::String(format!("{head}… {} characters", text.chars().count()))
        }
        Value::Array(items) if items.len() > ITEMS => {
            let more = format!("… {} items", items.len());
            Value::Array(items.iter().take(1).map(cut).chain([Value::String(more)]).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(cut).collect()),
        Value::Object(map) => {
            Value::Object(map.iter().map(|(key, value)| (key.clone(), cut(value))).collect())
        }
        other => other.clone(),
    }
}

/// A side of a change, in words.
pub(super) fn side(text: Option<&String>, change: &Change) -> String {
    match text {
        Some(text) => text.clone(),
        None if change.tool.is_some() || change.form == Form::Items => "nothing".to_owned(),
        None => "unstated".to_owned(),
    }
}

/// A field as its author writes it: `limits.run.deadline` for the lock's `limits.run.deadline_ms`. A key that an author gave
/// stands as it was given.
pub fn field_name(change: &Change) -> &str {
    let field = change.field.as_deref().unwrap_or_default();
    let last = field.rsplit('.').next().filter(|_| !change.is_of_key).unwrap_or_default();
    let unit = last.len() - authors_name(last).len();
    field.get(..field.len() - unit).unwrap_or(field)
}

/// Before and after in one line; of a text, how many of its lines changed; of a list, what went and what came.
pub fn turned(change: &Change) -> String {
    match Lines::of(change) {
        Some(lines) => lines.words(),
        None => sides(change, (change.before.as_ref(), change.after.as_ref())),
    }
}

/// Both sides of a change in one line.
fn sides(change: &Change, (before, after): (Option<&String>, Option<&String>)) -> String {
    if change.form != Form::Items {
        return format!("{} -> {}", side(before, change), side(after, change));
    }
    let words = [("removes", before), ("adds", after)];
    let told = words.into_iter().filter_map(|(verb, items)| Some(format!("{verb} {}", items?)));
    told.collect::<Vec<_>>().join(", ")
}

/// As [`turned`], each side within what a screen has room for; of names that do not fit, how many they are.
fn turned_within(change: &Change) -> String {
    const MOST: usize = 600;
    let short = |side: &Option<String>| side.as_ref().map(|text| cut_to(text, change.form, MOST));
    let (before, after) = (short(&change.before), short(&change.after));
    sides(change, (before.as_ref(), after.as_ref()))
}

/// A side of a change in so many characters; what is left out is counted.
pub(super) fn cut_to(text: &str, form: Form, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most).collect();
    let whole = Some(head.as_str())
        .filter(|_| matches!(form, Form::List | Form::Items))
        .and_then(|head| head.rsplit_once(", "));
    match whole {
        Some((names, _)) => {
            let left = text.split(", ").count() - names.split(", ").count();
            format!("{names} and {left} more")
        }
        None => format!("{head}… ({length} characters)"),
    }
}

/// What a change comes to, where before and after do not say it: "latent: nobody is granted anything by it today".
pub(super) fn remark(change: &Change) -> Option<String> {
    let why = change.why?;
    Some(if change.latent { format!("latent: {why}") } else { why.to_owned() })
}

struct Page {
    lines: Vec<Line>,
    width: usize,
}

impl Page {
    fn line(&mut self, tone: Tone, indent: usize, text: &str) {
        let pad = " ".repeat(indent);
        let room = self.width.saturating_sub(indent);
        let wrapped = wrap(&visible(text), room, room.saturating_sub(2));
        for (at, part) in wrapped.iter().enumerate() {
            let more = if at == 0 { "" } else { "  " };
            self.lines.push(Line { tone, text: format!("{pad}{more}{part}") });
        }
    }

    fn grade(&mut self, grade: Grade, groups: &[Group<'_>], changes: &[Change]) {
        let own: Vec<&Group<'_>> = groups.iter().filter(|group| group.grade == grade).collect();
        let fields: Vec<&Change> =
            changes.iter().filter(|change| change.grade == grade && change.field.is_some()).collect();
        if own.is_empty() && fields.is_empty() {
            return;
        }
        self.lines.push(Line { tone: Tone::Plain, text: String::new() });
        let tone = match grade {
            Grade::Widened => Tone::Wider,
            Grade::Narrowed => Tone::Narrower,
            _ => Tone::Name,
        };
        self.line(tone, 0, grade.word());
        for group in own.iter().take(groups_shown(grade)) {
            self.group(group);
        }
        let cut: usize = own.iter().skip(groups_shown(grade)).map(|group| group.cells).sum();
        if cut > 0 {
            let more = own.len() - groups_shown(grade);
            let kinds = if more == 1 { "kind" } else { "kinds" };
            let cells = if cut == 1 { "cell" } else { "cells" };
            self.line(Tone::Beside, 2, &format!("and {more} more {kinds} of change, {cut} {cells}"));
        }
        for change in fields.iter().take(fields_shown(grade)) {
            self.field(change);
        }
        if let Some(more @ 1..) = fields.len().checked_sub(fields_shown(grade)) {
            self.line(Tone::Beside, 2, &format!("and {more} more"));
        }
    }

    fn group(&mut self, group: &Group<'_>) {
        let harnesses: Vec<&str> = group.harnesses.iter().map(|key| harness(key)).collect();
        self.line(Tone::Name, 2, &format!("{}: {}", names(&harnesses), names(&group.tools)));
        let change = group.example;
        let cells = if group.cells == 1 { "1 cell".to_owned() } else { format!("{} cells", group.cells) };
        self.line(Tone::Beside, 4, &format!("{} ({cells})", wearers(group)));
        self.line(Tone::Plain, 4, &format!("before: {}", side(change.before.as_ref(), change)));
        self.line(Tone::Plain, 4, &format!("after: {}", side(change.after.as_ref(), change)));
        if let Some(standing) = change.schema {
            self.line(Tone::Plain, 4, &format!("schema: {}", standing.words()));
        }
        if let Some(witness) = &change.witness {
            self.line(Tone::Plain, 4, &format!("shown by {}", call(witness)));
        }
        if let Some(lost) = change.lost.as_ref().filter(|_| change.witness.is_none()) {
            self.line(Tone::Plain, 4, &format!("shown by {}, which is no longer accepted", shortened(lost)));
        }
    }

    fn field(&mut self, change: &Change) {
        let class = match change.class {
            Class::Authority => "",
            Class::Guard => "guard: ",
            Class::Text => "text: ",
        };
        let lines = Lines::of(change);
        let turned = lines.as_ref().map_or_else(|| turned_within(change), Lines::words);
        self.line(Tone::Plain, 2, &format!("{class}{}: {turned}", field_name(change)));
        if let Some(lines) = lines {
            self.text(&lines);
        }
        if let Some(remark) = remark(change) {
            self.line(Tone::Beside, 4, &remark);
        }
    }

    /// The changed lines of a text, as many as a reader takes in at once; the others are counted.
    fn text(&mut self, lines: &Lines) {
        const CONTEXT: usize = 1;
        const MOST: usize = 10;
        let rows = lines.glance(CONTEXT);
        let start = self.lines.len();
        for (at, row) in rows.iter().enumerate() {
            let tone = match row.kind {
                Kind::Gone => Tone::Wider,
                Kind::New => Tone::Narrower,
                Kind::Same | Kind::Skipped(_) => Tone::Beside,
            };
            let before = self.lines.len();
            self.line(tone, 4, &format!("{}{}", row.mark(), row.text));
            if self.lines.len() - start > MOST {
                // Half a line tells less than none.
                self.lines.truncate(if at == 0 { start + MOST } else { before });
                let kept = usize::from(at == 0) + at;
                let left =
                    rows.iter().skip(kept).filter(|row| matches!(row.kind, Kind::Gone | Kind::New)).count();
                let more = match (at, left) {
                    (0, 0) => "and the rest of this line".to_owned(),
                    (0, _) => format!("and the rest of this line, and {left} more changed lines"),
                    // What is left has not changed.
                    (_, 0) => return,
                    (_, 1) => "and 1 more changed line".to_owned(),
                    (_, left) => format!("and {left} more changed lines"),
                };
                self.line(Tone::Beside, 4, &format!("{more}: `--format json` has both texts whole"));
                return;
            }
        }
    }
}
