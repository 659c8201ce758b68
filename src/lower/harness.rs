//! Harnesses and what they hold.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{Harness, Mention};

use super::values::{names, required, sorted, text};
use super::{json, prompt};
use crate::policy::{DeedId, Hold};
use crate::rules::Cx;

pub(super) fn harnesses(cx: &Cx<'_>) -> BTreeMap<String, Harness> {
    cx.policy.harnesses.iter().map(|(key, harness)| ((*key).to_owned(), lowered(cx, harness))).collect()
}

fn lowered(cx: &Cx<'_>, harness: &crate::policy::Harness<'_>) -> Harness {
    let stated = harness.def;
    Harness {
        memory_lenses: names(stated.memory_lenses.iter().flatten()),
        personas: sorted(names(stated.personas.iter().flat_map(|list| list.iter()))),
        plan_templates: names(stated.plan_templates.iter().flatten()),
        prompt: prompt::order_of(cx, harness),
        record_types: names(stated.record_types.iter().flatten()),
        refusal_rules: harness.refusals.iter().map(|refusal| refusal.key.value.clone()).collect(),
        rubric_key: text(stated.rubric_key.as_ref()),
        skills: names(stated.skills.iter().flatten()),
        status_template: text(stated.status_template.as_ref()),
        title: required(stated.title.as_ref()),
        toolset: harness.holds.iter().filter_map(|(id, hold)| mention(cx, *id, hold)).collect(),
    }
}

fn mention(cx: &Cx<'_>, id: DeedId, hold: &Hold<'_>) -> Option<Mention> {
    let deed = cx.policy.registry.deed(id)?;
    Some(Mention {
        approval: hold.approval.map(|(approval, _)| approval),
        case: deed.case.map(|case| case.value.clone()),
        only: json::only(&cx.policy.readings, &hold.only),
        tool: deed.tool.to_owned(),
    })
}
