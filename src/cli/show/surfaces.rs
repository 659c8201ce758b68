//! Over which surfaces the tools of a page are served, and what scopes grant there.

use harnessc_runtime::lock::{Effect, Origin, Surface, split_deed};

use super::View;
use super::asks::effect;

/// One line for each surface: "mcp, from outside: all but a, b".
pub(super) fn lines(view: &View<'_>, deeds: &[&str]) -> Vec<String> {
    view.lock.surfaces.iter().map(|(key, own)| line(view, key, own, deeds)).collect()
}

fn line(view: &View<'_>, key: &str, own: &Surface, deeds: &[&str]) -> String {
    let served: Vec<&str> = deeds.iter().copied().filter(|deed| serves(view, key, deed)).collect();
    let outside = if own.origin == Some(Origin::Outside) { ", from outside" } else { "" };
    let head = format!("{key}{outside}: {}", in_short(&served, deeds));
    let Some(scopes) = &own.scopes else { return head };
    let effects: Vec<Effect> = served.iter().map(|deed| effect(view.lock, deed)).collect();
    let scope = |(name, scope): (&String, &harnessc_runtime::lock::Scope)| {
        let words: Vec<&str> = scope.effects.iter().map(|effect| effect.word()).collect();
        let count = effects.iter().filter(|effect| scope.effects.contains(effect)).count();
        let steps = scope.steps.map_or_else(String::new, |steps| format!(", {steps} steps"));
        format!("`{name}` grants {} ({count} of them{steps})", words.join(", "))
    };
    let scopes: Vec<String> = scopes.iter().map(scope).collect();
    format!("{head}; by scope: {}", scopes.join("; "))
}

/// Whether a surface serves a deed; a tool that names no surface is served over each.
fn serves(view: &View<'_>, surface: &str, deed: &str) -> bool {
    let named = view.lock.tools.get(split_deed(deed).0).and_then(|tool| tool.surfaces.as_ref());
    named.is_none_or(|names| names.iter().any(|name| name == surface))
}

/// A set of deeds, told by those it leaves out where these are fewer.
fn in_short(served: &[&str], all: &[&str]) -> String {
    let others: Vec<&str> = all.iter().filter(|deed| !served.contains(deed)).copied().collect();
    match (served.len(), others.len()) {
        (0, _) => "nothing".to_owned(),
        (_, 0) => "all".to_owned(),
        (here, missing) if missing < here => format!("all but {}", others.join(", ")),
        _ => served.join(", "),
    }
}
