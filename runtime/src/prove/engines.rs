//! What is stated of engines and retries can be in force: the runtime holds to tighter bounds of its own, and a lock that
//! states more would be read as though it had it.

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::engines::{Engine, Phase, UNSTATED_CORRECTIONS};
use crate::lock::{Engines, Lock};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    if let Some(engines) = &lock.engines {
        order(engines)?;
        phases(engines)?;
    }
    let retry = lock.limits.iter().filter_map(|limits| limits.retry.as_ref()?.model.as_ref()).next();
    hold(
        retry.is_none_or(|retry| retry.attempts > 0 && (retry.attempts > 1) != retry.on.is_empty()),
        || "limits/retry".to_owned(),
        || "it tries again after no failure, or after some and never again".to_owned(),
    )
}

/// The rules answer always, so that nothing behind them is asked.
fn order(engines: &Engines) -> Result<(), Broken> {
    let rules = engines.order.iter().position(|word| word == Engine::Rules.code());
    hold(
        rules.is_none_or(|at| at + 1 == engines.order.len()),
        || "engines/order".to_owned(),
        || "an engine stands behind the rules, which always answer".to_owned(),
    )?;
    let model_first = engines.order.first().is_some_and(|word| word == Engine::Ai.code());
    hold(
        engines.phases.is_empty() || rules.is_some() && model_first,
        || "engines/phases".to_owned(),
        || "phases fall back from the model to the rules, and the order is not of both".to_owned(),
    )
}

fn phases(engines: &Engines) -> Result<(), Broken> {
    for (key, stated) in &engines.phases {
        let Some(phase) = Phase::named(key) else { continue };
        let place = || format!("engines/phases/{key}");
        hold(stated.fallback.as_deref() != Some("phase") || phase.can_stand_alone(), place, || {
            "this phase cannot fall back alone".to_owned()
        })?;
        let most = phase.most_corrections();
        hold(stated.corrections.unwrap_or(UNSTATED_CORRECTIONS) <= most, place, || {
            format!("an answer of this phase is corrected at most {most} times")
        })?;
    }
    Ok(())
}
