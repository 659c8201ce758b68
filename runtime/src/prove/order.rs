//! What the lock keeps sorted is sorted, each once, and its digests look like digests: a list has one spelling. Lists whose
//! order an author chose (a plan's steps, a fallback, a prompt) stay as they are.

use std::borrow::Cow;

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::digest::is_digest;
use crate::lock::{Lock, Mention, NO_HARNESS, NO_HARNESS_WORD, RoleTools, Waiver};

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    for (key, harness) in &lock.harnesses {
        hold(
            !key.is_empty() && ![NO_HARNESS, NO_HARNESS_WORD].contains(&key.as_str()),
            || key.clone(),
            || "this key stands for runs without a harness".to_owned(),
        )?;
        sorted(key, "toolset", harness.toolset.iter().map(Mention::deed_name))?;
        sorted(key, "personas", plain(&harness.personas))?;
    }
    for (key, persona) in &lock.personas {
        sorted(key, "bundle", plain(&persona.bundle))?;
    }
    for (key, role) in &lock.roles {
        if let RoleTools::List(names) = &role.tools {
            sorted(key, "tools", plain(names))?;
        }
    }
    lists(lock)?;
    let digests = lock.sources.iter().map(|(file, digest)| (file.as_str(), digest));
    let predecessor = lock.predecessor.iter().map(|digest| ("predecessor", digest));
    for (place, digest) in digests.chain(predecessor) {
        hold(is_digest(digest), || place.to_owned(), || format!("`{digest}` is no sha256 digest"))?;
    }
    Ok(())
}

/// What stands with single definitions and with the policy as a whole.
fn lists(lock: &Lock) -> Result<(), Broken> {
    for (key, tool) in &lock.tools {
        sorted(key, "surfaces", plain(tool.surfaces.as_deref().unwrap_or_default()))?;
    }
    for (key, skill) in &lock.skills {
        sorted(key, "tools", plain(&skill.tools))?;
    }
    for (key, refusal) in &lock.refusals {
        sorted(key, "forbidden_verbs", plain(&refusal.forbidden_verbs))?;
        refusal.forms.values().try_for_each(|forms| sorted(key, "forms", plain(forms)))?;
    }
    for (key, review) in &lock.lens_reviews {
        sorted(key, "tools", plain(review.tools.as_deref().unwrap_or_default()))?;
    }
    let approvals = &lock.approvals;
    sorted("approvals", "always_allowed", plain(&approvals.always_allowed))?;
    if let Some(approvers) = &approvals.approvers {
        sorted("approvers", "confirm", plain(&approvers.confirm))?;
        sorted("approvers", "four_eyes", plain(&approvers.four_eyes))?;
        approvers.tools.iter().try_for_each(|(deed, personas)| sorted("approvers", deed, plain(personas)))?;
    }
    sorted("policy", "external_servers", plain(&lock.policy.external_servers))?;
    if let Some(retry) = lock.limits.iter().find_map(|limits| limits.retry.as_ref()?.model.as_ref()) {
        sorted("limits/retry", "on", plain(&retry.on))?;
    }
    if let Some(store) = lock.audit.iter().find_map(|audit| audit.reasoning_store.as_ref()) {
        sorted("audit/reasoning", "access", plain(&store.access))?;
    }
    effects(lock)?;
    fn place(waiver: &Waiver) -> [&str; 3] {
        [&waiver.file, &waiver.rule, &waiver.excuses]
    }
    hold(
        lock.waivers.is_sorted_by(|one, next| place(one) <= place(next) && one != next),
        || "waivers".to_owned(),
        || "`waivers` stand by file, rule and what they excuse, each once".to_owned(),
    )
}

/// Lists of effects, weakest first.
fn effects(lock: &Lock) -> Result<(), Broken> {
    let scopes = lock.surfaces.values().flat_map(|surface| surface.scopes.iter().flatten());
    let scopes = scopes.map(|(key, scope)| (key.as_str(), scope.effects.as_slice()));
    let planning = lock.prompt.iter().filter_map(|prompt| prompt.planning.as_ref());
    let planning = planning.map(|planning| ("prompt/planning", planning.when.effects.as_slice()));
    for (place, effects) in scopes.chain(planning) {
        hold(
            effects.is_sorted_by(|one, next| one < next),
            || place.to_owned(),
            || "`effects` stand weakest first, each once".to_owned(),
        )?;
    }
    Ok(())
}

fn plain(names: &[String]) -> impl Iterator<Item = Cow<'_, str>> {
    names.iter().map(|name| Cow::Borrowed(name.as_str()))
}

fn sorted<'a>(place: &str, list: &str, names: impl Iterator<Item = Cow<'a, str>>) -> Result<(), Broken> {
    let mut previous: Option<Cow<'a, str>> = None;
    for name in names {
        let after = previous.as_ref().is_none_or(|previous| *previous < name);
        hold(
            after,
            || format!("{place}/{name}"),
            || format!("`{list}` is sorted and names each thing once, and this one stands out of place"),
        )?;
        previous = Some(name);
    }
    Ok(())
}
