//! An error-free policy as the lock: one file per subject of the lock, in the lock's own order.
//!
//! Total: a field that only a finding leaves absent takes the value that grants least. Nothing here checks anything,
//! decides anything or touches the disk; what a deed needs and who holds it is `policy`'s to say.

mod approvals;
mod bounds;
mod effective;
mod guard;
mod harness;
pub(crate) mod json;
mod people;
mod prompt;
mod server;
mod surface;
mod tool;
mod values;
mod work;

use harnessc_runtime::lock::{FORMAT, Lock};

use crate::rules::{Cx, Grading};

/// The lock of a resolved tree. It means something only where no finding denies.
pub fn lower(cx: &Cx<'_>, grading: &Grading) -> Lock {
    let model = cx.model;
    let (revision, predecessor) = guard::release_line(model);
    Lock {
        approvals: approvals::approvals(cx),
        audit: values::stated(model, "audit", || bounds::audit(&model.audit)),
        baseline: None,
        context_sources: values::map(&model.context_sources, work::context_source),
        diagnoses: values::map(&model.diagnoses, work::diagnosis),
        duty_templates: values::map(&model.duty_templates, work::duty_template),
        effective: effective::table(cx),
        engines: values::stated(model, "engines", || bounds::engines(&model.engines)),
        evidence: values::stated(model, "evidence", || bounds::evidence(&model.evidence)),
        format: FORMAT.to_owned(),
        harnesses: harness::harnesses(cx),
        lens_reviews: values::map(&model.lens_reviews, |review| work::lens_review(cx, review)),
        limits: values::stated(model, "limits", || bounds::limits(&model.limits)),
        memory_lenses: values::map(&model.memory_lenses, work::memory_lens),
        persona_fallback: model
            .persona_fallback
            .as_ref()
            .map_or_else(Vec::new, |list| values::names(&list.value)),
        personas: people::personas(cx),
        plan_templates: values::map(&model.plan_templates, work::plan_template),
        policy: guard::policy(model),
        predecessor,
        primitives: values::map(&model.primitives, work::primitive),
        prompt: prompt::prompt(cx),
        record_types: values::map(&model.record_types, work::record_type),
        refusals: values::map(&model.refusals, prompt::refusal),
        release: values::stated(model, "release", || bounds::release(&model.release)),
        revision,
        roles: people::roles(cx),
        rubrics: values::map(&model.rubrics, work::rubric),
        rules: grading.levels.clone(),
        run: json::run_fields(cx),
        servers: values::map(&model.servers, server::server),
        skills: values::map(&model.skills, |skill| work::skill(cx, skill)),
        sources: guard::sources(cx.tree),
        status_templates: values::map(&model.status_templates, |text| text.value.clone()),
        surfaces: values::map(&model.surfaces, surface::surface),
        tools: tool::tools(cx),
        waivers: grading.waivers.clone(),
    }
}

#[cfg(test)]
mod tests {
    use harnessc_runtime::lock::closed_words as closed;

    use crate::model::{approvals, bounds, prompt, work};

    /// What an author may write is what a lock may hold.
    #[test]
    fn closed_lists_are_the_same_on_both_sides() {
        let texts_and_inserts = [closed::PROMPT_TEXTS, closed::PROMPT_INSERTS].concat();
        for (authors, locks) in [
            (approvals::Treatment::WORDS, closed::TREATMENTS),
            (approvals::OnFailure::WORDS, closed::ON_FAILURE),
            (bounds::Engine::WORDS, closed::ENGINES),
            (bounds::Fallback::WORDS, closed::FALLBACKS),
            (bounds::Quotes::WORDS, closed::QUOTES),
            (bounds::RetryCause::WORDS, closed::RETRY_CAUSES),
            (bounds::SeparateWord::WORDS, closed::REASONING),
            (prompt::Part::WORDS, &texts_and_inserts),
            (work::Pii::WORDS, closed::PII),
            (work::PrimitiveState::WORDS, closed::PRIMITIVE_STATES),
            (work::ViewAxis::WORDS, closed::VIEW_AXES),
        ] {
            let sorted = |words: &[&'static str]| {
                let mut words = words.to_vec();
                words.sort_unstable();
                words
            };
            assert_eq!(sorted(authors), sorted(locks));
        }
    }
}
