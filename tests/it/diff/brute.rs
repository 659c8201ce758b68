//! The same question asked the slow way: every run, every call, both runtimes.

use std::collections::{BTreeMap, BTreeSet};

use harnessc::diff::{Aspect, Change, Delta, Witness};
use harnessc_runtime::Bundle;
use harnessc_runtime::decide::{Call, Plan, RunRow, Verdict};
use harnessc_runtime::lock::{Approval, Lock, NO_HARNESS, deed_name, split_deed};
use serde_json::Value;

use crate::instances::{Dice, enforced, instance, mutate};

/// harness, role, persona, deed
pub(super) type Key = (String, String, Option<String>, String);

/// What a call comes to: how strictly a yes is asked for and by whom; nothing where it is refused.
type Granted = Option<(Approval, Option<Vec<String>>)>;

/// One run and one call of it.
pub(super) struct Asked<'a> {
    pub(super) key: &'a Key,
    pub(super) surface: Option<&'a str>,
    pub(super) scope: Option<&'a str>,
    pub(super) waits: bool,
}

impl Asked<'_> {
    /// The verdict, and the narrowed schema that the run is shown.
    pub(super) fn of(&self, bundle: &Bundle) -> (Granted, Option<Value>) {
        let (harness, role, persona, deed) = self.key;
        let lock = bundle.lock();
        let person = match persona {
            _ if lock.personas.is_empty() => bundle.anyone(),
            None => None,
            Some(key) => bundle.persona(key),
        };
        let Some(person) = person else { return (None, None) };
        let wears = lock.personas.is_empty()
            || persona.as_ref().is_some_and(|key| match lock.harnesses.get(harness) {
                Some(own) => own.personas.contains(key),
                None => !lock.personas[key].harness,
            });
        let scopes: Vec<&str> = self.scope.into_iter().collect();
        let run = bundle.run(&RunRow {
            harness: Some(harness.as_str()).filter(|key| *key != NO_HARNESS),
            person: &person,
            plan: if self.waits { Plan::Proposed } else { Plan::None },
            read_only: false,
            role,
            scopes: &scopes,
            surface: self.surface,
        });
        let (tool, case) = split_deed(deed);
        let granted = match run.check(&Call { case, tool }) {
            Verdict::Deny(_) => None,
            Verdict::Allow => Some((Approval::Auto, None)),
            Verdict::Propose { approval, approvers } => Some((approval, approvers.map(<[String]>::to_vec))),
        };
        let shown = run.list().into_iter().find(|listed| listed.name == tool);
        let schema = shown.and_then(|listed| serde_json::from_str(&listed.input()?).ok());
        (granted.filter(|_| wears), schema.filter(|_| wears))
    }
}

type Way = (Option<String>, Option<String>);

fn ways(locks: [&Lock; 2]) -> BTreeSet<Way> {
    let mut ways = BTreeSet::from([(None, None)]);
    for (key, surface) in locks.iter().flat_map(|lock| &lock.surfaces) {
        ways.insert((Some(key.clone()), None));
        let scopes = surface.scopes.iter().flat_map(BTreeMap::keys);
        ways.extend(scopes.map(|scope| (Some(key.clone()), Some(scope.clone()))));
    }
    ways
}

fn deeds(lock: &Lock) -> BTreeSet<String> {
    let of = |(name, tool): (&String, &harnessc_runtime::lock::Tool)| match &tool.cases {
        None => vec![name.clone()],
        Some(cases) => cases.by.keys().map(|case| deed_name(name, Some(case))).collect(),
    };
    lock.tools.iter().flat_map(of).collect()
}

/// Every cell's difference in verdicts, and whether inputs were found that one of the two alone accepts.
pub(super) fn force(before: &Bundle, after: &Bundle, seed: u64) -> BTreeMap<Key, (Delta, Delta)> {
    let locks = [before.lock(), after.lock()];
    let set =
        |of: fn(&Lock) -> Vec<String>| locks.iter().flat_map(|lock| of(lock)).collect::<BTreeSet<String>>();
    let harnesses = set(|lock| lock.effective.keys().cloned().collect());
    let roles = set(|lock| lock.roles.keys().cloned().collect());
    let mut personas: Vec<Option<String>> =
        set(|lock| lock.personas.keys().cloned().collect()).into_iter().map(Some).collect();
    personas.push(None);
    let deeds: BTreeSet<String> = locks.iter().flat_map(|lock| deeds(lock)).collect();
    let ways = ways(locks);
    let mut found = BTreeMap::new();
    let mut dice = Dice::new(seed);
    for harness in &harnesses {
        for role in &roles {
            for persona in &personas {
                for deed in &deeds {
                    let key = (harness.clone(), role.clone(), persona.clone(), deed.clone());
                    let deltas = cell(before, after, &key, &ways, &mut dice);
                    if deltas != (Delta::EQUAL, Delta::EQUAL) {
                        found.insert(key, deltas);
                    }
                }
            }
        }
    }
    found
}

fn cell(before: &Bundle, after: &Bundle, key: &Key, ways: &BTreeSet<Way>, dice: &mut Dice) -> (Delta, Delta) {
    let (mut verdicts, mut inputs) = (Delta::EQUAL, Delta::EQUAL);
    let mut reached = (false, false);
    for (surface, scope) in ways {
        for waits in [false, true] {
            let asked = Asked { key, surface: surface.as_deref(), scope: scope.as_deref(), waits };
            let ((old, old_schema), (new, new_schema)) = (asked.of(before), asked.of(after));
            reached = (reached.0 || old.is_some(), reached.1 || new.is_some());
            verdicts = verdicts.and(compared(&old, &new));
            if let (Some(old), Some(new), false) = (&old_schema, &new_schema, old_schema == new_schema)
                && verdicts == Delta::EQUAL
                && inputs == Delta::EQUAL
            {
                inputs = tried(old, new, dice);
            }
        }
    }
    // One side alone holds the cell: nothing else of it is compared.
    if reached.0 != reached.1 {
        inputs = Delta::EQUAL;
    }
    (verdicts, inputs)
}

fn compared(old: &Granted, new: &Granted) -> Delta {
    let more = |one: &Granted, other: &Granted| match (one, other) {
        (None, Some(_)) => true,
        (Some((before, old)), Some((after, new))) => {
            let people = match (before, after, old, new) {
                (Approval::Auto, ..) | (_, Approval::Auto, ..) | (_, _, None, _) => false,
                (_, _, Some(_), None) => true,
                (_, _, Some(old), Some(new)) => new.iter().any(|who| !old.contains(who)),
            };
            after < before || people
        }
        _ => false,
    };
    Delta { wider: more(old, new), tighter: more(new, old), altered: false }
}

fn tried(old: &Value, new: &Value, dice: &mut Dice) -> Delta {
    let (takes_old, takes_new) = (enforced(old), enforced(new));
    let mut delta = Delta::EQUAL;
    for at in 0..24 {
        let schema = if at % 2 == 0 { old } else { new };
        let mut value = instance(schema, schema, dice, 6);
        if at % 3 == 0 {
            mutate(&mut value, dice);
        }
        match (takes_old.is_valid(&value), takes_new.is_valid(&value)) {
            (false, true) => delta.wider = true,
            (true, false) => delta.tighter = true,
            _ => {}
        }
    }
    delta
}

/// The cells that a comparison names.
pub(super) fn cells(changes: &[Change]) -> BTreeMap<Key, &Change> {
    let of = |change: &'_ Change| -> Option<Key> {
        Some((change.harness.clone()?, change.role.clone()?, change.persona.clone(), change.tool.clone()?))
    };
    changes.iter().filter_map(|change| Some((of(change)?, change))).collect()
}

/// Aspects that a verdict shows.
const OF_VERDICTS: [Aspect; 5] =
    [Aspect::Call, Aspect::Approval, Aspect::Approvers, Aspect::Surface, Aspect::Plan];

/// Holds every cell's grade against brute force, and every witness against both runtimes.
pub(super) fn agree(before: &Bundle, after: &Bundle, changes: &[Change], seed: u64) {
    let named = cells(changes);
    let forced = force(before, after, seed);
    for (key, (verdicts, inputs)) in &forced {
        let change = named.get(key).unwrap_or_else(|| panic!("{key:?} differs and is not named"));
        let covers =
            |delta: &Delta| (!delta.wider || change.delta.wider) && (!delta.tighter || change.delta.tighter);
        assert!(covers(verdicts) && covers(inputs), "{key:?}: {verdicts:?} {inputs:?} {change:?}");
    }
    for (key, change) in named {
        let (verdicts, _) = forced.get(&key).copied().unwrap_or_default();
        if change.aspects.iter().all(|aspect| OF_VERDICTS.contains(aspect)) {
            assert_eq!(change.delta, verdicts, "{key:?} {change:?}");
        }
        if let Some(witness) = &change.witness {
            real(before, after, &key, change, witness);
        }
        let is_shown = change.aspects.iter().any(|aspect| OF_VERDICTS.contains(aspect))
            && change.delta.wider
            && verdicts.wider;
        assert!(change.witness.is_some() || !is_shown, "{change:?} has no witness");
    }
}

fn real(before: &Bundle, after: &Bundle, key: &Key, change: &Change, witness: &Witness) {
    let asked = Asked {
        key,
        surface: witness.surface.as_deref(),
        scope: witness.scope.as_deref(),
        waits: witness.plan_waits,
    };
    let ((old, old_schema), (new, new_schema)) = (asked.of(before), asked.of(after));
    let takes = |schema: &Option<Value>| {
        let input = witness.input.as_ref();
        schema.as_ref().is_some_and(|schema| input.is_none_or(|input| enforced(schema).is_valid(input)))
    };
    assert!(new.is_some() && takes(&new_schema), "{witness:?} is refused after: {change:?}");
    let word = |granted: &Granted| granted.as_ref().map(|(approval, _)| approval.word().to_owned());
    match witness.before.as_str() {
        "input_invalid" => assert!(old.is_some() && !takes(&old_schema), "{witness:?}"),
        "target_mismatch" | "withheld" => {}
        _ if witness.approver.is_some() => {
            let may = |granted: &Granted| {
                let who = witness.approver.as_ref().unwrap();
                let (_, list) = granted.as_ref().unwrap();
                list.as_ref().is_none_or(|list| list.contains(who))
            };
            assert!(may(&new) && !may(&old), "{witness:?}");
        }
        said if said.ends_with("_denied")
            || said.ends_with("_tool")
            || said == "tool_disabled"
            || said == "plan_violation" =>
        {
            assert_eq!(old, None, "{witness:?}");
        }
        "auto" | "confirm" | "four_eyes" => {
            assert_eq!(word(&old).as_deref(), Some(witness.before.as_str()));
            assert!(new.as_ref().unwrap().0 < old.as_ref().unwrap().0, "{witness:?}");
        }
        // What differs is no verdict: the registry's words stand on both sides.
        _ => assert_ne!(witness.before, witness.after),
    }
}
