//! Sequences: names for proposals, what leans on what, replays, batches, suspicion; and what a failed step says.

use serde_json::Value;

use crate::cli_common::Scratch;

const HEAD: &str = "tests:\n  t:\n    run: {harness: closer, role: desk, ticket_id: T-1}\n    sequence:\n";
const LABEL: &str =
    "call: {tool: tickets.label, input: {ticket_id: T-1, method: drop, label: urgent}}, expect: confirm";
const CLOSE: &str = "call: {tool: tickets.close, input: {ticket_id: T-1, reply: Done.}}, expect: four_eyes";
const ANN: &str = "by: {person: ann, persona: agent}";
const KIM: &str = "by: {person: kim, persona: lead}";

/// The small tree with one test of these steps.
fn played(steps: &[String]) -> Scratch {
    let scratch = Scratch::small();
    let lines: String = steps.iter().map(|step| format!("      - {{{step}}}\n")).collect();
    scratch.write("tests/policy/sequence.yaml", &format!("{HEAD}{lines}"));
    scratch
}

fn holds(steps: &[String]) {
    let said = played(steps).transcript(&["test"]);
    assert!(said.contains("1 test: all as expected"), "{said}");
}

/// What `test` says of one step too many, on one line.
fn fails(steps: &[String]) -> String {
    let said = played(steps).transcript(&["test", "--format", "short"]);
    assert!(said.ends_with("--- exit 1\n"), "{said}");
    said
}

fn step(parts: &[&str]) -> String {
    parts.join(", ")
}

#[test]
fn a_second_yes_says_what_really_happened() {
    let yes = |word: &str| step(&["decide: yes", ANN, word]);
    holds(&[step(&[LABEL]), yes("expect: executed"), yes("expect: already_counted")]);
    let no = |word: &str| step(&["decide: no", ANN, word]);
    holds(&[step(&[LABEL]), no("expect: rejected"), no("expect: already_counted")]);
    let said = fails(&[step(&[LABEL]), yes("expect: executed"), yes("expect: executed")]);
    assert!(
        said.contains("step 3: the answer about `tickets.label/drop` comes out as `already_counted`"),
        "{said}"
    );
}

#[test]
fn an_earlier_proposal_is_answered_by_its_name() {
    let about = |name: &str, by: &str, word: &str| step(&["decide: yes", name, by, word]);
    holds(&[
        step(&[LABEL, "as: first"]),
        step(&[CLOSE, "as: second"]),
        about("about: first", ANN, "expect: executed"),
        about("about: second", KIM, "expect: executed"),
    ]);
    let said = fails(&[step(&[LABEL, "as: first"]), about("about: frist", ANN, "expect: executed")]);
    assert!(said.contains("no earlier step is called `frist`"), "{said}");
    let later = fails(&[about("about: first", ANN, "expect: executed"), step(&[LABEL, "as: first"])]);
    assert!(later.contains("no earlier step is called `first`"), "{later}");
}

#[test]
fn what_leans_on_another_waits_for_it_and_falls_with_it() {
    let both = [step(&[LABEL, "as: first"]), step(&[CLOSE, "as: second", "depends_on: [first]"])];
    let about = |says: &str, name: &str, by: &str, word: &str| step(&[says, name, by, word]);
    let more = [
        about("decide: yes", "about: second", KIM, "expect: dependency_pending"),
        about("decide: yes", "about: first", ANN, "expect: executed"),
        about("decide: yes", "about: second", KIM, "expect: executed"),
    ];
    holds(&[&both[..], &more].concat());
    let more = [
        about("decide: no", "about: first", ANN, "expect: rejected"),
        about("decide: yes", "about: second", KIM, "expect: action_closed"),
    ];
    holds(&[&both[..], &more].concat());
    let after = [
        step(&[LABEL, "as: first"]),
        about("decide: no", "about: first", ANN, "expect: rejected"),
        step(&[&CLOSE.replace("four_eyes", "dependency_failed"), "depends_on: [first]"]),
    ];
    holds(&after);
}

#[test]
fn one_id_is_one_proposal_and_a_replay_is_nobodys_to_approve() {
    let again = LABEL.replace("expect: confirm", "expect: duplicate_action");
    holds(&[step(&[LABEL, "as: first"]), step(&[&again, "as: first"])]);
    holds(&[
        step(&[LABEL, "replay: true"]),
        step(&["decide: yes", ANN, "expect: replay_not_approvable"]),
        step(&[LABEL]),
        step(&["decide: yes", ANN, "expect: executed"]),
    ]);
}

#[test]
fn a_batch_has_one_answer_and_its_steps_have_none() {
    let batch = format!("batch: [{{{LABEL}, as: first}}, {{{CLOSE}, as: second}}], as: plan");
    holds(&[
        batch.clone(),
        step(&["decide: yes", "about: first", ANN, "expect: part_of_batch"]),
        // The strictest of its steps, and each one's own list, are what the answer must meet.
        step(&["decide: yes", "about: plan", ANN, "expect: approver_not_eligible"]),
        step(&["decide: no", KIM, "expect: approver_not_eligible"]),
    ]);
    let steps = format!("batch: [{{{CLOSE}, as: first}}, {{{CLOSE}}}]");
    let yes = step(&["decide: yes", KIM, "expect: executed"]);
    holds(&[
        steps.clone(),
        yes.clone(),
        step(&["decide: yes", "about: first", KIM, "expect: part_of_batch"]),
    ]);
    let many = format!("batch: [{}]", vec![format!("{{{CLOSE}}}"); 5].join(", "));
    holds(&[format!("{many}, expect: action_cap")]);
    let said = fails(&[many]);
    assert!(
        said.contains(
            "step 1: `tickets.close` comes out as `action_cap`; the test expects its batch to be taken in"
        ),
        "{said}"
    );
    let auto = "batch: [{call: {tool: tickets.search, input: {ticket_id: T-1}}, expect: auto}]".to_owned();
    assert!(fails(&[auto]).contains("`auto` is nothing that comes of a step of a batch"));
}

#[test]
fn a_suspicion_ends_what_waits_and_leaves_one_tool() {
    holds(&[
        step(&[LABEL, "as: first"]),
        "suspect: tickets.close".to_owned(),
        step(&["decide: yes", "about: first", ANN, "expect: action_closed"]),
        step(&[&LABEL.replace("expect: confirm", "expect: suspected_injection")]),
        step(&[CLOSE]),
        step(&["decide: yes", KIM, "expect: executed"]),
    ]);
    let unknown = played(&["suspect: tickets.clsoe".to_owned()]).transcript(&["check"]);
    assert!(unknown.contains("`tickets.clsoe`") && unknown.ends_with("--- exit 1\n"), "{unknown}");
}

#[test]
fn under_the_kill_switch_no_yes_starts_anything() {
    let scratch = played(&[step(&[CLOSE]), step(&["decide: yes", KIM, "expect: ai_disabled"])]);
    scratch.edit(
        "tests/policy/sequence.yaml",
        "ticket_id: T-1}\n    seq",
        "ticket_id: T-1, kill_switch: true}\n    seq",
    );
    let said = scratch.transcript(&["test"]);
    assert!(said.contains("1 test: all as expected"), "{said}");
}

#[test]
fn a_field_that_says_nothing_of_its_step_is_refused() {
    for (parts, said) in [
        ("after: 1h, expect: executed", "`expect` has no place beside `after`"),
        (
            "decide: yes, as: first, by: {person: requester}, expect: executed",
            "`as` has no place beside `decide`",
        ),
        ("suspect: tickets.close, about: first", "`about` has no place beside `suspect`"),
        (
            "batch: [{call: {tool: tickets.close}, expect: four_eyes}], replay: true",
            "`replay` has no place beside `batch`",
        ),
        ("as: first", "a step that is not one of"),
        ("call: {tool: tickets.close}, after: 1h, expect: confirm", "a step that is not one of"),
        ("call: {tool: tickets.close}", "a step with `call` needs `expect`"),
        ("decide: yes, expect: executed", "an answer needs `by`"),
    ] {
        let told = played(&[parts.to_owned()]).transcript(&["check", "--format", "short"]);
        assert!(told.contains(said), "{parts}: {told}");
    }
}

#[test]
fn a_failed_step_names_itself_its_tool_and_a_command_that_runs() {
    let scratch = played(&[
        "call: {tool: tickets.search, input: {ticket_id: T-1}}, expect: auto".to_owned(),
        step(&["decide: yes", KIM, "expect: executed"]),
    ]);
    let said = scratch.transcript(&["test"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("step 2: the answer behind `tickets.search` comes out as `nothing_proposed`"),
        "{said}"
    );
    assert_eq!(pasted(&scratch, &said), Some(0), "{said}");
    let output = scratch.run(&["test", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let failure = &report["tests"][0]["failures"][0];
    assert_eq!((failure["step"].as_u64(), failure["tool"].as_str()), (Some(2), Some("tickets.search")));

    // A case that there is not is told of as it was called, and asked about as the tool.
    let odd = "call: {tool: tickets.label, input: {ticket_id: T-1, method: turn it round}}, expect: confirm";
    let scratch = played(&[odd.to_owned()]);
    let said = scratch.transcript(&["test"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("step 1: `tickets.label/turn it round` comes out as `input_invalid`"), "{said}");
    assert_eq!(pasted(&scratch, &said), Some(0), "{said}");

    let none = played(&[
        step(&["decide: yes", KIM, "expect: executed"]),
        "call: {tool: tickets.search, input: {ticket_id: T-1}}, expect: auto".to_owned(),
    ]);
    let said = none.transcript(&["test"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("step 1: the answer comes out as `nothing_proposed`"), "{said}");
    assert!(!said.contains("harnessc why") && said.contains("put a call before the answer"), "{said}");
}

/// How the `why` that a failure prints exits when it is run as it stands.
fn pasted(scratch: &Scratch, said: &str) -> Option<i32> {
    let (_, rest) = said.split_once("`harnessc ")?;
    let (command, _) = rest.split_once('`')?;
    scratch.run(&command.split(' ').collect::<Vec<_>>()).status.code()
}

#[test]
fn what_may_be_proposed_has_one_name() {
    let capped: Vec<String> = (0..5).map(|_| step(&[CLOSE])).collect();
    let said = played(&capped).transcript(&["test"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("step 5: `tickets.close` comes out as `action_cap`"), "{said}");
    assert!(said.contains("`approvals.max_actions_per_run` is used up"), "{said}");
    let scratch = Scratch::small();
    let call = "call: {tool: tickets.close, input: {ticket_id: T-1, reply: Done.}}";
    scratch.write(
        "tests/policy/spent.yaml",
        &format!("tests:\n  t:\n    run: {{harness: closer, role: desk, ticket_id: T-1, spent: {{actions: 4}}}}\n    {call}\n    expect: four_eyes\n"),
    );
    let said = scratch.transcript(&["test"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("`tickets.close` comes out as `budget_exceeded`"), "{said}");
    assert!(said.contains("`approvals.max_actions_per_run` is used up"), "{said}");
}
