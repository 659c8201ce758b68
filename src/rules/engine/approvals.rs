//! Every place where an approval is written, with the deeds it governs.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{Approval, Effect};

use super::authority::{a, certain};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::model::approvals::AtLeast;
use crate::model::lists::{Mention, ToolItem, Toolset};
use crate::model::words as model;
use crate::policy::{self, Deed, DeedId};
use crate::rules::Cx;
use crate::source::{Span, Spanned};

/// Who writes an approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By<'m> {
    /// The tool, or one of its cases.
    Registry,
    /// An item in a harness's list.
    Harness(&'m str),
    /// An item in a toolset.
    Toolset(&'m str),
}

/// One approval as it is written.
#[derive(Clone, Debug)]
pub(crate) struct Stated<'m> {
    /// The word.
    pub(crate) approval: Approval,
    /// Its bytes.
    pub(crate) span: Span,
    /// Who writes it.
    pub(crate) by: By<'m>,
    /// The name it is written for: a tool, or one case.
    pub(crate) of: String,
    /// The deeds it governs, by name; those alone whose effect is certain.
    pub(crate) deeds: Vec<DeedId>,
}

impl Stated<'_> {
    /// The deeds it governs that `wanted` picks.
    pub(crate) fn deeds<'a, 'm>(
        &self,
        cx: &'a Cx<'m>,
        wanted: impl Fn(&Deed<'m>) -> bool,
    ) -> Vec<&'a Deed<'m>> {
        let deeds = self.deeds.iter().filter_map(|id| cx.policy.registry.deed(*id));
        deeds.filter(|deed| wanted(deed)).collect()
    }

    /// The one approval that every deed's tier asks for, where they agree and none is a read.
    pub(crate) fn tier(&self, cx: &Cx<'_>) -> Option<Approval> {
        let mut tiers: Vec<Approval> = self
            .deeds(cx, |_| true)
            .iter()
            .map(|deed| cx.policy.tiers.of(deed.effect).max(floor(deed.effect)))
            .collect();
        tiers.dedup();
        match tiers.as_slice() {
            [tier] if *tier > Approval::Auto => Some(*tier),
            _ => None,
        }
    }

    /// Who says it, for the beginning of a message: "tool `x` is", "harness `h` holds `x` as".
    pub(crate) fn subject(&self) -> String {
        match self.by {
            By::Registry => format!("`{}` is", self.of),
            By::Harness(key) => format!("harness `{key}` holds `{}` as", self.of),
            By::Toolset(key) => format!("toolset `{key}` holds `{}` as", self.of),
        }
    }

    /// Joins the fix that raises it to `tier`: it asks more people than before, so it may be applied unasked.
    pub(crate) fn raised(&self, finding: Diagnostic, tier: Approval) -> Diagnostic {
        let word = tier.word();
        finding.fix(format!("write `{word}`"), Applicability::Safe, self.span, word)
    }
}

/// The least approval that the language itself leaves to an effect.
pub(crate) fn floor(effect: Effect) -> Approval {
    if effect.is_write() { Approval::Confirm } else { Approval::Auto }
}

/// Every approval that a tool, a case, a harness or a toolset states, in the order of names.
pub(crate) fn stated<'m>(cx: &Cx<'m>) -> Vec<Stated<'m>> {
    let mut stated = in_registry(cx);
    for def in cx.model.toolsets.sorted() {
        stated.extend(def.value.iter().filter_map(|item| in_list(cx, By::Toolset(&def.key.value), item)));
    }
    for def in cx.model.harnesses.sorted() {
        if let Some(Toolset::List(list)) = &def.toolset {
            stated.extend(list.iter().filter_map(|item| in_list(cx, By::Harness(&def.key.value), item)));
        }
    }
    stated
}

/// An approval of a tool governs those of its cases that ask for no more; one of a case is judged whether it has force or not.
fn in_registry<'m>(cx: &Cx<'m>) -> Vec<Stated<'m>> {
    let mut found: BTreeMap<(&str, Span), Stated<'m>> = BTreeMap::new();
    for (id, deed) in cx.policy.registry.deeds() {
        let Some(tool) = cx.policy.registry.tool(deed.tool) else { continue };
        let own = tool.case(deed).and_then(|case| case.fields()?.approval.as_ref());
        let asks = |approval: &Spanned<crate::model::words::Approval>| policy::approval(approval.value);
        let whole = tool.def.approval.as_ref();
        let whole = whole.filter(|whole| own.is_none_or(|own| asks(own) <= asks(whole)));
        let whole = whole.map(|approval| (deed.tool.to_owned(), approval));
        let own = own.map(|approval| (deed.name.clone(), approval));
        for (of, approval) in whole.into_iter().chain(own) {
            let entry = found.entry((deed.tool, approval.span)).or_insert_with(|| Stated {
                approval: policy::approval(approval.value),
                span: approval.span,
                by: By::Registry,
                of,
                deeds: Vec::new(),
            });
            if certain(tool, deed) {
                entry.deeds.push(id);
            }
        }
    }
    found.into_values().collect()
}

fn in_list<'m>(cx: &Cx<'m>, by: By<'m>, item: &'m ToolItem) -> Option<Stated<'m>> {
    let ToolItem::Held(mention) = item else { return None };
    let (name, approval) = (mention.tool.as_ref()?, mention.approval.as_ref()?);
    let deeds = governed(cx, name, mention);
    Some(Stated {
        approval: policy::approval(approval.value),
        span: approval.span,
        by,
        of: name.value.clone(),
        deeds,
    })
}

fn governed(cx: &Cx<'_>, name: &str, mention: &Mention) -> Vec<DeedId> {
    let registry = &cx.policy.registry;
    let meant = |id: &DeedId| {
        let Some(deed) = registry.deed(*id) else { return false };
        let case = deed.case.map(|case| case.value.as_str());
        let within = mention
            .cases
            .as_ref()
            .is_none_or(|cases| case.is_none_or(|case| cases.iter().any(|named| named.value == case)));
        within && registry.tool(deed.tool).is_some_and(|tool| certain(tool, deed))
    };
    registry.named(name).into_iter().filter(meant).collect()
}

/// The tier of an effect as it is written, where it is.
pub(crate) fn tier_at<'m>(cx: &Cx<'m>, effect: Effect) -> Option<&'m Spanned<model::Approval>> {
    let tiers: &AtLeast = cx.model.approvals.at_least.as_ref()?;
    match effect {
        Effect::Read => tiers.read.as_ref(),
        Effect::Create => tiers.create.as_ref(),
        Effect::Write => tiers.write.as_ref(),
        Effect::Destructive => tiers.destructive.as_ref(),
    }
}

/// Joins where the tier of `effect` comes from: the line that says so, or the default.
pub(crate) fn with_tier(cx: &Cx<'_>, finding: Diagnostic, effect: Effect) -> Diagnostic {
    let word = cx.policy.tiers.of(effect).word();
    match tier_at(cx, effect) {
        Some(tier) => finding.label(tier.span, format!("the tier of {}", plural(effect))),
        None => finding
            .note(format!("where `at_least` does not say, what is {} asks for `{word}`", a(effect.word()))),
    }
}

/// Deeds of an effect.
pub(crate) fn plural(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "reads",
        Effect::Create => "creates",
        Effect::Write => "writes",
        Effect::Destructive => "destructive deeds",
    }
}
