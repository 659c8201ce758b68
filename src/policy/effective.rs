//! The effective table: harness × role to what is granted. Persona, surface and scope are masks over it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use harnessc_runtime::lock::{Approval, Effect};

use super::approvals::Approvers;
use super::harnesses::Harness;
use super::lists::Bundle;
use super::people::Role;
use super::tools::{Deed, DeedId, Registry};
use crate::model::Model;

pub use harnessc_runtime::lock::NO_HARNESS;

/// One deed that is granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The deed.
    pub deed: DeedId,
    /// The strictest of the tier's, the tool's, the case's and the harness's.
    pub approval: Approval,
    /// Who may say yes; nothing where nobody needs to, or anybody may.
    pub approvers: Option<Arc<[String]>>,
}

/// Harness key (or [`NO_HARNESS`]) to role to cells, sorted by deed.
pub type Effective = BTreeMap<String, BTreeMap<String, Vec<Cell>>>;

pub(super) fn table(
    model: &Model,
    registry: &Registry<'_>,
    personas: &BTreeMap<&str, Bundle>,
    roles: &BTreeMap<&str, Role<'_>>,
    harnesses: &BTreeMap<&str, Harness<'_>>,
    approvers: &Approvers<'_>,
) -> Effective {
    let approvers = &Answers { approvers, known: RefCell::default() };
    let mut table = Effective::new();
    for (key, harness) in harnesses {
        let held: Vec<(DeedId, Option<Approval>)> = harness
            .holds
            .iter()
            .map(|(id, hold)| (*id, hold.approval.map(|(approval, _)| approval)))
            .collect();
        table.insert((*key).to_owned(), by_role(registry, roles, &held, approvers));
    }
    if let Some(held) = without_harness(model, registry, personas) {
        table.insert(NO_HARNESS.to_owned(), by_role(registry, roles, &held, approvers));
    }
    table
}

/// The reads of the personas whose runs wear no harness; nothing where there is no such persona.
fn without_harness(
    model: &Model,
    registry: &Registry<'_>,
    personas: &BTreeMap<&str, Bundle>,
) -> Option<Vec<(DeedId, Option<Approval>)>> {
    let bare: Vec<&Bundle> = model
        .personas
        .iter()
        .filter(|def| def.harness.is_some())
        .filter_map(|def| personas.get(def.key.value.as_str()))
        .collect();
    if bare.is_empty() {
        return None;
    }
    let deeds: BTreeSet<DeedId> = bare.iter().flat_map(|bundle| bundle.deeds.iter().copied()).collect();
    let reads = |id: &DeedId| registry.deed(*id).is_some_and(|deed| deed.effect == Effect::Read);
    Some(deeds.into_iter().filter(reads).map(|id| (id, None)).collect())
}

fn by_role(
    registry: &Registry<'_>,
    roles: &BTreeMap<&str, Role<'_>>,
    held: &[(DeedId, Option<Approval>)],
    approvers: &Answers<'_>,
) -> BTreeMap<String, Vec<Cell>> {
    roles
        .iter()
        .map(|(key, role)| {
            let cells =
                held.iter().filter_map(|(id, asked)| cell(registry, role, *id, *asked, approvers)).collect();
            ((*key).to_owned(), cells)
        })
        .collect()
}

fn cell(
    registry: &Registry<'_>,
    role: &Role<'_>,
    id: DeedId,
    asked: Option<Approval>,
    approvers: &Answers<'_>,
) -> Option<Cell> {
    let deed = registry.deed(id)?;
    let tool = registry.tool(deed.tool)?;
    if !tool.enabled || !role.leaves(id, deed.effect, tool.is_prose()) {
        return None;
    }
    let approval = asked.map_or(deed.approval, |asked| asked.max(deed.approval));
    Some(Cell { deed: id, approval, approvers: approvers.of(id, deed, approval) })
}

/// Who may say yes, by deed and approval: the same in every cell.
struct Answers<'a> {
    approvers: &'a Approvers<'a>,
    known: RefCell<BTreeMap<(DeedId, Approval), Option<Arc<[String]>>>>,
}

impl Answers<'_> {
    fn of(&self, id: DeedId, deed: &Deed<'_>, approval: Approval) -> Option<Arc<[String]>> {
        let find = || {
            let names = self.approvers.of(deed.tool, &deed.name, approval)?;
            Some(names.into_iter().map(str::to_owned).collect())
        };
        self.known.borrow_mut().entry((id, approval)).or_insert_with(find).clone()
    }
}
