//! Every denial code at its place in the order: all gates before it open, all gates after it closed (C5, C7, E4).

use harnessc_runtime::audit::{Datum, Field};
use harnessc_runtime::boundary::{Ending, Mode, Overlay, Permit, Ruling, Unreadable};
use harnessc_runtime::decide::{Code, Gate};
use harnessc_runtime::lock::{Approval, Effect, Limits, Lock, Pinned, RunLimits};
use harnessc_runtime::prove;
use harnessc_runtime::upstream::Upstreams;

use super::world::{NOW, Planned, Seen, World};
use crate::common::{bundle, raw};

/// Spoils what one code is about, and nothing else.
fn spoil(world: &mut World, code: Code) {
    match code {
        Code::RunNotFound => world.run = Ok(false),
        Code::RunUnreadable => world.run = Err(Unreadable),
        Code::LockMissing => world.created_held = false,
        Code::HarnessMismatch => world.claimed_run = "run-2",
        Code::RunEnded => world.ended = Some(Ending::Completed),
        Code::Cancelled => world.ended = Some(Ending::Cancelled),
        Code::DeadlineExceeded => (world.now_ms, world.high_water_ms) = (NOW + 60_000, NOW + 60_000),
        Code::ClockUnsure => world.high_water_ms = world.now_ms + 1,
        Code::UnknownTool => world.tool = "records.invented",
        Code::ToolDisabled => {
            world.both(|lock| lock.tools.get_mut("records.propose").unwrap().enabled = false)
        }
        Code::UpstreamDrift => {
            world.both(elsewhere);
            world.seen = Seen::As(r#"{"name":"propose","annotations":{"readOnlyHint":true}}"#);
        }
        Code::UpstreamUnseen => {
            world.both(elsewhere);
            world.seen = Seen::Never;
        }
        Code::OverlayUnreadable => world.overlay = Overlay::parse(b"{\"loosen\":true}"),
        Code::PolicyDenied => world.role = "reader",
        Code::HarnessDenied => world.harness = Some("lead"),
        Code::PermissionDenied => world.permissions = Ok(vec![]),
        Code::PermissionsUnreadable => world.permissions = Err(Unreadable),
        Code::ScopeDenied => {
            world.both(|lock| {
                lock.tools.get_mut("records.propose").unwrap().surfaces = Some(vec!["desk".to_owned()])
            });
        }
        Code::ReadOnlyRun => world.mode = Mode::Resume,
        Code::AiDisabled => world.kill_switch = Err(Unreadable),
        Code::PlanViolation => world.plan = Planned::Proposed,
        Code::PlanUnreadable => world.plan = Planned::Unreadable,
        Code::InputInvalid => world.input = r#"{"program_id":"PRG-7","secret":1}"#.to_owned(),
        Code::InputUnchecked => world.unchecked(),
        Code::TargetMismatch => world.values.clear(),
        Code::LockConflict => elsewhere(&mut world.in_force),
        Code::BudgetExceeded => world.both(|lock| cap(lock, |run| run.tool_calls = Some(0))),
        Code::StepCap => world.both(|lock| cap(lock, |run| run.steps = Some(0))),
        Code::BudgetUnreadable => world.ledger = Err(Unreadable),
        Code::ApprovalUnavailable => {
            World::approvers(&mut world.created, &["scientist"]);
            World::approvers(&mut world.in_force, &["lead"]);
        }
    }
}

fn cap(lock: &mut Lock, change: impl Fn(&mut RunLimits)) {
    let limits = lock.limits.get_or_insert_with(Limits::default);
    change(limits.run.get_or_insert_with(RunLimits::default));
}

/// The tool is carried out by an outside server from now on.
pub(super) fn elsewhere(lock: &mut Lock) {
    let pinned = raw(r#"{"name":"propose","annotations":{"readOnlyHint":false}}"#);
    let tool = lock.tools.get_mut("records.propose").unwrap();
    tool.server = Some(Pinned {
        hints: harnessc_runtime::lock::Hints { read_only: Some(false), ..Default::default() },
        name: "desk".to_owned(),
        pinned_digest: pinned.digest(),
        pinned,
        upstream: "propose".to_owned(),
    });
    lock.effective = prove::table::effective(lock);
}

#[test]
fn with_every_gate_open_a_write_is_proposed_and_never_runs() {
    let decided = World::open().ask();
    let Ruling::Propose(proposal) = decided.ruling else { panic!("a proposal: {decided:?}") };
    assert_eq!(decided.event.name, "agent_run.tool_proposed");
    assert_eq!(proposal.approval, Approval::Confirm);
    assert_eq!(proposal.approvers, Some(vec!["lead".to_owned(), "scientist".to_owned()]));
    let subject = &proposal.subject;
    assert_eq!(subject.input.canonical(), r#"{"program_id":"PRG-7"}"#);
    assert_eq!(subject.target["program_id"], "\"PRG-7\"");
    assert_eq!((subject.tool.as_str(), subject.effect), ("records.propose", Effect::Write));
    assert!(subject.cell_digest.starts_with("sha256:"));
}

#[test]
fn every_code_is_said_at_its_place_with_its_event() {
    for code in Code::ALL.iter().copied() {
        let alone = World::open().but(|world| spoil(world, code)).ask();
        assert_denied(&alone, code, "alone");
        let mut world = World::open();
        for later in Gate::ALL.into_iter().filter(|gate| *gate > code.gate()) {
            spoil(&mut world, later.usual());
        }
        // The later gates are closed indeed: without this code, a later one is said.
        if code.gate() != Gate::Approval {
            let Ruling::Deny(refusal) = world.clone().ask().ruling else { panic!("{code:?}") };
            assert!(refusal.denial.gate > code.gate(), "{code:?}: {refusal:?}");
        }
        spoil(&mut world, code);
        assert_denied(&world.ask(), code, "with every later gate closed");
    }
}

fn assert_denied(decided: &harnessc_runtime::boundary::Decided, code: Code, when: &str) {
    let Ruling::Deny(refusal) = &decided.ruling else { panic!("{code:?} {when}: {decided:?}") };
    assert_eq!(refusal.denial.code, code.code(), "{when}");
    assert_eq!(decided.event.name, code.event());
    assert_eq!(*decided.event.fields.get(&Field::Code).unwrap(), Datum::Word(code.code()));
    assert_eq!(*decided.event.fields.get(&Field::Gate).unwrap(), Datum::Word(code.gate().word()));
    assert_eq!(*decided.event.fields.get(&Field::Verdict).unwrap(), Datum::Word("deny"));
    assert!(harnessc_runtime::audit::Record::facts(&decided.event).is_ok(), "{:?}", decided.event);
    let told = format!("{:?} {:?}", decided.event, refusal.denial.reason);
    for payload in ["PRG-7", "secret", "records.invented"] {
        assert!(!told.contains(payload), "{code:?} tells {payload}");
    }
}

#[test]
fn a_denied_call_reserves_nothing() {
    for code in Code::ALL.iter().copied().filter(|code| *code != Code::BudgetUnreadable) {
        let mut world = World::open().but(|world| spoil(world, code));
        let before = world.ledger.clone();
        drop(world.ask());
        assert_eq!(world.ledger, before, "{code:?}");
    }
}

/// C5: each of the five things that a token claims is compared.
#[test]
fn the_claim_gate_compares_all_five() {
    use harnessc_runtime::boundary::{
        Boundary, Bounds, Call, Claims, Conditions, DeedNames, Lifecycle, NameKey, PlanState, RunState,
    };
    let world = World::open();
    let (locks, key) = (world.locks(), NameKey::new([7; 32]));
    let permissions = DeedNames::of(["memory.recall"], &locks);
    let row = RunState {
        acting_user: "person-1",
        harness: Some("chemist"),
        id: "run-1",
        lifecycle: Lifecycle::begun(NOW),
        lock: locks.in_force().digest(),
        mode: Mode::Work,
        organization: "org-1",
        permissions: Ok(&permissions),
        personas: &[],
        plan: Ok(PlanState::None),
        requester: "person-1",
        role: "console",
        values: &world.values,
    };
    let right = Claims {
        audience: "tools",
        harness: Some("chemist"),
        organization: "org-1",
        role: "console",
        run: "run-1",
        scopes: &[],
    };
    let overlay = Overlay::none().unwrap();
    let conditions = Conditions {
        high_water_ms: NOW,
        kill_switch: Ok(false),
        now_ms: Ok(NOW),
        overlay: Ok(&overlay),
        upstreams: Upstreams::UNSEEN,
    };
    let boundary = Boundary { audience: "tools", bounds: Bounds::default(), key: &key, locks: &locks };
    let call = Call { input: b"{}", surface: Some("mcp"), tool: "memory.recall" };
    let ask = |claims: &Claims<'_>| {
        let mut ledger = harnessc_runtime::boundary::Ledger::default();
        match boundary.check(Ok(Some(&row)), claims, &call, &conditions, Ok(&mut ledger)).ruling {
            Ruling::Deny(refusal) => refusal.denial.code,
            Ruling::Allow(Permit::Read(_)) => "allow",
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(ask(&right), "allow");
    for wrong in [
        Claims { audience: "other", ..right },
        Claims { harness: Some("lead"), ..right },
        Claims { harness: None, ..right },
        Claims { organization: "org-2", ..right },
        Claims { role: "review", ..right },
        Claims { run: "run-2", ..right },
    ] {
        assert_eq!(ask(&wrong), "harness_mismatch");
    }
    // What a run may do is listed under the same claims.
    let names = |claims: &Claims<'_>| {
        let list = boundary.list(Ok(Some(&row)), claims, Some("mcp"), &conditions);
        list.map(|list| list.into_iter().map(|shown| shown.name).collect::<Vec<_>>())
    };
    assert_eq!(names(&right).unwrap(), ["memory.recall"]);
    assert_eq!(names(&Claims { run: "run-2", ..right }).unwrap_err().code, "harness_mismatch");
    let unsure = Conditions { overlay: Err(Unreadable), ..conditions };
    assert_eq!(
        boundary.list(Ok(Some(&row)), &right, Some("mcp"), &unsure).unwrap_err().code,
        "overlay_unreadable"
    );
}

/// D8: a turn that resumes after a yes has the scopes that the surface leaves it, and reads.
#[test]
fn a_resumed_turn_reads_within_what_is_left() {
    let search = |mode, scopes| {
        let mut world = World::open().but(|world| {
            (world.tool, world.mode, world.scopes) = ("records.search", mode, scopes);
            world.surface = Some("desk");
        });
        match world.ask().ruling {
            Ruling::Allow(Permit::Read(permit)) => permit.tool().to_owned(),
            Ruling::Deny(refusal) => refusal.denial.code.to_owned(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(search(Mode::Resume, &["desk:read", "desk:write"]), "records.search");
    assert_eq!(search(Mode::Resume, &["desk:write"]), "scope_denied");
    for mode in Mode::ALL.into_iter().filter(|mode| *mode != Mode::Work) {
        let mut world = World::open().but(|world| world.mode = mode);
        let Ruling::Deny(refusal) = world.ask().ruling else { panic!("{mode:?} writes") };
        assert_eq!(refusal.denial.code, "read_only_run");
    }
}

/// D2, THREATS: a create runs at once only from inside, through a permit of its own, and counts as an action.
#[test]
fn an_auto_create_counts_and_never_comes_from_outside() {
    let mut inside = World::open().but(|world| {
        (world.tool, world.input) = ("records.draft", "{}".to_owned());
        (world.surface, world.scopes) = (Some("desk"), &["desk:write"]);
        world.both(|lock| lock.approvals.max_actions_per_run = Some(2));
    });
    for _ in 0..2 {
        let Ruling::Allow(Permit::Create(permit)) = inside.ask().ruling else { panic!("a create") };
        assert_eq!(
            (permit.subject().tool.as_str(), permit.subject().effect),
            ("records.draft", Effect::Create)
        );
    }
    let Ruling::Deny(refusal) = inside.ask().ruling else { panic!("the third") };
    assert_eq!(refusal.denial.code, "budget_exceeded");
    let mut outside = inside.but(|world| {
        (world.surface, world.ledger) = (Some("mcp"), Ok(Default::default()));
    });
    let Ruling::Propose(proposal) = outside.ask().ruling else { panic!("a proposal") };
    assert_eq!(proposal.approval, Approval::Confirm);
}

/// S10: the switch stops what is no read and comes from outside, and nothing else.
#[test]
fn the_kill_switch_leaves_reads_and_the_inside() {
    for (tool, input, surface, scopes, expected) in [
        ("records.search", r#"{"program_id":"PRG-7"}"#, "mcp", &[][..], "allow"),
        ("records.propose", r#"{"program_id":"PRG-7"}"#, "mcp", &[][..], "ai_disabled"),
        ("records.draft", "{}", "mcp", &[][..], "ai_disabled"),
        ("records.propose", r#"{"program_id":"PRG-7"}"#, "desk", &["desk:write"][..], "propose"),
    ] {
        for switch in [Ok(true), Err(Unreadable)] {
            let mut world = World::open().but(|world| {
                (world.tool, world.input, world.kill_switch) = (tool, input.to_owned(), switch);
                (world.surface, world.scopes) = (Some(surface), scopes);
            });
            let said = match world.ask().ruling {
                Ruling::Allow(_) => "allow",
                Ruling::Deny(refusal) => refusal.denial.code,
                Ruling::Propose(_) => "propose",
            };
            assert_eq!(said, expected, "{tool} from {surface} under {switch:?}");
        }
    }
}

/// THREATS, "validated is not executed": what two readers would read in two ways goes no further.
#[test]
fn ambiguous_bytes_are_refused_and_the_canonical_ones_go_on() {
    let fault = |input: &str| {
        let mut world = World::open().but(|world| world.input = input.to_owned());
        let Ruling::Deny(refusal) = world.ask().ruling else { panic!("{input}") };
        assert_eq!(refusal.denial.code, "input_invalid");
        refusal.fault.unwrap().to_string()
    };
    assert_eq!(
        fault(r#"{"program_id":"PRG-7","program_id":"PRG-8"}"#),
        "at the input: expected each key of an object once"
    );
    assert_eq!(
        fault(r#"{"program_id":9007199254740993}"#),
        "at the input: expected numbers within ±(2^53 − 1)"
    );
    assert_eq!(
        fault(r#"{"\u0024serde_json::private::RawValue":"{}"}"#),
        "at the input: expected no key that begins with `$serde_json::private::`"
    );
    assert_eq!(fault("[]"), "at the input: expected an object");
    assert_eq!(fault("\u{feff}{}"), "at the input: expected one JSON value in UTF-8");
    assert_eq!(fault(&" ".repeat((1 << 20) + 1)), "at the input: expected at most 1048576 bytes");
    let spaced =
        World::open().but(|world| world.input = "{ \"program_id\" : \"PRG\\u002d7\" }".to_owned()).ask();
    let Ruling::Propose(proposal) = spaced.ruling else { panic!("a proposal") };
    assert_eq!(proposal.subject.input.canonical(), r#"{"program_id":"PRG-7"}"#);
}

/// Binding: a bound input is required, and is the run's value to the byte.
#[test]
fn a_bound_input_is_the_runs_own_value() {
    for (input, expected) in [
        (r#"{"program_id":"PRG-8"}"#, "target_mismatch"),
        (r#"{"program_id":"prg-7"}"#, "target_mismatch"),
        (r#"{"program_id":null}"#, "target_mismatch"),
        (r#"{"program_id":["PRG-7"]}"#, "target_mismatch"),
        ("{}", "input_invalid"),
    ] {
        let mut world = World::open().but(|world| world.input = input.to_owned());
        let Ruling::Deny(refusal) = world.ask().ruling else { panic!("{input}") };
        assert_eq!(refusal.denial.code, expected, "{input}");
    }
}

/// What a ruling hands to the room of actions is what that room makes an action of.
#[test]
fn a_ruling_is_handed_over_to_actions_under_its_own_lock_alone() {
    use harnessc_runtime::actions::{Origins, PersonId, Requester};
    let origins = || Origins {
        requester: Requester::Machine("schedule-1".to_owned()),
        ..Origins::person(PersonId::new("person-1"))
    };
    let mut world = World::open();
    let locks = world.locks();
    let propose = |world: &mut World| match world.ask_of(&locks).ruling {
        Ruling::Propose(proposal) => *proposal,
        other => panic!("{other:?}"),
    };
    let proposal = propose(&mut world);
    let cell_digest = proposal.subject.cell_digest.clone();
    let (action, _reservation) = proposal.hand_over(locks.in_force(), origins(), None).unwrap();
    assert_eq!(action.target, r#"{"program_id":"PRG-7"}"#);
    assert_eq!((action.cell.deed(), action.approval), ("records.propose".to_owned(), Approval::Confirm));
    assert_eq!((action.cell_digest, action.expires_after_ms), (cell_digest, Some(259_200_000)));
    let own = locks.get(bundle(&world.created).digest()).unwrap();
    assert!(propose(&mut world).hand_over(own, origins(), None).is_none());

    let mut world = World::open().but(|world| {
        (world.tool, world.input) = ("records.draft", "{}".to_owned());
        (world.surface, world.scopes) = (Some("desk"), &["desk:write"]);
    });
    let Ruling::Allow(Permit::Create(permit)) = world.ask_of(&locks).ruling else { panic!("a create") };
    assert!(permit.hand_over(locks.in_force(), origins(), None).is_ok());
}

/// What an outside server carries out says which server that is.
#[test]
fn nothing_is_handed_over_to_an_outside_server_without_an_address() {
    use harnessc_runtime::actions::{Origins, PersonId};
    let origins = || Origins::person(PersonId::new("person-1"));
    let mut world = World::open().but(|world| world.both(elsewhere));
    let locks = world.locks();
    let mut hand_over = |address: Option<&str>| {
        let Ruling::Propose(proposal) = world.ask_of(&locks).ruling else { panic!("a proposal") };
        proposal.hand_over(locks.in_force(), origins(), address.map(str::to_owned))
    };
    assert!(hand_over(None).is_none());
    let (action, _reservation) = hand_over(Some("https://desk.example")).unwrap();
    assert_eq!(action.execution.address.as_deref(), Some("https://desk.example"));
}

/// Where the lock says how a server is reached, nothing else carries the deed out, and a lock that moves it is in conflict.
#[test]
fn a_server_that_moved_is_another_executor() {
    use harnessc_runtime::actions::{Origins, PersonId};
    fn at(lock: &mut Lock, url: &str) {
        elsewhere(lock);
        lock.servers.get_mut("desk").unwrap().url = Some(url.to_owned());
    }
    const HERE: &str = "https://desk.example/mcp";
    let mut world = World::open().but(|world| world.both(|lock| at(lock, HERE)));
    let locks = world.locks();
    let mut hand_over = |address: Option<&str>| {
        let Ruling::Propose(proposal) = world.ask_of(&locks).ruling else { panic!("a proposal") };
        assert_eq!(proposal.subject.execution.address.as_deref(), Some(HERE));
        let origins = Origins::person(PersonId::new("person-1"));
        proposal.hand_over(locks.in_force(), origins, address.map(str::to_owned))
    };
    for address in [None, Some(HERE)] {
        let (action, _reservation) = hand_over(address).unwrap();
        assert_eq!(action.execution.address.as_deref(), Some(HERE));
    }
    assert!(hand_over(Some("https://other.example/mcp")).is_none());

    let mut moved = World::open().but(|world| {
        at(&mut world.created, HERE);
        at(&mut world.in_force, "https://other.example/mcp");
    });
    let Ruling::Deny(refusal) = moved.ask().ruling else { panic!("a refusal") };
    assert_eq!(refusal.denial.code, "lock_conflict");
}

/// An error inside any gate denies: whatever the server cannot look up, alone or together with anything else.
#[test]
fn every_doubt_and_every_set_of_doubts_denies() {
    const DOUBTS: [fn(&mut World); 7] = [
        |world| world.run = Err(Unreadable),
        |world| world.high_water_ms = u64::MAX,
        |world| world.overlay = Err(Unreadable),
        |world| world.permissions = Err(Unreadable),
        |world| world.plan = Planned::Unreadable,
        |world| world.kill_switch = Err(Unreadable),
        |world| world.ledger = Err(Unreadable),
    ];
    let (checked, unchecked) = (World::open().locks(), World::open().but(World::unchecked).locks());
    for set in 0_u32..1 << DOUBTS.len() {
        for (locks, is_sure) in [(&checked, set == 0), (&unchecked, false)] {
            let mut world = World::open();
            let doubts = DOUBTS.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
            doubts.for_each(|(_, spoil)| spoil(&mut world));
            let denied = matches!(world.ask_of(locks).ruling, Ruling::Deny(_));
            assert_eq!(denied, !is_sure, "{set:b}");
        }
    }
}
