//! The line under each proposal (SYSTEMS C15): who proposed through which harness, and who decided.

use super::PromptError;
use crate::foreign;
use crate::lock::Lock;

/// Who stands behind a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribution<'a> {
    /// The name of the person who decided; `None`: nobody has.
    pub decider: Option<&'a str>,
    /// The name of the person the run acts for.
    pub person: &'a str,
}

/// The places that a status template may have, each between braces.
pub const STATUS_PLACES: [&str; 3] = ["decider", "harness.title", "person"];

/// The places of a status template in their order, without their braces; `None`: one is never closed.
#[must_use]
pub fn places(template: &str) -> Option<Vec<&str>> {
    let opened = template.split('{').skip(1);
    opened.map(|opened| opened.split_once('}').map(|(place, _)| place)).collect()
}

/// What stands for a decider who is not there yet.
const UNDECIDED: &str = "nobody yet";

/// The harness's status template, filled in. A run under a neutral harness reads like any other, with that harness's own
/// title (`working as Scientist`). Names are cut to one line and are not looked into for further places.
///
/// `None` where the harness has no template; an unknown harness or template is an error.
pub fn status(lock: &Lock, harness: &str, who: Attribution<'_>) -> Result<Option<String>, PromptError> {
    let harness = lock.harnesses.get(harness).ok_or(PromptError::UnknownHarness)?;
    let Some(key) = &harness.status_template else { return Ok(None) };
    let template = lock.status_templates.get(key).ok_or(PromptError::MissingPart)?;
    let mut out = String::new();
    let mut rest = template.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((place, after)) = after.split_once('}') else { return Err(PromptError::UnknownPlace) };
        match place {
            "person" => out.push_str(&foreign::name(who.person)),
            "decider" => out.push_str(&who.decider.map_or_else(|| UNDECIDED.to_owned(), foreign::name)),
            "harness.title" => out.push_str(&harness.title),
            _ => return Err(PromptError::UnknownPlace),
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(Some(out))
}
