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

/// Personas, by key; many cells have the same.
type Names = Arc<[String]>;

/// One deed that is granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The deed.
    pub deed: DeedId,
    /// The strictest of the tier's, the tool's, the case's and the harness's.
    pub approval: Approval,
    /// Who may say yes; nothing where nobody needs to, or anybody may.
    pub approvers: Option<Names>,
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
        let asked = harness.holds.iter().map(|(id, hold)| (*id, hold.approval.map(|(approval, _)| approval)));
        let held: Vec<Held<'_>> = asked.filter_map(|(id, asked)| Held::of(registry, id, asked)).collect();
        table.insert((*key).to_owned(), by_role(roles, &held, approvers));
    }
    if let Some(held) = without_harness(model, registry, personas) {
        table.insert(NO_HARNESS.to_owned(), by_role(roles, &held, approvers));
    }
    table
}

/// The reads of the personas whose runs wear no harness; nothing where there is no such persona.
fn without_harness<'a>(
    model: &Model,
    registry: &'a Registry<'_>,
    personas: &BTreeMap<&str, Bundle>,
) -> Option<Vec<Held<'a>>> {
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
    let held = deeds.into_iter().filter_map(|id| Held::of(registry, id, None));
    Some(held.filter(|held| held.deed.effect == Effect::Read).collect())
}

/// A deed that a harness holds and whose tool may be used.
struct Held<'a> {
    id: DeedId,
    deed: &'a Deed<'a>,
    prose: bool,
    /// The strictest of the tier's, the tool's, the case's and the harness's.
    approval: Approval,
}

impl<'a> Held<'a> {
    fn of(registry: &'a Registry<'_>, id: DeedId, asked: Option<Approval>) -> Option<Self> {
        let deed = registry.deed(id)?;
        let tool = registry.tool(deed.tool).filter(|tool| tool.enabled)?;
        let approval = asked.map_or(deed.approval, |asked| asked.max(deed.approval));
        Some(Self { id, deed, prose: tool.is_prose(), approval })
    }
}

fn by_role(
    roles: &BTreeMap<&str, Role<'_>>,
    held: &[Held<'_>],
    approvers: &Answers<'_>,
) -> BTreeMap<String, Vec<Cell>> {
    let of_role = |role: &Role<'_>| {
        let granted = held.iter().filter(|held| role.leaves(held.id, held.deed.effect, held.prose));
        granted
            .map(|held| Cell { deed: held.id, approval: held.approval, approvers: approvers.of(held) })
            .collect()
    };
    roles.iter().map(|(key, role)| ((*key).to_owned(), of_role(role))).collect()
}

/// Who may say yes, by deed and approval: the same in every cell.
struct Answers<'a> {
    approvers: &'a Approvers<'a>,
    known: RefCell<BTreeMap<(DeedId, Approval), Option<Names>>>,
}

impl Answers<'_> {
    fn of(&self, held: &Held<'_>) -> Option<Names> {
        let find = || {
            let names = self.approvers.of(held.deed.tool, &held.deed.name, held.approval)?;
            Some(names.into_iter().map(str::to_owned).collect())
        };
        self.known.borrow_mut().entry((held.id, held.approval)).or_insert_with(find).clone()
    }
}
