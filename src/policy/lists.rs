//! Lists of tools, followed through toolsets to deeds.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::Approval;

use super::nested::{Nested, Overgrown};
use super::tools::{DeedId, Registry};
use super::words;
use crate::model::lists::ToolItem;
use crate::model::scalars::SchemaText;
use crate::model::{Def, Model};
use crate::source::{Span, Spanned};

/// The deeds of a list whose narrowings do not count: a bundle, a role's or a skill's tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// The deeds.
    pub deeds: BTreeSet<DeedId>,
    /// Whether a part could not be read or resolved; then nothing is said to be missing from it.
    pub unsure: bool,
}

/// One mention of a tool, followed from a list: where it stands, and how tightly it holds.
#[derive(Clone, Debug)]
pub struct Listed<'m> {
    /// The name as written: a tool, or `tool/case`.
    pub name: &'m Spanned<String>,
    /// The item of the list that was followed: the mention itself, or the toolset's.
    pub item: Span,
    /// The toolsets gone through, outermost first.
    pub via: Vec<&'m str>,
    /// The deeds named.
    pub deeds: Vec<DeedId>,
    /// The cases that alone are held, where the mention says so.
    pub cases: Option<&'m [Spanned<String>]>,
    /// The approval it asks for.
    pub approval: Option<(Approval, Span)>,
    /// Input to the schema it must also meet.
    pub only: Vec<&'m Def<SchemaText>>,
}

/// Toolsets, followed.
pub struct Lists<'m> {
    toolsets: BTreeMap<&'m str, Vec<Listed<'m>>>,
    unsure: BTreeSet<&'m str>,
    /// What leads further than the bounds allow.
    pub overgrown: Vec<Overgrown<'m>>,
    too_many: bool,
}

impl<'m> Lists<'m> {
    pub(super) fn resolve(model: &'m Model, registry: &Registry<'m>) -> Self {
        let nested = Nested::of(model, registry);
        let too_many = nested.overgrown.iter().any(|found| matches!(found, Overgrown::Many { .. }));
        let mut lists = Self {
            toolsets: BTreeMap::new(),
            unsure: model.toolsets.keys().collect(),
            overgrown: nested.overgrown,
            too_many,
        };
        for def in nested.order {
            // A toolset that leads to itself finds itself unfollowed here (`reference-cycle` says so).
            let (listed, unsure) = lists.follow(registry, &def.value.value);
            if !unsure && !def.damaged {
                lists.unsure.remove(def.key.value.as_str());
            }
            lists.toolsets.insert(&def.key.value, listed);
        }
        lists
    }

    /// Whether every toolset could be followed to its end.
    pub(super) fn is_whole(&self) -> bool {
        self.unsure.is_empty()
    }

    /// Every mention of a list, and whether some of it could not be followed.
    pub fn follow(&self, registry: &Registry<'m>, items: &'m [ToolItem]) -> (Vec<Listed<'m>>, bool) {
        let mut listed = Vec::new();
        if self.too_many {
            return (listed, true);
        }
        let mut unsure = false;
        for item in items {
            match item {
                ToolItem::Tool(name) => listed.push(plain(registry, name, name.span)),
                ToolItem::Held(mention) => match &mention.tool {
                    Some(name) => listed.push(held(registry, name, mention)),
                    None => unsure = true,
                },
                ToolItem::Toolset(mention) => {
                    let found = mention
                        .toolset
                        .as_ref()
                        .and_then(|name| Some((name, self.toolsets.get(name.as_str())?)));
                    let Some((name, within)) = found else {
                        unsure = true;
                        continue;
                    };
                    unsure |= self.unsure.contains(name.as_str());
                    listed.extend(within.iter().map(|inner| Listed {
                        item: name.span,
                        via: std::iter::once(name.value.as_str()).chain(inner.via.iter().copied()).collect(),
                        ..inner.clone()
                    }));
                }
            }
        }
        unsure |= listed.iter().any(|mention| mention.deeds.is_empty());
        (listed, unsure)
    }

    /// The deeds of a list, narrowings aside.
    pub fn bundle(&self, registry: &Registry<'m>, items: &'m [ToolItem]) -> Bundle {
        let (listed, unsure) = self.follow(registry, items);
        Bundle { deeds: listed.iter().flat_map(|mention| mention.deeds.iter().copied()).collect(), unsure }
    }

    /// The mentions of a toolset, followed.
    pub fn toolset_listed(&self, key: &str) -> &[Listed<'m>] {
        self.toolsets.get(key).map_or(&[], Vec::as_slice)
    }
}

fn plain<'m>(registry: &Registry<'m>, name: &'m Spanned<String>, item: Span) -> Listed<'m> {
    Listed {
        name,
        item,
        via: Vec::new(),
        deeds: registry.named(name),
        cases: None,
        approval: None,
        only: Vec::new(),
    }
}

fn held<'m>(
    registry: &Registry<'m>,
    name: &'m Spanned<String>,
    mention: &'m crate::model::lists::Mention,
) -> Listed<'m> {
    Listed {
        cases: mention.cases.as_deref(),
        approval: mention.approval.as_ref().map(|approval| (words::approval(approval.value), approval.span)),
        only: mention.only.iter().flatten().collect(),
        ..plain(registry, name, name.span)
    }
}
