//! What a test can state, each let through and refused.

use harnessc::trial::{Coverage, run};

use super::{small, within};

/// The failures of each test: where it points, what it expected and what is so.
fn failures(tests: &str) -> Vec<String> {
    within(&small(tests), |cx, stand| {
        let outcomes = run(stand, &cx.model.tests, None);
        let told = outcomes.iter().flat_map(|outcome| {
            outcome.failures.iter().map(|failure| {
                let place = cx.tree.sources.slice(failure.at);
                format!("{}: `{place}`: {} / {}", outcome.test.key.value, failure.expected, failure.got)
            })
        });
        told.collect()
    })
}

/// One call of a run; the word that comes of it stands in `expect`.
fn word(run: &str, call: &str) -> String {
    let told =
        failures(&format!("tests:\n  a: {{run: {{{run}}}, call: {{{call}}}, expect: unknown_tool}}\n"));
    told.first().map_or("unknown_tool", |told| told.rsplit(" / ").next().unwrap()).to_owned()
}

#[test]
fn a_call_is_asked_through_every_gate_in_order() {
    let find = "tool: tickets.search, input: {ticket_id: T-1, kind: bug}";
    let desk = "harness: triager, role: desk, surface: desk, ticket_id: T-1";
    for (run, call, expected) in [
        (desk, find, "auto"),
        (desk, "tool: tickets.none", "unknown_tool"),
        (desk, "tool: tickets.old, input: {ticket_id: T-1}", "tool_disabled"),
        (desk, "tool: tickets.close, input: {ticket_id: T-1, reply: x}", "harness_denied"),
        (desk, "tool: tickets.search, input: {ticket_id: T-1, kind: request}", "input_invalid"),
        (desk, "tool: tickets.search", "input_invalid"),
        (desk, "tool: tickets.search, input: {ticket_id: T-2, kind: bug}", "target_mismatch"),
        ("harness: triager, role: desk, surface: desk", find, "target_mismatch"),
        (desk, "tool: tickets.label, input: {ticket_id: T-1, method: add, label: urgent}", "confirm"),
        (desk, "tool: tickets.label, input: {ticket_id: T-1, method: drop, label: urgent}", "harness_denied"),
        (desk, "tool: tickets.label, input: {ticket_id: T-1, method: burn, label: urgent}", "input_invalid"),
    ] {
        assert_eq!(word(run, call), expected, "{run}; {call}");
    }
}

#[test]
fn what_surrounds_a_run_counts() {
    let find = "tool: tickets.search, input: {ticket_id: T-1, kind: bug}";
    let label = "tool: tickets.label, input: {ticket_id: T-1, method: add, label: urgent}";
    let close = "tool: tickets.close, input: {ticket_id: T-1, reply: x}";
    let base = "ticket_id: T-1";
    for (run, call, expected) in [
        ("harness: triager, role: desk, stopped: ended", find, "run_ended"),
        ("harness: triager, role: desk, stopped: cancelled", find, "cancelled"),
        ("harness: triager, role: desk, spent: {time: 44s}", find, "auto"),
        ("harness: triager, role: desk, spent: {time: 45s}", find, "deadline_exceeded"),
        ("harness: triager, role: review", label, "policy_denied"),
        ("harness: triager, role: desk, persona: guest", label, "permission_denied"),
        ("harness: closer, role: desk, surface: desk", close, "four_eyes"),
        ("harness: closer, role: desk, surface: mail", close, "scope_denied"),
        ("harness: closer, role: desk", close, "scope_denied"),
        ("harness: closer, role: desk, read_only: true", label, "read_only_run"),
        ("harness: closer, role: desk, surface: mail, kill_switch: true", label, "ai_disabled"),
        ("harness: closer, role: desk, surface: desk, kill_switch: true", label, "confirm"),
        ("harness: triager, role: desk, plan: proposed", find, "auto"),
        ("harness: triager, role: desk, plan: proposed", label, "plan_violation"),
        ("harness: triager, role: desk, plan: {approved: [tickets.label/add]}", label, "confirm"),
        ("harness: closer, role: desk, plan: {approved: [tickets.close]}", label, "plan_violation"),
        ("harness: triager, role: desk, spent: {steps: 4}", find, "auto"),
        ("harness: triager, role: desk, spent: {steps: 5}", find, "step_cap"),
        ("harness: triager, role: desk, spent: {tool_calls: 9}", find, "budget_exceeded"),
        ("harness: triager, role: desk, spent: {actions: 3}", label, "confirm"),
        ("harness: triager, role: desk, spent: {actions: 4}", label, "budget_exceeded"),
        ("harness: triager, role: desk, spent: {actions: 4}", find, "auto"),
        ("harness: triager, role: desk, spent: {calls: {tickets.label: 1}}", label, "confirm"),
        ("harness: triager, role: desk, spent: {calls: {tickets.label: 2}}", label, "budget_exceeded"),
        ("harness: triager, role: desk, spent: {bytes: {tickets.search: 63KiB}}", find, "auto"),
        ("harness: triager, role: desk, spent: {bytes: {tickets.search: 64KiB}}", find, "budget_exceeded"),
        ("harness: triager, role: desk, spent: {bytes: {tickets.search: 64KiB}}", label, "confirm"),
        ("harness: triager, role: desk, spent: {model_calls: 5}", find, "auto"),
        ("harness: triager, role: desk, spent: {model_calls: 6}", find, "budget_exceeded"),
        ("harness: triager, role: desk, spent: {model_calls: 6}", label, "budget_exceeded"),
        ("harness: triager, role: desk, spent: {tokens: 8999}", find, "auto"),
        ("harness: triager, role: desk, spent: {tokens: 9000}", find, "budget_exceeded"),
        // A token of the cheapest model costs 30 micro-USD here.
        ("harness: triager, role: desk, spent: {cost: 0.499970 USD}", find, "auto"),
        ("harness: triager, role: desk, spent: {cost: 0.499971 USD}", find, "budget_exceeded"),
        ("harness: triager, role: desk, spent: {cost: 0.50 USD}", find, "budget_exceeded"),
        // A gate that is closed before the budget is told first.
        ("harness: triager, role: review, spent: {cost: 0.50 USD}", label, "policy_denied"),
        ("harness: none, role: desk", find, "auto"),
        ("harness: none, role: desk", label, "harness_denied"),
    ] {
        assert_eq!(word(&format!("{run}, {base}"), call), expected, "{run}; {call}");
    }
}

#[test]
fn what_is_spent_empties_a_table_too() {
    let tests = |spent: &str, cell: &str| {
        format!(
            "tests:\n  a:\n    run: {{harness: triager, role: desk, spent: {{{spent}}}}}\n    matrix: {{tickets.search: {cell}}}\n"
        )
    };
    for spent in ["model_calls: 6", "tokens: 9000", "cost: 0.50 USD", "bytes: {tickets.search: 64KiB}"] {
        assert_eq!(failures(&tests(spent, "{}")), Vec::<String>::new(), "{spent}");
    }
    assert_eq!(failures(&tests("model_calls: 5", "{triager: auto}")), Vec::<String>::new());
    let said = failures(&tests("tokens: 9000", "{triager: auto}"));
    assert_eq!(said, ["a: `auto`: auto / budget_exceeded"]);
}

#[test]
fn a_matrix_denies_what_it_leaves_out() {
    let tests = |rows: &str| {
        format!("tests:\n  a:\n    run: {{role: desk, surface: desk}}\n    matrix: {{{rows}}}\n")
    };
    let right = "tickets.search: {triager: auto, closer: auto, none: auto}, tickets.label/drop: {closer: confirm}, tickets.close: {closer: four_eyes}, tickets.old: {}";
    assert_eq!(failures(&tests(right)), Vec::<String>::new());
    assert_eq!(
        failures(&tests(
            "tickets.search: {triager: auto, closer: auto}, tickets.close: {closer: confirm, triager: four_eyes}"
        )),
        [
            "a: `tickets.search`: denied / auto",
            "a: `confirm`: confirm / four_eyes",
            "a: `four_eyes`: four_eyes / harness_denied",
        ]
    );
    assert_eq!(
        failures(&tests("tickets.label: {closer: confirm}")),
        ["a: `tickets.label`: denied / confirm"]
    );
}

#[test]
fn an_exact_list_has_no_more_and_no_less() {
    let tests = |run: &str, lists: &str| format!("tests:\n  a: {{run: {{{run}}}, exactly: {{{lists}}}}}\n");
    let triager = "harness: triager, role: desk";
    let right = "auto: [tickets.search, plan.propose], confirm: [tickets.label/add]";
    assert_eq!(failures(&tests(triager, right)), Vec::<String>::new());
    assert_eq!(
        failures(&tests("harness: none, role: review", "auto: [tickets.search]")),
        Vec::<String>::new()
    );
    assert_eq!(
        failures(&tests(triager, "auto: [tickets.search], confirm: [tickets.label]")),
        ["a: `tickets.label`: confirm / harness_denied"]
    );
    assert_eq!(failures(&tests(triager, "auto: [tickets.search]")), ["a: `a`: denied / confirm"]);
}

#[test]
fn near_misses_are_refused_or_the_test_fails() {
    let tests = |more: &str| {
        format!(
            "tests:\n  a:\n    run: {{harness: closer, role: desk, ticket_id: T-1}}\n    call: {{tool: tickets.search, input: {{ticket_id: T-1, kind: bug, most: 5}}}}\n    expect: auto\n    {more}\n"
        )
    };
    assert_eq!(failures(&tests("needs: [kind, ticket_id]")), Vec::<String>::new());
    assert_eq!(failures(&tests("refuses: [{most: 51}, {ticket_id: T-2}, {extra: 1}]")), Vec::<String>::new());
    assert_eq!(
        failures(&tests("needs: [most]")),
        ["a: `most`: `input_invalid` without `most` / `auto` without `most`"]
    );
    assert_eq!(
        failures(&tests("needs: [title]")),
        [
            "a: `title`: `input_invalid` without `title` / the call of this test does not carry `title`, so leaving it out shows nothing"
        ]
    );
    assert_eq!(
        failures(&tests("refuses: [{most: 50}]")),
        ["a: `{most: 50}`: to be refused for its input or its target / `auto` with these inputs"]
    );
}

#[test]
fn terms_of_a_proposal_are_exact() {
    let tests = |more: &str| {
        format!(
            "tests:\n  a:\n    run: {{harness: closer, role: desk, surface: desk, ticket_id: T-1}}\n    call: {{tool: tickets.close, input: {{ticket_id: T-1, reply: Done.}}}}\n    expect: four_eyes\n    {more}\n"
        )
    };
    assert_eq!(failures(&tests("approvers: [lead]\n    expires_after: 72h")), Vec::<String>::new());
    assert_eq!(
        failures(&tests("approvers: [lead, agent]")),
        ["a: `[lead, agent]`: the approvers `agent`, `lead` / those who may say yes are `lead`"]
    );
    assert_eq!(
        failures(&tests("expires_after: 1h")),
        ["a: `1h`: a proposal to stand 1 h / a proposal stands 72 h"]
    );
}

#[test]
fn a_test_that_cannot_be_asked_says_why() {
    let told = failures(
        "tests:\n  a: {run: {harness: triager}, exactly: {auto: [tickets.search]}}\n  b: {run: {role: desk}, exactly: {}}\n",
    );
    assert_eq!(
        told,
        [
            "a: `a`: `run.role` says which role asks / the policy has the roles desk, review",
            "b: `b`: `run.harness` says who asks / the test names no harness; `none` stands for a run without one",
        ]
    );
}

#[test]
fn coverage_counts_what_is_reached_and_leaves_out_what_nothing_can_bring_about() {
    let tests = "tests:\n  a: {run: {harness: triager, role: desk, ticket_id: T-1}, call: {tool: tickets.close, input: {}}, expect: harness_denied}\n  b: {run: {harness: none, role: desk}, exactly: {auto: [tickets.search]}}\n";
    within(&small(tests), |cx, stand| {
        let coverage = Coverage::of(stand.bundle(), &run(stand, &cx.model.tests, None));
        let names =
            |set: &std::collections::BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!(names(&coverage.harnesses.missed), "closer");
        assert_eq!(names(&coverage.tools.missed), "tickets.close tickets.label");
        assert_eq!(names(&coverage.codes.reached), "harness_denied");
        assert!(
            coverage.codes.missed.contains("tool_disabled") && coverage.codes.missed.contains("step_cap")
        );
        assert_eq!(coverage.cells.total(), 3 * 5);
        assert_eq!(coverage.cells.reached.len(), 1 + 5);
    });
    within(&super::console(), |_, stand| {
        let coverage = Coverage::of(stand.bundle(), &[]);
        assert!(!coverage.codes.missed.contains("tool_disabled"), "the console has no disabled tool");
    });
}

#[test]
fn a_sequence_is_played_on_the_ledger_of_pending_actions() {
    let tests = |steps: &[&str]| {
        let steps: String = steps.iter().map(|step| format!("      - {{{step}}}\n")).collect();
        format!(
            "tests:\n  a:\n    run: {{harness: closer, role: desk, surface: desk, ticket_id: T-1}}\n    sequence:\n{steps}"
        )
    };
    let close = "call: {tool: tickets.close, input: {ticket_id: T-1, reply: Done.}}, expect: four_eyes";
    let yes = |who: &str, expect: &str| {
        format!("decide: yes, by: {{person: {who}, persona: lead}}, expect: {expect}")
    };
    assert_eq!(
        failures(&tests(&[close, &yes("requester", "four_eyes"), &yes("dana", "executed")])),
        Vec::<String>::new()
    );
    assert_eq!(
        failures(&tests(&[
            close,
            "decide: yes, by: {person: dana, persona: agent}, expect: approver_not_eligible"
        ])),
        Vec::<String>::new()
    );
    assert_eq!(
        failures(&tests(&[
            close,
            "decide: no, by: {person: dana, persona: lead}, expect: rejected",
            &yes("kim", "action_closed")
        ])),
        Vec::<String>::new()
    );
    assert_eq!(failures(&tests(&[close, "after: 71h", &yes("dana", "executed")])), Vec::<String>::new());
    assert_eq!(failures(&tests(&[close, "after: 73h", &yes("dana", "expired")])), Vec::<String>::new());
    assert_eq!(
        failures(&tests(&[close, "after: 73h", &yes("dana", "executed")])),
        ["a: `executed`: executed / expired"]
    );
    let search = "call: {tool: tickets.search, input: {ticket_id: T-1, kind: bug}}, expect: auto";
    assert_eq!(
        failures(&tests(&[search, &yes("dana", "executed")])),
        ["a: `executed`: executed / nothing_proposed"]
    );
}
