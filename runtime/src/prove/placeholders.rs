//! Every place in a template is one that is filled in.

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::Lock;
use crate::prompt::{STATUS_PLACES, places};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    for (key, template) in &lock.status_templates {
        let known = places(template).is_some_and(|all| all.iter().all(|place| STATUS_PLACES.contains(place)));
        hold(
            known,
            || format!("status_templates/{key}"),
            || format!("it has a place that nothing fills in; there are: {}", STATUS_PLACES.join(", ")),
        )?;
    }
    let stated = lock.prompt.as_ref().and_then(|prompt| prompt.memory_wrap.as_deref());
    hold(
        stated.is_none_or(|template| template.matches("{text}").count() == 1),
        || "prompt/memory_wrap".to_owned(),
        || "it does not hold `{text}` once".to_owned(),
    )
}
