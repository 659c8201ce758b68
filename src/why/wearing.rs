//! Whether the run that is asked about begins at all: a persona wears the harnesses that name it, and no other.

use harnessc_runtime::decide::Gate;

use super::edits::Change;
use super::lines::Line;
use super::places::{label, span_of};
use crate::diagnostic::Edit;
use crate::rules::Cx;
use crate::trial::Row;
use crate::variant::{Written, beside, field};

/// The line to say before any gate's, where no such run begins; nothing where it does. A run that never began has no row.
pub fn wearing(cx: &Cx<'_>, row: &Row<'_>) -> Option<Line> {
    let persona = row.persona?;
    let own = cx.model.personas.get(persona)?;
    let (said, at) = match row.harness {
        Some(key) => {
            let harness = cx.model.harnesses.get(key)?;
            let named = harness.personas.as_ref();
            if named.is_some_and(|list| list.iter().any(|name| name.value == persona)) {
                return None;
            }
            let at = named.and_then(|list| span_of(&list.value)).unwrap_or(harness.key.span);
            let mut at = vec![label(at, format!("who may wear `{key}`"))];
            at.extend(own.harness.as_ref().map(|word| label(word.span, "its runs wear no harness")));
            (format!("`{persona}` may not wear `{key}`, so no such run begins"), at)
        }
        None if own.harness.is_some() => return None,
        None => {
            let at = vec![label(own.key.span, "not `harness: none`, so its runs wear one")];
            (format!("a run of `{persona}` wears a harness, so no run without one begins"), at)
        }
    };
    Some(Line { gate: Gate::RunRow, open: Some(false), said, at })
}

/// The persona that is offered where no run without a harness begins.
pub const GUEST: &str = "guest";

/// A persona whose runs wear no harness and read this deed, where the policy has none of that name; it is put first among the
/// personas. Not tried yet.
pub(super) fn guest(cx: &Cx<'_>, deed: &str) -> Option<Vec<Change>> {
    if cx.model.personas.get(GUEST).is_some() {
        return None;
    }
    let section = cx.model.personas.iter().next()?.key.span;
    let text = format!("{GUEST}: {{title: Guest, harness: none, bundle: [{deed}]}}");
    let edit = beside(cx.tree, section, &text)?;
    let mut changes = vec![Change { said: format!("add the persona `{text}`"), edit }];
    let counted = cx.model.manifest.expect.as_ref().and_then(|expect| expect.get("personas"));
    if let Some(count) = counted {
        let more = count.value.value.saturating_add(1).to_string();
        let said = format!("raise the number of personas that `[expect]` states to {more}");
        changes.push(Change { said, edit: Edit { span: count.value.span, replacement: more } });
    }
    Some(changes)
}

/// The edits after which such a run begins.
pub(super) fn options(cx: &Cx<'_>, row: &Row<'_>) -> Vec<Vec<Change>> {
    let change = || {
        let persona = row.persona?;
        let Some(key) = row.harness else {
            let edit = field(cx.tree, cx.model.personas.get(persona)?.key.span, "harness: none")?;
            return Some(Change { said: format!("let runs of `{persona}` wear no harness"), edit });
        };
        let first = cx.model.harnesses.get(key)?.personas.as_ref()?.first()?.span;
        let edit = Written::around(cx.tree, first)?.with(&cx.tree.sources, persona)?;
        Some(Change { said: format!("add `{persona}` to the personas of `{key}`"), edit })
    };
    change().map(|change| vec![vec![change]]).unwrap_or_default()
}
