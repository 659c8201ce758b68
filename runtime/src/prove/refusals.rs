//! Every harness's prompt carries the line of each refusal it bears, only optional ones are left out, and no two are one
//! line: one would stand there for both.

use std::collections::{BTreeMap, BTreeSet};

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::{Lock, Prompt, digest_of};
use crate::words::without_bullet;

/// The part that holds refusal lines; a harness that leaves some out has `refusals/<harness>` instead.
const REFUSALS: &str = "refusals";

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    let empty = Prompt::default();
    let prompt = lock.prompt.as_ref().unwrap_or(&empty);
    for (name, part) in &prompt.parts {
        hold(
            digest_of(part.text.as_bytes()) == part.digest,
            || format!("prompt/{name}"),
            || "the part's text has another digest than the one beside it".to_owned(),
        )?;
    }
    let mut lines: BTreeMap<&str, &str> = BTreeMap::new();
    for (key, refusal) in &lock.refusals {
        let other = lines.insert(refusal.line.trim(), key);
        hold(
            other.is_none(),
            || format!("refusals/{key}"),
            || format!("its line is that of the refusal `{}`", other.unwrap_or_default()),
        )?;
    }
    let parts = lines_of_parts(prompt);
    for (key, harness) in &lock.harnesses {
        let of_harness: Vec<&BTreeSet<&str>> =
            harness.prompt.iter().filter_map(|name| parts.get(name.as_str())).collect();
        for (refusal_key, refusal) in &lock.refusals {
            let borne = harness.refusal_rules.contains(refusal_key);
            hold(
                borne || refusal.optional,
                || key.clone(),
                || format!("it leaves out the refusal `{refusal_key}`, which is not optional"),
            )?;
            hold(
                !borne || of_harness.iter().any(|lines| lines.contains(refusal.line.trim())),
                || key.clone(),
                || format!("the line of the refusal `{refusal_key}` does not stand in its prompt"),
            )?;
        }
    }
    Ok(())
}

/// The lines of each part that holds refusals, bullets aside.
fn lines_of_parts(prompt: &Prompt) -> BTreeMap<&str, BTreeSet<&str>> {
    let refusals = prompt.parts.iter().filter(|(name, _)| {
        name.strip_prefix(REFUSALS).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    refusals.map(|(name, part)| (name.as_str(), part.text.lines().map(without_bullet).collect())).collect()
}
