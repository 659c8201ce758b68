//! Every cell is the intersection of its declared sets, and every such intersection is a cell.

use super::{Broken, hold};
use crate::deeds::{Deed, Deeds, Toolset};
use crate::lock::{Approval, Cell, Effect, Effective, Lock, Mention, NO_HARNESS, Role, RoleTools};

/// The effective table that a lock's declared sets come to, whatever its own says.
#[must_use]
pub fn effective(lock: &Lock) -> Effective {
    let deeds = Deeds::of(lock);
    let mut table = Effective::new();
    for (key, held) in holders(lock, &deeds) {
        let row = table.entry(key.to_owned()).or_default();
        for (role_key, role) in &lock.roles {
            let cells = held.iter().filter_map(|held| cell(lock, role, held)).map(|cell| cell.owned());
            row.insert(role_key.clone(), cells.collect());
        }
    }
    table
}

pub(super) fn prove<'a>(lock: &'a Lock, deeds: &Deeds<'a>) -> Result<(), Broken> {
    let rows = holders(lock, deeds);
    for (key, held) in &rows {
        let row = lock.effective.get(*key);
        hold(row.is_some(), || (*key).to_owned(), || "the table has no row for this harness".to_owned())?;
        let Some(row) = row else { continue };
        for (role_key, role) in &lock.roles {
            let place = format!("{key}/{role_key}");
            let stored = row.get(role_key);
            hold(stored.is_some(), || place.clone(), || "the table has no list for this role".to_owned())?;
            same(
                &place,
                stored.map_or(&[], Vec::as_slice),
                held.iter().filter_map(|held| cell(lock, role, held)),
            )?;
        }
        let extra = row.keys().find(|role| !lock.roles.contains_key(*role));
        hold(
            extra.is_none(),
            || format!("{key}/{}", extra.map_or("", String::as_str)),
            || "no such role is declared".to_owned(),
        )?;
    }
    let extra = lock.effective.keys().find(|key| !rows.iter().any(|(row, _)| row == key));
    hold(extra.is_none(), || extra.cloned().unwrap_or_default(), || "no such harness is declared".to_owned())
}

/// Compares what is stored with what the declared sets come to, deed by deed.
fn same<'a>(place: &str, stored: &[Cell], expected: impl Iterator<Item = CellRef<'a>>) -> Result<(), Broken> {
    let mut stored = stored.iter();
    for expected in expected {
        let name = || expected.deed.name();
        let Some(cell) = stored.next() else {
            return Err(Broken {
                cell: format!("{place}/{}", name()),
                why: "the declared sets grant this deed, and the table does not hold it".to_owned(),
            });
        };
        hold(
            expected.deed.is_named(&cell.deed),
            || format!("{place}/{}", cell.deed),
            || format!("the declared sets have `{}` in this place of the list", name()),
        )?;
        let here = || format!("{place}/{}", name());
        hold(cell.approval == expected.approval, here, || {
            let (table, sets) = (cell.approval.word(), expected.approval.word());
            format!("the table says `{table}`, the strictest of tier, tool and harness is `{sets}`")
        })?;
        hold(cell.approvers.as_deref() == expected.approvers, here, || {
            "the approvers in the table are not those that `approvals` names".to_owned()
        })?;
        hold(expected.narrowed_as(cell), here, || "the narrowing is not the harness's own".to_owned())?;
    }
    let extra = stored.next();
    hold(
        extra.is_none(),
        || format!("{place}/{}", extra.map_or("", |cell| &cell.deed)),
        || "the table holds this deed, and the declared sets do not grant it".to_owned(),
    )
}

/// What a harness holds before a role narrows it.
pub(crate) struct Held<'a> {
    pub(crate) deed: Deed<'a>,
    mention: Option<&'a Mention>,
}

/// A cell as the declared sets give it.
struct CellRef<'a> {
    approval: Approval,
    approvers: Option<&'a [String]>,
    deed: Deed<'a>,
    mention: Option<&'a Mention>,
}

impl CellRef<'_> {
    fn narrowed_as(&self, cell: &Cell) -> bool {
        self.mention.map_or(cell.only.is_empty(), |mention| mention.only == cell.only)
    }

    fn owned(&self) -> Cell {
        Cell {
            approval: self.approval,
            approvers: self.approvers.map(<[String]>::to_vec),
            deed: self.deed.name(),
            only: self.mention.map(|mention| mention.only.clone()).unwrap_or_default(),
        }
    }
}

/// Every row's key and what it holds, sorted by deed name.
pub(crate) fn holders<'a>(lock: &'a Lock, deeds: &Deeds<'a>) -> Vec<(&'a str, Vec<Held<'a>>)> {
    let mut rows = Vec::with_capacity(lock.harnesses.len() + 1);
    if lock.personas.values().any(|persona| !persona.harness) {
        rows.push((NO_HARNESS, without_harness(lock, deeds)));
    }
    rows.extend(deeds.toolsets().iter().map(|toolset| (toolset.key, of_harness(toolset, deeds))));
    rows
}

fn of_harness<'a>(toolset: &Toolset<'a>, deeds: &Deeds<'a>) -> Vec<Held<'a>> {
    let found = toolset
        .mentions()
        .filter_map(|(mention, number)| Some(Held { deed: *deeds.at(number?)?, mention: Some(mention) }));
    found.collect()
}

/// The reads in the bundles of the personas that wear no harness.
fn without_harness<'a>(lock: &'a Lock, deeds: &Deeds<'a>) -> Vec<Held<'a>> {
    let mut names: Vec<&str> = Vec::new();
    for persona in lock.personas.values().filter(|persona| !persona.harness) {
        names.extend(persona.bundle.iter().map(String::as_str));
    }
    names.sort_unstable();
    names.dedup();
    let reads = names.into_iter().filter_map(|name| deeds.named(name));
    reads
        .filter(|deed| deed.effect() == Effect::Read)
        .map(|deed| Held { deed: *deed, mention: None })
        .collect()
}

fn cell<'a>(lock: &'a Lock, role: &Role, held: &Held<'a>) -> Option<CellRef<'a>> {
    if !held.deed.tool.enabled || !grants(role, &held.deed) {
        return None;
    }
    let own = held.deed.approval(&lock.approvals);
    let approval = held.mention.and_then(|mention| mention.approval).map_or(own, |raised| raised.max(own));
    let approvers = held.deed.approvers(&lock.approvals, approval);
    Some(CellRef { approval, approvers, deed: held.deed, mention: held.mention })
}

/// Whether a role may hold a deed, whatever the harness.
pub(crate) fn grants(role: &Role, deed: &Deed<'_>) -> bool {
    let listed = match &role.tools {
        RoleTools::HarnessToolset => true,
        RoleTools::List(names) => match deed.case_name {
            None => names.binary_search_by(|name| name.as_str().cmp(deed.tool_name)).is_ok(),
            Some(_) => names.binary_search(&deed.name()).is_ok(),
        },
    };
    let effect = role.effects.as_ref().is_none_or(|effects| effects.contains(&deed.effect()));
    listed && effect && (role.reads_untrusted || !deed.is_prose())
}
