//! Fields for which the runtime has an answer of its own where they state nothing, and it is not what grants most: each is
//! compared by what the runtime makes of both sides.

use std::collections::BTreeMap;

use harnessc_runtime::actions::Treatment;
use harnessc_runtime::lock::closed_words::TREATMENTS;
use harnessc_runtime::lock::{
    Approval, Approvals, Batch, Effect, Release, Retry, RetryModel, Scope, Treatments, Unsupported,
};
use harnessc_runtime::meter::UNSTATED_ATTEMPTS;
use harnessc_runtime::release::DEFAULT_MAX_BYTES;
use harnessc_runtime::timeline::Kind;

use super::change::Form;
use super::grade::Delta;
use super::ways_of_fields::{Fields, Unstated, cap, compare, demand, grants, keyed, lists, more};

pub(super) fn treatments(out: &mut Fields<'_>, before: &Treatments, after: &Treatments) {
    compare!(out, before, after => Treatments {
        create: shown(Effect::Create),
        destructive: shown(Effect::Destructive),
        read: shown(Effect::Read),
        write: shown(Effect::Write),
    });
}

/// How a deed of this effect is shown to a person, both where it runs at once and where it waits.
fn shown(effect: Effect) -> impl Fn(&mut Fields<'_>, &Option<String>, &Option<String>) {
    move |out, before, after| {
        let of = |word: &Option<String>, approval| {
            let word = || word.clone();
            let stated = Treatments { create: word(), destructive: word(), read: word(), write: word() };
            Treatment::of(&Approvals { treatments: Some(stated), ..Approvals::default() }, effect, approval)
        };
        let deltas = [Approval::Auto, Approval::Confirm]
            .map(|approval| seen(of(before, approval), of(after, approval)));
        let delta = deltas.into_iter().fold(Delta::EQUAL, Delta::and);
        out.values(known(delta, before, after), before, after);
    }
}

/// A person who is shown less is asked less. What one card shows of many steps and many cards of each cannot be ordered.
fn seen(before: Treatment, after: Treatment) -> Delta {
    if before != after && before.asks() && after.asks() {
        return Delta::EITHER;
    }
    Delta::of_order(&before, &after).mirrored()
}

/// Of a word that the runtime does not know nobody can tell.
fn known(delta: Delta, before: &Option<String>, after: &Option<String>) -> Delta {
    let is_known = |word: &String| TREATMENTS.contains(&word.as_str());
    let all_known = before.iter().chain(after).all(is_known);
    if before == after || all_known { delta } else { Delta::EITHER }
}

pub(super) fn batch(out: &mut Fields<'_>, before: &Option<Batch>, after: &Option<Batch>) {
    let none = Batch { keep_partial: None, on_failure: None, treatment: None };
    let (before, after) = (before.as_ref().unwrap_or(&none), after.as_ref().unwrap_or(&none));
    compare!(out, before, after => Batch {
        keep_partial: keep_partial,
        on_failure: demand,
        treatment: shown_as_one,
    });
}

fn shown_as_one(out: &mut Fields<'_>, before: &Option<String>, after: &Option<String>) {
    let of = |word: &Option<String>| {
        let batch = Batch { keep_partial: None, on_failure: None, treatment: word.clone() };
        Treatment::of_batch(&Approvals { batch: Some(batch), ..Approvals::default() })
    };
    out.values(known(seen(of(before), of(after)), before, after), before, after);
}

/// What a failed batch leaves done. The runtime takes nothing back, so unstated leaves it.
fn keep_partial(out: &mut Fields<'_>, before: &Option<bool>, after: &Option<bool>) {
    let keeps = |stated: &Option<bool>| stated.unwrap_or(true);
    out.values(Delta::of_order(&keeps(before), &keeps(after)), before, after);
}

/// The kinds of entry that a timeline keeps; none stated is all of them.
pub(super) fn trace(out: &mut Fields<'_>, before: &[String], after: &[String]) {
    let kept =
        |stated: &[String]| Kind::ALL.into_iter().filter(|kind| kind.is_kept(stated)).collect::<Vec<_>>();
    let delta = Delta::of_sets(&kept(before), &kept(after)).mirrored();
    lists(out, before, after, delta);
}

/// Where nothing is stated, or no field, nothing leaves that the evidence does not carry, whatever its size.
pub(super) fn release(out: &mut Fields<'_>, before: &Release, after: &Release) {
    let none = Unsupported::default();
    let Release { unsupported: old } = before;
    let Release { unsupported: new } = after;
    let mut out = out.at("unsupported");
    let lets = |stated: &Option<Unsupported>| stated.as_ref().is_some_and(|own| !own.fields.is_empty());
    match (lets(old), lets(new)) {
        (false, true) => out.formed(Form::Definition).values(Delta::WIDER, old, new),
        (true, false) => out.formed(Form::Definition).values(Delta::TIGHTER, old, new),
        _ => {
            let (old, new) = (old.as_ref().unwrap_or(&none), new.as_ref().unwrap_or(&none));
            compare!(out, old, new => Unsupported {
                fields: grants,
                max_bytes: cap(Unstated::Is(DEFAULT_MAX_BYTES)),
            });
        }
    }
}

pub(super) fn retry(out: &mut Fields<'_>, before: &Retry, after: &Retry) {
    compare!(out, before, after => Retry { model: retry_model });
}

fn retry_model(out: &mut Fields<'_>, before: &Option<RetryModel>, after: &Option<RetryModel>) {
    let once = RetryModel { attempts: UNSTATED_ATTEMPTS, on: Vec::new() };
    let (before, after) = (before.as_ref().unwrap_or(&once), after.as_ref().unwrap_or(&once));
    compare!(out, before, after => RetryModel { attempts: more, on: grants });
}

type Scopes = BTreeMap<String, Scope>;

/// A surface without scopes narrows no effects.
pub(super) fn scopes(out: &mut Fields<'_>, before: &Option<Scopes>, after: &Option<Scopes>) {
    match (before, after) {
        (None, None) => {}
        (Some(old), Some(new)) => {
            keyed(Delta::WIDER, |_: &mut Fields<'_>, _: &Scope, _: &Scope| {})(out, old, new);
            let keys = old.keys().chain(new.keys().filter(|key| !old.contains_key(*key)));
            keys.for_each(|key| steps(out, key, old, new));
        }
        (Some(_), None) => out.values(Delta::WIDER, before, after),
        (None, Some(_)) => out.values(Delta::TIGHTER, before, after),
    }
}

/// The steps of one scope. Of the granted scopes the largest that states any holds, and one that states none holds nothing:
/// stated beside fewer, it lets whoever is granted both do more.
fn steps(out: &mut Fields<'_>, key: &str, before: &Scopes, after: &Scopes) {
    let (old, new) = (before.get(key), after.get(key));
    let others = || before.iter().chain(after).filter(|(other, _)| *other != key);
    let fewer = |than: u64| others().any(|(_, other)| other.steps.is_some_and(|steps| steps < than));
    let boundless = || others().any(|(_, other)| other.steps.is_none());
    if let (Some(old), Some(new)) = (old, new) {
        let Scope { effects: _, steps: _ } = new;
        let beside = match (old.steps, new.steps) {
            (None, Some(steps)) if fewer(steps) => Delta::WIDER,
            (Some(steps), None) if fewer(steps) => Delta::TIGHTER,
            _ => Delta::EQUAL,
        };
        let bound = |scope: &Scope| (scope.steps.unwrap_or(u64::MAX), scope.steps.is_none());
        let delta = Delta::of_order(&bound(old), &bound(new)).and(beside);
        return out.at_key(key).at("steps").values(delta, &old.steps, &new.steps);
    }
    // The scope is said to come or to go; here, that its bound on whoever is granted another one besides does.
    let bounds = |scope: Option<&Scope>| scope.and_then(|scope| scope.steps).filter(|_| boundless());
    let (old, new) = (bounds(old), bounds(new));
    cap(Unstated::Unbounded)(&mut out.at_key(key).at("steps"), &old, &new);
}
