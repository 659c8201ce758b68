//! The work that harnesses do.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{
    Cause, ContextSource, Criterion, DutyTemplate, LensReview, LensView, MemoryLens, PlanStep, PlanTemplate,
    Primitive, RecordType, Rubric, Skill,
};

use super::values::{flag, map, names, required, text, value};
use super::{json, prompt};
use crate::model::lists::ToolList;
use crate::model::{Keyed, rubrics, work};
use crate::rules::Cx;

pub(super) fn skill<'a>(cx: &Cx<'a>, stated: &'a work::Skill) -> Skill {
    Skill {
        instructions: stated.instructions.as_ref().and_then(|path| prompt::part_of(cx, &path.value)),
        title: required(stated.title.as_ref()),
        tool: text(stated.tool.as_ref()),
        tools: stated.tools.as_ref().map_or_else(Vec::new, |list| deeds(cx, list)),
        version: value(stated.version.as_ref()).unwrap_or_default(),
    }
}

/// The names of a list's deeds; numbers go by name, so they are sorted.
fn deeds<'a>(cx: &Cx<'a>, list: &'a ToolList) -> Vec<String> {
    let registry = &cx.policy.registry;
    let bundle = cx.policy.lists.bundle(registry, &list.value);
    bundle.deeds.into_iter().filter_map(|id| registry.deed(id)).map(|deed| deed.name.clone()).collect()
}

pub(super) fn plan_template(stated: &work::PlanTemplate) -> PlanTemplate {
    let steps = stated.steps.iter().flatten().map(|step| PlanStep {
        after: names(step.after.iter().flatten()),
        input: step.input.as_ref().map(|input| json::raw(&json::plain(&input.0))),
        key: step.key.value.clone(),
        tool: required(step.tool.as_ref()),
    });
    PlanTemplate { steps: steps.collect(), title: required(stated.title.as_ref()) }
}

pub(super) fn rubric(stated: &rubrics::Rubric) -> Rubric {
    let criterion = |stated: &rubrics::Criterion| Criterion {
        asks: required(stated.asks.as_ref()),
        evidence_required: required(stated.evidence_required.as_ref()),
    };
    Rubric {
        criteria: stated.criteria.as_ref().map(|all| map(all, criterion)).unwrap_or_default(),
        version: value(stated.version.as_ref()).unwrap_or_default(),
    }
}

pub(super) fn duty_template(stated: &work::DutyTemplate) -> DutyTemplate {
    DutyTemplate {
        persona: text(stated.persona.as_ref()),
        plan: text(stated.plan.as_ref()),
        title: text(stated.title.as_ref()),
        when_wearing: text(stated.when_wearing.as_ref()),
    }
}

pub(super) fn record_type(stated: &work::RecordType) -> RecordType {
    RecordType {
        attachment: flag(stated.attachment.as_ref()),
        check_input: flag(stated.check_input.as_ref()),
        gate: flag(stated.gate.as_ref()),
        title: required(stated.title.as_ref()),
    }
}

pub(super) fn memory_lens(stated: &work::MemoryLens) -> MemoryLens {
    MemoryLens { kinds: names(stated.kinds.iter().flatten()), title: required(stated.title.as_ref()) }
}

pub(super) fn context_source(stated: &work::ContextSource) -> ContextSource {
    ContextSource {
        origin: text(stated.origin.as_ref()),
        pii: stated.pii.as_ref().map(|word| word.word().to_owned()),
        title: required(stated.title.as_ref()),
        untrusted: flag(stated.untrusted.as_ref()),
    }
}

pub(super) fn lens_review<'a>(cx: &Cx<'a>, stated: &'a work::LensReview) -> LensReview {
    LensReview {
        lenses: names(stated.lenses.iter().flat_map(|list| list.iter())),
        phrase: required(stated.phrase.as_ref()),
        records: names(stated.records.iter().flatten()),
        tools: stated.tools.as_ref().map(|list| deeds(cx, list)),
        view: stated.view.as_ref().map(|view| LensView {
            columns: axis(view.columns.as_deref()),
            first: text(view.first.as_ref()),
            rows: axis(view.rows.as_deref()),
        }),
    }
}

fn axis(stated: Option<&work::ViewAxis>) -> String {
    stated.map_or_else(String::new, |axis| axis.word().to_owned())
}

pub(super) fn diagnosis(stated: &Keyed<work::RootCause>) -> BTreeMap<String, Cause> {
    map(stated, |cause| Cause { requires: names(cause.requires.iter().flatten()) })
}

pub(super) fn primitive(stated: &work::Primitive) -> Primitive {
    Primitive {
        owner: required(stated.owner.as_ref()),
        state: stated.state.as_ref().map_or_else(String::new, |word| word.word().to_owned()),
    }
}
