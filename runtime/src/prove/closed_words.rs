//! Where the lock holds a word of a closed list, it is one of the list's.

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::Lock;
use crate::lock::closed_words as closed;

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    kept(lock)?;
    shown(lock)?;
    answered(lock)?;
    work(lock)?;
    let Some(prompt) = &lock.prompt else { return Ok(()) };
    let kinds = [closed::PROMPT_TEXTS, closed::PROMPT_INSERTS].concat();
    words("prompt/order", &kinds, &prompt.order)?;
    words("prompt/volatile", &kinds, &prompt.volatile)
}

/// What leaves a run or is kept of it.
fn kept(lock: &Lock) -> Result<(), Broken> {
    if let Some(audit) = &lock.audit {
        words("audit/tool_call", closed::TOOL_CALL_FIELDS, &audit.tool_call)?;
        words("audit/action", closed::ACTION_FIELDS, &audit.action)?;
        words("audit/trace", closed::TRACE_STAGES, &audit.trace)?;
        words("audit/reasoning", closed::REASONING, &audit.reasoning)?;
    }
    let unsupported = lock.release.iter().filter_map(|release| release.unsupported.as_ref());
    words("release/unsupported", closed::RELEASE_FIELDS, unsupported.flat_map(|left| &left.fields))
}

/// How changes are shown to people.
fn shown(lock: &Lock) -> Result<(), Broken> {
    if let Some(batch) = &lock.approvals.batch {
        words("approvals/batch", closed::TREATMENTS, &batch.treatment)?;
        words("approvals/batch", closed::ON_FAILURE, &batch.on_failure)?;
    }
    let Some(shown) = &lock.approvals.treatments else { return Ok(()) };
    let stated = [&shown.read, &shown.create, &shown.write, &shown.destructive];
    words("approvals/treatments", closed::TREATMENTS, stated.into_iter().flatten())
}

/// What produces an answer and what it must meet.
fn answered(lock: &Lock) -> Result<(), Broken> {
    if let Some(engines) = &lock.engines {
        words("engines/order", closed::ENGINES, &engines.order)?;
        words("engines/phases", closed::PHASES, engines.phases.keys())?;
        let fallbacks = engines.phases.values().filter_map(|phase| phase.fallback.as_ref());
        words("engines/phases", closed::FALLBACKS, fallbacks)?;
    }
    let quotes = lock.evidence.iter().filter_map(|evidence| evidence.quotes.as_ref());
    words("evidence/quotes", closed::QUOTES, quotes)?;
    let retries = lock.limits.iter().filter_map(|limits| limits.retry.as_ref()?.model.as_ref());
    words("limits/retry", closed::RETRY_CAUSES, retries.flat_map(|model| &model.on))
}

fn work(lock: &Lock) -> Result<(), Broken> {
    for (key, source) in &lock.context_sources {
        words(&format!("context_sources/{key}"), closed::PII, &source.pii)?;
    }
    for (key, review) in &lock.lens_reviews {
        let axes = review.view.iter().flat_map(|view| [&view.rows, &view.columns]);
        words(&format!("lens_reviews/{key}"), closed::VIEW_AXES, axes)?;
    }
    for (key, primitive) in &lock.primitives {
        words(&format!("primitives/{key}"), closed::PRIMITIVE_STATES, [&primitive.state])?;
    }
    Ok(())
}

/// Refuses the first word that is not of the list.
fn words<'a>(place: &str, list: &[&str], stated: impl IntoIterator<Item = &'a String>) -> Result<(), Broken> {
    for word in stated {
        hold(
            list.contains(&word.as_str()),
            || place.to_owned(),
            || format!("`{word}` is none of the words of its closed list: {}", list.join(", ")),
        )?;
    }
    Ok(())
}
