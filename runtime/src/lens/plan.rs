//! What a lens may read while it reviews: the deeds of the review's read-only plan.

use std::collections::BTreeSet;

use super::{LensError, MAX_LENSES};
use crate::deeds::Deeds;
use crate::lock::{Effect, Lock};

/// The deeds that one lens of a review may call, sorted: the review's own `tools` where it states them, else what the lens's
/// harness holds, and of either the reads alone. A run that reviews has [`Mode::LensReview`](crate::boundary::Mode), so that
/// the read-only gate says the same.
pub fn reads(lock: &Lock, review: &str, lens: &str) -> Result<Vec<String>, LensError> {
    let definition = lock.lens_reviews.get(review).ok_or(LensError::UnknownReview)?;
    if !(1..=MAX_LENSES).contains(&definition.lenses.len()) {
        return Err(LensError::TooManyLenses);
    }
    let harness = lock.harnesses.get(lens).filter(|_| definition.lenses.iter().any(|key| key == lens));
    let harness = harness.ok_or(LensError::UnknownColumn)?;
    let deeds = Deeds::of(lock);
    let stated: Option<BTreeSet<&str>> =
        definition.tools.as_ref().map(|tools| tools.iter().map(String::as_str).collect());
    let held = harness.toolset.iter().map(crate::lock::Mention::deed);
    let readable = held.filter(|deed| {
        stated.as_ref().is_none_or(|stated| stated.contains(deed.as_str()))
            && deeds.named(deed).is_some_and(|deed| deed.tool.enabled && deed.effect() == Effect::Read)
    });
    let mut readable: Vec<String> = readable.collect();
    readable.sort();
    Ok(readable)
}
