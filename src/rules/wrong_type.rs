//! See the page beside this file. `model` finds most of it while it reads; what is here is text that must be one word, the words
//! that a test expects, and the fields of its run.

use super::engine::expectations::unmeetable;
use super::engine::refusals::one_word;
use super::engine::run_values::RunValues;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::source::Spanned;
use harnessc_runtime::words::words;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("wrong-type");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    sink.extend(cx.model.tests.0.iter().flat_map(|test| unmeetable(ID, &test.value)));
    let mut run_values = RunValues::of(cx);
    sink.extend(cx.model.tests.0.iter().flat_map(|test| run_values.impossible(ID, &test.value)));
    for refusal in &cx.model.refusals {
        let verbs = refusal.forbidden_verbs.iter().flatten().map(|verb| (verb, "a forbidden verb"));
        let forms = refusal.forms.iter().flat_map(|forms| forms.iter()).flat_map(|forms| forms.value.iter());
        let forms = forms.map(|form| (form, "a form of a verb"));
        sink.extend(verbs.chain(forms).filter(|(verb, _)| !one_word(verb)).map(|(verb, what)| several(verb, what)));
    }
}

/// Names are split into words before they are compared, so that nothing but a single word is ever found in one.
fn several(verb: &Spanned<String>, what: &str) -> Diagnostic {
    let help = match words(verb).first() {
        Some(first) if first.lower.chars().count() > 1 => format!("write the word that decides, as in `{}`", first.lower),
        _ => "write a single word, or take it out".to_owned(),
    };
    Diagnostic::new(ID, verb.span, format!("{what} is a single word, and `{}` is none", verb.trim()), "not one word")
        .note("names and titles are split into words before verbs are looked for, so this would be found in no tool")
        .help(help)
}
