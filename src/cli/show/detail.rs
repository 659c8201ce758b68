//! `show HARNESS`: who wears it, what it carries, and its tools.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::{Approval, Cell, Effect, NO_HARNESS, split_deed};

use super::View;
use super::asks::{asks, effect, general, word};
use super::{disabled, hidden, surfaces};
use crate::cli::style;
use crate::lock::narrowed;
use crate::report::{Look, Table, visible, wrap};

/// Where the values of the head begin.
const LABEL: usize = 11;

/// The whole page.
pub(super) fn page(view: &View<'_>, harness: &str, look: Look, out: &mut String) {
    head(view, harness, look, out);
    let empty = BTreeMap::new();
    let roles = view.lock.effective.get(harness).unwrap_or(&empty);
    let mut cells: BTreeMap<&str, (&Cell, Vec<&str>)> = BTreeMap::new();
    for (role, held) in roles.iter().filter(|(role, _)| view.of_role(role)) {
        for cell in held.iter().filter(|cell| view.personally(&cell.deed)) {
            cells.entry(&cell.deed).or_insert_with(|| (cell, Vec::new())).1.push(role);
        }
    }
    let (reads, proposals): (Vec<_>, Vec<_>) =
        cells.into_values().partition(|(cell, _)| effect(view.lock, &cell.deed) == Effect::Read);
    let all: Vec<&str> = roles.keys().map(String::as_str).filter(|role| view.of_role(role)).collect();
    let (automatic, proposals): (Vec<_>, Vec<_>) =
        proposals.into_iter().partition(|(cell, _)| cell.approval == Approval::Auto);
    section(view, look, "reads", &reads, &all, out);
    if !automatic.is_empty() {
        section(view, look, "automatic creates", &automatic, &all, out);
    }
    section(view, look, "proposals", &proposals, &all, out);
    legend(view, &proposals, look, out);
    let deeds: Vec<&str> =
        [&reads, &automatic, &proposals].into_iter().flatten().map(|(cell, _)| cell.deed.as_str()).collect();
    for line in surfaces::lines(view, &deeds).iter().filter(|_| !deeds.is_empty()) {
        field("served", line, look, out);
    }
    for line in disabled::lines(view, &disabled::held(view, harness)) {
        field("disabled", &line, look, out);
    }
    if let Some(role) = view.role {
        for line in hidden::lines(view, harness, role) {
            field("hidden", &line, look, out);
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
}

fn head(view: &View<'_>, key: &str, look: Look, out: &mut String) {
    let lock = view.lock;
    let as_role = view.role.map_or_else(String::new, |role| format!(" as {role}"));
    let Some(harness) = lock.harnesses.get(key).filter(|_| key != NO_HARNESS) else {
        push(out, &style::bold(look, &visible(&format!("runs without a harness{as_role}"))));
        let bare = lock.personas.iter().filter(|(_, persona)| !persona.harness).map(|(key, _)| key.as_str());
        let bare = bare.collect::<Vec<_>>().join(", ");
        let runs = match (bare.as_str(), lock.personas.is_empty()) {
            ("", false) => "nobody: no persona says `harness: none`, so no such run begins",
            ("", true) => "anybody",
            (bare, _) => bare,
        };
        field("runs of", runs, look, out);
        out.push('\n');
        return;
    };
    push(out, &style::bold(look, &visible(&format!("{} ({key}){as_role}", harness.title))));
    if !harness.personas.is_empty() {
        field("worn by", &harness.personas.join(", "), look, out);
    }
    let prompt = lock.prompt.as_ref();
    let (text, late): (Vec<&str>, Vec<&str>) = harness
        .prompt
        .iter()
        .map(String::as_str)
        .partition(|name| prompt.is_some_and(|prompt| prompt.parts.contains_key(*name)));
    let late = if late.is_empty() { String::new() } else { format!("; at run time {}", late.join(", ")) };
    if !harness.prompt.is_empty() {
        field("prompt", &format!("{}{late}", text.join(", ")), look, out);
    }
    if !lock.refusals.is_empty() {
        let (borne, total) = (harness.refusal_rules.len(), lock.refusals.len());
        field(
            "refusals",
            &if borne == total { format!("all {total}") } else { format!("{borne} of {total}") },
            look,
            out,
        );
    }
    for (label, names) in [("plans", &harness.plan_templates), ("skills", &harness.skills)] {
        if !names.is_empty() {
            field(label, &names.join(", "), look, out);
        }
    }
    if let Some(rubric) = &harness.rubric_key {
        field("rubric", rubric, look, out);
    }
    out.push('\n');
}

fn section(
    view: &View<'_>,
    look: Look,
    title: &str,
    cells: &[(&Cell, Vec<&str>)],
    all_roles: &[&str],
    out: &mut String,
) {
    if cells.is_empty() {
        push(out, &style::bold(look, &format!("no {title}")));
        out.push('\n');
        return;
    }
    push(
        out,
        &style::bold(
            look,
            &format!(
                "{} {}",
                cells.len(),
                if cells.len() == 1 { title.trim_end_matches('s') } else { title }
            ),
        ),
    );
    let is_read = title == "reads";
    let asked = !is_read || cells.iter().any(|(cell, _)| cell.approval != Approval::Auto);
    let narrow = cells.iter().any(|(cell, _)| !cell.only.is_empty());
    let of_roles = view.role.is_none() && all_roles.len() > 1;
    let mut headers = vec!["tool"];
    let columns = [
        (true, if is_read { "what it is" } else { "effect" }),
        (asked, "asks"),
        (narrow, "narrowed"),
        (of_roles, "roles"),
    ];
    headers.extend(columns.iter().filter(|(shown, _)| *shown).map(|(_, header)| *header));
    let mut table = Table::new(headers);
    for (cell, roles) in cells {
        let tool = view.lock.tools.get(split_deed(&cell.deed).0);
        let what = if is_read {
            tool.map_or_else(String::new, |tool| tool.title.clone())
        } else {
            effect(view.lock, &cell.deed).word().to_owned()
        };
        let roles = in_short(roles, all_roles);
        let values =
            [(true, what), (asked, asks(view.lock, cell)), (narrow, narrowed(cell)), (of_roles, roles)];
        let mut row = vec![cell.deed.clone()];
        row.extend(values.into_iter().filter(|(shown, _)| *shown).map(|(_, value)| value));
        table.push(row);
    }
    out.push_str(&table.render(look.width));
    out.push('\n');
}

/// A set of roles, told by those it leaves out where these are fewer.
fn in_short(roles: &[&str], all: &[&str]) -> String {
    let others: Vec<&str> = all.iter().filter(|role| !roles.contains(role)).copied().collect();
    match others.len() {
        0 => "all".to_owned(),
        count if count < roles.len() => format!("all but {}", others.join(", ")),
        _ => roles.join(", "),
    }
}

/// Who gives the approvals that the proposals ask for, where no tool says otherwise.
fn legend(view: &View<'_>, proposals: &[(&Cell, Vec<&str>)], look: Look, out: &mut String) {
    let asked: BTreeSet<Approval> = proposals
        .iter()
        .map(|(cell, _)| cell.approval)
        .filter(|approval| *approval != Approval::Auto)
        .collect();
    for approval in asked {
        let who = match &view.lock.approvals.approvers {
            Some(stated) => general(stated, approval).join(", "),
            None => "any authenticated person".to_owned(),
        };
        let note =
            if approval == Approval::FourEyes { ", and never who asked or whom it is for" } else { "" };
        field(word(approval), &format!("{who}{note}"), look, out);
    }
}

/// `label      value`, the value wrapped under itself.
fn field(label: &str, value: &str, look: Look, out: &mut String) {
    let room = look.width.saturating_sub(LABEL).max(20);
    for (at, line) in wrap(&visible(value), room, room).iter().enumerate() {
        let label = if at == 0 { format!("{label:<LABEL$}") } else { " ".repeat(LABEL) };
        push(out, &format!("{}{line}", style::dim(look, &label)));
    }
}

fn push(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}
