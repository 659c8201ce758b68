//! What each harness holds, as tightly as every mention says together, and the refusals it bears.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::Approval;

use super::lists::{Bundle, Listed, Lists};
use super::tools::{DeedId, Registry};
use crate::model::harnesses::{Harness as Stated, RefusalRules};
use crate::model::lists::Toolset;
use crate::model::refusals::Refusal;
use crate::model::scalars::SchemaText;
use crate::model::{Def, Model};
use crate::source::Span;

/// Where a harness names a deed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MentionedAt<'m> {
    /// The item in the harness's own list, or the word `persona_bundle`.
    pub item: Span,
    /// The name itself: there, or in the toolset that the item names.
    pub name: Span,
    /// The toolsets gone through.
    pub via: Vec<&'m str>,
}

/// One deed that a harness holds.
#[derive(Clone, Debug)]
pub struct Hold<'m> {
    /// Every place that names it; the first is where to point.
    pub at: Vec<MentionedAt<'m>>,
    /// The strictest approval that a mention asks for.
    pub approval: Option<(Approval, Span)>,
    /// Input to every schema it must also meet.
    pub only: BTreeMap<&'m str, Vec<&'m Def<SchemaText>>>,
}

/// One harness.
#[derive(Debug)]
pub struct Harness<'m> {
    /// What is stated.
    pub def: &'m Def<Stated>,
    /// The deeds it holds.
    pub holds: BTreeMap<DeedId, Hold<'m>>,
    /// Whether a part of its toolset could not be read or resolved; then nothing is said to be missing from it.
    pub unsure: bool,
    /// The refusals it bears, in the order of files and text.
    pub refusals: Vec<&'m Def<Refusal>>,
}

impl Harness<'_> {
    /// Its key.
    pub fn key(&self) -> &str {
        &self.def.key.value
    }

    /// Where to point for a deed: the first item that names it, else the harness's key.
    pub fn points_at(&self, id: DeedId) -> Span {
        self.holds.get(&id).and_then(|hold| hold.at.first()).map_or(self.def.key.span, |at| at.item)
    }
}

pub(super) fn resolve<'m>(
    model: &'m Model,
    registry: &Registry<'m>,
    lists: &Lists<'m>,
    personas: &BTreeMap<&'m str, Bundle>,
) -> BTreeMap<&'m str, Harness<'m>> {
    model
        .harnesses
        .iter()
        .map(|def| {
            let (holds, unsure) = match &def.toolset {
                Some(Toolset::List(list)) => held(registry, lists.follow(registry, &list.value)),
                Some(Toolset::PersonaBundle(word)) => persona_bundle(def, word.span, personas),
                None => (BTreeMap::new(), true),
            };
            let refusals = borne(model, def);
            (def.key.value.as_str(), Harness { def, holds, unsure, refusals })
        })
        .collect()
}

fn persona_bundle<'m>(
    def: &'m Def<Stated>,
    word: Span,
    personas: &BTreeMap<&'m str, Bundle>,
) -> (BTreeMap<DeedId, Hold<'m>>, bool) {
    let named = def.personas.iter().flat_map(|list| list.iter());
    let bundles: Vec<Option<&Bundle>> = named.map(|name| personas.get(name.value.as_str())).collect();
    let mut unsure =
        bundles.is_empty() || bundles.iter().any(|bundle| bundle.is_none_or(|bundle| bundle.unsure));
    let mut common: Option<BTreeSet<DeedId>> = None;
    for bundle in bundles.into_iter().flatten() {
        common = Some(match common {
            None => bundle.deeds.clone(),
            Some(common) => common.intersection(&bundle.deeds).copied().collect(),
        });
    }
    unsure |= common.is_none();
    let at = MentionedAt { item: word, name: word, via: Vec::new() };
    let hold = |id| (id, Hold { at: vec![at.clone()], approval: None, only: BTreeMap::new() });
    (common.unwrap_or_default().into_iter().map(hold).collect(), unsure)
}

/// Takes every mention together: what is named is held, what a mention restricts to cases is held in those cases alone, the
/// strictest approval stands and every narrowing applies.
fn held<'m>(
    registry: &Registry<'m>,
    (listed, unsure): (Vec<Listed<'m>>, bool),
) -> (BTreeMap<DeedId, Hold<'m>>, bool) {
    let mut allowed: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for mention in &listed {
        let Some(cases) = mention.cases else { continue };
        let cases: BTreeSet<&str> = cases.iter().map(|case| case.value.as_str()).collect();
        allowed
            .entry(mention.name.value.as_str())
            .and_modify(|allowed| allowed.retain(|case| cases.contains(case)))
            .or_insert(cases);
    }
    let mut holds: BTreeMap<DeedId, Hold<'m>> = BTreeMap::new();
    for mention in &listed {
        for id in &mention.deeds {
            let Some(deed) = registry.deed(*id) else { continue };
            let case = deed.case.map(|case| case.value.as_str());
            let left = allowed.get(deed.tool).is_none_or(|left| case.is_none_or(|case| left.contains(case)));
            if left {
                let hold = holds.entry(*id).or_insert_with(|| Hold {
                    at: Vec::new(),
                    approval: None,
                    only: BTreeMap::new(),
                });
                tighten(hold, mention);
            }
        }
    }
    (holds, unsure)
}

fn tighten<'m>(hold: &mut Hold<'m>, mention: &Listed<'m>) {
    hold.at.push(MentionedAt { item: mention.item, name: mention.name.span, via: mention.via.clone() });
    hold.approval = match (hold.approval, mention.approval) {
        (Some(one), Some(other)) => Some(if other.0 > one.0 { other } else { one }),
        (one, other) => one.or(other),
    };
    for only in &mention.only {
        hold.only.entry(only.key.value.as_str()).or_default().push(only);
    }
}

fn borne<'m>(model: &'m Model, def: &Def<Stated>) -> Vec<&'m Def<Refusal>> {
    let named: Option<BTreeSet<&str>> = match &def.refusal_rules {
        Some(RefusalRules::List(list)) => Some(list.iter().map(|name| name.value.as_str()).collect()),
        Some(RefusalRules::All(_)) | None => None,
    };
    let bears = |refusal: &&Def<Refusal>| {
        let optional = refusal.optional.as_ref().is_some_and(|flag| flag.value);
        // A refusal that may not be left out is borne whatever the list says; leaving it out is its own finding.
        !optional || named.as_ref().is_none_or(|named| named.contains(refusal.key.value.as_str()))
    };
    model.refusals.iter().filter(bears).collect()
}
