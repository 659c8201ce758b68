//! The record of a decision: no payload, and enough to decide it again under another lock (issue point 5, E10).

use harnessc_runtime::audit::{Chain, Datum, Event, Field, append, open, read_line};
use harnessc_runtime::boundary::{Mode, Ruling, Unreadable, redecide};
use harnessc_runtime::decide::{Code, Gate};
use harnessc_runtime::lock::{Effect, Lock};
use harnessc_runtime::prove;

use super::world::{NOW, Planned, World};
use crate::common::bundle;

/// What a scientist may do, no more and no less.
fn scientist() -> Vec<&'static str> {
    let scientist = World::open().in_force.personas["scientist"].bundle.clone();
    scientist.into_iter().map(|name| &*name.leak()).collect()
}

/// Worlds that differ in everything a lock decides on. The person is a scientist.
fn worlds() -> Vec<World> {
    let scientist = scientist();
    let mut all = Vec::new();
    for harness in [Some("chemist"), Some("lead"), None, Some("ghost")] {
        for role in ["console", "reader", "review", "ghost"] {
            for (surface, scopes) in [
                (Some("desk"), &["desk:read"][..]),
                (Some("desk"), &["desk:write", "odd"]),
                (Some("mcp"), &[]),
                (None, &[]),
            ] {
                for plan in
                    [Planned::None, Planned::Proposed, Planned::Steps(&["records.propose", "labels.edit"])]
                {
                    for (mode, killed) in [(Mode::Work, false), (Mode::Viewer, false), (Mode::Work, true)] {
                        all.push(World::open().but(|world| {
                            world.created = world.in_force.clone();
                            (world.harness, world.role, world.plan, world.mode) = (harness, role, plan, mode);
                            (world.surface, world.scopes, world.kill_switch) = (surface, scopes, Ok(killed));
                            world.permissions = Ok(scientist.clone());
                        }));
                    }
                }
            }
        }
    }
    all
}

const CALLS: [(&str, &str); 6] = [
    ("records.search", r#"{"program_id":"PRG-7"}"#),
    ("records.propose", r#"{"program_id":"PRG-7"}"#),
    ("labels.edit", r#"{"method":"update"}"#),
    ("labels.edit", r#"{"method":"delete"}"#),
    ("records.draft", "{}"),
    ("tickets.list", "{}"),
];

fn said(ruling: &Ruling) -> (&'static str, Option<Code>) {
    match ruling {
        Ruling::Allow(_) => ("allow", None),
        Ruling::Deny(refusal) => ("deny", Code::of(refusal.denial.code)),
        Ruling::Propose(_) => ("propose", None),
    }
}

/// Every world's calls under one lock: what was recorded, and what was said.
fn decided(lock: &Lock) -> Vec<(Event, (&'static str, Option<Code>))> {
    let sample = World::open().but(|world| (world.created, world.in_force) = (lock.clone(), lock.clone()));
    let locks = sample.locks();
    let mut all = Vec::new();
    for mut world in worlds() {
        (world.created, world.in_force) = (lock.clone(), lock.clone());
        for (tool, input) in CALLS {
            (world.tool, world.input) = (tool, input.to_owned());
            let decided = world.ask_of(&locks);
            all.push((decided.event, said(&decided.ruling)));
        }
    }
    all
}

#[test]
fn a_record_decides_again_what_was_decided_and_what_would_be() {
    let before = World::open().in_force;
    let mut after = before.clone();
    let harness = after.harnesses.get_mut("chemist").unwrap();
    harness
        .toolset
        .retain(|mention| mention.tool != "records.draft" && mention.case.as_deref() != Some("create"));
    after.surfaces.get_mut("mcp").unwrap().origin = None;
    after.roles.get_mut("review").unwrap().effects = None;
    after.effective = prove::table::effective(&after);
    let (own, other) = (bundle(&before), bundle(&after));
    let mut flips = 0;
    let (_, head) = open(Chain::Trail, "org-1", 1).unwrap();
    for ((event, was), (_, would_be)) in decided(&before).iter().zip(decided(&after)) {
        // A harness or role that the lock does not know is no key, and cannot be decided again by it.
        let Some(again) = redecide(event, &own) else {
            let is_keyed = |field| matches!(event.fields.get(&field), Some(Datum::Digest(_)));
            assert!(is_keyed(Field::Role) || is_keyed(Field::Harness), "{event:?}");
            continue;
        };
        assert_eq!((again.verdict, again.code), *was, "{event:?}");
        let under_other = redecide(event, &other).unwrap();
        // The stored chain is enough: a line that was read back decides alike.
        let (record, _) = append(&head, event, 2).unwrap();
        let stored = read_line(&record.line()).unwrap();
        assert_eq!((redecide(&stored, &own), redecide(&stored, &other)), (Some(again), Some(under_other)));
        assert_eq!((under_other.verdict, under_other.code), would_be, "{event:?}");
        flips += usize::from(would_be != *was);
    }
    assert!(flips > 50, "{flips}");
}

#[test]
fn what_no_lock_decides_stays_as_it_was() {
    let lock = bundle(&World::open().in_force);
    for (spoiled, gate) in [
        (World::open().but(|world| world.run = Ok(false)), Gate::RunRow),
        (World::open().but(|world| world.claimed_run = "run-2"), Gate::Claim),
        (World::open().but(|world| world.high_water_ms = u64::MAX), Gate::Lifecycle),
    ] {
        let mut spoiled = spoiled;
        let again = redecide(&spoiled.ask().event, &lock).unwrap();
        assert_eq!(again.code.map(Code::gate), Some(gate));
        assert!(again.is_certain);
    }
    let spent = World::open().but(|world| world.values.clear()).ask();
    let again = redecide(&spent.event, &lock).unwrap();
    assert_eq!((again.code, again.is_certain), (Some(Code::TargetMismatch), false));
    assert_eq!(redecide(&Event::new("policy.updated"), &lock), None);
}

#[test]
fn decided_again_under_its_own_lock_nothing_flips() {
    let sample = World::open().but(|world| world.created = world.in_force.clone());
    let (locks, own) = (sample.locks(), bundle(&sample.in_force));
    let mut resumed = 0;
    for mode in Mode::ALL {
        for harness in [Some("chemist"), Some("lead"), None] {
            for (surface, scopes) in [
                (Some("desk"), &["desk:read"][..]),
                (Some("desk"), &["desk:write"]),
                (Some("desk"), &["desk:read", "desk:write"]),
                (Some("desk"), &[]),
                (Some("mcp"), &[]),
                (None, &[]),
            ] {
                for (tool, input) in CALLS {
                    let mut world = sample.clone().but(|world| {
                        (world.harness, world.mode, world.permissions) = (harness, mode, Ok(scientist()));
                        (world.surface, world.scopes) = (surface, scopes);
                        (world.tool, world.input) = (tool, input.to_owned());
                    });
                    let decided = world.ask_of(&locks);
                    let again = redecide(&decided.event, &own).unwrap();
                    assert_eq!((again.verdict, again.code), said(&decided.ruling), "{:?}", decided.event);
                    let asked = match &decided.ruling {
                        Ruling::Propose(proposal) => Some(proposal.approval),
                        _ => None,
                    };
                    assert_eq!(again.approval, asked);
                    // The scope was granted, and a turn that resumes is not left it.
                    let lost = mode == Mode::Resume && scopes == ["desk:write"];
                    resumed += usize::from(lost && again.code == Some(Code::ScopeDenied));
                }
            }
        }
    }
    assert!(resumed > 0);
}

#[test]
fn a_deadline_is_certain_under_its_own_lock_alone() {
    let mut late =
        World::open().but(|world| (world.now_ms, world.high_water_ms) = (NOW + 60_000, NOW + 60_000));
    late.created = late.in_force.clone();
    let mut longer = late.in_force.clone();
    longer.limits.as_mut().unwrap().run.as_mut().unwrap().deadline_ms = Some(120_000);
    let own = bundle(&late.in_force);
    let event = late.ask().event;
    for (lock, is_certain) in [(own, true), (bundle(&longer), false)] {
        let again = redecide(&event, &lock).unwrap();
        assert_eq!((again.code, again.is_certain), (Some(Code::DeadlineExceeded), is_certain));
    }
}

#[test]
fn what_could_not_be_looked_up_is_in_doubt_under_any_lock() {
    let lock = bundle(&World::open().in_force);
    for (spoiled, code) in [
        (World::open().but(|world| world.overlay = Err(Unreadable)), Code::OverlayUnreadable),
        (World::open().but(|world| world.permissions = Err(Unreadable)), Code::PermissionsUnreadable),
        (World::open().but(|world| world.plan = Planned::Unreadable), Code::PlanUnreadable),
    ] {
        let mut spoiled = spoiled;
        let again = redecide(&spoiled.ask().event, &lock).unwrap();
        assert_eq!((again.verdict, again.code, again.is_certain), ("deny", Some(code), true));
    }
}

#[test]
fn a_proposal_decided_again_says_how_strictly_a_yes_would_be_asked_for() {
    let asked = World::open().ask();
    let Ruling::Propose(proposal) = &asked.ruling else { panic!("{:?}", asked.ruling) };
    let again = redecide(&asked.event, &bundle(&World::open().in_force)).unwrap();
    assert_eq!((again.verdict, again.approval), ("propose", Some(proposal.approval)));
}

/// A record names a case of its own lock. Where another lock has other cases, or tells them apart by another input, nobody
/// knows which of them it would have been, nor whether the person may do it or the plan named it.
#[test]
fn a_case_that_the_other_lock_does_not_have_makes_nothing_certain() {
    let before = World::open().in_force;
    let mut renamed = before.clone();
    let cases = renamed.tools.get_mut("labels.edit").unwrap().cases.as_mut().unwrap();
    let to = |case: String| match case.as_str() {
        "create" => "make".to_owned(),
        "delete" => "remove".to_owned(),
        _ => "relabel".to_owned(),
    };
    cases.by = std::mem::take(&mut cases.by).into_iter().map(|(case, deed)| (to(case), deed)).collect();
    "color".clone_into(&mut cases.input);
    renamed.tools.get_mut("labels.edit").unwrap().input = crate::common::raw(
        r#"{"type":"object","properties":{"color":{"enum":["make","relabel","remove"]},
        "method":{"enum":["create","delete","update"]}},"required":["color"],"unevaluatedProperties":false}"#,
    );
    for harness in renamed.harnesses.values_mut() {
        harness.toolset.iter_mut().for_each(|held| held.case = held.case.take().map(to));
        harness.toolset.sort_by_key(|held| held.deed());
    }
    for persona in renamed.personas.values_mut() {
        for name in &mut persona.bundle {
            if let Some((tool, case)) = name.clone().split_once('/') {
                *name = format!("{tool}/{}", to(case.to_owned()));
            }
        }
        persona.bundle.sort();
    }
    let tools = &mut renamed.approvals.approvers.as_mut().unwrap().tools;
    *tools = std::mem::take(tools).into_values().map(|who| ("labels.edit/remove".to_owned(), who)).collect();
    let desk = renamed.surfaces.get_mut("desk").unwrap();
    desk.after_approval = None;
    desk.scopes.as_mut().unwrap().get_mut("desk:read").unwrap().effects =
        vec![Effect::Read, Effect::Create, Effect::Write];
    renamed.effective = prove::table::effective(&renamed);
    // The same cases, told apart by another input.
    let mut moved = renamed.clone();
    moved.tools.insert("labels.edit".to_owned(), {
        let mut tool = before.tools["labels.edit"].clone();
        tool.cases.as_mut().unwrap().input = "color".to_owned();
        tool.input = crate::common::raw(
            r#"{"type":"object","properties":{"color":{"enum":["create","delete","update"]},
            "method":{"enum":["create","delete","update"]}},"required":["color"],"unevaluatedProperties":false}"#,
        );
        tool
    });
    moved.harnesses.clone_from(&before.harnesses);
    moved.personas.clone_from(&before.personas);
    moved.approvals.clone_from(&before.approvals);
    moved.effective = prove::table::effective(&moved);

    let own = |world: &mut World| {
        world.created = world.in_force.clone();
        (world.tool, world.input) = ("labels.edit", r#"{"method":"update"}"#.to_owned());
        (world.surface, world.scopes) = (Some("desk"), &["desk:write"]);
        world.permissions = Ok(vec!["labels.edit/update", "records.search"]);
    };
    for (what, change) in [
        ("propose", (|_| ()) as fn(&mut World)),
        ("scope_denied", |world| world.scopes = &["desk:read"]),
        ("permission_denied", |world| world.permissions = Ok(vec!["records.search"])),
        ("propose", |world| world.plan = Planned::Steps(&["labels.edit/update"])),
        ("plan_violation", |world| world.plan = Planned::Steps(&["labels.edit/create"])),
    ] {
        let mut world = World::open().but(own).but(change);
        let decided = world.ask();
        let (verdict, code) = said(&decided.ruling);
        assert_eq!(code.map_or(verdict, Code::code), what);
        for (lock, with) in [(&renamed, "renamed"), (&moved, "moved")] {
            let again = redecide(&decided.event, &bundle(lock)).unwrap();
            assert!(!again.is_certain && !again.is_refused, "{what}, {with}: {again:?}");
        }
        // Under its own lock all of it is known.
        let again = redecide(&decided.event, &bundle(&before)).unwrap();
        assert_eq!((again.verdict, again.code), (verdict, code));
    }
}

/// E10, THREATS: a name from outside the lock and every input enter as keyed digests.
#[test]
fn names_and_inputs_from_outside_are_keyed() {
    let fields = |change: fn(&mut World)| World::open().but(change).ask().event.fields;
    for (field, change) in [
        (Field::Tool, (|world| world.tool = "patients.smith") as fn(&mut World)),
        (Field::Role, |world| world.role = "patients.smith"),
        (Field::Harness, |world| world.harness = Some("patients.smith")),
        (Field::Surface, |world| world.surface = Some("patients.smith")),
        (Field::Run, |world| (world.run, world.claimed_run) = (Ok(false), "patients.smith")),
    ] {
        let fields = fields(change);
        assert!(
            matches!(fields.get(&field).unwrap(), Datum::Digest(digest) if digest.starts_with("hmac-sha256:")),
            "{field:?}: {fields:?}"
        );
        assert!(!format!("{fields:?}").contains("smith"), "{field:?}");
    }
    let input = fields(|world| world.input = r#"{ "program_id" : "PRG-7" }"#.to_owned());
    assert_eq!(*input.get(&Field::Input).unwrap(), *fields(|_| ()).get(&Field::Input).unwrap());
    assert_ne!(
        *input.get(&Field::Input).unwrap(),
        Datum::Digest(harnessc_runtime::lock::digest_of(br#"{"program_id":"PRG-7"}"#))
    );
    assert_eq!(*input.get(&Field::InputValid).unwrap(), Datum::Flag(true));
    let known = fields(|world| world.scopes = &["patients.smith"]);
    assert!(!format!("{known:?}").contains("smith"));
}
