//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use super::engine::prompts::{REFUSALS, file, uses};
use super::engine::refusals::verbs;
use super::engine::sentences::{contradiction, sentences};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::Def;
use crate::model::refusals::Refusal;
use crate::source::{FileId, Span};

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("refusal-contradicted");

/// A prompt file: where it is asked for first, by whom, and the refusals that stand beside it in some prompt.
struct Prompt {
    at: Span,
    by: String,
    refusals: BTreeSet<String>,
}

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for (file, prompt) in prompts(cx) {
        let borne = cx.model.refusals.iter().filter(|refusal| prompt.refusals.contains(&refusal.key.value));
        let mut said: BTreeSet<Span> = BTreeSet::new();
        for refusal in borne {
            for finding in contradictions(cx, file, &prompt, refusal) {
                if said.insert(finding.primary.span) {
                    sink.push(finding);
                }
            }
        }
    }
}

fn prompts(cx: &Cx<'_>) -> BTreeMap<FileId, Prompt> {
    let mut prompts: BTreeMap<FileId, Prompt> = BTreeMap::new();
    for used in uses(cx) {
        // Every line of refusals.txt is a refusal, which refusal-line-missing sees to.
        let Some(file) = file(cx, used.path).filter(|_| used.path != REFUSALS) else { continue };
        let prompt = prompts.entry(file).or_insert_with(|| Prompt {
            at: used.at,
            by: used.by.clone(),
            refusals: BTreeSet::new(),
        });
        match used.harness {
            Some(harness) => {
                prompt.refusals.extend(harness.refusals.iter().map(|refusal| refusal.key.value.clone()));
            }
            None => prompt.refusals.extend(cx.model.refusals.keys().map(str::to_owned)),
        }
    }
    prompts
}

fn contradictions(cx: &Cx<'_>, file: FileId, prompt: &Prompt, refusal: &Def<Refusal>) -> Vec<Diagnostic> {
    let text = cx.tree.sources.get(file).map_or("", |file| &*file.text);
    let verbs = verbs(refusal);
    let mut found = Vec::new();
    if verbs.is_empty() {
        return found;
    }
    for sentence in sentences(text) {
        for verb in &verbs {
            let Some(range) = contradiction(&sentence, &verb.base.to_lowercase()) else { continue };
            let message = format!(
                "the prompt of {} says to `{}`, and the refusal `{}` forbids that",
                prompt.by, verb.base, refusal.key.value
            );
            found.push(
                Diagnostic::new(ID, Span::new(file, range), message, "reads as permission")
                    .label(verb.at, "forbidden here")
                    .label(prompt.at, "this prompt")
                    .note("of two instructions that disagree, a model follows the one that suits the request")
                    .help("say who does it instead, say that it is never done, or use another verb for what is meant"),
            );
        }
    }
    found
}
