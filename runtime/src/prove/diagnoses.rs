//! What a root cause requires can be planned: some run holds all of it, and may change so much.

use std::collections::{BTreeMap, BTreeSet};

use super::{Broken, hold, in_force};
use crate::deeds::Deeds;
use crate::lock::{Cause, Effect, Lock, NO_HARNESS, split_deed, stands_for};

const RULE: &str = "cause-without-plan";

pub(super) fn prove<'a>(lock: &'a Lock, deeds: &Deeds<'a>) -> Result<(), Broken> {
    if lock.harnesses.is_empty() {
        return Ok(());
    }
    for (category, causes) in &lock.diagnoses {
        if in_force(lock, RULE, || format!("diagnoses/{category}")) {
            causes.iter().try_for_each(|(key, cause)| planned(lock, deeds, (category, key), cause))?;
        }
    }
    Ok(())
}

fn planned<'a>(
    lock: &'a Lock,
    deeds: &Deeds<'a>,
    (category, key): (&str, &str),
    cause: &'a Cause,
) -> Result<(), Broken> {
    let enabled = |name: &&String| {
        let (tool, _) = split_deed(name);
        lock.tools.get(tool).is_some_and(|tool| tool.enabled)
    };
    let wanted: Vec<&'a str> = cause.requires.iter().filter(enabled).map(String::as_str).collect();
    // Run by run, which of them are held.
    let mut held: BTreeMap<(&str, &str), Vec<bool>> = BTreeMap::new();
    for granted in deeds.cells().iter().filter(|granted| granted.harness != NO_HARNESS) {
        let row = held.entry((granted.harness, granted.role)).or_insert_with(|| vec![false; wanted.len()]);
        for (held, name) in row.iter_mut().zip(&wanted) {
            *held |= stands_for(name, &granted.cell.deed);
        }
    }
    let some = wanted.is_empty() || held.values().any(|row| row.iter().all(|held| *held));
    let place = || format!("diagnoses/{category}/{key}");
    hold(some, place, || "no run holds all that it requires".to_owned())?;
    let meant = |name: &'a str| deeds.iter().filter(move |deed| stands_for(name, &deed.name()));
    let changes = |name: &&'a str| meant(name).all(|deed| deed.effect() != Effect::Read);
    let changes = u64::try_from(steps(&wanted).filter(changes).count()).unwrap_or(u64::MAX);
    hold(lock.approvals.max_actions_per_run.is_none_or(|most| changes <= most), place, || {
        format!("it requires {changes} changes, more than one run may make")
    })
}

/// The names of the fewest steps that meet all of `wanted`: each once, and no tool as a whole beside one of its cases.
fn steps<'a>(wanted: &[&'a str]) -> impl Iterator<Item = &'a str> {
    let names: BTreeSet<&'a str> = wanted.iter().copied().collect();
    let cases = names.iter().map(|name| split_deed(name)).filter(|(_, case)| case.is_some());
    let met: BTreeSet<&'a str> = cases.map(|(tool, _)| tool).collect();
    names.into_iter().filter(move |name| !met.contains(name))
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn one_step_meets_a_tool_and_its_case() {
        let steps = |wanted: &[&'static str]| steps(wanted).collect::<Vec<_>>();
        assert_eq!(steps(&["a", "a/x", "b", "b", "a/y"]), ["a/x", "a/y", "b"]);
        assert_eq!(steps(&["ab", "a/b"]), ["a/b", "ab"]);
    }
}
