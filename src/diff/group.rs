//! Many changed cells as the few lines that a person reads.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Aspect, Change};
use super::grade::Grade;

/// Cells that changed in the same way.
#[derive(Clone, Debug)]
pub struct Group<'c> {
    /// What each of them comes to.
    pub grade: Grade,
    /// The harnesses, sorted.
    pub harnesses: Vec<&'c str>,
    /// The deeds, sorted; each is held by each of the harnesses.
    pub tools: Vec<&'c str>,
    /// The roles of any of them.
    pub roles: Vec<&'c str>,
    /// The personas of any of them; empty where none are stated.
    pub personas: Vec<&'c str>,
    /// One of the cells: what is said before and after is the same in all.
    pub example: &'c Change,
    /// How many cells these are.
    pub cells: usize,
}

type Look<'c> = (Grade, &'c Option<String>, &'c Option<String>, &'c [Aspect]);

/// The cells among the changes, grouped by harness or by tool, whichever gives fewer groups; the graver first.
pub fn groups(changes: &[Change]) -> Vec<Group<'_>> {
    let mut looks: BTreeMap<Look<'_>, Pairs<'_>> = BTreeMap::new();
    for change in changes {
        let (Some(harness), Some(tool)) = (&change.harness, &change.tool) else { continue };
        let look = (change.grade, &change.before, &change.after, change.aspects.as_slice());
        looks.entry(look).or_default().entry((harness, tool)).or_default().push(change);
    }
    let by = |is_by_tool: bool| {
        let all = looks.iter().flat_map(|(look, pairs)| merged(look.0, pairs, is_by_tool));
        all.collect::<Vec<_>>()
    };
    let (by_harness, by_tool) = (by(false), by(true));
    let mut groups = if by_tool.len() < by_harness.len() { by_tool } else { by_harness };
    groups.sort_by(|a, b| {
        let key = |group: &Group<'_>| (std::cmp::Reverse(group.grade), std::cmp::Reverse(group.cells));
        key(a).cmp(&key(b)).then_with(|| (&a.harnesses, &a.tools).cmp(&(&b.harnesses, &b.tools)))
    });
    groups
}

/// The changed cells of each harness and tool.
type Pairs<'c> = BTreeMap<(&'c str, &'c str), Vec<&'c Change>>;

fn words<'c>(all: impl Iterator<Item = &'c str>) -> Vec<&'c str> {
    all.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Pairs of harness and tool with one look: by one of the two, then those together that have the same others.
fn merged<'c>(grade: Grade, pairs: &Pairs<'c>, is_by_tool: bool) -> Vec<Group<'c>> {
    let mut others: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (harness, tool) in pairs.keys() {
        let (own, other) = if is_by_tool { (tool, harness) } else { (harness, tool) };
        others.entry(own).or_default().insert(other);
    }
    let mut together: BTreeMap<BTreeSet<&str>, BTreeSet<&str>> = BTreeMap::new();
    for (own, other) in others {
        together.entry(other).or_default().insert(own);
    }
    let group = |(other, own): (BTreeSet<&'c str>, BTreeSet<&'c str>)| {
        let (harnesses, tools) = if is_by_tool { (other, own) } else { (own, other) };
        let members = harnesses
            .iter()
            .flat_map(|harness| tools.iter().filter_map(move |tool| pairs.get(&(*harness, *tool))));
        let members: Vec<&Change> = members.flatten().copied().collect();
        let example = members.iter().find(|change| change.witness.is_some()).or(members.first()).copied()?;
        Some(Group {
            grade,
            harnesses: harnesses.into_iter().collect(),
            tools: tools.into_iter().collect(),
            roles: words(members.iter().filter_map(|change| change.role.as_deref())),
            personas: words(members.iter().filter_map(|change| change.persona.as_deref())),
            example,
            cells: members.len(),
        })
    };
    together.into_iter().filter_map(group).collect()
}
