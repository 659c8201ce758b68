//! What is no read binds a value of the run, or says why it has no target.

use super::{Broken, hold, in_force};
use crate::deeds::Deeds;
use crate::lock::{Effect, Lock};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    let asked = |name: &str| in_force(lock, "unbound-target", || format!("tools/{name}"));
    let acts = lock.tools.iter().filter(|(_, tool)| tool.effect != Effect::Read);
    for (name, tool) in acts.filter(|(name, _)| asked(name)) {
        let why = tool.unbound.as_ref().is_some_and(|why| !why.trim().is_empty());
        hold(
            why || !tool.bind.is_empty(),
            || name.clone(),
            || "it binds nothing of the run, and does not say why it is unbound".to_owned(),
        )?;
    }
    Ok(())
}
