//! No part of a prompt that changes from turn to turn stands before one that does not.

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::Lock;
use crate::lock::closed_words::PROMPT_TEXTS;

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    let Some(prompt) = &lock.prompt else { return Ok(()) };
    let volatile = |name: &str| prompt.volatile.iter().any(|volatile| volatile == name);
    let kind = |name: &str| Some(volatile(name));
    stable_first("prompt/order", &prompt.order, kind)?;
    // A part with text does not say of which kind it is. Where a kind with text is itself volatile, none is held to be
    // stable.
    let texts = (!PROMPT_TEXTS.iter().any(|text| volatile(text))).then_some(false);
    let part = |name: &str| if prompt.parts.contains_key(name) { texts } else { Some(volatile(name)) };
    lock.harnesses.iter().try_for_each(|(key, harness)| stable_first(key, &harness.prompt, part))
}

/// Refuses a stable part behind a volatile one; `None`: it may be either.
fn stable_first(
    place: &str,
    names: &[String],
    is_volatile: impl Fn(&str) -> Option<bool>,
) -> Result<(), Broken> {
    let mut early: Option<&String> = None;
    for name in names {
        match (is_volatile(name), early) {
            (Some(true), None) => early = Some(name),
            (Some(false), Some(early)) => hold(
                false,
                || place.to_owned(),
                || format!("the volatile part `{early}` stands before the stable part `{name}`"),
            )?,
            _ => {}
        }
    }
    Ok(())
}
