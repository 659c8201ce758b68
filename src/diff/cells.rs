//! Every cell harness × role × persona × tool × case, compared; rows that cannot differ are passed over.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use harnessc_runtime::lock::{Cell, Lock, Tool};

use super::grade::Delta;
use super::pair::{Differing, Pair};
use super::view::View;

/// One cell that differs.
pub(super) struct Found {
    pub(super) harness: String,
    pub(super) role: String,
    pub(super) persona: Option<String>,
    pub(super) deed: String,
    pub(super) delta: Delta,
    pub(super) differing: Rc<Vec<Differing>>,
}

/// Every cell that differs, by harness, role, deed and persona.
pub(super) fn compare(pair: &Pair<'_>) -> Vec<Found> {
    let world = World::of(pair);
    let mut found = Vec::new();
    let keys = |lock: &Lock| lock.effective.keys().cloned().collect::<BTreeSet<_>>();
    let (before, after) = (pair.before.lock, pair.after.lock);
    let mut roles: BTreeSet<&String> = before.roles.keys().collect();
    roles.extend(after.roles.keys());
    for harness in keys(before).union(&keys(after)) {
        let same_people = world.same && same_wearers(pair, harness);
        for role in &roles {
            let rows = (pair.before.row(harness, role), pair.after.row(harness, role));
            let moved = |cell: &Cell| world.changed_tools.contains(tool_of(&cell.deed));
            if same_people && rows.0 == rows.1 && !rows.0.iter().any(moved) {
                continue;
            }
            row(pair, &world, (harness, role, same_people), rows, &mut found);
        }
    }
    found
}

/// What bears on every cell: the tools that changed, and whether people, surfaces and exemptions are the same.
struct World<'a> {
    same: bool,
    changed_tools: BTreeSet<&'a str>,
    /// Every persona of both; nobody in particular, where one of the locks states none.
    personas: Vec<Option<&'a str>>,
}

impl<'a> World<'a> {
    fn of(pair: &Pair<'a>) -> Self {
        let (before, after) = (pair.before.lock, pair.after.lock);
        let mut personas: Vec<Option<&str>> = Vec::new();
        if before.personas.is_empty() || after.personas.is_empty() {
            personas.push(None);
        }
        let keys: BTreeSet<&str> =
            before.personas.keys().chain(after.personas.keys()).map(String::as_str).collect();
        personas.extend(keys.into_iter().map(Some));
        let differs = |(name, tool): &(&'a String, &Tool)| before.tools.get(*name) != Some(*tool);
        let same = people(before) == people(after)
            && before.surfaces == after.surfaces
            && before.approvals == after.approvals
            && before.skills == after.skills;
        Self {
            same,
            changed_tools: after.tools.iter().filter(differs).map(|(name, _)| name.as_str()).collect(),
            personas,
        }
    }
}

type People<'a> = Vec<(&'a String, &'a Vec<String>, bool)>;

fn people(lock: &Lock) -> People<'_> {
    lock.personas.iter().map(|(key, persona)| (key, &persona.bundle, persona.harness)).collect()
}

fn same_wearers(pair: &Pair<'_>, harness: &str) -> bool {
    let of = |view: &View<'_>| view.harness(harness).map(|own| (own.personas.clone(), own.skills.clone()));
    of(&pair.before) == of(&pair.after)
}

fn tool_of(deed: &str) -> &str {
    deed.split_once('/').map_or(deed, |(tool, _)| tool)
}

fn row<'a>(
    pair: &Pair<'a>,
    world: &World<'_>,
    (harness, role, same_people): (&str, &str, bool),
    (before, after): (&'a [Cell], &'a [Cell]),
    found: &mut Vec<Found>,
) {
    let by_deed =
        |cells: &'a [Cell]| cells.iter().map(|cell| (cell.deed.as_str(), cell)).collect::<BTreeMap<_, _>>();
    let (old, new) = (by_deed(before), by_deed(after));
    let deeds: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    for deed in deeds {
        let cells = (old.get(deed).copied(), new.get(deed).copied());
        if same_people && cells.0 == cells.1 && !world.changed_tools.contains(tool_of(deed)) {
            continue;
        }
        let place = Place { harness, role, deed };
        place.compare(pair, world, cells, found);
    }
}

struct Place<'p> {
    harness: &'p str,
    role: &'p str,
    deed: &'p str,
}

impl Place<'_> {
    /// Compares what each persona is granted in two cells of which one may be absent.
    fn compare<'a>(
        &self,
        pair: &Pair<'a>,
        world: &World<'_>,
        (old, new): (Option<&'a Cell>, Option<&'a Cell>),
        found: &mut Vec<Found>,
    ) {
        let old = old.and_then(|cell| Some((cell, pair.is_reached(&pair.before, cell)?)));
        let new = new.and_then(|cell| Some((cell, pair.is_reached(&pair.after, cell)?)));
        let one = |differing| Rc::new(vec![differing]);
        let gained = new.as_ref().map(|(cell, way)| one(pair.appears(cell, way.clone(), Delta::WIDER)));
        let lost = old.as_ref().map(|(cell, way)| one(pair.appears(cell, way.clone(), Delta::TIGHTER)));
        let mut kept = None;
        for persona in &world.personas {
            let before = old.is_some() && pair.before.holds(self.harness, *persona, self.deed);
            let after = new.is_some() && pair.after.holds(self.harness, *persona, self.deed);
            let differing = match (before, after) {
                (false, false) => continue,
                (false, true) => gained.clone(),
                (true, false) => lost.clone(),
                (true, true) => {
                    let differing = || {
                        let cells = old.as_ref().zip(new.as_ref());
                        Rc::new(cells.map_or_else(Vec::new, |((old, _), (new, _))| {
                            pair.differing(self.harness, old, new)
                        }))
                    };
                    Some(Rc::clone(kept.get_or_insert_with(differing)))
                }
            };
            let differing = differing.unwrap_or_default();
            let delta = differing.iter().fold(Delta::EQUAL, |all, one| all.and(one.delta));
            if delta != Delta::EQUAL {
                found.push(Found {
                    harness: self.harness.to_owned(),
                    role: self.role.to_owned(),
                    persona: persona.map(str::to_owned),
                    deed: self.deed.to_owned(),
                    delta,
                    differing,
                });
            }
        }
    }
}
