//! `show` without a name: every harness in a line.

use harnessc_runtime::lock::{Approval, Cell, Effect, NO_HARNESS};

use super::View;
use super::asks::effect;
use super::disabled;
use crate::cli::outcome::counted;
use crate::report::{Look, Table};

/// The table, with a line below it that says what its numbers are.
pub(super) fn table(view: &View<'_>, look: Look) -> String {
    let groups = groups(view);
    let titled = view.lock.harnesses.iter().any(|(key, harness)| says_more(key, &harness.title));
    let worn = !view.lock.personas.is_empty();
    let mut headers = vec!["harness".to_owned()];
    headers.extend(titled.then(|| "title".to_owned()));
    headers.extend(worn.then(|| "worn by".to_owned()));
    headers.extend(groups.iter().map(|group| group.join(", ")));
    let mut table = Table::new(headers);
    let mut count = 0;
    for (key, _) in view.lock.effective.iter().filter(|(key, _)| view.wears(key)) {
        count += usize::from(key != NO_HARNESS);
        let harness = view.lock.harnesses.get(key);
        let mut row = vec![key.clone()];
        row.extend(titled.then(|| harness.map_or_else(String::new, |harness| harness.title.clone())));
        row.extend(worn.then(|| harness.map_or_else(|| bare(view), |harness| harness.personas.join(", "))));
        row.extend(
            groups.iter().map(|group| group.first().map_or_else(String::new, |role| counts(view, key, role))),
        );
        table.push(row);
    }
    let mut out = table.render(look.width);
    out.push('\n');
    let count = if count == 1 { "1 harness".to_owned() } else { format!("{count} harnesses") };
    let bare =
        if view.lock.effective.contains_key(NO_HARNESS) { ", and `-` for runs without one" } else { "" };
    let tools = counted(view.lock.tools.len(), "tool");
    let anybody = if view.lock.approvals.approvers.is_none() {
        " Any authenticated person may say yes to a proposal, since no `approvers` are stated."
    } else {
        ""
    };
    let automatic = view.lock.effective.values().flat_map(|roles| roles.values()).flatten();
    let automatic = automatic.into_iter().any(|cell| is_automatic(view, cell));
    let automatic = if automatic { "; `auto` are creates about which nobody is asked" } else { "" };
    let off: Vec<String> =
        view.lock.tools.iter().filter(|(_, tool)| !tool.enabled).map(|(key, _)| key.clone()).collect();
    let off = disabled::lines(view, &off);
    let off = if off.is_empty() { String::new() } else { format!(" Disabled: {}.", off.join("; ")) };
    let note = format!(
        "{count}{bare}; {tools}. Under each role stand its reads + its proposals{automatic}. `harnessc show HARNESS \
         --role ROLE` lists them.{anybody}{off}"
    );
    for line in crate::report::wrap(&note, look.width, look.width) {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// Whether a title is more than its key in other letters.
fn says_more(key: &str, title: &str) -> bool {
    let fold = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    fold(key) != fold(title)
}

/// The personas whose runs wear no harness.
fn bare(view: &View<'_>) -> String {
    let keys = view.lock.personas.iter().filter(|(_, persona)| !persona.harness).map(|(key, _)| key.as_str());
    keys.collect::<Vec<_>>().join(", ")
}

/// The roles in view; those that hold the same number everywhere share a column.
fn groups<'a>(view: &View<'a>) -> Vec<Vec<&'a str>> {
    let mut groups: Vec<(Vec<String>, Vec<&str>)> = Vec::new();
    for role in view.lock.roles.keys().filter(|role| view.of_role(role)) {
        let column: Vec<String> = view.lock.effective.keys().map(|key| counts(view, key, role)).collect();
        match groups.iter_mut().find(|(same, _)| *same == column) {
            Some((_, group)) => group.push(role),
            None => groups.push((column, vec![role])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn counts(view: &View<'_>, harness: &str, role: &str) -> String {
    let cells = view.lock.effective.get(harness).and_then(|roles| roles.get(role));
    let cells = cells.map_or(&[][..], Vec::as_slice).iter().filter(|cell| view.personally(&cell.deed));
    let (reads, proposals): (Vec<&Cell>, Vec<&Cell>) =
        cells.partition(|cell| effect(view.lock, &cell.deed) == Effect::Read);
    let (automatic, proposals): (Vec<&Cell>, Vec<&Cell>) =
        proposals.into_iter().partition(|cell| is_automatic(view, cell));
    let mut counts = vec![reads.len().to_string()];
    if !automatic.is_empty() {
        counts.push(format!("{} auto", automatic.len()));
    }
    if !proposals.is_empty() {
        counts.push(proposals.len().to_string());
    }
    counts.join(" + ")
}

/// Whether it changes something and nobody is asked.
fn is_automatic(view: &View<'_>, cell: &Cell) -> bool {
    cell.approval == Approval::Auto && effect(view.lock, &cell.deed) != Effect::Read
}
