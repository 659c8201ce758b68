//! What a root cause requires can be planned: some run holds all of it, and may change so much.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{Broken, hold, in_force};
use crate::decide::Bits;
use crate::deeds::Deeds;
use crate::lock::{Cause, Effect, Lock, NO_HARNESS, split_deed};

const RULE: &str = "cause-without-plan";

pub(super) fn prove<'a>(lock: &'a Lock, deeds: &Deeds<'a>) -> Result<(), Broken> {
    if lock.harnesses.is_empty() || lock.diagnoses.is_empty() {
        return Ok(());
    }
    let mut runs = Runs::of(deeds);
    for (category, causes) in &lock.diagnoses {
        if in_force(lock, RULE, || format!("diagnoses/{category}")) {
            causes.iter().try_for_each(|(key, cause)| planned(lock, &mut runs, (category, key), cause))?;
        }
    }
    Ok(())
}

/// Which runs hold what, looked up once for all causes: a lock may have many of either.
struct Runs<'d, 'a> {
    deeds: &'d Deeds<'a>,
    /// By the number of a deed, the numbers of the runs that hold it. Runs that hold the same are one.
    by_deed: BTreeMap<usize, Vec<usize>>,
    /// By a name that was asked for.
    by_name: BTreeMap<&'a str, Rc<Holders>>,
    count: usize,
    /// Of what was asked for already, whether some run holds all of it.
    known: BTreeMap<BTreeSet<&'a str>, bool>,
}

/// The runs that hold a deed, or any case of a tool.
struct Holders {
    /// Where they are many: then this takes no more room than the list.
    bits: Option<Bits>,
    list: Vec<usize>,
}

impl<'d, 'a> Runs<'d, 'a> {
    fn of(deeds: &'d Deeds<'a>) -> Self {
        let mut runs: BTreeMap<(&str, &str), BTreeSet<usize>> = BTreeMap::new();
        for granted in deeds.cells().iter().filter(|granted| granted.harness != NO_HARNESS) {
            let number = granted.deed.and_then(|deed| deeds.index(deed.tool_name, deed.case_name));
            runs.entry((granted.harness, granted.role)).or_default().extend(number);
        }
        let runs: BTreeSet<BTreeSet<usize>> = runs.into_values().collect();
        let mut by_deed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (run, held) in runs.iter().enumerate() {
            for number in held {
                by_deed.entry(*number).or_default().push(run);
            }
        }
        Self { deeds, by_deed, by_name: BTreeMap::new(), count: runs.len(), known: BTreeMap::new() }
    }

    fn holders(&mut self, name: &'a str) -> Rc<Holders> {
        if let Some(known) = self.by_name.get(name) {
            return Rc::clone(known);
        }
        let runs = self.by_deed.range(self.deeds.range(name)).flat_map(|(_, runs)| runs).copied();
        let mut list: Vec<usize> = runs.collect();
        list.sort_unstable();
        list.dedup();
        let bits = (list.len() > self.count / 64).then(|| list.iter().copied().collect());
        let holders = Rc::new(Holders { bits, list });
        self.by_name.insert(name, Rc::clone(&holders));
        holders
    }

    /// Whether some run holds each of these deeds; of a tool with cases, any case.
    fn hold_all(&mut self, names: BTreeSet<&'a str>) -> bool {
        if let Some(known) = self.known.get(&names) {
            return *known;
        }
        let all: Vec<_> = names.iter().map(|name| self.holders(name)).collect();
        let many: Vec<&Bits> = all.iter().filter_map(|holders| holders.bits.as_ref()).collect();
        let few =
            all.iter().filter(|holders| holders.bits.is_none()).min_by_key(|holders| holders.list.len());
        let found = match few {
            None => many.is_empty() || Bits::meet(&many),
            Some(few) => few.list.iter().any(|run| {
                let holds = |holders: &Rc<Holders>| match &holders.bits {
                    Some(bits) => bits.contains(*run),
                    None => holders.list.binary_search(run).is_ok(),
                };
                all.iter().all(holds)
            }),
        };
        self.known.insert(names, found);
        found
    }
}

fn planned<'a>(
    lock: &'a Lock,
    runs: &mut Runs<'_, 'a>,
    (category, key): (&str, &str),
    cause: &'a Cause,
) -> Result<(), Broken> {
    let enabled = |name: &&String| {
        let (tool, _) = split_deed(name);
        lock.tools.get(tool).is_some_and(|tool| tool.enabled)
    };
    let wanted: Vec<&'a str> = cause.requires.iter().filter(enabled).map(String::as_str).collect();
    let place = || format!("diagnoses/{category}/{key}");
    let some = runs.hold_all(wanted.iter().copied().collect());
    hold(some, place, || "no run holds all that it requires".to_owned())?;
    let changes = |name: &&'a str| {
        let mut meant = runs.deeds.range(name).filter_map(|number| runs.deeds.at(number));
        meant.all(|deed| deed.effect() != Effect::Read)
    };
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
