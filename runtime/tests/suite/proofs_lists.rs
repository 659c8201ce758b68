//! Forged lists: one policy has one spelling, and a lock of many causes is proved in a moment.

use std::time::{Duration, Instant};

use harnessc_runtime::lock::{
    Approvers, Cause, Effect, Lock, Prompt, ReasoningStore, Retry, RetryModel, Scope, Waiver,
};
use harnessc_runtime::prove;

use crate::common::{bundle, small};
use crate::world::world;

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

/// What the proof `order` refuses; `None`: it holds.
fn out_of_order(lock: &Lock) -> Option<String> {
    let failures = prove::failures(lock);
    failures.into_iter().find(|failure| failure.proof == "order").map(|failure| failure.cell)
}

type Lists = fn(&mut Lock, [&str; 2]);

#[test]
fn every_list_that_the_compiler_sorts_is_sorted_and_names_nothing_twice() {
    let lists: [(&str, Lists); 13] = [
        ("tools", |lock, two| lock.tools.values_mut().next().unwrap().surfaces = Some(words(&two))),
        ("skills", |lock, two| lock.skills.values_mut().next().unwrap().tools = words(&two)),
        ("verbs", |lock, two| lock.refusals.values_mut().next().unwrap().forbidden_verbs = words(&two)),
        ("forms", |lock, two| {
            lock.refusals.values_mut().next().unwrap().forms.insert("go".to_owned(), words(&two));
        }),
        ("reviews", |lock, two| lock.lens_reviews.values_mut().next().unwrap().tools = Some(words(&two))),
        ("always", |lock, two| lock.approvals.always_allowed = words(&two)),
        ("confirm", |lock, two| approvers(lock).confirm = words(&two)),
        ("four_eyes", |lock, two| approvers(lock).four_eyes = words(&two)),
        ("approvers", |lock, two| drop(approvers(lock).tools.insert("a".to_owned(), words(&two)))),
        ("servers", |lock, two| lock.policy.external_servers = words(&two)),
        ("retry", |lock, two| {
            let model = RetryModel { attempts: 2, on: words(&two) };
            lock.limits.get_or_insert_default().retry = Some(Retry { model: Some(model) });
        }),
        ("access", |lock, two| {
            let store = ReasoningStore { access: words(&two), ..ReasoningStore::default() };
            lock.audit.get_or_insert_default().reasoning_store = Some(store);
        }),
        ("waivers", |lock, two| {
            let waiver = |file: &&str| Waiver { file: (*file).to_owned(), ..lock.waivers[0].clone() };
            lock.waivers = two.iter().map(waiver).collect();
        }),
    ];
    for (list, set) in lists {
        for (two, holds) in [(["a", "b"], true), (["b", "a"], false), (["a", "a"], false)] {
            let mut lock = world();
            set(&mut lock, two);
            assert_eq!(out_of_order(&lock).is_none(), holds, "{list} as {two:?}: {:?}", out_of_order(&lock));
        }
    }
}

fn approvers(lock: &mut Lock) -> &mut Approvers {
    lock.approvals.approvers.as_mut().unwrap()
}

#[test]
fn effects_stand_weakest_first() {
    for (effects, holds) in [
        (vec![Effect::Read, Effect::Write], true),
        (vec![Effect::Write, Effect::Read], false),
        (vec![Effect::Read, Effect::Read], false),
    ] {
        let mut scoped = world();
        let scopes = scoped.surfaces.get_mut("desk").unwrap().scopes.as_mut().unwrap();
        *scopes.values_mut().next().unwrap() = Scope { effects: effects.clone(), steps: None };
        let mut planned = world();
        let Some(Prompt { planning: Some(planning), .. }) = planned.prompt.as_mut() else {
            panic!("a prompt")
        };
        planning.when.effects = effects;
        assert_eq!([out_of_order(&scoped), out_of_order(&planned)].map(|found| found.is_none()), [holds; 2]);
    }
}

/// As many causes as a lock has room for, each of its own deeds, over as many runs.
#[test]
fn many_causes_over_many_runs_are_proved_in_a_moment() {
    let mut lock = small();
    let names = ["labels.edit", "records.draft", "records.propose", "records.search", "memory.recall"];
    let cause = |at: usize| {
        let requires = names.iter().enumerate().filter(|(bit, _)| at >> bit & 1 == 1);
        Cause { requires: requires.map(|(_, name)| (*name).to_owned()).collect() }
    };
    let causes = (0..20_000).map(|at| (format!("c{at:05}"), cause(at % 32)));
    lock.diagnoses = [("many".to_owned(), causes.collect())].into();
    let harness = lock.harnesses["chemist"].clone();
    for copy in 0..500 {
        lock.harnesses.insert(format!("z{copy:03}"), harness.clone());
    }
    lock.approvals.max_actions_per_run = Some(5);
    lock.effective = prove::table::effective(&lock);
    let began = Instant::now();
    let failure = prove::failures(&lock).into_iter().find(|failure| failure.proof == "diagnoses");
    // Walking every cell for every cause took minutes here.
    assert!(
        failure.is_none() && began.elapsed() < Duration::from_secs(20),
        "{failure:?} {:?}",
        began.elapsed()
    );
    let all = names.iter().chain(&["records.erase"]).map(|name| (*name).to_owned()).collect();
    lock.diagnoses.get_mut("many").unwrap().insert("d".to_owned(), Cause { requires: all });
    let failures = prove::failures(&lock);
    let failure = failures.iter().find(|failure| failure.proof == "diagnoses").unwrap();
    assert_eq!(
        (failure.cell.as_str(), failure.why.as_str()),
        ("diagnoses/many/d", "no run holds all that it requires")
    );
}

#[test]
fn a_cause_of_a_tool_with_cases_needs_any_of_them() {
    for (requires, holds) in [
        (&["labels.edit"][..], true),
        (&["labels.edit/create"], true),
        (&["labels.edit/delete", "records.draft"], false),
        (&["records.draft", "records.propose"], true),
        (&[], true),
        (&["records.old"], true),
    ] {
        let mut lock = small();
        let cause = Cause { requires: words(requires) };
        lock.diagnoses = [("one".to_owned(), [("cause".to_owned(), cause)].into())].into();
        let found = prove::failures(&lock).into_iter().find(|failure| failure.proof == "diagnoses");
        assert_eq!(found.is_none(), holds, "{requires:?}: {found:?}");
    }
    bundle(&small());
}
