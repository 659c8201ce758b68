//! What a harness holds and a role does not: one line for each reason.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{Returns, RoleTools, deed_name, split_deed};

use super::View;
use super::asks::effect;
use crate::cli::outcome::counted;

/// Why a role does not hold a deed of its harness, in the order in which it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    Prose,
    Effects,
    List,
    Persona,
}

/// The lines: "8 prose tools go to `reader`: documents.fetch, …".
pub(super) fn lines(view: &View<'_>, harness: &str, role: &str) -> Vec<String> {
    let Some(held) = view.lock.harnesses.get(harness) else { return Vec::new() };
    let cells = view.lock.effective.get(harness).and_then(|roles| roles.get(role));
    let mut hidden: BTreeMap<Why, Vec<String>> = BTreeMap::new();
    for mention in &held.toolset {
        let deed = deed_name(&mention.tool, mention.case.as_deref());
        let granted = cells.is_some_and(|cells| cells.iter().any(|cell| cell.deed == deed));
        if let Some(why) = why(view, role, &deed, granted) {
            hidden.entry(why).or_default().push(deed);
        }
    }
    hidden.into_iter().map(|(why, deeds)| line(view, harness, role, why, &deeds)).collect()
}

fn why(view: &View<'_>, role: &str, deed: &str, granted: bool) -> Option<Why> {
    if granted {
        return (!view.personally(deed)).then_some(Why::Persona);
    }
    let role = view.lock.roles.get(role)?;
    // What is switched off is told of apart: no role holds it.
    let tool = view.lock.tools.get(split_deed(deed).0).filter(|tool| tool.enabled)?;
    let effects = role.effects.as_ref();
    Some(if tool.returns == Returns::Prose && !role.reads_untrusted {
        Why::Prose
    } else if effects.is_some_and(|effects| !effects.contains(&effect(view.lock, deed))) {
        Why::Effects
    } else {
        Why::List
    })
}

fn line(view: &View<'_>, harness: &str, role: &str, why: Why, deeds: &[String]) -> String {
    let names = deeds.join(", ");
    let role_effects = view.lock.roles.get(role).and_then(|role| role.effects.as_ref());
    match why {
        Why::Prose => {
            let count = counted(deeds.len(), "prose tool");
            let verb = if deeds.len() == 1 { "goes" } else { "go" };
            match readers(view, harness, deeds) {
                readers if readers.is_empty() => {
                    format!("{count} {verb} to no role, since none reads untrusted text: {names}")
                }
                readers => format!("{count} {verb} to {}: {names}", readers.join(", ")),
            }
        }
        Why::Effects => {
            let words: Vec<&str> = role_effects.into_iter().flatten().map(|effect| effect.word()).collect();
            let verb = if deeds.len() == 1 { "does" } else { "do" };
            format!(
                "{} {verb} more than this role's {}: {names}",
                counted(deeds.len(), "tool"),
                words.join(", ")
            )
        }
        Why::List => {
            let tools = view.lock.roles.get(role).map(|role| &role.tools);
            let verb = if deeds.len() == 1 { "is" } else { "are" };
            match tools {
                Some(RoleTools::List(_)) => {
                    format!("{} {verb} not on this role's list", counted(deeds.len(), "tool"))
                }
                _ => format!("{} {verb} not granted: {names}", counted(deeds.len(), "tool")),
            }
        }
        Why::Persona => {
            let persona = view.persona.unwrap_or_default();
            format!("{} not in the bundle of {persona}: {names}", are(deeds.len()))
        }
    }
}

fn are(count: usize) -> String {
    format!("{} {}", counted(count, "tool"), if count == 1 { "is" } else { "are" })
}

/// The roles that hold one of these deeds in this harness.
fn readers(view: &View<'_>, harness: &str, deeds: &[String]) -> Vec<String> {
    let roles = view.lock.effective.get(harness).into_iter().flatten();
    let holds = roles.filter(|(_, cells)| cells.iter().any(|cell| deeds.contains(&cell.deed)));
    holds.map(|(role, _)| role.clone()).collect()
}
