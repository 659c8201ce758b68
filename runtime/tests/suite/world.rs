//! The small lock grown into a little console: neutral harnesses, a fallback order, rubrics, lenses, duties and a prompt
//! with everything that is put in at run time.

use harnessc_runtime::lock::{
    Criterion, DutyTemplate, Effect, Harness, LensReview, Lock, Mention, Part, Planning, PlanningWhen,
    RecordType, Rubric, digest_of,
};
use harnessc_runtime::prove;

use crate::common::{raw, small};

pub(crate) const PHRASE: &str = "A lens is not a review. Only a {role} reviews.";

pub(crate) fn world() -> Lock {
    let mut lock = small();
    people(&mut lock);
    prompt(&mut lock);
    work(&mut lock);
    lock.tools.get_mut("records.search").unwrap().output = Some(raw(
        r#"{"type":"object","properties":{"records":{"type":"array","maxItems":5,"items":{"type":"object","properties":
        {"id":{"type":"string","pattern":"^R-[0-9]{1,9}$","maxLength":300},"site":{"type":"string","maxLength":80},
        "title":{"type":"string","maxLength":120,"untrusted_title":true}},"required":["id"],"unevaluatedProperties":false}}},
        "unevaluatedProperties":false}"#,
    ));
    lock.effective = prove::table::effective(&lock);
    lock
}

fn people(lock: &mut Lock) {
    lock.policy.harness_version = Some("harness_v1".to_owned());
    lock.persona_fallback = vec!["lead".to_owned(), "scientist".to_owned()];
    let neutral = |tools: &[&str]| Harness {
        personas: vec!["scientist".to_owned()],
        prompt: vec!["refusals".to_owned(), "harness/scientist".to_owned(), "status".to_owned()],
        refusal_rules: vec!["no_approval".to_owned()],
        status_template: Some("working_as".to_owned()),
        title: "Scientist".to_owned(),
        toolset: tools
            .iter()
            .map(|tool| Mention { approval: None, case: None, only: [].into(), tool: (*tool).to_owned() })
            .collect(),
        ..Harness::default()
    };
    lock.harnesses.insert("scientist".to_owned(), neutral(&["memory.recall", "records.search"]));
    let mut toxicologist = neutral(&["memory.recall", "records.search"]);
    toxicologist.title = "Toxicologist".to_owned();
    toxicologist.personas = vec!["lead".to_owned()];
    toxicologist.rubric_key = Some("toxicology".to_owned());
    lock.harnesses.insert("toxicologist".to_owned(), toxicologist);
    let chemist = lock.harnesses.get_mut("chemist").unwrap();
    chemist.rubric_key = Some("chemistry".to_owned());
    chemist.status_template = Some("working_as".to_owned());
    let status = "Proposed by {person}'s twin (agent, working as {harness.title}); decided by {decider}";
    lock.status_templates = [("working_as".to_owned(), status.to_owned())].into();
}

fn prompt(lock: &mut Lock) {
    let text = "You work as a scientist.\n".to_owned();
    let part = Part { digest: digest_of(text.as_bytes()), text };
    let prompt = lock.prompt.as_mut().unwrap();
    prompt.parts.insert("harness/scientist".to_owned(), part);
    prompt.memory_wrap = Some("<<<memory:{text}>>>".to_owned());
    prompt.order =
        ["refusals", "harness", "skills", "planning", "status", "memory"].map(str::to_owned).to_vec();
    prompt.volatile = ["planning", "status", "memory"].map(str::to_owned).to_vec();
    prompt.planning = Some(Planning {
        when: PlanningWhen { effects: vec![Effect::Write], intent: Some(Effect::Destructive) },
    });
    lock.harnesses.get_mut("chemist").unwrap().prompt =
        ["refusals", "harness/chemist", "skills/lint", "planning", "status", "memory"]
            .map(str::to_owned)
            .to_vec();
}

fn work(lock: &mut Lock) {
    let rubric = |criteria: &[&str]| Rubric {
        criteria: criteria
            .iter()
            .map(|key| {
                let criterion = Criterion {
                    asks: format!("What backs {key}?"),
                    evidence_required: "A record".to_owned(),
                };
                ((*key).to_owned(), criterion)
            })
            .collect(),
        version: 3,
    };
    lock.rubrics.insert("chemistry".to_owned(), rubric(&["potency", "purity"]));
    lock.rubrics.insert("toxicology".to_owned(), rubric(&["margin", "potency"]));
    let record = |gate, check_input, attachment| RecordType {
        attachment,
        check_input,
        gate,
        title: "Record".to_owned(),
    };
    lock.record_types = [
        ("summary", record(false, false, false)),
        ("decision", record(true, false, false)),
        ("check", record(false, true, false)),
        ("annex", record(false, false, true)),
    ]
    .map(|(key, record)| (key.to_owned(), record))
    .into();
    let review = LensReview {
        lenses: vec!["chemist".to_owned(), "toxicologist".to_owned()],
        phrase: PHRASE.to_owned(),
        records: vec!["summary".to_owned()],
        ..LensReview::default()
    };
    lock.lens_reviews.insert("design".to_owned(), review);
    let duty = |persona: &str, role: Option<&str>, plan: &str| DutyTemplate {
        persona: Some(persona.to_owned()),
        plan: Some(plan.to_owned()),
        title: None,
        when_wearing: role.map(str::to_owned),
    };
    lock.duty_templates = [
        ("chemistry_watch", duty("scientist", Some("chemist"), "find_and_propose")),
        ("daily", duty("scientist", None, "find_and_propose")),
    ]
    .map(|(key, duty)| (key.to_owned(), duty))
    .into();
}
