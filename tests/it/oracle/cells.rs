//! Every cell of a tree, the naive reading beside the runtime.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::Bundle;
use harnessc_runtime::decide::{Call, DeedSet, Gate, Listed, Person, Plan, RunRow, Verdict};

use super::policy::{Policy, Words};
use super::verdict::{Asked, Expected, Planned};

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// Calls.
    pub(crate) calls: u64,
    /// Of these, allowed.
    pub(crate) allowed: u64,
    /// Of these, proposals.
    pub(crate) proposed: u64,
    /// Lists.
    pub(crate) lists: u64,
}

/// A plan that stands open for every deed of `steps`, in both tongues.
struct Plans {
    words: Words,
    deeds: DeedSet,
}

/// One person, in both tongues.
struct Who {
    words: Option<Words>,
    person: Person,
}

/// Compares every cell. Ends the test at the first list or call where they differ.
pub(crate) fn compare(policy: &Policy, bundle: &Bundle) -> Count {
    let mut count = Count::default();
    let plans = plans(policy, bundle);
    let people = people(policy, bundle);
    let scopes = scopes(policy);
    let mut harnesses: Vec<Option<&str>> = policy.harnesses.keys().map(|key| Some(key.as_str())).collect();
    harnesses.extend([None, Some("no such harness")]);
    let roles = policy.roles.keys().map(String::as_str).chain(["no such role"]);
    for role in roles {
        for harness in &harnesses {
            for who in &people {
                for (surface, scopes) in &scopes {
                    for read_only in [false, true] {
                        let asked = Asked {
                            harness: *harness,
                            role,
                            person: who.words.as_ref(),
                            plan: Planned::None,
                            surface: surface.as_deref(),
                            scopes,
                            read_only,
                        };
                        run(policy, bundle, &asked, &who.person, &plans, &mut count);
                    }
                }
            }
        }
    }
    count
}

/// One run: its list, and every call under every state of its plan.
fn run(
    policy: &Policy,
    bundle: &Bundle,
    asked: &Asked<'_>,
    person: &Person,
    plans: &[Plans],
    count: &mut Count,
) {
    let row = RunRow {
        harness: asked.harness,
        person,
        plan: Plan::None,
        read_only: asked.read_only,
        role: asked.role,
        scopes: asked.scopes,
        surface: asked.surface,
    };
    list(policy, bundle, asked, &row, count);
    calls(policy, bundle, asked, &row, count);
    calls(
        policy,
        bundle,
        &Asked { plan: Planned::Proposed, ..*asked },
        &RunRow { plan: Plan::Proposed, ..row },
        count,
    );
    for plan in plans {
        let asked = Asked { plan: Planned::Approved(&plan.words), ..*asked };
        let row = RunRow { plan: Plan::Approved { steps: &plan.deeds }, ..row };
        calls(policy, bundle, &asked, &row, count);
    }
}

fn list(policy: &Policy, bundle: &Bundle, asked: &Asked<'_>, row: &RunRow<'_>, count: &mut Count) {
    let listed = bundle.tools_list(row);
    let found: Vec<String> = listed.iter().flat_map(deeds_of).collect();
    let expected: Vec<String> = in_order(policy).filter(|name| policy.listed(asked, name)).collect();
    assert_eq!(found, expected, "the list of {asked:?}");
    for (name, cell) in listed.iter().flat_map(|listed| deeds_of(listed).into_iter().zip(&listed.cells)) {
        narrowed(policy, asked, &name, cell);
    }
    count.lists += 1;
}

fn calls(policy: &Policy, bundle: &Bundle, asked: &Asked<'_>, row: &RunRow<'_>, count: &mut Count) {
    // `Bundle::check_call` makes this run anew for each call; the agreement of lists and calls asks that one.
    let run = bundle.run(row);
    for (name, deed) in &policy.deeds {
        let found = run.check(&Call { case: deed.case.as_deref(), tool: &deed.tool });
        let expected = policy.call(asked, name, deed);
        assert!(same(&found, &expected), "{name} of {asked:?}: {found:?}, and the page says {expected:?}");
        count.calls += 1;
        count.allowed += u64::from(expected == Expected::Allow);
        count.proposed += u64::from(matches!(expected, Expected::Propose(..)));
    }
    let with_cases: BTreeSet<&str> =
        policy.deeds.values().filter(|deed| deed.case.is_some()).map(|deed| deed.tool.as_str()).collect();
    for tool in with_cases {
        for case in [None, Some("no such case"), Some("")] {
            let found = run.check(&Call { case, tool });
            let expected = policy.call_no_case(asked, tool);
            assert!(same(&found, &expected), "{tool} with {case:?} of {asked:?}: {found:?}, {expected:?}");
            count.calls += 1;
        }
    }
    let unknown = run.check(&Call { case: None, tool: "no.such.tool" });
    assert!(same(&unknown, &Expected::Deny("unknown_tool")), "{unknown:?}");
    count.calls += 1;
}

fn same(found: &Verdict<'_>, expected: &Expected<'_>) -> bool {
    match (found, expected) {
        (Verdict::Allow, Expected::Allow) => true,
        (Verdict::Deny(denial), Expected::Deny(code)) => denial.code == *code,
        (Verdict::Propose { approval, approvers }, Expected::Propose(word, who)) => {
            approval.word() == *word
                && approvers.map(|names| names.iter().collect::<Vec<_>>())
                    == who.map(|who| who.iter().collect())
        }
        _ => false,
    }
}

/// The narrowing names the inputs the harness narrows, and where it is one list of words, those words.
fn narrowed(policy: &Policy, asked: &Asked<'_>, name: &str, cell: &harnessc_runtime::lock::Cell) {
    let held = asked.harness.and_then(|key| policy.harnesses[key].held.get(name));
    let only = held.map(|held| held.only.clone()).unwrap_or_default();
    assert!(only.keys().eq(cell.only.keys()), "{name} of {asked:?}: {:?}", cell.only);
    for (input, schemas) in only {
        let [serde_yaml::Value::Sequence(words)] = schemas.as_slice() else { continue };
        let words: BTreeSet<&str> = words.iter().map(|word| word.as_str().unwrap()).collect();
        let schema: serde_json::Value = serde_json::from_str(cell.only[&input].as_str()).unwrap();
        let values = schema["enum"].as_array().unwrap_or_else(|| panic!("{name}: {schema}"));
        let values: BTreeSet<&str> = values.iter().map(|value| value.as_str().unwrap()).collect();
        assert_eq!(words, values, "{name} of {asked:?}");
    }
}

/// Deeds in the fixed order of a list: by tool name, then by case.
fn in_order(policy: &Policy) -> impl Iterator<Item = String> {
    let sorted: BTreeMap<_, _> =
        policy.deeds.iter().map(|(name, deed)| ((&deed.tool, &deed.case), name.clone())).collect();
    sorted.into_values()
}

pub(crate) fn deeds_of(listed: &Listed<'_>) -> Vec<String> {
    if listed.cases.is_empty() {
        return vec![listed.name.to_owned()];
    }
    listed.cases.iter().map(|case| format!("{}/{case}", listed.name)).collect()
}

/// Two halves of the registry: whatever a deed is, one plan has a step for it and the other has none.
fn plans(policy: &Policy, bundle: &Bundle) -> Vec<Plans> {
    let half = |odd: usize| {
        let words: Words = policy
            .deeds
            .keys()
            .enumerate()
            .filter(|(at, _)| at % 2 == odd)
            .map(|(_, deed)| deed.clone())
            .collect();
        Plans { deeds: bundle.deeds(words.iter().map(String::as_str)), words }
    };
    vec![half(0), half(1)]
}

/// Every persona, and one person who may do nothing. A tree without personas checks none.
fn people(policy: &Policy, bundle: &Bundle) -> Vec<Who> {
    if policy.personas.is_empty() {
        return vec![Who { words: None, person: bundle.anyone().unwrap() }];
    }
    let persona = |(key, words): (&String, &Words)| Who {
        words: Some(words.clone()),
        person: bundle.persona(key).unwrap(),
    };
    let mut people: Vec<Who> = policy.personas.iter().map(persona).collect();
    people.push(Who { words: Some(Words::new()), person: bundle.person([]) });
    people
}

/// No surface, one that nobody stated, and each with no scope, every single one, and all.
fn scopes(policy: &Policy) -> Vec<(Option<String>, Vec<&str>)> {
    let mut all = vec![(None, Vec::new()), (Some("no such surface".to_owned()), Vec::new())];
    for (key, surface) in &policy.surfaces {
        let stated: Vec<&str> = surface.scopes.iter().flatten().map(|(scope, _)| scope.as_str()).collect();
        all.push((Some(key.clone()), Vec::new()));
        if surface.scopes.is_some() {
            all.push((Some(key.clone()), vec!["no such scope"]));
            all.extend(stated.iter().map(|scope| (Some(key.clone()), vec![*scope])));
            all.push((Some(key.clone()), stated));
        }
    }
    all
}

/// What a run is shown and what it may call are one thing: whatever is listed is closed by no gate that a list asks,
/// and what a call gets through is listed. The naive reading has no part in this.
pub(crate) fn list_and_call_agree(policy: &Policy, bundle: &Bundle) -> u64 {
    let mut compared = 0;
    for role in policy.roles.keys() {
        for harness in policy.harnesses.keys().map(|key| Some(key.as_str())).chain([None]) {
            for who in people(policy, bundle) {
                for (surface, scopes) in scopes(policy) {
                    for read_only in [false, true] {
                        let row = RunRow {
                            harness,
                            person: &who.person,
                            plan: Plan::None,
                            read_only,
                            role,
                            scopes: &scopes,
                            surface: surface.as_deref(),
                        };
                        compared += agree(policy, bundle, &row);
                    }
                }
            }
        }
    }
    compared
}

fn agree(policy: &Policy, bundle: &Bundle, row: &RunRow<'_>) -> u64 {
    let listed: BTreeSet<String> = bundle.tools_list(row).iter().flat_map(deeds_of).collect();
    for plan in [Plan::None, Plan::Proposed] {
        let row = RunRow { plan, ..*row };
        for (name, deed) in &policy.deeds {
            let verdict = bundle.check_call(&row, &Call { case: deed.case.as_deref(), tool: &deed.tool });
            let shown = listed.contains(name);
            let agrees = match verdict {
                Verdict::Allow | Verdict::Propose { .. } => shown,
                // Only the plan stands between a list and its calls.
                Verdict::Deny(denial) => shown == (denial.gate == Gate::Plan),
            };
            assert!(agrees, "{name}, listed: {shown}, of {row:?}: {verdict:?}");
        }
    }
    policy.deeds.len() as u64
}
