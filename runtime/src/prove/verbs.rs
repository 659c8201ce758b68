//! In a harness that bears a refusal, no held deed has the forbidden verb in its name or title.

use std::collections::BTreeSet;

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::Lock;
use crate::words;

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    for (refusal_key, refusal) in &lock.refusals {
        if refusal.forbidden_verbs.is_empty() {
            continue;
        }
        let mut forms: BTreeSet<String> = BTreeSet::new();
        for verb in &refusal.forbidden_verbs {
            forms.extend(words::forms(verb, refusal.forms.get(verb).map_or(&[], Vec::as_slice)));
        }
        let bearers =
            lock.harnesses.iter().filter(|(_, harness)| harness.refusal_rules.contains(refusal_key));
        for (key, harness) in bearers {
            for mention in &harness.toolset {
                let deed = mention.deed();
                let tool = lock.tools.get(&mention.tool);
                let title = tool.map_or("", |tool| &tool.title);
                let there = tool.and_then(|tool| tool.server.as_ref()).map_or("", |server| &server.upstream);
                let word = [deed.as_str(), title, there]
                    .into_iter()
                    .flat_map(words::words)
                    .find(|w| forms.contains(&w.lower));
                hold(
                    word.is_none(),
                    || format!("{key}/{deed}"),
                    || {
                        let word = word.as_ref().map_or("", |word| &word.lower);
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
