//! Over every run and every call of the small lock: list and call agree with each other, and both with an oracle that
//! reads the declared sets in its own plain way.

use std::collections::BTreeSet;

use harnessc_runtime::Bundle;
use harnessc_runtime::decide::{Call, Gate, Person, Plan, RunRow, Verdict};
use harnessc_runtime::lock::{Approval, Effect, Lock, Origin, Returns, RoleTools};

use crate::common::{bundle, small};

/// The gates that are asked without a boundary.
const ANSWERED: [Gate; 9] = [
    Gate::Known,
    Gate::Enabled,
    Gate::Role,
    Gate::Harness,
    Gate::Person,
    Gate::SurfaceScope,
    Gate::ReadOnly,
    Gate::Plan,
    Gate::Input,
];
const HARNESSES: [Option<&str>; 5] = [Some("chemist"), Some("lead"), None, Some("ghost"), Some("-")];
const ROLES: [&str; 4] = ["console", "reader", "review", "ghost"];
const PERSONS: [&[&str]; 4] = [
    &[
        "documents.fetch",
        "evidence.lint",
        "labels.edit/create",
        "memory.recall",
        "records.draft",
        "records.old",
        "records.propose",
        "records.search",
    ],
    &["labels.edit", "records.erase", "tickets.list", "memory.recall", "unknown"],
    &["memory.recall", "records.search"],
    &[],
];
const SURFACES: [(Option<&str>, &[&str]); 6] = [
    (None, &[]),
    (Some("desk"), &["desk:read"]),
    (Some("desk"), &["desk:read", "desk:write", "ghost"]),
    (Some("desk"), &[]),
    (Some("mcp"), &["desk:write"]),
    (Some("ghost"), &["desk:read"]),
];
const CALLS: [(&str, Option<&str>); 16] = [
    ("documents.fetch", None),
    ("evidence.lint", None),
    ("labels.edit", Some("create")),
    ("labels.edit", Some("delete")),
    ("labels.edit", Some("update")),
    ("labels.edit", Some("rename")),
    ("labels.edit", None),
    ("memory.recall", None),
    ("memory.recall", Some("create")),
    ("records.draft", None),
    ("records.erase", None),
    ("records.old", None),
    ("records.propose", None),
    ("records.search", None),
    ("tickets.list", None),
    ("Records.search", None),
];
/// The plan's steps; `None`: no plan, empty: one that is only proposed.
const PLANS: [Option<&[&str]>; 3] = [None, Some(&[]), Some(&["records.propose", "labels.edit/create"])];

#[derive(Clone, Copy)]
struct World {
    harness: Option<&'static str>,
    role: &'static str,
    person: &'static [&'static str],
    surface: Option<&'static str>,
    scopes: &'static [&'static str],
    read_only: bool,
    plan: Option<&'static [&'static str]>,
}

fn worlds() -> impl Iterator<Item = World> {
    HARNESSES.into_iter().flat_map(|harness| {
        ROLES.into_iter().flat_map(move |role| {
            PERSONS.into_iter().flat_map(move |person| {
                SURFACES.into_iter().flat_map(move |(surface, scopes)| {
                    [false, true].into_iter().flat_map(move |read_only| {
                        PLANS.map(|plan| World { harness, role, person, surface, scopes, read_only, plan })
                    })
                })
            })
        })
    })
}

/// Asks the bundle in this world.
fn ask<T>(bundle: &Bundle, world: World, question: impl FnOnce(&RunRow<'_>) -> T) -> T {
    let person: Person = bundle.person(world.person.iter().copied());
    let steps = bundle.deeds(world.plan.unwrap_or_default().iter().copied());
    let plan = match world.plan {
        None => Plan::None,
        Some([]) => Plan::Proposed,
        Some(_) => Plan::Approved { steps: &steps },
    };
    let World { harness, role, surface, scopes, read_only, .. } = world;
    question(&RunRow { harness, person: &person, plan, read_only, role, scopes, surface })
}

fn said(verdict: Verdict<'_>) -> String {
    match verdict {
        Verdict::Allow => "allow".to_owned(),
        Verdict::Deny(denial) => denial.code.to_owned(),
        Verdict::Propose { approval, approvers } => format!("{} {approvers:?}", approval.word()),
    }
}

/// The same answer from the declared sets alone, in plain strings.
fn oracle(lock: &Lock, world: World, tool: &str, case: Option<&str>) -> String {
    let Some(entry) = lock.tools.get(tool) else { return "unknown_tool".to_owned() };
    let cases: Vec<Option<&str>> = match &entry.cases {
        None => vec![None],
        Some(cases) => cases.by.keys().map(|key| Some(key.as_str())).collect(),
    };
    if cases.contains(&case) {
        return of_deed(lock, world, tool, case);
    }
    let answers = cases.iter().map(|case| of_deed(lock, world, tool, *case));
    let place = |answer: &String| {
        Gate::ALL.iter().position(|gate| gate != &Gate::Approval && gate.codes().contains(&answer.as_str()))
    };
    let furthest = answers.max_by_key(|answer| place(answer).unwrap_or(usize::MAX)).unwrap();
    if place(&furthest).is_some() { furthest } else { "input_invalid".to_owned() }
}

fn of_deed(lock: &Lock, world: World, tool: &str, case: Option<&str>) -> String {
    let entry = &lock.tools[tool];
    let deed = case.map_or(tool.to_owned(), |case| format!("{tool}/{case}"));
    let own = case.map(|case| &entry.cases.as_ref().unwrap().by[case]);
    let effect = own.map_or(entry.effect, |own| own.effect);
    let names = |list: &[&str]| list.contains(&deed.as_str()) || list.contains(&tool);
    if !entry.enabled {
        return "tool_disabled".to_owned();
    }
    let role = lock.roles.get(world.role).is_some_and(|role| {
        let listed = match &role.tools {
            RoleTools::HarnessToolset => true,
            RoleTools::List(list) => list.contains(&deed),
        };
        let effects = role.effects.clone().unwrap_or(Effect::ALL.to_vec());
        listed && effects.contains(&effect) && (entry.returns != Returns::Prose || role.reads_untrusted)
    });
    if !role {
        return "policy_denied".to_owned();
    }
    let mention = world.harness.and_then(|key| lock.harnesses.get(key)).and_then(|harness| {
        harness.toolset.iter().find(|mention| mention.tool == tool && mention.case.as_deref() == case)
    });
    let viewers = lock.personas.values().filter(|persona| !persona.harness);
    let viewed: BTreeSet<&String> = viewers.flat_map(|persona| &persona.bundle).collect();
    let held = match world.harness {
        Some(_) => mention.is_some(),
        None => viewed.contains(&deed) && effect == Effect::Read,
    };
    if !held {
        return "harness_denied".to_owned();
    }
    if !names(world.person) {
        return "permission_denied".to_owned();
    }
    let surface = world.surface.map(|key| lock.surfaces.get(key));
    let served = match (&entry.surfaces, world.surface) {
        (_, Some(key)) if !lock.surfaces.contains_key(key) => false,
        (None, _) => true,
        (Some(surfaces), Some(key)) => surfaces.iter().any(|surface| surface == key),
        (Some(_), None) => false,
    };
    let scoped = surface.flatten().and_then(|surface| surface.scopes.as_ref()).is_none_or(|scopes| {
        world
            .scopes
            .iter()
            .filter_map(|scope| scopes.get(*scope))
            .any(|scope| scope.effects.contains(&effect))
    });
    let some_scopes = lock.surfaces.values().any(|surface| surface.scopes.is_some());
    let scoped = if world.surface.is_none() { !some_scopes } else { scoped };
    if !served || !scoped {
        return "scope_denied".to_owned();
    }
    if effect != Effect::Read && (world.read_only || world.harness.is_none()) {
        return "read_only_run".to_owned();
    }
    let skills = world.harness.and_then(|key| lock.harnesses.get(key)).map(|harness| &harness.skills);
    let exempt = lock.approvals.always_allowed.contains(&deed)
        || skills.into_iter().flatten().any(|skill| lock.skills[skill].tool.as_ref() == Some(&deed));
    if world.plan.is_some_and(|steps| !exempt && !names(steps)) {
        return "plan_violation".to_owned();
    }
    let stated =
        [entry.approval, own.and_then(|own| own.approval), mention.and_then(|mention| mention.approval)];
    let mut approval =
        stated.into_iter().flatten().chain([lock.approvals.at_least.of(effect)]).max().unwrap();
    let outside = surface.flatten().is_some_and(|surface| surface.origin == Some(Origin::Outside));
    if outside && effect != Effect::Read {
        approval = approval.max(Approval::Confirm);
    }
    let approvers = lock.approvals.approvers.as_ref().unwrap();
    let list = match approval {
        Approval::Auto => return "allow".to_owned(),
        Approval::Confirm => &approvers.confirm,
        Approval::FourEyes => &approvers.four_eyes,
    };
    format!("{} {:?}", approval.word(), Some(approvers.tools.get(&deed).unwrap_or(list).as_slice()))
}

#[test]
fn the_bundle_agrees_with_the_oracle_everywhere() {
    let lock = small();
    let bundle = bundle(&lock);
    let mut seen = BTreeSet::new();
    for world in worlds() {
        for (tool, case) in CALLS {
            let expected = oracle(&lock, world, tool, case);
            let answer = ask(&bundle, world, |row| said(bundle.check_call(row, &Call { case, tool })));
            assert_eq!(answer, expected, "{tool} {case:?} for {:?} as {}", world.harness, world.role);
            seen.insert(answer.split(' ').next().unwrap().to_owned());
        }
    }
    // Every answer that can be given was given.
    let codes = ANSWERED.iter().map(|gate| gate.code());
    let all: BTreeSet<String> = codes.chain(["allow", "confirm", "four_eyes"]).map(str::to_owned).collect();
    assert_eq!(seen, all);
}

#[test]
fn what_is_listed_is_what_a_call_without_a_plan_may_do() {
    let lock = small();
    let bundle = bundle(&lock);
    for world in worlds() {
        ask(&bundle, world, |row| {
            let listed: BTreeSet<(String, Option<String>)> =
                bundle.tools_list(row).iter().fold(BTreeSet::new(), |mut all, tool| {
                    assert_eq!(tool.cells.len(), tool.cases.len().max(1));
                    let cases = tool.cases.iter().map(|case| Some((*case).to_owned()));
                    let none = tool.cases.is_empty().then_some(None);
                    all.extend(cases.chain(none).map(|case| (tool.name.to_owned(), case)));
                    all
                });
            let unplanned = RunRow { plan: Plan::None, ..*row };
            for (tool, case) in CALLS {
                let open = !matches!(bundle.check_call(&unplanned, &Call { case, tool }), Verdict::Deny(_));
                let shown = listed.contains(&(tool.to_owned(), case.map(str::to_owned)));
                assert_eq!(open, shown, "{tool} {case:?}");
            }
        });
    }
}

#[test]
fn the_first_closed_gate_of_a_trace_is_the_denial() {
    let lock = small();
    let bundle = bundle(&lock);
    for world in worlds() {
        for (tool, case) in CALLS {
            ask(&bundle, world, |row| {
                let run = bundle.run(row);
                let call = Call { case, tool };
                let trace = run.trace(&call);
                assert!(trace.iter().map(|answer| answer.gate).eq(Gate::ALL));
                let closed = trace.iter().find(|answer| answer.open == Some(false)).map(|answer| answer.gate);
                match run.check(&call) {
                    Verdict::Allow => assert_eq!(closed, None),
                    Verdict::Propose { .. } => assert_eq!(closed, Some(Gate::Approval)),
                    // A call without a case may end before its input is looked at.
                    Verdict::Deny(denial) if closed != Some(Gate::Input) => {
                        assert_eq!(closed, Some(denial.gate))
                    }
                    Verdict::Deny(denial) => assert!(denial.gate <= Gate::Input),
                }
            });
        }
    }
}
