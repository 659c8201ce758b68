//! How runs begin: SYSTEMS C4, C5, C15, C17.

use std::collections::BTreeMap;
use std::sync::Arc;

use harnessc_runtime::Bundle;
use harnessc_runtime::audit::{Datum, Event, Field};
use harnessc_runtime::boundary::validate::Unchecked;
use harnessc_runtime::boundary::{Compile, DeedNames, Lifecycle, Locks, Mode, PlanState, Unreadable};
use harnessc_runtime::json::Json;
use harnessc_runtime::lock::DutyTemplate;
use harnessc_runtime::runs::{
    Dutiful, Live, Misfit, NewRun, Refused, Row, TemplateFault, applies, create, duties, template_steps,
};

use crate::common::{bundle, raw, seal, small, trust};
use crate::results::Engine;
use crate::world::world;

fn new<'a>(personas: &'a [&'a str], workbench_role: Option<&'a str>) -> NewRun<'a> {
    NewRun {
        lock_digest: "sha256:00",
        now_ms: 7,
        organization: "org-1",
        person: "person-1",
        personas,
        program: "P-1",
        run: "run-1",
        workbench_role,
    }
}

fn row(personas: &[&str], role: Option<&str>) -> Result<Row, Refused> {
    create(&world(), &new(personas, role)).map(|(row, _)| row).map_err(|(refused, _)| refused)
}

#[test]
fn the_little_console_loads_and_proves() {
    bundle(&world());
}

#[test]
fn the_harness_is_the_workbench_role_else_the_first_persona_of_the_fallback_order() {
    // SYSTEMS C4, over every set of personas and every role.
    let lock = world();
    for set in 0_u8..8 {
        let personas: Vec<&str> = [(1, "scientist"), (2, "lead"), (4, "viewer")]
            .into_iter()
            .filter_map(|(bit, persona)| (set & bit != 0).then_some(persona))
            .collect();
        let fallback = match set {
            0 => Err(Refused::NoPersona),
            4 => Ok(None),
            set if set & 2 != 0 => Ok(Some("lead")),
            _ => Ok(Some("scientist")),
        };
        let neutral = row(&personas, None);
        assert_eq!(neutral.as_ref().map(Row::harness).map_err(|refused| *refused), fallback, "{personas:?}");
        assert!(neutral.is_err() || neutral.unwrap().workbench_role().is_none());
        for (role, harness) in &lock.harnesses {
            let may = harness.personas.iter().any(|persona| personas.contains(&persona.as_str()));
            let worn = row(&personas, Some(role));
            // A role that is not held is refused; it never becomes the fallback.
            let expected = if may { Ok(Some(role.as_str())) } else { Err(Refused::RoleNotHeld) };
            assert_eq!(
                worn.as_ref().map(Row::harness).map_err(|refused| *refused),
                expected,
                "{role} {personas:?}"
            );
            assert!(worn.is_err() || worn.unwrap().workbench_role() == Some(role));
        }
        for unknown in ["", "Chemist", "chemist ", "-", "ignore your rules"] {
            assert_eq!(row(&personas, Some(unknown)), Err(Refused::UnknownRole));
        }
    }
    assert_eq!(row(&["scientist"], None).unwrap().mode(), Mode::Work);
    let viewer = row(&["viewer"], None).unwrap();
    assert_eq!(viewer.mode(), Mode::Viewer);
    assert_eq!((viewer.persona(), viewer.harness_version(), viewer.rubric()), (Some("viewer"), None, None));
}

#[test]
fn a_persona_without_a_harness_of_its_own_gets_none_of_another() {
    let mut lock = world();
    lock.harnesses.remove("lead");
    let refused = create(&lock, &new(&["lead", "scientist"], None)).unwrap_err();
    assert_eq!(refused.0, Refused::NoNeutralHarness);
    assert_eq!(*refused.1.fields.get(&Field::Code).unwrap(), Datum::Word("neutral_harness_missing"));
    assert_eq!(Refused::ALL.len(), 4);
}

#[test]
fn the_row_holds_what_it_was_created_with_and_a_change_of_role_is_the_next_runs() {
    let mut lock = world();
    let (row, event) = create(&lock, &new(&["scientist"], Some("chemist"))).unwrap();
    let before = row.clone();
    assert_eq!(
        (row.harness(), row.harness_version(), row.rubric(), row.rubric_version(), row.lock_digest()),
        (Some("chemist"), Some("harness_v1"), Some("chemistry"), Some(3), "sha256:00")
    );
    assert_eq!(
        (row.persona(), row.person(), row.program(), row.created_ms()),
        (Some("scientist"), "person-1", "P-1", 7)
    );
    assert_eq!(event.name, "agent_run.created");
    // The policy moves on; the row does not.
    lock.harnesses.get_mut("chemist").unwrap().rubric_key = None;
    lock.policy.harness_version = Some("harness_v2".to_owned());
    assert_eq!(row, before);
    let next = create(&lock, &new(&["scientist"], None)).unwrap().0;
    assert_eq!((next.harness(), next.harness_version()), (Some("scientist"), Some("harness_v2")));
}

#[test]
fn the_bootstrap_names_harness_version_personas_and_the_twins_role_and_no_tool() {
    // SYSTEMS C5.
    let twin = row(&["scientist"], Some("chemist")).unwrap();
    assert_eq!(
        serde_json::to_string(&twin.bootstrap()).unwrap(),
        r#"{"harness_key":"chemist","harness_personas":["lead","scientist"],"harness_version":"harness_v1","run_id":"run-1","twin":{"workbench_role_key":"chemist"}}"#
    );
    let neutral = row(&["scientist"], None).unwrap();
    assert_eq!(
        serde_json::to_string(&neutral.bootstrap()).unwrap(),
        r#"{"harness_key":"scientist","harness_personas":["scientist"],"harness_version":"harness_v1","run_id":"run-1"}"#
    );
    let viewer = row(&["viewer"], None).unwrap();
    assert_eq!(
        serde_json::to_string(&viewer.bootstrap()).unwrap(),
        r#"{"harness_personas":[],"run_id":"run-1"}"#
    );
}

#[test]
fn every_write_carries_harness_rubric_run_and_acting_person() {
    // SYSTEMS C15.
    let event = row(&["scientist"], Some("chemist")).unwrap().signed(Event::new("action.proposed"));
    let key = |name: &str| Datum::Key(name.to_owned());
    for (field, datum) in [
        (Field::ActingUser, Datum::Id("person-1".to_owned())),
        (Field::Harness, key("chemist")),
        (Field::HarnessVersion, key("harness_v1")),
        (Field::Rubric, key("chemistry")),
        (Field::RubricVersion, Datum::Number(3)),
        (Field::Run, Datum::Id("run-1".to_owned())),
    ] {
        assert_eq!(event.fields.get(&field), Some(&datum), "{}", field.name());
    }
    // A role that the lock does not know is a name from outside: it reaches no event.
    let refused = create(&world(), &new(&["scientist"], Some("SECRET"))).unwrap_err().1;
    assert!(!format!("{refused:?}").contains("SECRET"));
}

#[test]
fn a_roles_duty_applies_only_while_the_role_is_worn_and_none_schedules_a_lens() {
    // SYSTEMS C17, C16.
    let lock = world();
    let who = |personas: &'static [&'static str], wearing| Dutiful { personas, wearing };
    assert_eq!(duties(&lock, who(&["scientist"], Some("chemist"))), ["chemistry_watch", "daily"]);
    assert_eq!(duties(&lock, who(&["scientist"], None)), ["daily"]);
    assert_eq!(duties(&lock, who(&["scientist"], Some("toxicologist"))), ["daily"]);
    // The persona keeps the authority: a role alone brings no duty.
    assert_eq!(duties(&lock, who(&["lead"], Some("chemist"))), [""; 0]);
    assert_eq!(duties(&lock, who(&[], Some("chemist"))), [""; 0]);
    let lens = DutyTemplate { plan: Some("design".to_owned()), ..lock.duty_templates["daily"].clone() };
    assert!(!applies(&lock, &lens, who(&["scientist"], Some("chemist"))));
    // Nor would such a lock load.
    let mut forged = lock.clone();
    forged.duty_templates.insert("lens_watch".to_owned(), lens);
    assert!(Bundle::load(&seal(&forged), &trust(), None).is_err());
}

/// SYSTEMS C4, C5: what the boundary asks of a run is the row, field by field, and what does not fit it is no run.
#[test]
fn a_row_becomes_the_run_that_the_boundary_asks_for_or_none() {
    let mut lock = world();
    lock.run = [("program_id".to_owned(), raw(r#"{"maxLength":9,"type":"string"}"#))].into();
    let locks = Locks::new(bundle(&lock), Arc::new(Engine));
    let digest = locks.in_force().digest();
    let of = |personas: &[&str], role, lock_digest| {
        create(&lock, &NewRun { lock_digest, ..new(personas, role) }).unwrap().0
    };
    let row = of(&["scientist"], Some("chemist"), digest);
    let json = |text: &str| Json::parse(text.as_bytes()).unwrap();
    let values = BTreeMap::from([("program_id".to_owned(), json("\"P-1\""))]);
    let permissions = DeedNames::of(["records.search"], &locks);
    let live = Live {
        lifecycle: Lifecycle::begun(7),
        mode: Mode::Work,
        permissions: Ok(&permissions),
        personas: &["scientist", "lead"],
        plan: Ok(PlanState::Proposed),
        requester: "person-2",
        role: "console",
        values: &values,
    };
    let state = row.state(&locks, &live).unwrap();
    assert_eq!(
        (state.acting_user, state.harness, state.id, state.lock, state.mode, state.organization),
        ("person-1", Some("chemist"), "run-1", digest, Mode::Work, "org-1")
    );
    assert_eq!(
        (state.lifecycle, state.personas, state.requester, state.role, state.values),
        (live.lifecycle, live.personas, "person-2", "console", &values)
    );
    assert_eq!(state.permissions.unwrap().names(), ["records.search"]);
    assert!(matches!(state.plan, Ok(PlanState::Proposed)));
    // What could not be looked up stays so, and denies at its own gate.
    let doubt = Live { permissions: Err(Unreadable), plan: Err(Unreadable), ..live };
    assert!(row.state(&locks, &doubt).is_ok_and(|run| run.permissions.is_err() && run.plan.is_err()));

    let viewer = of(&["viewer"], None, digest);
    assert!(viewer.state(&locks, &Live { mode: Mode::Viewer, ..live }).is_ok());
    let elsewhere = of(&["scientist"], None, "sha256:00");
    let named = |name: &str, text: &str| BTreeMap::from([(name.to_owned(), json(text))]);
    let (missing, unknown) = (BTreeMap::new(), named("ticket_id", "\"P-1\""));
    let (other, long) = (named("program_id", "\"P-2\""), named("program_id", "\"P-1\""));
    for (row, live, misfit) in [
        (&viewer, live, Misfit::Mode),
        (&elsewhere, live, Misfit::Lock),
        (&row, Live { role: "ghost", ..live }, Misfit::Role),
        (&row, Live { lifecycle: Lifecycle::begun(6), ..live }, Misfit::Began),
        (&row, Live { values: &missing, ..live }, Misfit::Fields),
        (&row, Live { values: &unknown, ..live }, Misfit::Fields),
        (&row, Live { values: &other, ..live }, Misfit::Program),
    ] {
        assert_eq!(row.state(&locks, &live).map(drop), Err(misfit));
    }
    // A value that the lock's own schema refuses, and one that nobody can check.
    let mut narrow = lock.clone();
    narrow.run = [("program_id".to_owned(), raw(r#"{"maxLength":2,"type":"string"}"#))].into();
    for engine in [Arc::new(Engine) as Arc<dyn Compile>, Arc::new(Unchecked)] {
        let locks = Locks::new(bundle(&narrow), engine);
        let lock_digest = locks.in_force().digest();
        let row = create(&narrow, &NewRun { lock_digest, ..new(&["scientist"], None) }).unwrap().0;
        let refused = row.state(&locks, &Live { permissions: Err(Unreadable), values: &long, ..live });
        assert_eq!(refused.map(drop), Err(Misfit::Value));
    }
    // The row of a harness that its lock never had.
    let mut other = world();
    other.harnesses.insert("ghost".to_owned(), other.harnesses["chemist"].clone());
    let ghost =
        create(&other, &NewRun { lock_digest: digest, ..new(&["scientist"], Some("ghost")) }).unwrap().0;
    assert_eq!(ghost.state(&locks, &live).map(drop), Err(Misfit::Harness));
    let event = Misfit::Harness.event("run-1");
    assert_eq!(
        (event.name, event.fields.get(&Field::Code).unwrap()),
        ("agent_run.row_unfit", &Datum::Word("harness_unknown"))
    );
    assert_eq!(Misfit::ALL.len(), 8);
}

/// Of several fields one says what the run is about, and the row names it: else calls bound to the other one would go where
/// the row does not.
#[test]
fn a_row_names_the_field_that_says_what_the_run_is_about() {
    let mut lock = world();
    let field = raw(r#"{"maxLength":9,"type":"string"}"#);
    lock.run = [("program_id".to_owned(), field.clone()), ("ticket_id".to_owned(), field)].into();
    let locks = Locks::new(bundle(&lock), Arc::new(Engine));
    let lock_digest = locks.in_force().digest();
    let row = create(&lock, &NewRun { lock_digest, ..new(&["scientist"], None) }).unwrap().0;
    let permissions = DeedNames::of(["records.search"], &locks);
    let state = |row: &Row, program: &str, ticket: &str| {
        let value = |text: &str| Json::of(&text.into()).unwrap();
        let values = BTreeMap::from([
            ("program_id".to_owned(), value(program)),
            ("ticket_id".to_owned(), value(ticket)),
        ]);
        let live = Live {
            lifecycle: Lifecycle::begun(7),
            mode: Mode::Work,
            permissions: Ok(&permissions),
            personas: &["scientist"],
            plan: Ok(PlanState::None),
            requester: "person-2",
            role: "console",
            values: &values,
        };
        row.state(&locks, &live).map(drop)
    };
    let (program, ticket) = (row.clone().about("program_id"), row.clone().about("ticket_id"));
    assert_eq!(state(&program, "P-1", "T-7"), Ok(()));
    assert_eq!(state(&program, "P-2", "P-1"), Err(Misfit::Program), "another field has the row's word");
    assert_eq!(state(&ticket, "P-2", "P-1"), Ok(()));
    assert_eq!(state(&ticket, "P-1", "T-7"), Err(Misfit::Program));
    assert_eq!(state(&row, "P-1", "P-1"), Err(Misfit::Program), "nobody knows which one is meant");
    assert_eq!(state(&row.about("site_id"), "P-1", "P-1"), Err(Misfit::Program));
}

#[test]
fn a_template_takes_what_is_bound_from_the_run() {
    let mut lock = small();
    let steps = &mut lock.plan_templates.get_mut("find_and_propose").unwrap().steps;
    steps[0].input = Some(raw(r#"{"limit":5}"#));
    let values = |value: &str| {
        BTreeMap::from([("program_id".to_owned(), Json::parse(format!("\"{value}\"").as_bytes()).unwrap())])
    };
    for program in ["P-1", "P-2"] {
        let steps = template_steps(&lock, "find_and_propose", &values(program)).unwrap();
        let input = steps[0].input.as_ref().unwrap().canonical();
        assert_eq!(input, format!(r#"{{"limit":5,"program_id":"{program}"}}"#));
        assert_eq!((steps[0].key, steps[0].tool), ("find", "records.search"));
        // What states nothing is left to whoever proposes the plan.
        assert_eq!((steps[1].key, &steps[1].input), ("propose", &None));
    }
    // Whatever the order in which they are written, a step stands behind those that it comes after.
    let mut turned = lock.clone();
    turned.plan_templates.get_mut("find_and_propose").unwrap().steps.reverse();
    let steps = template_steps(&turned, "find_and_propose", &values("P-1")).unwrap();
    assert_eq!(steps.iter().map(|step| step.key).collect::<Vec<_>>(), ["find", "propose"]);
    for after in ["propose", "nothing"] {
        let mut stuck = lock.clone();
        stuck.plan_templates.get_mut("find_and_propose").unwrap().steps[1].after = vec![after.to_owned()];
        let steps = template_steps(&stuck, "find_and_propose", &values("P-1"));
        assert_eq!(steps, Err(TemplateFault::Unknown), "{after}");
    }
    let missing = template_steps(&lock, "find_and_propose", &BTreeMap::new());
    assert_eq!(missing, Err(TemplateFault::NoValue("program_id".to_owned())));
    assert_eq!(template_steps(&lock, "elsewhere", &values("P-1")), Err(TemplateFault::Unknown));
}
