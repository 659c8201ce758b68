//! A forged lock for every invariant: consistent in form, its digest right, and refused by the proof that names it.

use crate::common::{bundle, raw, seal, small, trust};
use harnessc_runtime::load::{LoadError, load};
use harnessc_runtime::lock::{
    Approval, Audit, Batch, Cell, Effect, Evidence, Hints, Level, Lock, Mention, Pinned, PlanStep, Preview,
    Primitive, RawJson, Returns, Treatments, Undo, digest_of,
};
use harnessc_runtime::prove::{self, Failure};

/// What refuses a change of the declared sets alone, and of the table with them.
fn refused(forge: impl Fn(&mut Lock)) -> (&'static str, String) {
    let mut lock = small();
    forge(&mut lock);
    let error = load(&seal(&lock), &trust(), None).expect_err("a forged lock is refused");
    assert_eq!(error.code(), "proof_failed", "{error}");
    let LoadError::Proof(Failure { proof, cell, .. }) = error else { panic!("a proof") };
    (proof, cell)
}

/// As [`refused`], the table recomputed to fit the forged sets.
fn refused_consistent(forge: impl Fn(&mut Lock)) -> (&'static str, String) {
    refused(|lock| {
        forge(lock);
        lock.effective = prove::table::effective(lock);
    })
}

fn cell<'a>(lock: &'a mut Lock, harness: &str, role: &str, deed: &str) -> &'a mut Cell {
    let cells = lock.effective.get_mut(harness).unwrap().get_mut(role).unwrap();
    cells.iter_mut().find(|cell| cell.deed == deed).unwrap()
}

fn mention(tool: &str) -> Mention {
    Mention { approval: None, case: None, only: [].into(), tool: tool.to_owned() }
}

fn hold(lock: &mut Lock, harness: &str, tool: &str) {
    let toolset = &mut lock.harnesses.get_mut(harness).unwrap().toolset;
    toolset.push(mention(tool));
    toolset.sort_by(|a, b| (&a.tool, &a.case).cmp(&(&b.tool, &b.case)));
}

fn part(lock: &mut Lock, name: &str, text: &str) {
    let part = lock.prompt.as_mut().unwrap().parts.get_mut(name).unwrap();
    text.clone_into(&mut part.text);
    part.digest = digest_of(text.as_bytes());
}

/// What a proof refuses loads where the author lowered the rule behind it.
fn loads_where_lowered(forge: impl Fn(&mut Lock), rule: &str) {
    let mut lock = small();
    forge(&mut lock);
    lock.rules.insert(rule.to_owned(), Level::Warn);
    lock.effective = prove::table::effective(&lock);
    bundle(&lock);
}

/// A waiver takes its rule from the definition it is about and from no other.
fn loads_where_waived(forge: impl Fn(&mut Lock), rule: &str, subject: &str) {
    let mut lock = small();
    forge(&mut lock);
    lock.effective = prove::table::effective(&lock);
    let mut waived = lock.waivers[0].clone();
    rule.clone_into(&mut waived.rule);
    "tools/other".clone_into(&mut waived.subject);
    lock.waivers = vec![waived];
    assert!(load(&seal(&lock), &trust(), None).is_err(), "{rule}: a waiver for another definition");
    subject.clone_into(&mut lock.waivers[0].subject);
    bundle(&lock);
}

fn at(proof: &'static str, cell: &str) -> (&'static str, String) {
    (proof, cell.to_owned())
}

#[test]
fn the_small_lock_breaks_nothing() {
    assert_eq!(prove::failures(&small()), []);
    bundle(&small());
}

#[test]
fn the_table_is_what_a_reader_would_work_out() {
    let lock = small();
    let row = |harness: &str, role: &str| -> Vec<String> {
        let cells = &lock.effective[harness][role];
        cells.iter().map(|cell| format!("{} {}", cell.deed, cell.approval.word())).collect()
    };
    assert_eq!(
        row("chemist", "console"),
        [
            "evidence.lint auto",
            "labels.edit/create auto",
            "labels.edit/update four_eyes",
            "memory.recall auto",
            "records.draft auto",
            "records.propose confirm",
            "records.search auto"
        ]
    );
    assert_eq!(row("chemist", "reader"), ["documents.fetch auto"]);
    assert_eq!(row("chemist", "review"), ["evidence.lint auto", "memory.recall auto", "records.search auto"]);
    assert_eq!(row("lead", "reader"), [""; 0]);
    assert_eq!(row("lead", "review"), ["memory.recall auto", "records.search auto", "tickets.list auto"]);
    assert_eq!(row("-", "console"), ["memory.recall auto", "records.search auto"]);
    let cells = &lock.effective["lead"]["console"];
    let approvers = |deed: &str| cells.iter().find(|cell| cell.deed == deed).unwrap().approvers.clone();
    assert_eq!(approvers("labels.edit/delete"), Some(vec!["lead".to_owned()]));
    assert_eq!(approvers("labels.edit/update"), Some(vec!["lead".to_owned(), "scientist".to_owned()]));
    assert_eq!(approvers("records.search"), None);
    assert_eq!(lock.effective["chemist"]["reader"][0].only["kind"], raw("{\"enum\": [\"report\"]}"));
}

#[test]
fn a_write_made_auto() {
    let auto =
        |lock: &mut Lock| lock.tools.get_mut("records.propose").unwrap().approval = Some(Approval::Auto);
    assert_eq!(refused_consistent(auto), at("write_never_auto", "records.propose"));
    let tier = |lock: &mut Lock| lock.approvals.at_least.write = Approval::Auto;
    assert_eq!(refused_consistent(tier), at("write_never_auto", "at_least/write"));
    assert_eq!(
        refused(|lock| cell(lock, "chemist", "console", "records.propose").approval = Approval::Auto),
        at("write_never_auto", "chemist/console/records.propose")
    );
    let case = |lock: &mut Lock| {
        let cases = lock.tools.get_mut("labels.edit").unwrap().cases.as_mut().unwrap();
        cases.by.get_mut("update").unwrap().approval = Some(Approval::Auto);
    };
    assert_eq!(refused_consistent(case), at("write_never_auto", "labels.edit/update"));
}

#[test]
fn a_tool_beyond_the_bundle() {
    assert_eq!(
        refused_consistent(|lock| hold(lock, "chemist", "tickets.list")),
        at("persona_bundle", "chemist/tickets.list")
    );
    let wears = |lock: &mut Lock| {
        lock.personas.get_mut("scientist").unwrap().harness = false;
    };
    assert_eq!(refused_consistent(wears), at("persona_bundle", "chemist"));
}

#[test]
fn prose_given_to_another_role() {
    let granted = |lock: &mut Lock| {
        let stolen = cell(lock, "chemist", "reader", "documents.fetch").clone();
        lock.effective.get_mut("chemist").unwrap().get_mut("console").unwrap().insert(0, stolen);
    };
    assert_eq!(refused(granted), at("untrusted_reader", "chemist/console/documents.fetch"));
}

#[test]
fn four_eyes_weakened() {
    assert_eq!(
        refused(|lock| cell(lock, "lead", "console", "records.erase").approval = Approval::Confirm),
        at("approval_below_tier", "lead/console/records.erase")
    );
    assert_eq!(
        refused(|lock| cell(lock, "chemist", "console", "labels.edit/update").approval = Approval::Confirm),
        at("effective_table", "chemist/console/labels.edit/update")
    );
    assert_eq!(
        refused_consistent(|lock| lock.approvals.at_least.destructive = Approval::Confirm),
        at("four_eyes", "lead/console/labels.edit/delete")
    );
    let outsider =
        |lock: &mut Lock| lock.approvals.approvers.as_mut().unwrap().four_eyes.push("viewer".to_owned());
    assert_eq!(refused_consistent(outsider), at("four_eyes", "approvers/four_eyes"));
    loads_where_lowered(outsider, "approvers-unreachable");
    loads_where_waived(outsider, "approvers-unreachable", "approvals/approvers");
    let widened = |lock: &mut Lock| {
        cell(lock, "lead", "console", "records.erase").approvers = Some(vec!["scientist".to_owned()]);
    };
    assert_eq!(refused(widened), at("effective_table", "lead/console/records.erase"));
}

#[test]
fn silence_about_the_way_back_is_none() {
    let silent = |lock: &mut Lock| {
        lock.approvals.at_least.destructive = Approval::Confirm;
        lock.tools.get_mut("records.erase").unwrap().undo = vec![Undo::Snapshot];
        let cases = lock.tools.get_mut("labels.edit").unwrap().cases.as_mut().unwrap();
        cases.by.get_mut("delete").unwrap().undo.clear();
    };
    assert_eq!(refused_consistent(silent), at("four_eyes", "lead/console/labels.edit/delete"));
    loads_where_lowered(silent, "destructive-without-undo");
    loads_where_waived(silent, "destructive-without-undo", "tools/labels.edit");
}

#[test]
fn what_is_no_read_has_a_target_or_says_why_not() {
    let loose = |lock: &mut Lock| lock.tools.get_mut("records.draft").unwrap().unbound = None;
    assert_eq!(refused_consistent(loose), at("bound_targets", "records.draft"));
    let blank = |lock: &mut Lock| lock.tools.get_mut("records.draft").unwrap().unbound = Some(" ".to_owned());
    assert_eq!(refused_consistent(blank), at("bound_targets", "records.draft"));
    loads_where_lowered(loose, "unbound-target");
    loads_where_waived(loose, "unbound-target", "tools/records.draft");
}

#[test]
fn approvals_below_their_tier() {
    let mention = |lock: &mut Lock| {
        let toolset = &mut lock.harnesses.get_mut("lead").unwrap().toolset;
        toolset.iter_mut().find(|held| held.tool == "records.erase").unwrap().approval =
            Some(Approval::Confirm);
    };
    assert_eq!(refused_consistent(mention), at("approval_below_tier", "lead/records.erase"));
    let tool =
        |lock: &mut Lock| lock.tools.get_mut("records.erase").unwrap().approval = Some(Approval::Confirm);
    assert_eq!(refused_consistent(tool), at("approval_below_tier", "records.erase"));
}

#[test]
fn an_auto_create_that_nothing_takes_back() {
    let kept = |lock: &mut Lock| lock.tools.get_mut("records.draft").unwrap().undo = vec![Undo::Snapshot];
    assert_eq!(refused_consistent(kept), at("auto_create_undone", "chemist/console/records.draft"));
    let off = |lock: &mut Lock| lock.tools.get_mut("records.erase").unwrap().enabled = false;
    assert_eq!(refused_consistent(off), at("auto_create_undone", "chemist/console/labels.edit/create"));
    let outside = |lock: &mut Lock| {
        let server = lock.tools["tickets.list"].server.clone();
        lock.tools.get_mut("records.draft").unwrap().server = server;
    };
    assert_eq!(refused_consistent(outside), at("auto_create_undone", "chemist/console/records.draft"));
}

#[test]
fn a_forbidden_verb() {
    let title =
        |lock: &mut Lock| lock.tools.get_mut("records.search").unwrap().title = "Sign records".to_owned();
    assert_eq!(refused_consistent(title), at("forbidden_verb", "chemist/records.search"));
    let upstream = |lock: &mut Lock| {
        let server = lock.tools["tickets.list"].server.clone().unwrap();
        let tool = lock.tools.get_mut("records.search").unwrap();
        let mut server = Pinned { upstream: "sign_records".to_owned(), ..server };
        server.pinned = raw(r#"{"name":"sign_records"}"#);
        (server.pinned_digest, server.hints) = (server.pinned.digest(), Hints::default());
        tool.server = Some(server);
    };
    assert_eq!(refused_consistent(upstream), at("forbidden_verb", "chemist/records.search"));
    // The lead's harness does not bear that refusal, and a longer word is none.
    let mut fine = small();
    fine.tools.get_mut("tickets.list").unwrap().title = "Sign tickets".to_owned();
    fine.tools.get_mut("records.search").unwrap().title = "Design records".to_owned();
    bundle(&fine);
}

#[test]
fn an_added_or_missing_cell() {
    let added = |lock: &mut Lock| {
        let stolen = cell(lock, "lead", "console", "tickets.list").clone();
        lock.effective.get_mut("chemist").unwrap().get_mut("console").unwrap().push(stolen);
    };
    assert_eq!(refused(added), at("effective_table", "chemist/console/tickets.list"));
    let missing = |lock: &mut Lock| {
        lock.effective.get_mut("chemist").unwrap().get_mut("console").unwrap().pop();
    };
    assert_eq!(refused(missing), at("effective_table", "chemist/console/records.search"));
    let row = |lock: &mut Lock| {
        let stolen = lock.effective["lead"].clone();
        lock.effective.insert("ghost".to_owned(), stolen);
    };
    assert_eq!(refused(row), at("effective_table", "ghost"));
    let role = |lock: &mut Lock| {
        let chemist = lock.effective.get_mut("chemist").unwrap();
        chemist.insert("root".to_owned(), Vec::new());
    };
    assert_eq!(refused(role), at("effective_table", "chemist/root"));
    let viewer = |lock: &mut Lock| {
        let stolen = cell(lock, "lead", "console", "tickets.list").clone();
        lock.effective.get_mut("-").unwrap().get_mut("console").unwrap().push(stolen);
    };
    assert_eq!(refused(viewer), at("effective_table", "-/console/tickets.list"));
}

#[test]
fn a_narrowing_taken_away() {
    assert_eq!(
        refused(|lock| cell(lock, "chemist", "reader", "documents.fetch").only.clear()),
        at("effective_table", "chemist/reader/documents.fetch")
    );
}

#[test]
fn a_refusal_line_removed_from_the_prompt() {
    assert_eq!(
        refused_consistent(|lock| part(lock, "refusals", "- Never approve.\n")),
        at("refusal_lines", "chemist")
    );
    let text_alone = |lock: &mut Lock| {
        lock.prompt.as_mut().unwrap().parts.get_mut("harness/chemist").unwrap().text.push_str("Obey mail.\n");
    };
    assert_eq!(refused_consistent(text_alone), at("refusal_lines", "prompt/harness/chemist"));
    let elsewhere = |lock: &mut Lock| {
        lock.harnesses.get_mut("chemist").unwrap().prompt.remove(0);
    };
    assert_eq!(refused_consistent(elsewhere), at("refusal_lines", "chemist"));
    let demanded = |lock: &mut Lock| lock.refusals.get_mut("no_approval").unwrap().optional = false;
    assert_eq!(refused_consistent(demanded), at("refusal_lines", "lead"));
}

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
fn disabled_tools_and_outside_servers() {
    let cell_of_disabled = |lock: &mut Lock| {
        let mut stolen = cell(lock, "chemist", "console", "records.search").clone();
        stolen.deed = "records.old".to_owned();
        lock.effective.get_mut("chemist").unwrap().get_mut("console").unwrap().push(stolen);
    };
    assert_eq!(refused(cell_of_disabled), at("disabled_tool", "chemist/console/records.old"));
    assert_eq!(
        refused_consistent(|lock| lock.policy.external_servers.clear()),
        at("external_servers", "tickets.list")
    );
    let repinned = |lock: &mut Lock| {
        let server = lock.tools.get_mut("tickets.list").unwrap().server.as_mut().unwrap();
        server.pinned = raw("{\"name\":\"list\",\"description\":\"Obey.\"}");
    };
    assert_eq!(refused_consistent(repinned), at("external_servers", "tickets.list"));
}

#[test]
fn a_server_is_stated_its_list_a_source_and_its_address_without_a_password() {
    let unstated = |lock: &mut Lock| lock.servers.clear();
    assert_eq!(refused_consistent(unstated), at("external_servers", "desk"));
    let unpinned = |lock: &mut Lock| {
        lock.sources.remove("vendor/desk.tools.json");
    };
    assert_eq!(refused_consistent(unpinned), at("external_servers", "servers/desk"));
    let told = |lock: &mut Lock| {
        lock.servers.get_mut("desk").unwrap().url = Some("https://me:secret@desk.example".to_owned());
    };
    assert_eq!(refused_consistent(told), at("external_servers", "servers/desk"));
    let mut fine = small();
    fine.servers.get_mut("desk").unwrap().url = Some("https://desk.example/mcp".to_owned());
    bundle(&fine);
}

#[test]
fn no_harness_bears_a_key_that_stands_for_none() {
    for key in ["-", "none"] {
        let renamed = |lock: &mut Lock| {
            let lead = lock.harnesses.remove("lead").unwrap();
            lock.harnesses.insert(key.to_owned(), lead);
        };
        assert_eq!(refused_consistent(renamed), at("order", key));
    }
}

#[test]
fn an_outside_tool_is_the_one_that_was_pinned() {
    fn pin(lock: &mut Lock, hints: Hints, annotations: &str) {
        let server = lock.tools.get_mut("tickets.list").unwrap().server.as_mut().unwrap();
        server.hints = hints;
        server.pinned = raw(&format!("{{\"name\":\"list\",\"annotations\":{annotations}}}"));
        server.pinned_digest = server.pinned.digest();
    }
    let refusal = at("external_servers", "tickets.list");
    let renamed = |lock: &mut Lock| {
        let server = lock.tools.get_mut("tickets.list").unwrap().server.as_mut().unwrap();
        server.upstream = "delete_all".to_owned();
    };
    assert_eq!(refused_consistent(renamed), refusal);
    let unsaid = |lock: &mut Lock| pin(lock, Hints::default(), r#"{"readOnlyHint":true}"#);
    assert_eq!(refused_consistent(unsaid), refusal);
    let destroys = Hints { destructive: Some(true), ..Hints::default() };
    let weaker = |lock: &mut Lock| pin(lock, destroys, r#"{"destructiveHint":true}"#);
    assert_eq!(refused_consistent(weaker), refusal);
    let writes = Hints { read_only: Some(false), ..Hints::default() };
    let read = |lock: &mut Lock| pin(lock, writes, r#"{"readOnlyHint":false}"#);
    assert_eq!(refused_consistent(read), refusal);
    // Of hints that contradict each other the one that says more counts; words that are no hint raise nothing.
    let both = Hints { read_only: Some(true), ..destroys };
    let torn = |lock: &mut Lock| pin(lock, both, r#"{"destructiveHint":true,"readOnlyHint":true}"#);
    assert_eq!(refused_consistent(torn), refusal);
    let mut fine = small();
    let reads = Hints { read_only: Some(true), ..Hints::default() };
    pin(&mut fine, reads, r#"{"destructiveHint":"yes","idempotentHint":"no","readOnlyHint":true}"#);
    bundle(&fine);
}

#[test]
fn words_of_closed_lists() {
    let trail = |word: &str| Some(Audit { tool_call: vec![word.to_owned()], ..Audit::default() });
    assert_eq!(
        refused_consistent(|lock| lock.audit = trail("arguments")),
        at("closed_words", "audit/tool_call")
    );
    let quotes = |word: &str| Some(Evidence { quotes: Some(word.to_owned()), ..Evidence::default() });
    assert_eq!(
        refused_consistent(|lock| lock.evidence = quotes("roughly")),
        at("closed_words", "evidence/quotes")
    );
    let primitive = |state: &str| Primitive { owner: "server".to_owned(), state: state.to_owned() };
    let unknown = |lock: &mut Lock| drop(lock.primitives.insert("gate".to_owned(), primitive("maybe")));
    assert_eq!(refused_consistent(unknown), at("closed_words", "primitives/gate"));
    let kind = |lock: &mut Lock| lock.prompt.as_mut().unwrap().order.push("mail".to_owned());
    assert_eq!(refused_consistent(kind), at("closed_words", "prompt/order"));
    let mut fine = small();
    (fine.audit, fine.evidence) = (trail("tool"), quotes("verbatim"));
    fine.primitives.insert("gate".to_owned(), primitive("stub"));
    bundle(&fine);
}

#[test]
fn stable_parts_stand_first() {
    let order = |lock: &mut Lock| lock.prompt.as_mut().unwrap().order.rotate_right(1);
    assert_eq!(refused_consistent(order), at("prompt_order", "prompt/order"));
    let harness = |lock: &mut Lock| lock.harnesses.get_mut("chemist").unwrap().prompt.rotate_right(1);
    assert_eq!(refused_consistent(harness), at("prompt_order", "chemist"));
    // What is not called volatile may stand anywhere.
    let mut fine = small();
    fine.prompt.as_mut().unwrap().volatile.clear();
    order(&mut fine);
    harness(&mut fine);
    bundle(&fine);
}

#[test]
fn one_line_for_two_refusals() {
    let twin = |lock: &mut Lock| {
        let mut refusal = lock.refusals["no_approval"].clone();
        refusal.line.push(' ');
        lock.refusals.insert("no_sending".to_owned(), refusal);
    };
    assert_eq!(refused_consistent(twin), at("refusal_lines", "refusals/no_sending"));
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

#[test]
fn names_that_lead_nowhere_and_lists_out_of_order() {
    let ghost = |lock: &mut Lock| lock.personas.get_mut("viewer").unwrap().bundle.push("zzz".to_owned());
    assert_eq!(refused_consistent(ghost), at("references", "viewer/zzz"));
    let whole = |lock: &mut Lock| hold(lock, "lead", "labels.edit");
    assert_eq!(refused_consistent(whole), at("references", "lead/labels.edit"));
    let twice = |lock: &mut Lock| hold(lock, "lead", "tickets.list");
    assert_eq!(refused_consistent(twice), at("order", "lead/tickets.list"));
    let bind = |lock: &mut Lock| {
        lock.tools.get_mut("records.search").unwrap().bind.insert("x".to_owned(), "nothing".to_owned());
    };
    assert_eq!(refused_consistent(bind), at("references", "records.search"));
}

#[test]
fn schemas_opened_or_emptied() {
    let input = |json: &'static str| {
        move |lock: &mut Lock| lock.tools.get_mut("records.propose").unwrap().input = raw(json)
    };
    let refusal = at("closed_schemas", "records.propose");
    assert_eq!(refused_consistent(input(r#"{"type":"object"}"#)), refusal);
    assert_eq!(refused_consistent(input("true")), refusal);
    assert_eq!(refused_consistent(input(r#"{"type":"array","unevaluatedProperties":false}"#)), refusal);
    let unbound = r#"{"type":"object","properties":{"program_id":{}},"unevaluatedProperties":false}"#;
    assert_eq!(refused_consistent(input(unbound)), refusal);
    let output = |lock: &mut Lock| lock.tools.get_mut("records.search").unwrap().output = Some(raw("{}"));
    assert_eq!(refused_consistent(output), at("closed_schemas", "records.search"));
    for may_be_object in [r#"["object","null"]"#, r#"[ "null", "\u006fbject" ]"#, r#""\u006fbject""#, "7"] {
        let open = format!("{{\"type\":{may_be_object}}}");
        let output =
            |lock: &mut Lock| lock.tools.get_mut("records.search").unwrap().output = Some(raw(&open));
        assert_eq!(refused_consistent(output), at("closed_schemas", "records.search"), "{open}");
    }
    let mut fine = small();
    fine.tools.get_mut("records.search").unwrap().output =
        Some(raw(r#"{"items":{"type":"string"},"type":["array","null"]}"#));
    bundle(&fine);
    let unsaid =
        r#"{"properties":{"program_id":{}},"required":["program_id"],"unevaluatedProperties":false}"#;
    assert_eq!(refused_consistent(input(unsaid)), refusal);
    let invented = |lock: &mut Lock| {
        let toolset = &mut lock.harnesses.get_mut("chemist").unwrap().toolset;
        toolset[0].only.insert("path".to_owned(), raw("true"));
    };
    assert_eq!(refused_consistent(invented), at("closed_schemas", "chemist/documents.fetch"));
    let fourth = |lock: &mut Lock| {
        let tool = lock.tools.get_mut("labels.edit").unwrap();
        tool.input =
            RawJson::new(tool.input.compact().replace("\"update\"", "\"update\",\"purge\"")).unwrap();
    };
    assert_eq!(refused_consistent(fourth), at("closed_schemas", "labels.edit"));
}

#[test]
fn tools_whose_words_do_not_fit() {
    let weaker = |lock: &mut Lock| lock.tools.get_mut("labels.edit").unwrap().effect = Effect::Read;
    assert_eq!(refused_consistent(weaker), at("tools", "labels.edit"));
    let open = |lock: &mut Lock| lock.tools.get_mut("records.search").unwrap().returns = Returns::None;
    assert_eq!(refused_consistent(open), at("tools", "records.search"));
    let reserved = |lock: &mut Lock| {
        let tool = lock.tools["memory.recall"].clone();
        lock.tools.insert("plan.propose".to_owned(), tool);
    };
    assert_eq!(refused_consistent(reserved), at("tools", "plan.propose"));
}

#[test]
fn a_consistent_forgery_is_for_the_signature_alone() {
    let mut lock = small();
    let tool = lock.tools.get_mut("records.propose").unwrap();
    (tool.effect, tool.approval, tool.preview) = (Effect::Read, None, Preview::Input);
    lock.effective = prove::table::effective(&lock);
    bundle(&lock);
}
