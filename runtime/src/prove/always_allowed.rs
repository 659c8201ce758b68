//! What is exempt from the plan gate changes nothing that stands, and every harness holds what is always allowed.

use super::{Broken, hold, in_force};
use crate::deeds::Deeds;
use crate::lock::{Harness, Lock, split_deed};

const RULE: &str = "always-allowed-missing";

pub(super) fn prove(lock: &Lock, deeds: &Deeds<'_>) -> Result<(), Broken> {
    let always = &lock.approvals.always_allowed;
    let of_skills = lock.skills.values().filter_map(|skill| skill.tool.as_ref());
    for name in always.iter().chain(of_skills) {
        let (tool, case) = split_deed(name);
        let write = deeds.iter().any(|deed| {
            deed.tool_name == tool && (case.is_none() || deed.case_name == case) && deed.effect().is_write()
        });
        hold(!write, || name.clone(), || "it is exempt from the plan gate, and it is a write".to_owned())?;
    }
    let asked = |subject: &str| in_force(lock, RULE, || subject.to_owned());
    // What no harness holds is one finding at the list; what some lack is one at each of these.
    let whole = asked("approvals/always_allowed");
    let held = |harness: &Harness, name: &String| harness.toolset.iter().any(|mention| mention.is(name));
    let nowhere = |name: &String| lock.harnesses.values().all(|harness| !held(harness, name));
    for (key, harness) in lock.harnesses.iter().filter(|(key, _)| asked(&format!("harnesses/{key}"))) {
        let missing = always.iter().find(|name| !held(harness, name) && (whole || !nowhere(name)));
        hold(
            missing.is_none(),
            || format!("{key}/{}", missing.map_or("", String::as_str)),
            || "it is always allowed, and this harness does not hold it".to_owned(),
        )?;
    }
    Ok(())
}
