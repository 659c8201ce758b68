//! What a call lacks where the surface it comes over, or the scopes granted there, keep it away.

use harnessc_runtime::lock::{Lock, split_deed};

use super::ask::effect;
use super::row::Row;

/// What is missing, as a part of a sentence; nothing where the surface and its scopes do not keep the deed away.
pub fn lacking(lock: &Lock, row: &Row<'_>, deed: &str) -> Option<String> {
    let (name, case) = split_deed(deed);
    let tool = lock.tools.get(name)?;
    let serves = |names: &Vec<String>| row.surface.is_some_and(|key| names.iter().any(|name| name == key));
    if let Some(names) = tool.surfaces.as_ref().filter(|names| !serves(names)) {
        return Some(format!(
            "it is served over {} alone",
            quoted(names.iter().map(String::as_str), " and ")
        ));
    }
    let Some(surface) = row.surface else {
        let scoped = lock.surfaces.values().any(|own| own.scopes.is_some());
        return scoped.then(|| "scopes grant effects here, and a call over no surface has none".to_owned());
    };
    let scopes = lock.surfaces.get(surface)?.scopes.as_ref()?;
    let effect = effect(tool, case);
    let covering: Vec<&str> =
        scopes.iter().filter(|(_, own)| own.effects.contains(&effect)).map(|(key, _)| key.as_str()).collect();
    let word = effect.word();
    if covering.is_empty() {
        return Some(format!("no scope of `{surface}` covers `{word}`"));
    }
    let granted = covering.iter().any(|key| row.scopes.contains(key));
    (!granted).then(|| {
        let noun = if covering.len() == 1 { "scope" } else { "scopes" };
        let needed = quoted(covering.iter().copied(), " or ");
        format!("`{word}` needs the {noun} {needed}, and it is not granted")
    })
}

/// Names in backticks: "`a`, `b` or `c`".
fn quoted<'n>(names: impl Iterator<Item = &'n str>, last: &str) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => "nothing".to_owned(),
        Some((one, [])) => one.clone(),
        Some((end, others)) => format!("{}{last}{end}", others.join(", ")),
    }
}
