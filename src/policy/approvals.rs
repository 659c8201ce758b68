//! Tiers and approvers, defaults filled in.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{Approval, Tiers};

use super::words;
use crate::model::Model;
use crate::source::Spanned;

/// The loosest approval of each effect.
pub(super) fn tiers(model: &Model) -> Tiers {
    let mut tiers = Tiers::default();
    let Some(stated) = &model.approvals.at_least else { return tiers };
    let set = |into: &mut Approval, stated: Option<&Spanned<crate::model::words::Approval>>| {
        if let Some(stated) = stated {
            *into = words::approval(stated.value);
        }
    };
    set(&mut tiers.read, stated.read.as_ref());
    set(&mut tiers.create, stated.create.as_ref());
    set(&mut tiers.write, stated.write.as_ref());
    set(&mut tiers.destructive, stated.destructive.as_ref());
    tiers
}

/// The personas that may say yes, as stated.
pub struct Approvers<'m> {
    /// Whether `approvers` stands in the tree. Where not, any authenticated person confirms.
    pub stated: bool,
    confirm: &'m [Spanned<String>],
    four_eyes: &'m [Spanned<String>],
    tools: BTreeMap<&'m str, &'m [Spanned<String>]>,
}

impl<'m> Approvers<'m> {
    pub(super) fn resolve(model: &'m Model) -> Self {
        let stated = model.approvals.approvers.as_ref();
        let tools = stated.and_then(|approvers| approvers.tools.as_ref());
        Self {
            stated: stated.is_some(),
            confirm: stated.and_then(|a| a.confirm.as_ref()).map_or(&[], |list| list.value.as_slice()),
            four_eyes: stated.and_then(|a| a.four_eyes.as_ref()).map_or(&[], |list| list.value.as_slice()),
            tools: tools
                .into_iter()
                .flatten()
                .map(|def| (def.key.value.as_str(), def.value.value.as_slice()))
                .collect(),
        }
    }

    /// Who may say yes to `deed` of `tool` under `approval`; nothing where nobody needs to, or where anybody
    /// authenticated may. An entry for the deed goes before one for its tool, and either before the general lists.
    pub fn of(&self, tool: &str, deed: &str, approval: Approval) -> Option<Vec<&'m str>> {
        if approval == Approval::Auto || !self.stated {
            return None;
        }
        let general = if approval == Approval::FourEyes { self.four_eyes } else { self.confirm };
        let list = self.tools.get(deed).or_else(|| self.tools.get(tool)).copied().unwrap_or(general);
        let mut names: Vec<&str> = list.iter().map(|name| name.value.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        Some(names)
    }

    /// The general lists: who confirms, and who may be the second pair of eyes.
    pub fn general(&self) -> (&'m [Spanned<String>], &'m [Spanned<String>]) {
        (self.confirm, self.four_eyes)
    }
}
