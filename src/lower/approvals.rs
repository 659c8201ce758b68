//! Who says yes, and how strictly.

use harnessc_runtime::lock::{Approvals, Approvers, Batch, Treatments};

use super::values::{names, sorted, value};
use crate::model::approvals as stated;
use crate::model::approvals::Treatment;
use crate::rules::Cx;
use crate::source::Spanned;

pub(super) fn approvals(cx: &Cx<'_>) -> Approvals {
    let stated = &cx.model.approvals;
    let registry = &cx.policy.registry;
    let always = stated.always_allowed.iter().flat_map(|list| list.iter());
    let always = always.flat_map(|name| registry.named(name)).filter_map(|id| registry.deed(id));
    Approvals {
        always_allowed: sorted(always.map(|deed| deed.name.clone()).collect()),
        approvers: stated.approvers.as_ref().map(approvers),
        at_least: cx.policy.tiers,
        batch: stated.batch.as_ref().map(batch),
        expires_after_ms: stated.expires_after.as_ref().map(|time| time.value.0),
        max_actions_per_run: value(stated.max_actions_per_run.as_ref()),
        treatments: stated.treatments.as_ref().map(treatments),
    }
}

fn approvers(stated: &stated::Approvers) -> Approvers {
    let list = |list: Option<&Spanned<Vec<Spanned<String>>>>| {
        sorted(list.map_or_else(Vec::new, |list| names(&list.value)))
    };
    Approvers {
        confirm: list(stated.confirm.as_ref()),
        four_eyes: list(stated.four_eyes.as_ref()),
        tools: stated
            .tools
            .iter()
            .flatten()
            .map(|def| (def.key.value.clone(), sorted(names(&def.value.value))))
            .collect(),
    }
}

fn batch(stated: &stated::Batch) -> Batch {
    Batch {
        keep_partial: value(stated.keep_partial.as_ref()),
        on_failure: stated.on_failure.as_ref().map(|word| word.word().to_owned()),
        treatment: word(stated.treatment.as_ref()),
    }
}

fn treatments(stated: &stated::Treatments) -> Treatments {
    Treatments {
        create: word(stated.create.as_ref()),
        destructive: word(stated.destructive.as_ref()),
        read: word(stated.read.as_ref()),
        write: word(stated.write.as_ref()),
    }
}

fn word(stated: Option<&Spanned<Treatment>>) -> Option<String> {
    stated.map(|word| word.word().to_owned())
}
