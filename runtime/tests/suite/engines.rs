//! Which engine answers (S1, S3, S8, S10, D13), every combination enumerated where there are few enough.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::actions::Switch;
use harnessc_runtime::audit::{Datum, Event, Field};
use harnessc_runtime::engines::{
    AiDisabled, Conditions, Engine, Engines, Entry, Escalation, Fallback, Fell, Flip, FlipRefused, Lack,
    NoDeed, NoEngine, Phase, Providers, Requested, Route, SwitchRow, Triage, escalate_only, flip, lacking,
    observed, propose, read, route, unsure,
};
use harnessc_runtime::lock::closed_words::{ENGINES, PHASES};
use harnessc_runtime::lock::{self, Cause, Effect};
use harnessc_runtime::meter::Failure;

use crate::common::small;

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The support desk's engines.
fn desk() -> lock::Engines {
    let phase =
        |fallback: &str, corrections| lock::Phase { corrections, fallback: Some(fallback.to_owned()) };
    lock::Engines {
        order: words(&["ai", "rules"]),
        phases: BTreeMap::from([
            ("triage".to_owned(), phase("run", None)),
            ("diagnose".to_owned(), phase("phase", Some(1))),
            ("plan".to_owned(), phase("phase", Some(1))),
            ("command".to_owned(), phase("run", None)),
        ]),
        providers: Some(lock::Providers {
            cooldown_ms: Some(60),
            order: words(&["openai", "anthropic", "local"]),
        }),
        unsure_below_millionths: Some(500_000),
        ..lock::Engines::default()
    }
}

fn all_conditions() -> impl Iterator<Item = Conditions> {
    Switch::ALL.into_iter().flat_map(|switch| {
        [(true, true), (true, false), (false, true), (false, false)].map(|(key, budget)| Conditions {
            budget,
            key,
            switch,
        })
    })
}

const FINE: Conditions = Conditions { budget: true, key: true, switch: Switch::Off };

fn blocked(events: &[Event]) -> bool {
    events.iter().any(|event| event.name == "guardrail.blocked")
}

#[test]
fn the_words_are_those_of_the_language() {
    let engines: BTreeSet<&str> = Engine::ALL.into_iter().map(Engine::code).collect();
    assert_eq!(engines, ENGINES.iter().copied().collect());
    let phases: BTreeSet<&str> = Phase::ALL.into_iter().map(Phase::code).collect();
    assert_eq!(phases, PHASES.iter().copied().collect());
    let reasons: Vec<&str> = Fallback::ALL.into_iter().map(Fallback::code).collect();
    assert_eq!(
        reasons,
        ["no_key", "timeout", "invalid_output", "guardrail", "error", "budget_exceeded", "kill_switch"]
    );
}

// S1: auto or rules requested, ai or rules produced; a run without a model key completes on rules.
#[test]
fn the_router_over_everything_that_can_stand() {
    let desk = desk();
    for entry in Entry::ALL {
        for conditions in all_conditions() {
            let rules = route(Some(&desk), entry, Requested::Rules, &conditions).unwrap();
            assert_eq!((rules.engine, rules.fallback, rules.events.len()), (Engine::Rules, None, 1));
            let auto = route(Some(&desk), entry, Requested::Auto, &conditions).unwrap();
            let expected = match conditions {
                Conditions { switch: Switch::On | Switch::Unreadable, .. } => Some(Fallback::KillSwitch),
                Conditions { key: false, .. } => Some(Fallback::NoKey),
                Conditions { budget: false, .. } => Some(Fallback::BudgetExceeded),
                _ => None,
            };
            assert_eq!(auto.fallback, expected);
            assert_eq!(auto.engine, if expected.is_none() { Engine::Ai } else { Engine::Rules });
            let recorded = matches!(expected, Some(Fallback::KillSwitch | Fallback::BudgetExceeded));
            assert_eq!(blocked(&auto.events), recorded);
            assert_eq!(auto.events[0].name, "agent_run.routed");
            assert_eq!(auto.events[0].fields.get(&Field::Requested), Some(&Datum::Word("auto")));
        }
    }
}

#[test]
fn a_policy_orders_its_engines() {
    let with = |order: &[&str]| lock::Engines { order: words(order), ..lock::Engines::default() };
    let ask = |engines: Option<&lock::Engines>, requested, conditions: &Conditions| {
        route(engines, Entry::Ticket, requested, conditions).map(|route| route.engine)
    };
    let no_key = Conditions { key: false, ..FINE };
    // The model alone, said or unsaid.
    for alone in [None, Some(&with(&["ai"])), Some(&with(&[]))] {
        assert_eq!(ask(alone, Requested::Auto, &FINE), Ok(Engine::Ai));
        assert_eq!(ask(alone, Requested::Rules, &FINE), Err(NoEngine { fallback: None }));
        assert_eq!(ask(alone, Requested::Auto, &no_key), Err(NoEngine { fallback: Some(Fallback::NoKey) }));
    }
    for rules in [with(&["rules"]), with(&["rules", "ai"])] {
        assert_eq!(ask(Some(&rules), Requested::Auto, &FINE), Ok(Engine::Rules));
    }
}

fn begun(conditions: &Conditions) -> (Route, Engines) {
    let route = route(Some(&desk()), Entry::Ticket, Requested::Auto, conditions).unwrap();
    let engines = Engines::begin(&route);
    (route, engines)
}

// S3: triage falls back the whole run, only diagnose and plan by phase; diagnose, plan, command, budget and kill switch
// are recorded as a blocked guardrail step besides.
#[test]
fn every_phase_falls_back_as_it_should_for_every_reason() {
    for phase in Phase::ALL {
        for reason in Fallback::ALL {
            let (_, mut engines) = begun(&FINE);
            let earlier = if phase == Phase::Command { Phase::Command } else { Phase::Triage };
            engines.enter(earlier);
            let fell = engines.fall_back(Some(&desk()), phase, reason);
            let alone = matches!(phase, Phase::Diagnose | Phase::Plan);
            let events = match &fell {
                Fell::Phase(events) if alone => events,
                Fell::Run(events) if !alone => events,
                other => panic!("{phase:?} {reason:?}: {other:?}"),
            };
            let expected =
                phase != Phase::Triage || matches!(reason, Fallback::BudgetExceeded | Fallback::KillSwitch);
            assert_eq!(blocked(events), expected, "{phase:?} {reason:?}");
            assert_eq!(events[0].fields.get(&Field::Fallback), Some(&Datum::Word(reason.code())));
            assert_eq!(engines.phases()[&phase], Engine::Rules);
            assert_eq!(engines.phases()[&earlier], if alone { Engine::Ai } else { Engine::Rules });
            assert_eq!(engines.produced(), if alone { Engine::Ai } else { Engine::Rules });
            assert_eq!(engines.first_fallback(), Some(reason));
            // What the rules cannot do, nothing can.
            assert_eq!(engines.fall_back(Some(&desk()), phase, reason), Fell::Failed("rules_failed"));
        }
    }
}

#[test]
fn the_first_reason_is_the_one_that_is_kept() {
    let (_, mut engines) = begun(&FINE);
    engines.fall_back(Some(&desk()), Phase::Diagnose, Fallback::Guardrail);
    engines.fall_back(Some(&desk()), Phase::Plan, Fallback::Timeout);
    assert_eq!(engines.first_fallback(), Some(Fallback::Guardrail));
    assert_eq!(engines.produced(), Engine::Rules, "no phase is left to the model");
    let (_, engines) = begun(&Conditions { switch: Switch::On, ..FINE });
    assert_eq!(engines.first_fallback(), Some(Fallback::KillSwitch));
}

#[test]
fn a_phase_stands_alone_only_where_the_policy_says_so_and_it_can() {
    let mut policy = desk();
    policy.phases.get_mut("triage").unwrap().fallback = Some("phase".to_owned());
    policy.phases.remove("plan");
    for phase in [Phase::Triage, Phase::Plan] {
        let (_, mut engines) = begun(&FINE);
        assert!(
            matches!(engines.fall_back(Some(&policy), phase, Fallback::Error), Fell::Run(_)),
            "{phase:?}"
        );
    }
    let alone = route(None, Entry::Ticket, Requested::Auto, &FINE).unwrap();
    let fell = Engines::begin(&alone).fall_back(None, Phase::Diagnose, Fallback::Error);
    assert_eq!(fell, Fell::Failed("no_engine"));
}

// S2: one correction retry for diagnose and plan.
#[test]
fn only_diagnose_and_plan_are_corrected_and_once() {
    let mut policy = desk();
    for phase in policy.phases.values_mut() {
        phase.corrections = Some(9);
    }
    let corrections = Phase::ALL.map(|phase| phase.corrections(Some(&policy)));
    assert_eq!(corrections, [0, 1, 1, 0]);
    assert_eq!(Phase::Diagnose.corrections(None), 0);
}

// S10: in-flight runs finish on the engine they began with.
#[test]
fn a_run_in_flight_never_asks_the_switch_again() {
    let (_, mut engines) = begun(&FINE);
    assert_eq!(engines.enter(Phase::Triage), Engine::Ai);
    // The switch is flipped here; the next run sees it, this one does not.
    assert_eq!(engines.enter(Phase::Diagnose), Engine::Ai);
    assert_eq!(engines.requested(), Requested::Auto);
    let (next, _) = begun(&Conditions { switch: Switch::On, ..FINE });
    assert_eq!(next.engine, Engine::Rules);
}

fn row(on: bool) -> SwitchRow {
    SwitchRow { at_ms: 1, by: "ana".to_owned(), id: "sw-1".to_owned(), on, reason: "r".to_owned() }
}

// THREATS: an unreadable kill switch means on.
#[test]
fn what_cannot_be_read_is_on() {
    assert_eq!(read::<()>(&Ok(Some(row(false)))), Switch::Off);
    for on in [Ok(Some(row(true))), Ok(None), Err(())] {
        let switch = read(&on);
        assert!(switch.freezes() && observed(switch) != Ok(false), "{switch:?}");
        let AiDisabled(event) = propose(switch, "run-1").unwrap_err();
        assert_eq!((event.name, AiDisabled::CODE), ("agent_run.ai_disabled", "ai_disabled"));
    }
    assert_eq!((propose(Switch::Off, "run-1"), observed(Switch::Off)), (Ok(()), Ok(false)));
}

#[test]
fn a_flip_needs_a_person_a_reason_and_a_change() {
    let asked = Flip { at_ms: 9, by: "ana", id: "sw-2", may: true, on: true, reason: " provider incident " };
    let (row, event) = flip(Switch::Off, &asked).unwrap();
    assert_eq!((row.on, row.reason.as_str(), event.name), (true, "provider incident", "ai.disabled"));
    assert!(matches!(event.fields.get(&Field::Reason), Some(Datum::Digest(_))));
    assert!(
        !format!("{event:?}").contains("incident"),
        "the reason is for people, the trail holds its digest"
    );
    // The same reason under another id has another digest: it cannot be guessed from a list of reasons.
    let (_, other) = flip(Switch::Off, &Flip { id: "sw-3", ..asked }).unwrap();
    assert_ne!(event.fields.get(&Field::Reason), other.fields.get(&Field::Reason));
    let (_, event) = flip(Switch::On, &Flip { on: false, ..asked }).unwrap();
    assert_eq!(event.name, "ai.enabled");
    for (now, asked, refused) in [
        (Switch::Off, Flip { may: false, ..asked }, FlipRefused::Permission),
        (Switch::Off, Flip { reason: " \n", ..asked }, FlipRefused::Reason),
        (Switch::On, asked, FlipRefused::Unchanged),
        (Switch::Off, Flip { on: false, ..asked }, FlipRefused::Unchanged),
    ] {
        assert_eq!(flip(now, &asked).unwrap_err(), refused);
    }
    assert!(
        flip(Switch::Unreadable, &asked).is_ok()
            && flip(Switch::Unreadable, &Flip { on: false, ..asked }).is_ok()
    );
}

// S1: confidence below 0.5, no practice or no category: escalate.
#[test]
fn an_unsure_engine_escalates() {
    let (desk, diagnoses) = (desk(), BTreeMap::from([("export".to_owned(), BTreeMap::new())]));
    let sure = Triage { category: Some("export"), confidence_millionths: Some(500_000), practice: true };
    for (triage, reason) in [
        (sure, None),
        (Triage { confidence_millionths: Some(1_000_000), ..sure }, None),
        (Triage { confidence_millionths: Some(499_999), ..sure }, Some(Escalation::Confidence)),
        (Triage { confidence_millionths: Some(1_000_001), ..sure }, Some(Escalation::Confidence)),
        (Triage { confidence_millionths: None, ..sure }, Some(Escalation::Confidence)),
        (Triage { practice: false, ..sure }, Some(Escalation::NoPractice)),
        (Triage { category: None, ..sure }, Some(Escalation::NoCategory)),
        (Triage { category: Some(""), ..sure }, Some(Escalation::NoCategory)),
        (Triage { category: Some("exports"), ..sure }, Some(Escalation::NoCategory)),
    ] {
        assert_eq!(unsure(Some(&desk), &diagnoses, &triage), reason, "{triage:?}");
    }
    let no_category = Triage { category: None, ..sure };
    assert_eq!(
        unsure(None, &BTreeMap::<String, BTreeMap<String, Cause>>::new(), &no_category),
        Some(Escalation::NoCategory)
    );
    let codes: BTreeSet<&str> = Escalation::ALL.into_iter().map(Escalation::code).collect();
    assert_eq!(codes.len(), Escalation::ALL.len());
}

// S8: a suspected injection proposes only the escalation.
#[test]
fn a_suspected_injection_leaves_the_escalation_alone() {
    let lock = small();
    let held = |planned: &[&str], escalation: &str| {
        escalate_only(&lock, &words(planned), escalation).map(|held| {
            let issues = held.event.map(|event| event.fields.get(&Field::Issues).cloned());
            (held.deeds, issues.flatten())
        })
    };
    let alone = |deed: &str, held_back: Option<u64>| Ok((words(&[deed]), held_back.map(Datum::Number)));
    let propose = "records.propose";
    assert_eq!(held(&["records.draft", "labels.edit/update"], propose), alone(propose, Some(2)));
    assert_eq!(held(&[propose], propose), alone(propose, None));
    assert_eq!(held(&[], propose), alone(propose, None));
    // Planned twice is once too often.
    assert_eq!(held(&[propose, "records.draft", propose], propose), alone(propose, Some(2)));
    // One case is one deed, and the others of its tool are none of it.
    let update = "labels.edit/update";
    assert_eq!(held(&["labels.edit/delete", update], update), alone(update, Some(1)));
    // Of a whole tool the model would choose the case.
    for none in ["labels.edit", "labels.edit/rename", "records.propose/now", "escalate", ""] {
        assert_eq!(held(&["labels.edit/delete"], none), Err(NoDeed), "{none}");
    }
}

// S1: a disabled read tool makes a rules run fail, a disabled write tool leads to escalation.
#[test]
fn what_a_run_does_without_a_tool() {
    assert_eq!(lacking(Engine::Rules, Effect::Read), Lack::Fail);
    assert_eq!(lacking(Engine::Ai, Effect::Read), Lack::Without);
    for engine in Engine::ALL {
        for effect in [Effect::Create, Effect::Write, Effect::Destructive] {
            assert_eq!(lacking(engine, effect), Lack::Escalate);
        }
    }
}

// D13: a cooled-down provider is skipped, the switch recorded.
#[test]
fn providers_are_asked_in_order_and_cool_down() {
    let mut providers = Providers::of(Some(&desk()));
    let pick = |providers: &mut Providers, now| {
        let picked = providers.pick(now)?;
        Some((picked.provider, picked.switched.map(|event| event.name)))
    };
    assert_eq!(pick(&mut providers, 0), Some(("openai".to_owned(), None)));
    assert_eq!(pick(&mut providers, 1), Some(("openai".to_owned(), None)));
    providers.failed("openai", 10);
    assert_eq!(pick(&mut providers, 11), Some(("anthropic".to_owned(), Some("provider.switched"))));
    assert_eq!(pick(&mut providers, 12), Some(("anthropic".to_owned(), None)));
    providers.failed("anthropic", 12);
    providers.failed("local", 13);
    providers.failed("a provider that no policy orders", 13);
    assert_eq!(pick(&mut providers, 69), None, "all are cooling down");
    assert_eq!(pick(&mut providers, 70), Some(("openai".to_owned(), Some("provider.switched"))));
    assert_eq!(Providers::of(None).pick(0), None);
}

#[test]
fn every_failure_of_a_model_has_its_reason() {
    for (failure, reason) in [
        (Failure::Timeout, Fallback::Timeout),
        (Failure::InvalidOutput, Fallback::InvalidOutput),
        (Failure::Connection, Fallback::Error),
        (Failure::RateLimit, Fallback::Error),
        (Failure::Refused, Fallback::Error),
        (Failure::ServerError, Fallback::Error),
    ] {
        assert_eq!(Fallback::from(failure), reason);
    }
}
