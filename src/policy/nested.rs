//! How far toolsets lead, before any is followed: an order in which each stands behind those it names, and the bounds that
//! no tree of a person's reaches. Nothing here depends on the order in which toolsets are defined.

use std::collections::{BTreeMap, BTreeSet};

use super::tools::Registry;
use crate::model::lists::{ToolItem, ToolList, Toolset};
use crate::model::people::RoleTools;
use crate::model::{Def, Model};
use crate::source::Spanned;

/// Toolsets named in toolsets nest at most this deep.
pub const MAX_TOOLSET_DEPTH: usize = 64;

/// All lists of a tree, toolsets written out, mention at most this many deeds.
pub const MAX_MENTIONS: u64 = 250_000;

/// Lists that lead further than anybody could review. They are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overgrown<'m> {
    /// A toolset that leads through too many others; those that name it are no finding of their own.
    Deep {
        /// Its key.
        key: &'m Spanned<String>,
        /// Where it names the toolset that is deep enough already.
        through: &'m Spanned<String>,
    },
    /// All lists together; then none is followed.
    Many {
        /// The key of the toolset that comes to the most; nothing where lists without toolsets do.
        widest: Option<&'m Spanned<String>>,
        /// How many deeds they mention.
        mentions: u64,
    },
}

/// How far the toolsets of a tree lead.
#[derive(Default)]
pub(super) struct Nested<'m> {
    /// Toolsets in an order in which each stands behind those that it names, cycles aside; those that are too deep left out.
    pub(super) order: Vec<&'m Def<ToolList>>,
    /// What is too deep or too much, in the order of keys.
    pub(super) overgrown: Vec<Overgrown<'m>>,
    depth: BTreeMap<&'m str, usize>,
    mentions: BTreeMap<&'m str, u64>,
}

impl<'m> Nested<'m> {
    pub(super) fn of(model: &'m Model, registry: &Registry<'m>) -> Self {
        let mut nested = Self::default();
        for def in behind_what_they_name(model) {
            nested.measure(def, registry);
        }
        nested.overgrown.sort_by_key(|found| match found {
            Overgrown::Deep { key, .. } => Some(key.value.as_str()),
            Overgrown::Many { .. } => None,
        });
        nested.overgrown.extend(nested.too_many(model, registry));
        nested
    }

    fn measure(&mut self, def: &'m Def<ToolList>, registry: &Registry<'m>) {
        let key = def.key.value.as_str();
        let deepest =
            inner(&def.value).map(|name| (self.depth.get(name.value.as_str()).copied().unwrap_or(0), name));
        let deepest = deepest.max_by_key(|(depth, name)| (*depth, std::cmp::Reverse(name.span)));
        let (below, through) = deepest.map_or((0, None), |(depth, name)| (depth, Some(name)));
        let depth = (below + 1).min(MAX_TOOLSET_DEPTH + 1);
        self.depth.insert(key, depth);
        if depth <= MAX_TOOLSET_DEPTH {
            self.order.push(def);
            let mentions = self.mentions_of(&def.value, registry);
            self.mentions.insert(key, mentions);
        } else if let Some(through) = through.filter(|_| below <= MAX_TOOLSET_DEPTH) {
            self.overgrown.push(Overgrown::Deep { key: &def.key, through });
        }
    }

    fn mentions_of(&self, list: &'m ToolList, registry: &Registry<'m>) -> u64 {
        let deeds = |name: &str| registry.named(name).len() as u64;
        let of = |item: &ToolItem| match item {
            ToolItem::Tool(name) => deeds(name),
            ToolItem::Held(mention) => mention.tool.as_ref().map_or(0, |name| deeds(name)),
            ToolItem::Toolset(mention) => {
                let name = mention.toolset.as_ref().map(|name| name.value.as_str());
                name.and_then(|name| self.mentions.get(name).copied()).unwrap_or(0)
            }
        };
        list.value.iter().map(|item| of(item).max(1)).fold(0, u64::saturating_add)
    }

    fn too_many(&self, model: &'m Model, registry: &Registry<'m>) -> Option<Overgrown<'m>> {
        let lists = lists(model).map(|list| self.mentions_of(list, registry));
        let mentions = self.mentions.values().copied().chain(lists).fold(0, u64::saturating_add);
        if mentions <= MAX_MENTIONS {
            return None;
        }
        let widest =
            self.mentions.iter().max_by_key(|(key, mentions)| (**mentions, std::cmp::Reverse(**key)));
        let widest = widest.and_then(|(key, _)| Some(&model.toolsets.get(key)?.key));
        Some(Overgrown::Many { widest, mentions })
    }
}

/// The lists that are followed beside the toolsets.
fn lists(model: &Model) -> impl Iterator<Item = &ToolList> {
    let harnesses = model.harnesses.iter().filter_map(|def| match &def.toolset {
        Some(Toolset::List(list)) => Some(list),
        Some(Toolset::PersonaBundle(_)) | None => None,
    });
    let roles = model.roles.iter().filter_map(|def| match &def.tools {
        Some(RoleTools::List(list)) => Some(list),
        Some(RoleTools::HarnessToolset(_)) | None => None,
    });
    let personas = model.personas.iter().filter_map(|def| def.bundle.as_ref());
    let skills = model.skills.iter().filter_map(|def| def.tools.as_ref());
    harnesses.chain(roles).chain(personas).chain(skills)
}

fn inner(list: &ToolList) -> impl Iterator<Item = &Spanned<String>> {
    list.value.iter().filter_map(|item| match item {
        ToolItem::Toolset(mention) => mention.toolset.as_ref(),
        ToolItem::Tool(_) | ToolItem::Held(_) => None,
    })
}

/// Every toolset once, behind those that it names. A walk with a list of its own: a chain may be as long as a file.
fn behind_what_they_name(model: &Model) -> Vec<&Def<ToolList>> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for start in model.toolsets.sorted() {
        let mut open = vec![(start, false)];
        while let Some((def, entered)) = open.pop() {
            if entered {
                order.push(def);
            } else if seen.insert(def.key.value.as_str()) {
                open.push((def, true));
                open.extend(inner(&def.value).filter_map(|name| Some((model.toolsets.get(name)?, false))));
            }
        }
    }
    order
}
