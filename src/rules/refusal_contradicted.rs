//! See the page beside this file.

use std::collections::{BTreeMap, BTreeSet};

use super::engine::prompts::{REFUSALS, file, uses};
use super::engine::refusals::{Verb, verbs};
use super::engine::sentences::{Token, contradiction, sentences};
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

/// A refusal and its verbs, each with its base form in lower case.
struct Forbids<'m> {
    refusal: &'m Def<Refusal>,
    verbs: Vec<(Verb<'m>, String)>,
}

impl<'m> Forbids<'m> {
    fn of(refusal: &'m Def<Refusal>) -> Self {
        let verbs = verbs(refusal).into_iter().map(|verb| {
            let base = verb.base.to_lowercase();
            (verb, base)
        });
        Self { refusal, verbs: verbs.collect() }
    }
}

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let refusals: Vec<Forbids<'_>> = cx.model.refusals.iter().map(Forbids::of).collect();
    for (file, prompt) in prompts(cx) {
        let text = cx.tree.sources.get(file).map_or("", |file| &*file.text);
        let borne = refusals.iter().filter(|forbids| prompt.refusals.contains(&forbids.refusal.key.value));
        let borne: Vec<&Forbids<'_>> = borne.collect();
        let verbs: BTreeSet<&str> =
            borne.iter().flat_map(|forbids| &forbids.verbs).map(|(_, base)| base.as_str()).collect();
        let sentences = sentences(text, &Vec::from_iter(verbs));
        let mut said: BTreeSet<Span> = BTreeSet::new();
        for forbids in borne {
            for finding in contradictions(file, &sentences, &prompt, forbids) {
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

fn contradictions(
    file: FileId,
    sentences: &[Vec<Token>],
    prompt: &Prompt,
    forbids: &Forbids<'_>,
) -> Vec<Diagnostic> {
    let refusal = forbids.refusal;
    let mut found = Vec::new();
    for sentence in sentences {
        for (verb, base) in &forbids.verbs {
            let Some(range) = contradiction(sentence, base) else { continue };
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
