//! `show` without a name: every harness in a line.

use harnessc_runtime::lock::{Cell, Effect};

use super::View;
use super::asks::effect;
use crate::cli::outcome::counted;
use crate::report::{Look, Table};

/// The table, with a line below it that says what its numbers are.
pub(super) fn table(view: &View<'_>, look: Look) -> String {
    let groups = groups(view);
    let mut headers = vec!["harness".to_owned(), "title".to_owned(), "worn by".to_owned()];
    headers.extend(groups.iter().map(|group| group.join(", ")));
    let mut table = Table::new(headers);
    let mut count = 0;
    for (key, _) in view.lock.effective.iter().filter(|(key, _)| view.wears(key)) {
        count += 1;
        let harness = view.lock.harnesses.get(key);
        let title = harness.map_or("(no harness)", |harness| harness.title.as_str());
        let personas = harness.map_or_else(|| bare(view), |harness| harness.personas.join(", "));
        let mut row = vec![key.clone(), title.to_owned(), personas];
        row.extend(
            groups.iter().map(|group| group.first().map_or_else(String::new, |role| counts(view, key, role))),
        );
        table.push(row);
    }
    let mut out = table.render(look.width);
    out.push('\n');
    let count = if count == 1 { "1 harness".to_owned() } else { format!("{count} harnesses") };
    let tools = counted(view.lock.tools.len(), "tool");
    let note = format!(
        "{count}, {tools}. Under each role: reads + proposals (what asks a person or changes something). \
         `harnessc show HARNESS --role ROLE` lists them."
    );
    for line in crate::report::wrap(&note, look.width, look.width) {
        out.push_str(&line);
        out.push('\n');
    }
    out
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
    if reads.is_empty() && proposals.is_empty() {
        return "-".to_owned();
    }
    if proposals.is_empty() {
        reads.len().to_string()
    } else {
        format!("{} + {}", reads.len(), proposals.len())
    }
}
