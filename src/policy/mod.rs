//! What the definitions come to: closed schemas, deeds, effective sets, approvals in force.
//!
//! Pure and total: what could not be read or does not resolve is left out and marked unsure, so that no rule judges what
//! leans on it; the fault itself is said elsewhere. Nothing here reads a file or grades a finding.

mod approvals;
mod effective;
mod harnesses;
mod lists;
mod nested;
mod people;
mod readings;
pub mod schema;
mod tools;
mod vendor;
mod words;

use std::collections::BTreeMap;

use crate::model::{Def, Model};
use crate::syntax::Document;
use harnessc_runtime::lock::Tiers;

pub use approvals::Approvers;
pub use effective::{Cell, Effective, NO_HARNESS};
pub use harnesses::{Harness, Hold, MentionedAt};
pub use lists::{Bundle, Listed, Lists};
pub use nested::{MAX_CELLS, MAX_MENTIONS, MAX_TOOLSET_DEPTH, Overgrown};
pub use people::{ONLY_ROLE, Role, RoleTools};
pub use readings::{Readings, mentions};
pub use tools::{Bound, Deed, DeedId, Registry, Tool, section_keys};
pub use vendor::{Pinned, UNSAID, VAGUE, Vendored};
pub use words::{approval, effect, preview, returns};

/// A tree, resolved.
pub struct Policy<'m> {
    /// The loosest approval of each effect, defaults filled in.
    pub tiers: Tiers,
    /// Tools and their deeds.
    pub registry: Registry<'m>,
    /// The schemas of types, of the run's fields and of narrowings.
    pub readings: Readings,
    /// Lists of tools, followed through toolsets.
    pub lists: Lists<'m>,
    /// Persona to the deeds in its bundle.
    pub personas: BTreeMap<&'m str, Bundle>,
    /// Run roles; a tree without any has one, named `run`.
    pub roles: BTreeMap<&'m str, Role<'m>>,
    /// Harness to what it holds.
    pub harnesses: BTreeMap<&'m str, Harness<'m>>,
    /// Who may say yes to what.
    pub approvers: Approvers<'m>,
    /// Harness, role: what is granted.
    pub effective: Effective,
}

impl<'m> Policy<'m> {
    /// Resolves a model, on so many threads. `vendor` holds the pinned lists by path, as the tree read them.
    pub fn resolve(model: &'m Model, vendor: &BTreeMap<String, Document>, threads: usize) -> Self {
        let tiers = approvals::tiers(model);
        let registry = Registry::resolve(model, vendor, tiers, threads);
        let readings = Readings::resolve(model);
        let lists = Lists::resolve(model, &registry);
        let personas = people::personas(model, &registry, &lists);
        let roles = people::roles(model, &registry, &lists);
        let harnesses = harnesses::resolve(model, &registry, &lists, &personas);
        let approvers = Approvers::resolve(model);
        let effective = if lists.too_many {
            Effective::new()
        } else {
            effective::table(model, &registry, &personas, &roles, &harnesses, &approvers)
        };
        Self { tiers, registry, readings, lists, personas, roles, harnesses, approvers, effective }
    }

    /// Whether nothing that grants was left out for being unread or unresolved. Where it is not so, some finding says why.
    pub fn is_whole(&self) -> bool {
        let listed = |role: &Role<'_>| match &role.tools {
            RoleTools::HarnessToolset => true,
            RoleTools::List(bundle) => !bundle.unsure,
        };
        self.lists.is_whole()
            && self.personas.values().all(|bundle| !bundle.unsure)
            && self.roles.values().all(listed)
            && self.harnesses.values().all(|harness| !harness.unsure)
    }

    /// The harnesses' definitions with what each holds, by key.
    pub fn worn(&self) -> impl Iterator<Item = (&'m Def<crate::model::harnesses::Harness>, &Harness<'m>)> {
        self.harnesses.values().map(|harness| (harness.def, harness))
    }
}
