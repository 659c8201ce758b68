//! A first test for a tree that has none: what one harness holds today, as a list that any added tool breaks.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use harnessc_runtime::lock::{Lock, NO_HARNESS, NO_HARNESS_WORD, deed_name};

use crate::syntax::yaml::scalar;
use crate::trial::{Planned, Row, Stand, Word, ask};

/// The text of the test. It passes: each decision in it was asked.
pub(super) fn test(stand: &Stand) -> String {
    let lock = stand.bundle().lock();
    let row = row(lock);
    let mut held: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for deed in deeds(lock) {
        if let Word::Granted(approval) = ask(stand, &row, &deed, None).word {
            held.entry(approval.word()).or_default().push(deed);
        }
    }
    let lists: Vec<String> = held.iter().map(|(word, deeds)| format!("{word}: [{}]", texts(deeds))).collect();
    let harness = row.harness.map_or_else(|| NO_HARNESS_WORD.to_owned(), scalar);
    let mut run = format!("harness: {harness}, role: {}", scalar(row.role));
    for (key, value) in [("persona", row.persona), ("surface", row.surface)] {
        if let Some(value) = value {
            let _ = write!(run, ", {key}: {}", scalar(value));
        }
    }
    if !row.scopes.is_empty() {
        let _ = write!(run, ", scopes: [{}]", texts(&row.scopes));
    }
    let name = row
        .harness
        .map_or_else(|| "a run without a harness".to_owned(), |key| format!("{} {key}", article(key)));
    format!("tests:\n  {name}, exactly:\n    run: {{{run}}}\n    exactly: {{{}}}\n", lists.join(", "))
}

/// Keys as YAML reads them again: one may look like a number.
fn texts(keys: &[impl AsRef<str>]) -> String {
    keys.iter().map(|key| scalar(key.as_ref())).collect::<Vec<_>>().join(", ")
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" }
}

/// The first harness in its first role, worn by its first persona, over the first surface with all that it grants.
fn row(lock: &Lock) -> Row<'_> {
    let harness = lock.harnesses.keys().next().map(String::as_str);
    let roles = lock.effective.get(harness.unwrap_or(NO_HARNESS));
    let granting = roles.and_then(|roles| roles.iter().find(|(_, cells)| !cells.is_empty()));
    let role = granting.map(|(role, _)| role).or_else(|| lock.roles.keys().next());
    let of_harness = harness.and_then(|key| lock.harnesses.get(key)?.personas.first());
    let outside = || lock.personas.iter().find(|(_, own)| !own.harness).map(|(key, _)| key);
    let persona = if harness.is_some() { of_harness } else { outside() };
    let surface = lock.surfaces.iter().next();
    let scopes = surface.and_then(|(_, own)| own.scopes.as_ref());
    Row {
        harness,
        role: role.map_or("", String::as_str),
        persona: persona.map(String::as_str),
        surface: surface.map(|(key, _)| key.as_str()),
        scopes: scopes.map_or_else(Vec::new, |all| all.keys().map(String::as_str).collect()),
        read_only: false,
        plan: Planned::None,
        spent: None,
        stopped: None,
        kill_switch: false,
        fields: BTreeMap::new(),
    }
}

fn deeds(lock: &Lock) -> Vec<String> {
    let of = |(tool, own): (&String, &harnessc_runtime::lock::Tool)| match &own.cases {
        Some(cases) => cases.by.keys().map(|case| deed_name(tool, Some(case))).collect(),
        None => vec![tool.clone()],
    };
    lock.tools.iter().flat_map(of).collect()
}
