//! Personas' bundles and run roles.

use std::collections::BTreeMap;

use harnessc_runtime::lock::Effect;

use super::lists::{Bundle, Lists};
use super::tools::{DeedId, Registry};
use super::words;
use crate::model::people::{Role as Stated, RoleTools as StatedTools};
use crate::model::{Def, Model};

/// The role of a tree that states none.
pub const ONLY_ROLE: &str = "run";

/// What a role holds of what the harness holds.
#[derive(Clone, Debug)]
pub enum RoleTools {
    /// All of it.
    HarnessToolset,
    /// These deeds.
    List(Bundle),
}

/// One run role.
#[derive(Clone, Debug)]
pub struct Role<'m> {
    /// What is stated; nothing for the role of a tree that states none.
    pub def: Option<&'m Def<Stated>>,
    /// Its tools.
    pub tools: RoleTools,
    /// The effects left to it; nothing: all.
    pub effects: Option<Vec<Effect>>,
    /// Whether it reads untrusted prose.
    pub reads_untrusted: bool,
}

impl Role<'_> {
    /// Whether the role leaves a deed of this effect, prose or not, to those who hold it.
    pub fn leaves(&self, id: DeedId, effect: Effect, prose: bool) -> bool {
        let listed = match &self.tools {
            RoleTools::HarnessToolset => true,
            RoleTools::List(bundle) => bundle.deeds.contains(&id),
        };
        listed
            && self.effects.as_ref().is_none_or(|effects| effects.contains(&effect))
            && (self.reads_untrusted || !prose)
    }
}

pub(super) fn personas<'m>(
    model: &'m Model,
    registry: &Registry<'m>,
    lists: &Lists<'m>,
) -> BTreeMap<&'m str, Bundle> {
    model
        .personas
        .iter()
        .map(|def| {
            let bundle = def.bundle.as_ref().map_or_else(
                || Bundle { unsure: true, ..Bundle::default() },
                |list| lists.bundle(registry, &list.value),
            );
            (def.key.value.as_str(), Bundle { unsure: bundle.unsure || def.damaged, ..bundle })
        })
        .collect()
}

pub(super) fn roles<'m>(
    model: &'m Model,
    registry: &Registry<'m>,
    lists: &Lists<'m>,
) -> BTreeMap<&'m str, Role<'m>> {
    if !model.stated.contains_key("roles") {
        let only =
            Role { def: None, tools: RoleTools::HarnessToolset, effects: None, reads_untrusted: false };
        return BTreeMap::from([(ONLY_ROLE, only)]);
    }
    model
        .roles
        .iter()
        .map(|def| {
            let tools = match &def.tools {
                Some(StatedTools::HarnessToolset(_)) => RoleTools::HarnessToolset,
                Some(StatedTools::List(list)) => RoleTools::List(lists.bundle(registry, &list.value)),
                None => RoleTools::List(Bundle { unsure: true, ..Bundle::default() }),
            };
            let effects = def
                .effects
                .as_ref()
                .map(|effects| effects.iter().map(|effect| words::effect(effect.value)).collect());
            let reads_untrusted = def.reads_untrusted.as_ref().is_some_and(|flag| flag.value);
            (def.key.value.as_str(), Role { def: Some(def), tools, effects, reads_untrusted })
        })
        .collect()
}
