//! Each tool's own words fit together: its name, its cases, its output.

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::{Lock, Returns, Tool};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    for (name, tool) in &lock.tools {
        let here = || name.clone();
        hold(is_name(name), here, || "tool names have 1 to 128 of `A-Z a-z 0-9 _ . -`".to_owned())?;
        hold(name != PLAN_PROPOSE, here, || "the server itself offers this name".to_owned())?;
        hold(tool.output.is_some() == (tool.returns == Returns::Structured), here, || {
            let returns = tool.returns.word();
            format!(
                "it returns `{returns}`: an output schema stands with `structured`, and with nothing else"
            )
        })?;
        cases(name, tool)?;
    }
    Ok(())
}

/// The tool that takes a plan's steps. The server offers it in every run; no registry may list it.
pub(crate) const PLAN_PROPOSE: &str = "plan.propose";

fn cases(name: &str, tool: &Tool) -> Result<(), Broken> {
    let Some(cases) = &tool.cases else { return Ok(()) };
    let here = || name.to_owned();
    let strongest = cases.by.values().map(|case| case.effect).max();
    hold(strongest == Some(tool.effect), here, || {
        let effect = tool.effect.word();
        format!("the tool's effect is `{effect}`, which is not its strongest case's")
    })
}

fn is_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
}
