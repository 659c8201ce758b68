//! In a harness that bears a refusal, no held deed has the forbidden verb in its name or title.

use super::{Broken, hold};
use crate::deeds::{Deeds, Toolset};
use crate::lock::{Lock, Refusal, Tool};
use crate::words;

pub(super) fn prove(lock: &Lock, deeds: &Deeds<'_>) -> Result<(), Broken> {
    for (refusal_key, refusal) in &lock.refusals {
        if refusal.forbidden_verbs.is_empty() {
            continue;
        }
        let forms = forms(refusal);
        // Many harnesses hold one deed: its words are looked at once.
        let said: Vec<Option<String>> =
            deeds.iter().map(|deed| forbidden(&forms, &deed.name(), Some(deed.tool))).collect();
        let bears = |toolset: &&Toolset<'_>| toolset.harness.refusal_rules.contains(refusal_key);
        for toolset in deeds.toolsets().iter().filter(bears) {
            for (mention, number) in toolset.mentions() {
                let word = match number.and_then(|number| said.get(number)) {
                    Some(word) => word.clone(),
                    None => forbidden(&forms, &mention.deed_name(), lock.tools.get(&mention.tool)),
                };
                hold(
                    word.is_none(),
                    || format!("{}/{}", toolset.key, mention.deed_name()),
                    || {
                        let word = word.as_deref().unwrap_or_default();
                        format!(
                            "its name, there or here, or its title says `{word}`, which the refusal `{refusal_key}` forbids"
                        )
                    },
                )?;
            }
        }
    }
    Ok(())
}

fn forms(refusal: &Refusal) -> Vec<String> {
    let verbs = refusal.forbidden_verbs.iter();
    verbs.flat_map(|verb| words::forms(verb, refusal.forms.get(verb).map_or(&[], Vec::as_slice))).collect()
}

/// The first word that is forbidden, of the deed's name, its title and its name on an outside server.
fn forbidden(forms: &[String], deed: &str, tool: Option<&Tool>) -> Option<String> {
    let title = tool.map_or("", |tool| &tool.title);
    let there = tool.and_then(|tool| tool.server.as_ref()).map_or("", |server| &server.upstream);
    let mut said = [deed, title, there]
        .into_iter()
        .flat_map(|name| words::ranges(name).filter_map(|range| name.get(range)));
    said.find_map(|word| forms.iter().find(|form| words::is_lower_of(form, word)).cloned())
}
