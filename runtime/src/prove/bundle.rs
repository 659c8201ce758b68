//! A harness holds nothing that one of its personas does not hold.

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::Lock;

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    for (key, harness) in &lock.harnesses {
        hold(
            !harness.personas.is_empty() || lock.personas.is_empty(),
            || key.clone(),
            || "the policy has personas, and this harness names none".to_owned(),
        )?;
        for (name, persona) in
            harness.personas.iter().filter_map(|name| Some((name, lock.personas.get(name)?)))
        {
            hold(persona.harness, || key.clone(), || format!("the persona `{name}` wears no harness"))?;
            for mention in &harness.toolset {
                let deed = mention.deed_name();
                hold(
                    persona.bundle.binary_search_by(|held| held.as_str().cmp(&deed)).is_ok(),
                    || format!("{key}/{deed}"),
                    || format!("the bundle of its persona `{name}` does not hold it"),
                )?;
            }
        }
    }
    Ok(())
}
