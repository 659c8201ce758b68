//! What a run is shown: the same gates as a call meets before its input, and the schemas that its input will meet.

use std::collections::BTreeMap;

use super::check::Boundary;
use super::conditions::{Call, Claims, Conditions, Fact};
use super::gates;
use super::run::RunState;
use super::side::Looked;
use crate::decide::{Code, Denial, Listed};
use crate::lock::deed_name;

/// A tool that a run is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The deeds behind it that the run holds, sorted.
    pub deeds: Vec<String>,
    /// What it is for.
    pub description: String,
    /// Its narrowed input schema, as compact JSON.
    pub input: String,
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
}

impl Boundary<'_> {
    /// What the run is shown, by tool name: what every lock that its calls pass would show. The server adds `plan.propose`,
    /// which no registry lists.
    pub fn list(
        &self,
        run: Fact<Option<&RunState<'_>>>,
        claims: &Claims<'_>,
        surface: Option<&str>,
        conditions: &Conditions<'_>,
    ) -> Result<Vec<Shown>, Denial> {
        let (run, created) = self.enter(run, claims, conditions)?;
        if conditions.overlay.is_err() {
            return Err(Code::OverlayUnreadable.into());
        }
        if run.permissions.is_err() {
            return Err(Code::PermissionsUnreadable.into());
        }
        let call = Call { input: b"{}", surface, tool: "" };
        let looked = self.locks_of(created).map(|held| Some(Looked::of(held?, run, claims, &call)));
        let [current, own] = looked.each_ref().map(|looked| {
            let listed = looked.as_ref()?.run(run, surface, conditions).list();
            Some(listed.iter().filter_map(shown).collect::<Vec<Shown>>())
        });
        // What the lock in force has from outside is shown only while its server lists it as it was pinned.
        let in_force = self.locks.in_force();
        let is_here = |shown: &Shown| {
            let tool = in_force.lock().tools.get(&shown.name);
            tool.is_some_and(|tool| {
                gates::upstream::ask(in_force.digest(), conditions, &shown.name, tool).is_ok()
            })
        };
        let current = current.map(|current| current.into_iter().filter(is_here).collect::<Vec<_>>());
        let Some(own) = own else { return Ok(current.unwrap_or_default()) };
        let own: BTreeMap<String, Shown> = own.into_iter().map(|shown| (shown.name.clone(), shown)).collect();
        let of_both = |shown: Shown| {
            let under_own = own.get(&shown.name)?;
            both(shown, under_own)
        };
        Ok(current.into_iter().flatten().filter_map(of_both).collect())
    }
}

fn shown(listed: &Listed<'_>) -> Option<Shown> {
    let deeds = match listed.cases.as_slice() {
        [] => vec![listed.name.to_owned()],
        cases => cases.iter().map(|case| deed_name(listed.name, Some(case))).collect(),
    };
    Some(Shown {
        deeds,
        description: listed.tool.description.clone(),
        input: listed.input()?,
        name: listed.name.to_owned(),
        title: listed.tool.title.clone(),
    })
}

/// A tool as both locks show it: the deeds of both, an input that meets both.
fn both(current: Shown, own: &Shown) -> Option<Shown> {
    let deeds: Vec<String> = current.deeds.into_iter().filter(|deed| own.deeds.contains(deed)).collect();
    let input = match current.input == own.input {
        true => current.input,
        false => format!("{{\"allOf\":[{},{}],\"type\":\"object\"}}", current.input, own.input),
    };
    Some(Shown { deeds, input, ..current }).filter(|shown| !shown.deeds.is_empty())
}
