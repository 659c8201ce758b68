//! See the page beside this file.

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};

pub(super) const FOUND: Found = Found::Whole(check);

const ID: RuleId = RuleId("persona-without-harness");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let fallback = cx.model.persona_fallback.iter().flat_map(|list| list.iter());
    for name in fallback {
        let key = name.value.as_str();
        let Some(persona) = cx.model.personas.get(key) else { continue };
        let finding = match &persona.harness {
            Some(none) => Diagnostic::new(
                ID,
                name.span,
                format!("`persona_fallback` names `{key}`, whose runs wear no harness"),
                "nothing to fall back to",
            )
            .label(none.span, format!("`{key}` says so here"))
            .help(format!("take `{key}` out of `persona_fallback`: a run without a harness is read-only anyway")),
            None if cx.model.harnesses.get(key).is_some() => continue,
            None => Diagnostic::new(
                ID,
                name.span,
                format!("persona `{key}` has no neutral harness to fall back to"),
                format!("no harness is keyed `{key}`"),
            )
            .label(persona.key.span, "the persona")
            .help(format!(
                "add a harness `{key}` with `personas: [{key}]` and `toolset: persona_bundle`, or take `{key}` out of \
                 `persona_fallback`"
            )),
        };
        sink.push(finding.note(
            "a person without a workbench role falls back to the harness keyed by their persona; where there is none, the run cannot begin",
        ));
    }
}
