//! Plans, skills and what waits for a person, forged.

use harnessc_runtime::lock::{Batch, Level, Lock, PlanStep, Treatments};

use super::{at, loads_where_lowered, refused_consistent};
use crate::common::{bundle, raw, small};

#[test]
fn exemptions_from_the_plan_gate() {
    let write = |lock: &mut Lock| {
        lock.approvals.always_allowed.push("records.propose".to_owned());
    };
    assert_eq!(refused_consistent(write), at("always_allowed", "records.propose"));
    let missing = |lock: &mut Lock| {
        lock.approvals.always_allowed.insert(0, "evidence.lint".to_owned());
    };
    assert_eq!(refused_consistent(missing), at("always_allowed", "lead/evidence.lint"));
    let skill = |lock: &mut Lock| {
        lock.skills.get_mut("lint").unwrap().tool = Some("records.propose".to_owned());
    };
    assert_eq!(refused_consistent(skill), at("always_allowed", "records.propose"));
    // Where the author lowered the rule, the reads need not be in every harness.
    loads_where_lowered(missing, "always-allowed-missing");
}

#[test]
fn steps_that_could_never_begin() {
    let step = |at: usize, forge: fn(&mut PlanStep)| {
        move |lock: &mut Lock| forge(&mut lock.plan_templates.get_mut("find_and_propose").unwrap().steps[at])
    };
    let ghost = step(1, |step| step.after = vec!["look".to_owned()]);
    assert_eq!(refused_consistent(ghost), at("plans_and_skills", "find_and_propose/propose"));
    let cycle = step(0, |step| step.after = vec!["propose".to_owned()]);
    assert_eq!(refused_consistent(cycle), at("plans_and_skills", "find_and_propose/find"));
    let itself = step(1, |step| step.after = vec!["propose".to_owned()]);
    assert_eq!(refused_consistent(itself), at("plans_and_skills", "find_and_propose/propose"));
    let twice = step(1, |step| step.key = "find".to_owned());
    assert_eq!(refused_consistent(twice), at("plans_and_skills", "find_and_propose/find"));
    let mut fine = small();
    step(1, |step| step.after.clear())(&mut fine);
    bundle(&fine);
}

#[test]
fn what_waits_is_put_to_somebody() {
    let shown = |create: &str, write: &str| {
        let word = |word: &str| Some(word.to_owned());
        Some(Treatments { create: word(create), write: word(write), ..Treatments::default() })
    };
    for write in ["silent", "notify"] {
        let silent = |lock: &mut Lock| lock.approvals.treatments = shown("notify", write);
        assert_eq!(refused_consistent(silent), at("silent_approval", "approvals/treatments"));
    }
    let batch =
        |word: &str| Some(Batch { keep_partial: None, on_failure: None, treatment: Some(word.to_owned()) });
    let silent = |lock: &mut Lock| lock.approvals.batch = batch("silent");
    assert_eq!(refused_consistent(silent), at("silent_approval", "approvals/batch"));
    let mut fine = small();
    fine.approvals.treatments = shown("notify", "plan_card");
    fine.approvals.batch = batch("one_plan_card");
    bundle(&fine);
}

#[test]
fn the_turn_after_a_yes_reads() {
    let left = |lock: &mut Lock, scope: &str| {
        lock.surfaces.get_mut("desk").unwrap().after_approval = Some(vec![scope.to_owned()]);
    };
    assert_eq!(
        refused_consistent(|lock: &mut Lock| left(lock, "desk:write")),
        at("after_approval", "desk/desk:write")
    );
    // Where the rule was not in force, nothing of the kind is demanded.
    let mut lowered = small();
    left(&mut lowered, "desk:write");
    lowered.rules.insert("after-approval-acts".to_owned(), Level::Warn);
    bundle(&lowered);
}

#[test]
fn what_a_plan_states_of_a_call_fits_its_tool() {
    let step = |tool: &'static str, input: &'static str| {
        move |lock: &mut Lock| {
            let step = &mut lock.plan_templates.get_mut("find_and_propose").unwrap().steps[0];
            (step.tool, step.input) = (tool.to_owned(), Some(raw(input)));
        }
    };
    for (tool, input) in [
        ("records.search", r#"{"program_id":"P-1"}"#),
        ("records.search", r#"{"limits":5}"#),
        ("records.search", "[]"),
        ("labels.edit/update", r#"{"color":"red"}"#),
        ("labels.edit/update", r#"{"method":"create"}"#),
        ("labels.edit/update", r#"{"method":7}"#),
    ] {
        let refusal = at("step_inputs", "find_and_propose/find");
        assert_eq!(refused_consistent(step(tool, input)), refusal, "{tool} {input}");
    }
    // A step that names the tool is the case that its input says.
    let beyond = step("labels.edit", r#"{"method":"delete"}"#);
    assert_eq!(refused_consistent(beyond), at("plans_and_skills", "chemist/labels.edit/delete"));
    for (tool, input) in [
        ("records.search", r#"{"limit":5}"#),
        ("records.search", "{}"),
        ("labels.edit/update", r#"{"color":"red","method":"update"}"#),
        ("labels.edit", r#"{"method":"update"}"#),
    ] {
        let mut fine = small();
        step(tool, input)(&mut fine);
        bundle(&fine);
    }
}

#[test]
fn plans_and_skills_beyond_the_toolset() {
    let step = |lock: &mut Lock| {
        lock.plan_templates.get_mut("find_and_propose").unwrap().steps[0].tool = "records.erase".to_owned();
    };
    assert_eq!(refused_consistent(step), at("plans_and_skills", "chemist/records.erase"));
    let skill =
        |lock: &mut Lock| lock.skills.get_mut("lint").unwrap().tools = vec!["tickets.list".to_owned()];
    assert_eq!(refused_consistent(skill), at("plans_and_skills", "chemist/tickets.list"));
    // A step takes one case, whichever is held; a skill may ask for each.
    let whole = |lock: &mut Lock| lock.skills.get_mut("lint").unwrap().tools = vec!["labels.edit".to_owned()];
    assert_eq!(refused_consistent(whole), at("plans_and_skills", "chemist/labels.edit"));
    let mut fine = small();
    fine.skills.get_mut("lint").unwrap().tools =
        vec!["labels.edit/create".to_owned(), "labels.edit/update".to_owned()];
    let plan = fine.plan_templates.get_mut("find_and_propose").unwrap();
    plan.steps[1].tool = "labels.edit".to_owned();
    bundle(&fine);
}
