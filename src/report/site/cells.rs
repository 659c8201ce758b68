//! What is granted, read out of the effective table once for all pages.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{Approval, Cell, Effect, Lock, split_deed};

use crate::report::html::Text;

/// The same grant in one harness: a cell and the roles that hold it alike.
pub(super) struct Grant<'a> {
    pub(super) cell: &'a Cell,
    pub(super) roles: Vec<&'a str>,
}

/// What a harness grants: deed by deed, roles with the same grant together.
pub(super) fn grants<'a>(lock: &'a Lock, harness: &str) -> Vec<Grant<'a>> {
    let mut all: BTreeMap<&str, Vec<Grant<'a>>> = BTreeMap::new();
    for (role, cells) in lock.effective.get(harness).into_iter().flatten() {
        for cell in cells {
            let of_deed = all.entry(&cell.deed).or_default();
            match of_deed.iter_mut().find(|grant| grant.cell == cell) {
                Some(grant) => grant.roles.push(role),
                None => of_deed.push(Grant { cell, roles: vec![role] }),
            }
        }
    }
    all.into_values().flatten().collect()
}

/// A grant with the harness that it is made in.
pub(super) type Holding<'a> = (&'a str, Grant<'a>);

/// Tool to the grants of it, in the order of harnesses.
pub(super) fn by_tool(lock: &Lock) -> BTreeMap<&str, Vec<Holding<'_>>> {
    let mut all: BTreeMap<&str, Vec<Holding<'_>>> = BTreeMap::new();
    for harness in lock.effective.keys() {
        for grant in grants(lock, harness) {
            all.entry(split_deed(&grant.cell.deed).0).or_default().push((harness, grant));
        }
    }
    all
}

/// What a deed does; one that is not in the registry counts as the worst.
pub(super) fn effect(lock: &Lock, deed: &str) -> Effect {
    let (tool, case) = split_deed(deed);
    let Some(tool) = lock.tools.get(tool) else { return Effect::Destructive };
    let case = case.and_then(|case| tool.cases.as_ref()?.by.get(case));
    case.map_or(tool.effect, |case| case.effect)
}

/// An effect as a coloured word.
pub(super) fn effect_tag(effect: Effect) -> String {
    let class = match effect {
        Effect::Read => "good",
        Effect::Create | Effect::Write => "warn",
        Effect::Destructive => "bad",
    };
    format!("<span class=\"tag {class}\">{}</span>", effect.word())
}

/// An approval as a coloured word.
pub(super) fn approval_tag(approval: Approval) -> String {
    let (class, word) = match approval {
        Approval::Auto => ("good", "auto"),
        Approval::Confirm => ("warn", "confirm"),
        Approval::FourEyes => ("bad", "four eyes"),
    };
    format!("<span class=\"tag {class}\">{word}</span>")
}

/// Who says yes.
pub(super) fn approvers(cell: &Cell) -> String {
    match (&cell.approvers, cell.approval) {
        (_, Approval::Auto) => "<span class=\"dim\">nobody is asked</span>".to_owned(),
        (None, _) => "any authenticated person".to_owned(),
        (Some(own), _) if own.is_empty() => "<span class=\"tag bad\">nobody may</span>".to_owned(),
        (Some(own), _) => super::names(own),
    }
}

/// What the input is narrowed to.
pub(super) fn narrowed(cell: &Cell) -> String {
    if cell.only.is_empty() {
        String::new()
    } else {
        format!("<code>{}</code>", Text(&crate::lock::narrowed(cell)))
    }
}
