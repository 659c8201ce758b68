//! Personas and run roles.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{Persona, Role, RoleTools};

use super::values::{required, text};
use crate::policy::{self, Bundle};
use crate::rules::Cx;

pub(super) fn personas(cx: &Cx<'_>) -> BTreeMap<String, Persona> {
    let personas = cx.model.personas.iter().map(|stated| {
        let key = stated.key.value.as_str();
        let persona = Persona {
            bundle: cx.policy.personas.get(key).map_or_else(Vec::new, |own| deeds(cx, own)),
            harness: stated.harness.is_none(),
            title: required(stated.title.as_ref()),
        };
        (key.to_owned(), persona)
    });
    personas.collect()
}

pub(super) fn roles(cx: &Cx<'_>) -> BTreeMap<String, Role> {
    cx.policy
        .roles
        .iter()
        .map(|(key, role)| {
            let lowered = Role {
                effects: role.effects.clone(),
                reads_untrusted: role.reads_untrusted,
                title: text(role.def.and_then(|def| def.title.as_ref())),
                tools: match &role.tools {
                    policy::RoleTools::HarnessToolset => RoleTools::HarnessToolset,
                    policy::RoleTools::List(bundle) => RoleTools::List(deeds(cx, bundle)),
                },
            };
            ((*key).to_owned(), lowered)
        })
        .collect()
}

/// The names of a bundle's deeds; numbers go by name, so they are sorted.
fn deeds(cx: &Cx<'_>, bundle: &Bundle) -> Vec<String> {
    bundle.deeds.iter().filter_map(|id| cx.policy.registry.deed(*id)).map(|deed| deed.name.clone()).collect()
}
