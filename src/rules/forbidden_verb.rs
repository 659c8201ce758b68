//! See the page beside this file.

use std::collections::BTreeSet;

use harnessc_runtime::words::words;

use super::engine::refusals::{Bearer, Verb, held_by, verbs};
use super::engine::text::word_at;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::Tool;
use crate::source::Span;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("forbidden-verb");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let words = words_of_names(cx);
    for refusal in cx.model.refusals.iter().filter(|refusal| refusal.forbidden_verbs.is_some()) {
        let verbs = verbs(refusal);
        if !words.iter().any(|word| verbs.iter().any(|verb| verb.is_form(word))) {
            continue;
        }
        let bearers = held_by(cx, &refusal.key.value);
        for (key, bearer) in &bearers {
            let Some(tool) = cx.policy.registry.tool(key) else { continue };
            let names = names_of(cx, tool, bearer);
            for verb in &verbs {
                if let Some(finding) = borne(cx, &names, bearer, verb) {
                    let said = format!("refusal `{}` forbids it", refusal.key.value);
                    sink.push(finding.label(verb.at, said).label(bearer.at, bearer.said()));
                }
            }
        }
    }
}

/// Every word that the names of some tool hold, in lower case: most verbs are in none, and who holds what need not be asked.
fn words_of_names(cx: &Cx<'_>) -> BTreeSet<String> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for tool in cx.policy.registry.tools() {
        names.extend([tool.key(), tool.title()]);
        names.extend(tool.from.map(|(_, there)| there));
    }
    names.extend(cx.policy.registry.deeds().filter_map(|(_, deed)| deed.case).map(|case| case.value.as_str()));
    names.into_iter().flat_map(words).map(|word| word.lower).collect()
}

/// One finding for all names of a tool that bear the verb, at the first of them.
fn borne(cx: &Cx<'_>, names: &[(Span, String)], bearer: &Bearer<'_>, verb: &Verb<'_>) -> Option<Diagnostic> {
    let mut bearing = names.iter().filter(|(_, name)| verb.in_name(name));
    let (first, name) = bearing.next()?;
    let at = |span: Span| word_at(cx, span, |word| verb.is_form(word));
    let message =
        format!("`{name}` bears the verb `{}`, and harness `{}` refuses that", verb.base, bearer.harness);
    let finding = Diagnostic::new(ID, at(*first), message, "the verb");
    Some(
        bearing
            .fold(finding, |finding, (span, _)| finding.label(at(*span), "and here"))
            .note("an agent that is told never to do a thing must not hold a tool that does it")
            .help("take the tool out of the harness; or, if it does something else, name it for what it does"),
    )
}

/// Every name of a tool that a model or a server sees: its key, the cases held, its title and its name where it comes from.
fn names_of(cx: &Cx<'_>, tool: &Tool<'_>, bearer: &Bearer<'_>) -> Vec<(Span, String)> {
    let mut names = vec![(tool.def.key.span, tool.key().to_owned())];
    let deeds = bearer.deeds.iter().filter_map(|id| cx.policy.registry.deed(*id));
    names.extend(deeds.filter_map(|deed| deed.case).map(|case| (case.span, case.value.clone())));
    if tool.title_at() != tool.def.key.span {
        names.push((tool.title_at(), tool.title().to_owned()));
    }
    if let (Some((_, there)), Some(from)) = (tool.from, &tool.def.from)
        && there != tool.key()
    {
        names.push((from.span, there.to_owned()));
    }
    names
}
